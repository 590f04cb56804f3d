"""Takes a picture of each kind of page, to be looked at: `make screenshots` leaves them in build/screenshots."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from tests.web import studio, team
from tests.web.places import LOOKS, list_places

_LOOKS = ("desktop", "dark", "phone")


def take_all(folder: Path) -> int:
    """Take the pictures; gives back how many."""
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
        taken += _take_office(folder, Path(place) / "team", browser)
    return taken


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
    sys.stdout.write(f"{take_all(target)} pictures in {target.relative_to(studio.ROOT)}\n")
