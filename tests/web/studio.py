"""A browser and a server with the recorded sessions, for the tests and for `make screenshots`."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.server import Server, run_server

ROOT = Path(__file__).parents[2]
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
