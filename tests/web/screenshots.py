"""Takes a picture of each kind of page, to be looked at: `make screenshots` leaves them in build/screenshots."""

import sys
import tempfile
from pathlib import Path

from tests.web import studio
from tests.web.places import LOOKS, list_places


def take_all(folder: Path) -> int:
    """Take the pictures; gives back how many."""
    folder.mkdir(parents=True, exist_ok=True)
    taken = 0
    with (
        tempfile.TemporaryDirectory() as place,
        studio.open_site(Path(place) / "memwiki") as site,
        studio.open_browser() as browser,
    ):
        for look in ("desktop", "dark", "phone"):
            page = browser.new_context(**LOOKS[look]).new_page()
            for name, address in list_places(site).items():
                page.goto(site.url + address, wait_until="networkidle")
                page.screenshot(path=folder / f"{name}-{look}.png")
                taken += 1
    return taken


if __name__ == "__main__":
    if not studio.find_chromium():
        sys.exit("no Chromium here: install the package chromium")
    target = studio.ROOT / "build" / "screenshots"
    sys.stdout.write(f"{take_all(target)} pictures in {target.relative_to(studio.ROOT)}\n")
