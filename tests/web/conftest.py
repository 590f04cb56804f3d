"""A real server with two recorded sessions, a browser to look at it, and what checks pages for everyone's access."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.server import Server
from tests.web import studio

ROOT = Path(__file__).parents[2]
AXE = "axe-core@4.13.0"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium without a screen."""
    if not studio.find_chromium():
        pytest.skip("no Chromium here: install the package chromium to test the pages in a browser")
    with studio.open_browser() as running:
        yield running


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that has the recorded sessions."""
    with studio.open_site(tmp_path_factory.mktemp("web") / "memwiki") as server:
        yield server


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh browser profile."""
    fresh = browser.new_context(viewport={"width": 1280, "height": 900})
    yield fresh
    fresh.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The accessibility checker's script, fetched once from the npm registry into the project's cache."""
    script = ROOT / ".cache" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("no npm here: the accessibility checker cannot be fetched")
        fetched = subprocess.run(
            [npm, "install", "--prefix", str(ROOT / ".cache" / "axe"), "--no-fund", "--no-audit", AXE],
            capture_output=True,
            check=False,
            timeout=100,
        )
        if fetched.returncode != 0:
            pytest.skip("the accessibility checker cannot be fetched: " + fetched.stderr.decode()[-200:])
    return script.read_text(encoding="utf-8")
