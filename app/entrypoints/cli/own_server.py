"""Runs a server of the command's own, as a process on a free port of this machine, for as long as it is needed."""

import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from app.domain import limits
from app.domain.errors import ServerUnreachable


@contextmanager
def run_own_server(data_dir: Path, env: Mapping[str, str] | None = None) -> Iterator[str]:
    """Start `memwiki serve` on a data directory, tell its address, and stop it in order afterwards.

    It has our environment, unless another is given.

    Raises:
        ServerUnreachable: it did not start; the message holds what it said.
    """
    options = ("serve", "--data-dir", str(data_dir), "--host", "127.0.0.1", "--port", "0", "--json")
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "app.entrypoints.cli.main", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=env,
        )
        try:
            yield _read_address(process, complaints)
        finally:
            _stop(process)


def _read_address(process: "subprocess.Popen[bytes]", complaints: IO[bytes]) -> str:
    assert process.stdout is not None, "it was asked for"
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    # Reading a pipe has no bound of its own, so a thread waits for the line and we wait for the thread.
    threading.Thread(target=lambda stream: lines.put(stream.readline()), args=(process.stdout,), daemon=True).start()
    try:
        return str(msgspec.json.decode(lines.get(timeout=limits.OWN_SERVER_START_SECONDS_MAX))["url"])
    except (queue.Empty, msgspec.DecodeError) as error:
        _stop(process)
        complaints.seek(0)
        said = complaints.read().decode("utf-8", "replace").strip()
        raise ServerUnreachable("a server of its own", said[-1000:] or "it said nothing in time") from error


def _stop(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(limits.OWN_SERVER_STOP_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
