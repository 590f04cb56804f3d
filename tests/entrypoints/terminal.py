"""A terminal with a program in it, and a small program that behaves as an agent's command line does."""

import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.forking import Forked
from tests.server import SERVE

SECONDS_MAX = 60.0
_WHERE_IS_THE_CURSOR = "\x1b[6n"
# The program in a terminal is the leader of a session of its own, as a login shell is.
_LEAD = (
    "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execvpe(sys.argv[1], sys.argv[1:], os.environ)"
)
# Runs the hooks that its settings name; its words say what it does then, one after the other.
FAKE_AGENT = r"""#!@PYTHON@
import json, os, pathlib, signal, subprocess, sys, time

home = pathlib.Path(os.environ["HOME"])
session = os.environ.get("FAKE_SESSION", "fake-session-1")
kept = home / ".claude" / "projects" / "shop" / (session + ".jsonl")


def tell(event, **more):
    path = home / ".claude" / "settings.json"
    settings = json.loads(path.read_text()) if path.exists() else {}
    payload = {"session_id": session, "cwd": os.getcwd(), "hook_event_name": event, **more}
    for group in settings.get("hooks", {}).get(event, []):
        for hook in group["hooks"]:
            done = subprocess.run(["sh", "-c", hook["command"]], input=json.dumps(payload).encode(), stdout=-1)
            if done.stdout:
                print("HOOK", done.stdout.decode(), flush=True)


def note(kind, content, seconds):
    moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() + seconds)) + ".000Z"
    kept.parent.mkdir(parents=True, exist_ok=True)
    line = {"type": kind, "sessionId": session, "cwd": os.getcwd(), "timestamp": moment, "uuid": kind,
            "message": {"role": kind, "content": content}}
    with kept.open("a") as file:
        file.write(json.dumps(line) + "\n")


def interrupted(number, _frame):
    print("INTERRUPTED", number, flush=True)
    sys.exit(7)


print("ARGUMENTS", json.dumps(sys.argv[1:]), flush=True)
print("TERMINAL", all(map(os.isatty, (0, 1, 2))), flush=True)
steps = sys.argv[1:]
if "--resume" in steps:
    session = steps[steps.index("--resume") + 1]
tell("SessionStart", source="resume" if "--resume" in steps else "startup")
for step in steps:
    if step.startswith("say:"):
        tell("UserPromptSubmit", prompt=step[4:], prompt_id=step)
        note("user", step[4:], 0)
    elif step == "work":
        tool = {"tool_name": "Bash", "tool_use_id": "use-" + session, "tool_input": {"command": "make check"}}
        tell("PostToolUse", **tool, tool_response={"stdout": "ok", "stderr": ""})
    elif step.startswith("unheard:"):
        note("assistant", [{"type": "text", "text": step[8:]}], 5)
    elif step == "end":
        tell("SessionEnd", reason="other")
    elif step == "wait":
        signal.signal(signal.SIGINT, interrupted)
        signal.signal(signal.SIGTERM, interrupted)
        print("WAITING", flush=True)
        while True:
            signal.pause()
    elif step == "stop":
        print("STOPPING", flush=True)
        os.kill(os.getpid(), signal.SIGTSTP)
        print("GOES ON", flush=True)
    elif step == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    elif step.startswith("exit:"):
        sys.exit(int(step[5:]))
"""


def write_agent(folder: Path, name: str = "claude") -> None:
    """Put the small agent where it is found under an agent's name."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(FAKE_AGENT.replace("@PYTHON@", sys.executable), encoding="utf-8")
    path.chmod(0o755)


class Terminal:
    """A program in a terminal of its own: what it prints can be waited for, and keys can be typed."""

    def __init__(self, words: Sequence[str], cwd: Path, env: Mapping[str, str]) -> None:
        self._keys, inside = pty.openpty()
        termios.tcsetwinsize(self._keys, (40, 120))
        self.program: subprocess.Popen[bytes] | Forked
        if tuple(words[: len(SERVE)]) == SERVE:
            self.program = Forked(words[len(SERVE) :], [inside] * 3, cwd=cwd, env=env, leads=True)
        else:
            self.program = subprocess.Popen(
                [sys.executable, "-c", _LEAD, *words],
                stdin=inside,
                stdout=inside,
                stderr=inside,
                cwd=cwd,
                env=dict(env),
            )
        os.close(inside)
        self.text = ""

    def wait_for(self, words: str) -> str:
        """Read until something is printed; gives back all that was."""
        until = time.monotonic() + SECONDS_MAX
        while words not in self.text:
            assert time.monotonic() < until, f"{words!r} is not in {self.text!r}"
            assert self._read(until), f"{words!r} is not in {self.text!r}"
        return self.text

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self._keys, keys)

    def answer(self) -> bool:
        """Read what there is, and answer as a terminal does when it is asked where its cursor stands."""
        before = len(self.text)
        if select.select([self._keys], [], [], 0.0)[0]:
            self._read(time.monotonic() + SECONDS_MAX)
        for _ in range(self.text.count(_WHERE_IS_THE_CURSOR, max(before - len(_WHERE_IS_THE_CURSOR), 0))):
            self.type(b"\x1b[1;1R")
        return True

    def end(self) -> int:
        """Read to the end, and give back the exit code."""
        until = time.monotonic() + SECONDS_MAX
        while self._read(until):
            pass
        os.close(self._keys)
        return self.program.wait(SECONDS_MAX)

    def _read(self, until: float) -> bool:
        if not select.select([self._keys], [], [], max(0.0, until - time.monotonic()))[0]:
            return False
        try:
            piece = os.read(self._keys, 65536)
        except OSError:
            # So Linux says that nobody has the terminal open any more.
            return False
        self.text += piece.decode("utf-8", "replace")
        return bool(piece)
