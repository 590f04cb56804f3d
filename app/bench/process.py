"""Starts a server as a process of its own, measures its memory, and stops it; nothing of it is left behind."""

import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import httpx2
import msgspec

from app.bench import machine
from app.domain.errors import AppError, RemoteRejected, ServerUnreachable

_START_SECONDS_MAX: Final = 120.0
_STOP_SECONDS_MAX: Final = 30.0
_POLL_S: Final = 0.005
_EMBED_POLL_S: Final = 1.0
_TOKEN_VARIABLE: Final = "MEMWIKI_ACCESS_TOKEN"  # noqa: S105 - the variable's name


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that answers; `started_at` is on the clock of `time.perf_counter`, before its process was made."""

    url: str
    pid: int
    data_dir: Path
    token: str
    started_at: float

    def connect(self) -> httpx2.Client:
        """Open a client that bears the token."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return httpx2.Client(base_url=self.url, headers=headers, timeout=60.0, trust_env=False)


@dataclass(frozen=True, slots=True)
class ShiftedServer:
    """A server whose clock follows what is written to it."""

    server: RunningServer
    orders: IO[bytes]

    def shift(self, seconds: int) -> None:
        """Set its clock so far ahead of the machine's, or behind it."""
        self.orders.write(f"{seconds}\n".encode())
        self.orders.flush()


@contextmanager
def make_folder() -> Iterator[Path]:
    """Lend a folder for measurements and delete it afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="memwiki-bench-", dir=machine.choose_folder()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def run_server(
    data_dir: Path, *, token: str = "", port: int = 0, settings: Mapping[str, str] | None = None
) -> Iterator[RunningServer]:
    """Run `memwiki serve` on a data directory, on a port of this machine; 0 takes a free one."""
    command = ("-m", "app.entrypoints.cli.main", "serve", "--data-dir", str(data_dir), "--port", str(port), "--json")
    given = {**(settings or {}), **({_TOKEN_VARIABLE: token} if token else {})}
    with _run_program(command, given) as (url, pid, started_at, _):
        yield RunningServer(url, pid, data_dir, token, started_at)


@contextmanager
def run_bare_endpoint() -> Iterator[str]:
    """Run the endpoint without a database, and tell its address."""
    with _run_program(("-m", "app.bench.bare_endpoint"), {}) as (url, _, _, _):
        yield url


@contextmanager
def run_storeless(data_dir: Path, *, token: str = "") -> Iterator[RunningServer]:
    """Run the server that does all but store, on a free port of this machine."""
    command = ("-m", "app.entrypoints.cli.storeless", str(data_dir))
    with _run_program(command, {_TOKEN_VARIABLE: token} if token else {}) as (url, pid, started_at, _):
        yield RunningServer(url, pid, data_dir, token, started_at)


@contextmanager
def run_shifted(data_dir: Path, shift_seconds: int, settings: Mapping[str, str]) -> Iterator[ShiftedServer]:
    """Run the server on a clock that can be set forward, from a shift on."""
    command = ("-m", "app.entrypoints.cli.simulated", str(data_dir), str(shift_seconds))
    with _run_program(command, settings, takes_orders=True) as (url, pid, started_at, orders):
        assert orders is not None, "it was asked for"
        yield ShiftedServer(RunningServer(url, pid, data_dir, "", started_at), orders)


def wait_until_ready(server: RunningServer, client: httpx2.Client, *, pages: int = 0) -> float:
    """Wait until the index is complete, and tell how many seconds passed since the server's process was made.

    An index that calls itself ready with fewer than `pages` pages is not complete.

    Raises:
        ServerUnreachable: it did not get ready in time.
    """
    deadline = time.perf_counter() + _START_SECONDS_MAX
    while time.perf_counter() < deadline:
        answer = client.get("/readyz")
        index = answer.json()["index"]
        if answer.status_code == httpx2.codes.OK and index["state"] == "ready" and index["pages"] >= pages:
            return time.perf_counter() - server.started_at
        time.sleep(_POLL_S)
    raise ServerUnreachable(server.url, "it did not get ready")


def wait_until_embedded(server: RunningServer, client: httpx2.Client, note: Callable[[str], None]) -> None:
    """Wait until every text has its vector, where a model is installed; it may take an hour on a busy machine.

    Raises:
        ServerUnreachable: it did not get further for a long time.
    """
    done_before, deadline = -1, 0.0
    while True:
        vectors = client.get("/readyz").json()["index"]["vectors"]
        if vectors["state"] == "off" or vectors["done"] >= vectors["total"]:
            return
        if vectors["done"] != done_before:
            done_before, deadline = vectors["done"], time.perf_counter() + _START_SECONDS_MAX
            note(f"{vectors['done']} of {vectors['total']} texts embedded")
        if time.perf_counter() > deadline:
            raise ServerUnreachable(server.url, f"its texts are not embedded: {vectors['last_error'] or 'no progress'}")
        time.sleep(_EMBED_POLL_S)


def measure_memory_mib(pid: int) -> float:
    """Measure a process's resident memory."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        shown = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=False)
        return int(shown.stdout or 0) / 1024
    resident = next(line for line in lines if line.startswith("VmRSS:"))
    return int(resident.split()[1]) / 1024


def measure_cpu_s(pid: int) -> float:
    """Measure the processor time that a process has used; 0 where the system does not tell, or there is none."""
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    # Counted from the state, which comes first after the name: time in user mode, time in the kernel.
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def _run_program(
    arguments: Sequence[str], settings: Mapping[str, str], *, takes_orders: bool = False
) -> Iterator[tuple[str, int, float, IO[bytes] | None]]:
    """Run a Python program that says its address in one line of JSON."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMWIKI_")}
    with tempfile.TemporaryFile() as faults:
        started_at = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-P", *arguments],
            stdin=subprocess.PIPE if takes_orders else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=faults,
            env={**kept, **settings},
        )
        try:
            yield _read_address(process, faults), process.pid, started_at, process.stdin
        finally:
            if process.stdin is not None:
                process.stdin.close()
            _stop(process)


def _read_address(process: "subprocess.Popen[bytes]", faults: IO[bytes]) -> str:
    assert process.stdout is not None, "it was asked for"
    line = _read_line(process.stdout)
    try:
        return str(msgspec.json.decode(line)["url"])
    except (msgspec.DecodeError, KeyError, TypeError) as error:
        _stop(process)
        faults.seek(0)
        said = faults.read()[-2000:].decode("utf-8", "replace").strip()
        raise _build_fault(process.args, said) from error


def _read_line(stream: IO[bytes]) -> bytes:
    """Read one line with a bound on the wait; a pipe alone has none."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=lambda: lines.put(stream.readline()), daemon=True).start()
    try:
        return lines.get(timeout=_START_SECONDS_MAX)
    except queue.Empty:
        return b""


def _build_fault(command: object, said: str) -> AppError:
    return RemoteRejected(f"{command}", 0, said or "it did not say where it listens")


def _stop(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(_STOP_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
