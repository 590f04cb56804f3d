"""Starts `memwiki` as processes of its own that need not import it: forks of one that has, made anew for each suite.

A fork is a real process with its own folder, environment, streams and signals, and ends by them as any other. What it
has not is a start from nothing: tests of that run the program itself (`tests.server.SERVE`).
"""

import atexit
import contextlib
import fcntl
import json
import os
import select
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[1]
_REQUEST_BYTES_MAX = 1024 * 1024
_STREAMS = 3
_START = "import sys; sys.path[0] = sys.argv[1]; from tests import forking; forking.attend(int(sys.argv[2]))"


class Forked:
    """A program that runs: as much of `subprocess.Popen` as tests use."""

    def __init__(
        self, words: Sequence[str], streams: Sequence[int], *, cwd: Path, env: Mapping[str, str], leads: bool = False
    ) -> None:
        ours, theirs = os.pipe()
        asked = json.dumps({"words": list(words), "cwd": str(cwd), "env": dict(env), "leads": leads}).encode()
        try:
            nursery = _open_nursery()
            socket.send_fds(nursery, [len(asked).to_bytes(4, "big") + asked], [*streams, theirs])
        finally:
            os.close(theirs)
        self._told = ours
        self.returncode: int | None = None
        self.stdout: IO[bytes] | None = None
        self.pid = int.from_bytes(self._read(4, None) or b"")
        assert self.pid, "the process that others are forked from is gone"

    def poll(self) -> int | None:
        """Tell how it ended; None while it runs."""
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end."""
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("memwiki", timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it by SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def __del__(self) -> None:
        if self.returncode is None:
            os.close(self._told)

    def _look(self, timeout: float | None) -> int | None:
        if self.returncode is None:
            found = self._read(4, timeout)
            if found is None:
                return None
            self.returncode = int.from_bytes(found, "big", signed=True) if found else -signal.SIGKILL
            os.close(self._told)
        return self.returncode

    def _read(self, size: int, timeout: float | None) -> bytes | None:
        return os.read(self._told, size) if select.select([self._told], [], [], timeout)[0] else None


def start(words: Sequence[str], *, cwd: Path, env: Mapping[str, str], stderr: int) -> Forked:
    """Start it with a pipe to read its standard output from."""
    ours, theirs = os.pipe()
    nothing = os.open(os.devnull, os.O_RDONLY)
    try:
        started = Forked(words, (nothing, theirs, stderr), cwd=cwd, env=env)
    finally:
        os.close(theirs)
        os.close(nothing)
    started.stdout = os.fdopen(ours, "rb")
    return started


def run(
    words: Sequence[str], *, env: Mapping[str, str], cwd: Path | None = None, given: str = "", timeout: float = 60
) -> subprocess.CompletedProcess[str]:
    """Run it to its end, as `subprocess.run` does with text and captured output."""
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(_open_file(f"memwiki-{name}")) for name in ("in", "out", "err")]
        files[0].write(given.encode())
        files[0].seek(0)
        started = Forked(words, [file.fileno() for file in files], cwd=cwd or Path.cwd(), env=env)
        try:
            code = started.wait(timeout)
        finally:
            started.kill()
        for file in files[1:]:
            file.seek(0)
        out, err = (file.read().decode() for file in files[1:])
    return subprocess.CompletedProcess(["memwiki", *words], code, out, err)


def _open_file(name: str) -> IO[bytes]:
    # In memory: what is printed may be more than a pipe holds.
    return os.fdopen(os.memfd_create(name), "r+b")


@cache
def _open_nursery() -> socket.socket:
    """Start the process that the others are forked from; it ends when this one does."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-c", _START, str(ROOT), str(theirs.fileno())]
    nursery = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, cwd=ROOT)
    theirs.close()

    def close() -> None:
        ours.close()
        nursery.wait(10)

    atexit.register(close)
    return ours


def attend(number: int) -> None:
    """Fork a program for each request that comes, and tell who asked how it ended."""
    # A test's interrupt is for the programs, which take it again.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _import_program()
    requests = socket.socket(fileno=number)
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    signal.set_wakeup_fd(waking)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running: dict[int, int] = {}
    while True:
        ready = select.select([requests, woken], [], [])[0]
        if woken in ready:
            os.read(woken, 512)
            _tell_ended(running)
        if requests in ready:
            asked, streams = _receive(requests)
            if not asked:
                os._exit(0)
            pid = os.fork()
            if not pid:
                signal.set_wakeup_fd(-1)
                _become(asked, streams)
                return
            running[pid] = streams[_STREAMS]
            os.write(streams[_STREAMS], pid.to_bytes(4, "big"))
            for stream in streams[:_STREAMS]:
                os.close(stream)


def _receive(requests: socket.socket) -> tuple[dict[str, Any], list[int]]:
    message, streams, _, _ = socket.recv_fds(requests, _REQUEST_BYTES_MAX, _STREAMS + 1)
    if not message:
        return {}, []
    size, body = int.from_bytes(message[:4], "big"), message[4:]
    while len(body) < size:
        body += requests.recv(size - len(body))
    return json.loads(body), streams


def _tell_ended(running: dict[int, int]) -> None:
    for pid in list(running):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            told = running.pop(pid)
            with contextlib.suppress(BrokenPipeError):
                os.write(told, os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))
            os.close(told)


def _import_program() -> None:
    """Import what a server needs, which is nearly all that there is."""
    import app.entrypoints.cli.serve  # noqa: F401, PLC0415 - once, for all that are forked
    from app.entrypoints.cli import main, searching, session  # noqa: F401, PLC0415


def _become(asked: dict[str, Any], streams: list[int]) -> None:
    """Be the program that was asked for."""
    for number, stream in enumerate(streams[:_STREAMS]):
        os.dup2(stream, number)
    os.closerange(_STREAMS, max(streams) + 64)
    for each in (signal.SIGINT, signal.SIGCHLD):
        signal.signal(each, signal.default_int_handler if each is signal.SIGINT else signal.SIG_DFL)
    if asked["leads"]:
        # As a login shell does in its terminal.
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    time.tzset()
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for good
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False, buffering=1 if os.isatty(1) else -1)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1)  # noqa: SIM115
    sys.argv = ["memwiki", *asked["words"]]
    from app.entrypoints.cli import main  # noqa: PLC0415 - it is there already

    main.main()
