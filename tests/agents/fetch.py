"""Fetches the real command lines by npm, each at its release, into a folder that is kept from one run to the next."""

import fcntl
import os
import shutil
import subprocess
import time
from functools import cache
from pathlib import Path

# All of them together: whoever runs the gate where npm is slow is told so, and does not wait for ever.
FETCH_SECONDS_MAX = 420
_ANSWER_SECONDS_MAX = 40
_NPM_OPTIONS = ("--no-fund", "--no-audit", "--fetch-retries=1", "--fetch-timeout=60000")


def find_cache() -> Path:
    """Find the folder in which the command lines are kept from one run to the next."""
    named = os.environ.get("MEMWIKI_AGENT_CLIS", "")
    return Path(named) if named else Path(__file__).parents[2] / ".cache" / "agents"


def find_program(folder: str, name: str) -> Path:
    """Find an installed package's program."""
    return find_cache() / folder / "node_modules" / ".bin" / name


@cache
def install(folder: str, package: str) -> str:
    """Install a package unless it is there; gives back why it cannot be, empty when it is."""
    place = find_cache() / folder
    if os.environ.get("MEMWIKI_AGENT_CLIS"):
        return "" if place.is_dir() else f"{place} is missing"
    place.mkdir(parents=True, exist_ok=True)
    # Another run of this checkout may be fetching the same.
    with (place / ".lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Written last, so that what was cut short is begun again.
        mark = place / ".installed"
        if mark.exists() and mark.read_text(encoding="utf-8") == package:
            return ""
        lack = _ask_registry() or _fetch(place, package)
        if not lack:
            mark.write_text(package, encoding="utf-8")
        return lack


@cache
def _start_clock() -> float:
    return time.monotonic()


@cache
def _ask_registry() -> str:
    """Ask whether the registry answers at all, since an installing npm tries that for many minutes."""
    return _run_npm(["view", "npm", "version", "--fetch-retries=0"], _ANSWER_SECONDS_MAX)


def _fetch(place: Path, package: str) -> str:
    left = FETCH_SECONDS_MAX - (time.monotonic() - _start_clock())
    if left <= 0:
        return f"npm took more than {FETCH_SECONDS_MAX} s for the agents before {package}; the next run goes on there"
    return _run_npm(["install", "--prefix", str(place), *_NPM_OPTIONS, package], left)


def _run_npm(words: list[str], seconds: float) -> str:
    """Run npm; gives back what went wrong."""
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not there to install agents with"
    try:
        done = subprocess.run([npm, *words], capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return f"npm {words[0]} did not end within {seconds:.0f} s"
    said = " ".join(done.stderr.split())[:300]
    return f"npm {words[0]} failed: {said}" if done.returncode else ""
