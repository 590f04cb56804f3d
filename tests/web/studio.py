"""A browser and a server with the recorded sessions, for the tests and for `make screenshots`."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests import forking
from tests.server import Server, clean_environment, run_server

ROOT = Path(__file__).parents[2]
# Text that runs the other way, and words that are wider than a phone.
PAGES = {
    "arabic": "# \u0630\u0627\u0643\u0631\u0629 \u0627\u0644\u0645\u0634\u0631\u0648\u0639\n\n"
    "\u0627\u0633\u062a\u062e\u062f\u0645 `Decimal` \u0628\u062f\u0644\u0627 \u0645\u0646 `float`.\n\n"
    "- [x] \u062a\u0645\n- \u0627\u0644\u062a\u0627\u0644\u064a\n\n"
    "> [!warning] \u062a\u0646\u0628\u064a\u0647\n> `pytest -q`\n",
    "german": "# Rechtsschutzversicherungsgesellschaften und Donauschifffahrtsgesellschaftskapit\u00e4nsm\u00fctzen\n\n"
    "| Gr\u00f6\u00dfe | Wert |\n|---|---|\n| Geschwindigkeitsbegrenzungsschilder | 3 |\n\n`"
    + "ein_sehr_langer_name" * 20
    + "`\n",
}
# All that a page may show, and what changes in it afterwards.
GALLERY = """# A gallery of everything

A note with **bold**, *slanted*, ~~gone~~ and `code`, a [link](../index.md), one to [[nowhere at all]], and https://example.com/.
A secret was here: [redacted:github-token].

> [!warning] Mind the gap
> Callouts keep their own title.

> [!tip]
> A tip without a title.

- [x] written
- [ ] looked at on a phone

| Price | Rounded |
|---|---:|
| 5.025 | 5.03 |
| 1,299.00 | 1,299.00 |

```python
def apply_discount(price: Decimal, percent: int) -> Decimal:
    return (price * (100 - percent) / 100).quantize(CENT, ROUND_HALF_UP)  # half a cent goes up
```

```mermaid
graph LR; session --> page --> handoff
```

## What was tried

1. Round half to even.
2. Round half up.[^why]

[^why]: Customers expect it.

### Where it stands

It stands in `pricing.py`.
"""
GALLERY_FIELDS = {
    "tags": ["pricing", "release 2"],
    "entities": ["file:pricing.py", "symbol:apply_discount", "error:AssertionError 5.025", "pytest"],
    "facts": [{"subject": "discount", "property": "rounding", "value": "half up", "valid_from": "2026-11-30"}],
    "relations": {"fixes": ["gotchas/none.md"]},
    "stale_after": "2026-01-31",
    "pinned": True,
    "reviewed by": ["ann", "bob"],
}
BROKEN = "---\ntitle: [unclosed\n---\n\n# Broken\n\nStill read.\n\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n"
_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium() -> str:
    """Find the system's Chromium; empty where there is none."""
    return next((path for name in _NAMES if (path := shutil.which(name))), "")


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Run the system's Chromium without a screen."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=find_chromium(), args=list(_FLAGS))
        yield running
        running.close()


@contextmanager
def open_site(folder: Path) -> Iterator[Server]:
    """Run a server that has the recorded sessions, all committed."""
    with run_server(folder) as server:
        told = forking.run(["demo", "--url", server.url, "--json"], env=clean_environment(), timeout=100)
        assert told.returncode == 0, told.stderr
        for name, body in PAGES.items():
            server.client.put(f"/api/v1/pages/notes/{name}.md", json={"body": body}, params={"project": "shop"})
        put_gallery(server)
        yield server


def put_gallery(server: Server) -> None:
    """Write a page that has all that pages can have, change it, and break another as an editor might."""
    place, about = "/api/v1/pages/notes/gallery.md", {"project": "shop"}
    server.client.put(place, json={"body": GALLERY}, params=about)
    server.wait_until_committed()
    known = server.get(place, project="shop")["content_hash"]
    changed = GALLERY.replace("Customers expect it.", "Customers expect it, and so does the tax office.")
    answer = server.client.put(
        place, json={"body": changed, "fields": GALLERY_FIELDS, "expected_hash": known}, params=about
    )
    assert answer.status_code == 200, answer.text
    (server.wiki / "main" / "shop" / "notes" / "broken.md").write_text(BROKEN, encoding="utf-8")
    server.wait_until_committed()
