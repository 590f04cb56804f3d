"""What a hook costs its agent: whole processes, beside a bare curl and a bare Python started in turn with them."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from app.bench import figure, payloads, process
from app.bench.figure import Figure
from app.bench.scale import Note, Scale

_EVENT: Final = "PostToolUse"
_ROUNDS: Final = 150
_ROUNDS_MIN: Final = 3
_RUN_SECONDS_MAX: Final = 20.0
_PACKAGE: Final = Path(__file__).parents[1]
_CURL_BAR, _PYTHON_BAR, _AWAY_BAR = figure.at_most(20), figure.at_most(50), figure.at_most(60)


@dataclass(slots=True)
class Contender:
    """A command that is measured; `spool` is where it must leave nothing, or everything if the server is away."""

    name: str
    command: Sequence[str]
    body: bytes
    environ: dict[str, str] = field(default_factory=dict)
    bar: figure.Bar | None = None
    rival: str = ""
    spool: Path | None = None
    is_away: bool = False
    times_ms: list[float] = field(default_factory=list)
    faults: int = 0

    def run(self) -> None:
        """Run it once, and see whether it did what it is for."""
        begun = time.perf_counter()
        done = subprocess.run(
            self.command, input=self.body, capture_output=True, env=self.environ, timeout=_RUN_SECONDS_MAX, check=False
        )
        self.times_ms.append((time.perf_counter() - begun) * 1000)
        is_spooled = self.spool is not None and any(self.spool.glob("events*.jsonl"))
        is_silent = done.returncode == 0 and not done.stdout and not done.stderr
        self.faults += self.spool is not None and not (is_silent and is_spooled == self.is_away)
        if is_spooled and not self.is_away:
            # What came too late for the server must not make the next run another kind of run.
            shutil.rmtree(str(self.spool), ignore_errors=True)


def measure(scale: Scale, note: Note) -> tuple[Figure, ...]:
    """Measure every way of sending an event, with a server and without."""
    with ExitStack() as stack:
        folder = stack.enter_context(process.make_folder())
        note("starting a server")
        server = stack.enter_context(process.run_server(folder / "data", token="mw_" + "b" * 40))
        with server.connect() as client:
            process.wait_until_ready(server, client)
        contenders = _list_contenders(folder, server.url, server.token, stack.enter_context(_open_black_hole()))
        # The first event finds out that a server is away, and those behind it know; it is told apart.
        for each in contenders:
            each.run()
        for number in scale.repeat(_ROUNDS, least=_ROUNDS_MIN):
            note(f"hooks, round {number + 1} of {scale.repeats(_ROUNDS, least=_ROUNDS_MIN)}")
            for each in contenders:
                each.run()
    bare = {each.name: figure.find_percentile(each.times_ms[1:], 0.95) for each in contenders}
    return tuple(
        shown
        for each in contenders
        for shown in figure.build_percentiles(
            each.name,
            each.times_ms[1:],
            p95=each.bar,
            ceiling=bare.get(each.rival),
            detail=f"{len(each.times_ms) - 1} processes after a first one of {each.times_ms[0]:.0f} ms",
            faults=each.faults,
        )
    )


def _list_contenders(folder: Path, server_url: str, token: str, black_hole_url: str) -> list[Contender]:
    checkout = _make_checkout(folder / "shop")
    event = next(payloads.draw_tool_events(1, 1))
    body = msgspec.json.encode({**event.payload, "cwd": str(checkout)})
    python = os.path.realpath(sys.executable)
    scripts = _PACKAGE / "_bundled" / "hooks"
    scripts = scripts if scripts.is_dir() else _PACKAGE.parent / "hooks"
    environ = {"HOME": str(folder), "PATH": os.environ.get("PATH", ""), "MEMWIKI_ACCESS_TOKEN": token}
    ways = {"python": [python, "-I", "-S", str(scripts / "send_event.py")]}
    bare = [Contender("bare_python", [python, "-I", "-S", "-c", "pass"], b"", environ)]
    shell, curl = shutil.which("sh"), shutil.which("curl")
    if shell and curl and os.name == "posix":
        ways = {"curl": [shell, str(scripts / "send_event.sh")], **ways}
        command = [curl, "-q", "-s", "-o", os.devnull, f"{server_url}/healthz"]
        bare.append(Contender("bare_curl", command, b"", environ))
    places = {
        "up": (server_url, False),
        "down": ("http://127.0.0.1:9", True),
        "black_hole": (black_hole_url, True),
    }
    return bare + [
        Contender(
            name=f"hook_{way}_{place}",
            command=[*words, *_build_arguments(url, python if way == "curl" else "")],
            body=body,
            environ={**environ, "MEMWIKI_SPOOL_DIR": str(folder / way / place)},
            bar=_AWAY_BAR if is_away else _CURL_BAR if way == "curl" else _PYTHON_BAR,
            rival=f"bare_{way}",
            spool=folder / way / place,
            is_away=is_away,
        )
        for place, (url, is_away) in places.items()
        for way, words in ways.items()
    ]


def _build_arguments(url: str, python: str) -> list[str]:
    arguments = ["--agent", payloads.AGENT, "--event", _EVENT, "--url", url]
    return [*arguments, "--python", python] if python else arguments


def _make_checkout(folder: Path) -> Path:
    """Make a repository as most are: a remote, a branch, one commit."""
    settings = ["-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgsign=false"]
    folder.mkdir()
    for arguments in (
        ["init", "-q", "-b", "main"],
        ["commit", "-q", "--allow-empty", "-m", "first"],
        ["remote", "add", "origin", "git@host.example:team/shop.git"],
    ):
        subprocess.run(["git", *settings, *arguments], cwd=folder, check=True, capture_output=True)
    return folder


@contextmanager
def _open_black_hole() -> Iterator[str]:
    """Lend an address that swallows connections: its queue is full, and nobody accepts."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(4):
            caller = stack.enter_context(socket.socket())
            caller.setblocking(False)
            caller.connect_ex(listener.getsockname())
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
