"""Runs a program beside the server: of the lowest priority, in a group of its own, and stopped when told to."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

_NICENESS: Final = 19
_POLL_S: Final = 0.05


@dataclass(frozen=True, slots=True)
class Program:
    """What to run, where, with which environment, and how long it may take to end once it is told to."""

    words: Sequence[str]
    folder: Path
    env: Mapping[str, str]
    stop_seconds_max: float


def run_aside(
    program: Program, must_stop: Callable[[], bool], *, complaint: IO[bytes], answer: IO[bytes] | None = None
) -> int | None:
    """Run a program to its end, and give back its exit code; None if it was stopped.

    Raises:
        OSError: it cannot be started.
    """
    if must_stop():
        return None
    process = subprocess.Popen(
        program.words,
        cwd=program.folder,
        env=program.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if answer is None else answer,
        stderr=complaint,
        start_new_session=True,
    )
    _lower_priority(process.pid)
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_POLL_S)
            return process.returncode
        if must_stop():
            _end(process, program.stop_seconds_max)
            return None


def _end(process: "subprocess.Popen[bytes]", seconds_max: float) -> None:
    """End a program and what it started itself; asked politely, it removes what it has half-written."""
    _signal(process, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds_max)
    # What it started itself may still be there, and write where somebody is about to clean up.
    for _ in range(round(seconds_max / _POLL_S)):
        if not _signal(process, getattr(signal, "SIGKILL", signal.SIGTERM)):
            break
        time.sleep(_POLL_S)
    process.wait()


def _signal(process: "subprocess.Popen[bytes]", number: signal.Signals) -> bool:
    """Send a signal to all of the group; False if nobody is left."""
    if not hasattr(os, "killpg"):
        process.terminate()
        return process.poll() is None
    try:
        os.killpg(process.pid, number)
    except OSError:
        return False
    return True


def _lower_priority(pid: int) -> None:
    if hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, pid, _NICENESS)
