"""The command by which an agent's hooks run our client: which Python, which file, and how it is quoted."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from app.agents.agent import Agent

_CLIENT_PARTS = ("hooks", "send_event.py")
# The oldest Python that runs the client; the answer names the interpreter behind a shim or an environment.
_PROBE = (
    "import os, sys; print(sys.version_info >= (3, 8)); print(os.path.realpath(sys.executable)); "
    "print(sys.prefix == sys.base_prefix); print(getattr(sys, '_base_executable', sys.executable))"
)
_PROBE_SECONDS_MAX = 10


def locate_client(folder: Path) -> Path:
    """Tell where the copy of the client is kept; the end of this path is the mark of our hook entries."""
    return folder.joinpath(*_CLIENT_PARTS)


def find_python(search_path: str | None) -> str:
    """Find a lasting Python of at least 3.8: that of the system before one behind a shim or an environment.

    The client needs the standard library alone, and an environment may be gone tomorrow.
    """
    behind: list[str] = []
    for candidate in (shutil.which("python3", path=search_path), "/usr/bin/python3"):
        found = _probe_python(candidate) if candidate else ""
        if found and found == candidate:
            return found
        behind.append(found)
    return next(filter(None, behind), str(getattr(sys, "_base_executable", "") or sys.executable))


def build_commands(agent: Agent, *, python: str, client: Path, server_url: str) -> dict[str, str]:
    """Build the shell line of every event that is registered, by event.

    The line ends in success whatever happens: an agent reads a failing hook as an order to stop, and a missing
    file makes Python exit with just the code that blocks.
    """
    return {
        event.name: _join_words(
            [python, "-I", "-S", str(client), "--agent", agent.name.value, "--event", event.name, "--url", server_url]
        )
        + " || exit 0"
        for event in agent.hook_events
    }


def _probe_python(candidate: str) -> str:
    """Ask a Python for itself: the candidate if it is plain, the interpreter behind it if not, else nothing."""
    try:
        answer = subprocess.run(
            [candidate, "-I", "-S", "-c", _PROBE],
            capture_output=True,
            text=True,
            timeout=_PROBE_SECONDS_MAX,
            check=True,
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    is_new_enough, real_path, is_plain, behind = [*answer.stdout.splitlines(), "", "", "", ""][:4]
    if is_new_enough != "True":
        return ""
    # A link such as /usr/bin/python3 outlives the version that it points to today.
    is_lasting = is_plain == "True" and real_path == os.path.realpath(candidate)
    return candidate if is_lasting else behind


def _join_words(words: Sequence[str]) -> str:
    if os.name != "nt":
        return shlex.join(words)
    plain = (word.replace("\\", "/") for word in words)
    return " ".join(f'"{word}"' if re.search(r"[\s&|<>^()]", word) else word for word in plain)
