"""A real server with two recorded sessions, a browser to look at it, and what checks pages for everyone's access."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.server import Server, run_server

ROOT = Path(__file__).parents[2]
AXE = "axe-core@4.13.0"
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium without a screen."""
    found = next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
    )
    if not found:
        pytest.skip("no Chromium here: install the package chromium to test the pages in a browser")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=list(_FLAGS))
        yield running
        running.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that has the recorded sessions, one further page, and a handoff that waits."""
    with run_server(tmp_path_factory.mktemp("web") / "memwiki") as server:
        told = subprocess.run(
            [sys.executable, "-m", "app.entrypoints.cli.main", "demo", "--url", server.url, "--json"],
            cwd=ROOT,
            capture_output=True,
            check=False,
            timeout=100,
            env={name: value for name, value in os.environ.items() if not name.startswith("MEMWIKI_")},
        )
        assert told.returncode == 0, told.stderr.decode()
        server.wait_until_committed()
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
