"""Takes a picture of each kind of page, to be looked at: `make screenshots` leaves them in build/screenshots.

The two that the README shows are made anew in docs/images, as WebP, which is a third of the size.
"""

import base64
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from tests.server import Server
from tests.web import studio, team
from tests.web.places import LOOKS, list_places

_LOOKS = ("desktop", "dark", "phone")
_SHOWN_SCALE = 0.75
_SHOWN_QUALITY = 42


def take_all(folder: Path, shown: Path) -> int:
    """Take the pictures, and anew the two of the README in `shown`; gives back how many."""
    folder.mkdir(parents=True, exist_ok=True)
    taken = 0
    with (
        tempfile.TemporaryDirectory() as place,
        studio.open_site(Path(place) / "memwiki") as site,
        studio.open_browser() as browser,
    ):
        for look in _LOOKS:
            page = browser.new_context(**LOOKS[look]).new_page()
            for name, address in list_places(site).items():
                page.goto(site.url + address, wait_until="networkidle")
                page.screenshot(path=folder / f"{name}-{look}.png")
                taken += 1
        taken += _take_shown(shown, site, browser)
        taken += _take_office(folder, Path(place) / "team", browser)
    return taken


def _take_shown(folder: Path, site: Server, browser: Browser) -> int:
    page = browser.new_context(**LOOKS["desktop"], device_scale_factor=_SHOWN_SCALE).new_page()
    addresses = {"session-page": list_places(site)["page"], "search": "/search?q=rounding+decimal&why=1"}
    for name, address in addresses.items():
        page.goto(site.url + address, wait_until="networkidle")
        # Nobody is typing in a picture.
        page.evaluate("document.activeElement.blur()")
        # What Playwright itself writes is PNG or JPEG: the one is large, the other blurs letters.
        browser_tools = page.context.new_cdp_session(page)
        taken = browser_tools.send("Page.captureScreenshot", {"format": "webp", "quality": _SHOWN_QUALITY})
        (folder / f"{name}.webp").write_bytes(base64.b64decode(taken["data"]))
    return len(addresses)


def _take_office(folder: Path, data_dir: Path, browser: Browser) -> int:
    with team.open_team(data_dir) as server:
        for look in _LOOKS:
            page = team.sign_in(browser, server, **LOOKS[look]).new_page()
            for name in team.NAMES:
                page.goto(f"{server.url}/admin/{name}", wait_until="networkidle")
                page.screenshot(path=folder / f"admin-{name}-{look}.png")
    return len(_LOOKS) * len(team.NAMES)


if __name__ == "__main__":
    if not studio.find_chromium():
        sys.exit("no Chromium here: install the package chromium")
    target = studio.ROOT / "build" / "screenshots"
    sys.stdout.write(
        f"{take_all(target, studio.ROOT / 'docs' / 'images')} pictures, most in {target.relative_to(studio.ROOT)}\n"
    )
