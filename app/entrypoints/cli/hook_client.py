"""What an agent's hooks call: our client by a shell line, or the server itself.

For the shell line: which Python, which shell, which file, and how they are quoted.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import assert_never

from app.agents.agent import Agent, HookCall, HttpHook, Shell
from app.domain import limits
from app.domain.event import EventKind

# At these the client waits for an answer by itself; at any other that brings a brief it has to be told.
_KNOWN_STARTS = frozenset({"sessionstart", "sessioncreated", "taskstart", "agentspawn"})
_CLIENT_PARTS = ("hooks", "send_event.py")
# A shell without `printf` of its own would have the event on a command line, for all to see.
_SHELL_PROBE = "case $(command -v printf) in /*) exit 1 ;; esac; curl -q --version && [ -r /dev/fd/0 ]"
# The oldest Python that runs the client; the answer names the interpreter behind a shim or an environment.
_PROBE = (
    "import os, sys; print(sys.version_info >= (3, 8)); print(os.path.realpath(sys.executable)); "
    "print(sys.prefix == sys.base_prefix); print(getattr(sys, '_base_executable', sys.executable))"
)


def locate_client(folder: Path) -> Path:
    """Tell where the copy of the client is kept; the end of this path is the mark of our hook entries."""
    return folder.joinpath(*_CLIENT_PARTS)


def locate_token(folder: Path) -> Path:
    """Tell where an access token is kept for the hooks: beside the client, which looks there."""
    return locate_client(folder).with_name("token")


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


def find_shell(search_path: str | None) -> str:
    """Find a shell that can send events by curl; empty where there is none, or no curl."""
    shell = shutil.which("sh", path=search_path) if os.name == "posix" else None
    if not shell:
        return ""
    try:
        probe = subprocess.run(
            [shell, "-c", _SHELL_PROBE], capture_output=True, timeout=limits.PYTHON_PROBE_SECONDS_MAX, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return shell if probe.returncode == 0 else ""


def build_calls(agent: Agent, *, python: str, shell_path: str, client: Path, server_url: str) -> dict[str, HookCall]:
    """Build what is run at every event that is registered; with a shell, events without an answer use it.

    A line ends in success whatever happens: an agent reads a failing hook as an order to stop, and a missing
    file makes Python exit with just the code that blocks.
    """
    shell = agent.traits.windows_shell if os.name == "nt" else agent.traits.shell
    calls: dict[str, HookCall] = {}
    for event in agent.traits.hook_events:
        words = ["--agent", agent.name.value, "--event", event.name, "--url", server_url]
        is_start = agent.parse_event(event.name, {"session_id": "-"}).kind is EventKind.SESSION_START
        is_briefed = event.name in agent.traits.brief.events
        if is_briefed and re.sub(r"[^a-z]", "", event.name.lower()) not in _KNOWN_STARTS:
            words += ["--brief", agent.traits.brief.point.value]
        if shell_path and not (is_start or is_briefed):
            line = [shell_path, str(client.with_suffix(".sh")), *words, "--python", python]
        else:
            line = [python, "-I", "-S", str(client), *words]
        calls[event.name] = render_call(line, shell)
    return calls


def render_call(words: Sequence[str], shell: Shell) -> HookCall:
    """Quote a program and its arguments for what reads them."""
    slashed = [word.replace("\\", "/") for word in words] if os.name == "nt" else list(words)
    match shell:
        case Shell.SH:
            return f"{shlex.join(slashed)} || exit 0"
        case Shell.CMD:
            quoted = (f'"{word}"' if re.search(r"[\s&|<>^()]", word) else word for word in slashed)
            return f"{' '.join(quoted)} || exit 0"
        case Shell.POWERSHELL:
            quoted = ("'{}'".format(word.replace("'", "''")) for word in slashed)
            return f"& {' '.join(quoted)}; exit 0"
        case Shell.WORDS:
            return shlex.join(slashed)
        case Shell.NONE:
            return tuple(words)
        case _:
            assert_never(shell)


def build_posts(agent: Agent, server_url: str, token_env: str) -> dict[str, HookCall]:
    """Build the hooks that need no process, for the events where the agent has such."""
    address = f"{server_url}/hook?agent={agent.name.value}&event="
    return {name: HttpHook(f"{address}{name}&by=memwiki", token_env) for name in agent.traits.http_events}


def _probe_python(candidate: str) -> str:
    """Ask a Python for itself: the candidate if it is plain, the interpreter behind it if not, else nothing."""
    try:
        answer = subprocess.run(
            [candidate, "-I", "-S", "-c", _PROBE],
            capture_output=True,
            text=True,
            timeout=limits.PYTHON_PROBE_SECONDS_MAX,
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
