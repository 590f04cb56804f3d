"""Runs another program in this one's place: the same terminal, signals, job control and exit code."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType

# A terminal sends these to all of its foreground programs, the other program included.
_TYPED = (signal.SIGINT, signal.SIGQUIT)
_SENT = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGWINCH)
# What a shell adds to the number of a signal that ended a program.
SIGNALLED = 128


def run(words: Sequence[str], env: Mapping[str, str]) -> int:
    """Run a program until it ends; gives back its exit code, as a shell would say it.

    It stays in this program's process group, so that the terminal's keys reach it as if it had been started alone.

    Raises:
        OSError: it cannot be started.
    """
    if os.name != "posix":
        return subprocess.run(list(words), env=dict(env), check=False).returncode
    # A caught signal, unlike an ignored one, has its usual effect in a program that is started.
    with _catch() as received:
        program = subprocess.Popen(list(words), env=dict(env))
        received.pid = program.pid
        return _wait(program.pid)


class _Received:
    """Passes on what this program alone was sent."""

    def __init__(self) -> None:
        self.pid = 0

    def take(self, number: int, _frame: FrameType | None) -> None:
        """Pass a signal on, unless the terminal gave it to both."""
        is_shared = number in _TYPED and _is_in_front()
        if self.pid and number != signal.SIGTSTP and not is_shared:
            _send(self.pid, number)


@contextlib.contextmanager
def _catch() -> Iterator[_Received]:
    received = _Received()
    before = {}
    for number in (*_TYPED, *_SENT, signal.SIGTSTP):
        # What was ignored when this program was started, as by nohup, stays so in both.
        if signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, received.take)
    try:
        yield received
    finally:
        received.pid = 0
        for number, earlier in before.items():
            signal.signal(number, earlier)


def _wait(pid: int) -> int:
    """Wait for the end; a program that stops itself stops this one, so that the shell has its prompt back."""
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else SIGNALLED - code
        os.kill(os.getpid(), signal.SIGSTOP)
        _send(pid, signal.SIGCONT)


def _is_in_front() -> bool:
    """Tell whether a terminal's keys reach this program's group."""
    for stream in (sys.__stdin__, sys.__stdout__, sys.__stderr__):
        try:
            if stream is not None and os.tcgetpgrp(stream.fileno()) == os.getpgrp():
                return True
        except (OSError, ValueError):
            continue
    return False


def _send(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
