"""`Reader` takes apart what hooks send: in this process and, while much comes, in one beside it.

Python runs one thread at a time, and reading is most of what an event costs. So under a load that lasts, a second
process reads, and is ended when the load is over. Whatever it does not answer in time is read here: nothing depends on
it, and nothing is kept in it.
"""

import logging
import os
import pickle
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import msgspec

from app.capture import reader_frames
from app.capture.arrival import Arrival
from app.capture.hook_request import ReadingJob
from app.domain import errand, limits_reading

T = TypeVar("T")

_LOG = logging.getLogger(__name__)
# Started in a folder that has an `app` of its own, that must not be what runs.
_PROGRAM: Final = (sys.executable, "-P", "-m", "app.capture.reader_child")
# Our own settings, secrets among them, are none of its business.
_OWN_PREFIX: Final = "MEMWIKI_"


@dataclass(frozen=True, slots=True)
class ReaderStats:
    """How the second process is doing, and how much was read in either; `last_fault` is empty while all is well."""

    is_running: bool = False
    pid: int = 0
    starts: int = 0
    faults: int = 0
    last_fault: str = ""
    read_here: int = 0
    read_beside: int = 0


@dataclass(frozen=True, slots=True)
class ReaderPlan:
    """When the second process is started and ended, and how long it is waited for."""

    program: Sequence[str] = _PROGRAM
    events_min: int = limits_reading.READING_LOAD_EVENTS_MIN
    window_s: float = limits_reading.READING_WINDOW_SECONDS
    quiet_s: float = limits_reading.READING_QUIET_SECONDS
    look_s: float = limits_reading.READING_LOOK_SECONDS
    start_s_max: float = limits_reading.READING_START_SECONDS_MAX
    answer_s_max: float = limits_reading.READING_ANSWER_SECONDS_MAX
    retry_s: float = limits_reading.READING_RETRY_SECONDS


@dataclass(eq=False, slots=True)
class _Child:
    process: "subprocess.Popen[bytes]"
    channel: socket.socket

    def ask(self, order: bytes) -> bytes:
        reader_frames.send_frame(self.channel, order)
        answer = reader_frames.receive_frame(self.channel)
        if answer is None:
            raise ConnectionResetError("it has ended")
        return answer

    def end(self) -> None:
        """Close its socket, at which it ends, and see to it that it does."""
        self.channel.close()
        try:
            self.process.wait(limits_reading.READING_STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Reader:
    """Reads on whatever thread calls; safe on any."""

    def __init__(self, plan: ReaderPlan | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self._plan, self._now = plan or ReaderPlan(), now
        # The first is held while the child is spoken with, the second while this object's state changes.
        self._turn, self._guard = threading.Lock(), threading.Lock()
        # Python runs one thread at a time: with more, all batches would be read at once and be ready late, and whoever
        # asks for something else would find no thread free.
        self.pool = ThreadPoolExecutor(2, thread_name_prefix="hook-reader")
        self._groups = ThreadPoolExecutor(1, thread_name_prefix="group-reader")
        self._child: _Child | None = None
        self._supervisor: threading.Thread | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = threading.Event()
        self._stats = ReaderStats()
        self._window_at, self._window_events = now(), 0
        self._busy_at, self._blocked_until = now(), float("-inf")

    @property
    def stats(self) -> ReaderStats:
        """Tell the figures of this moment."""
        child = self._child
        return self._stats if child is None else replace(self._stats, is_running=True, pid=child.process.pid)

    @property
    def has_company(self) -> bool:
        """Tell whether a second process is ready to read."""
        return self._child is not None

    def note(self, events: int) -> None:
        """Count what was read elsewhere in this process, since it is load as well."""
        self._note_load(events, beside=False)

    def read(self, job: ReadingJob[T]) -> list[T]:
        """Read beside this process where that can be done, else here; raises what the job does."""
        read = self._read_beside(job) if self._child is not None else None
        if read is not None:
            self._note_load(len(read), beside=True)
            return read
        done = job.read()
        self._note_load(len(done), beside=False)
        return done

    def submit(self, job: ReadingJob[T]) -> Future[list[T]]:
        """Read on a thread that is there for this, one job after the other, on behalf of nobody."""
        return self._groups.submit(self.read, job)

    def stop(self) -> None:
        """End the second process, and start none any more."""
        self._stopped.set()
        with self._guard:
            supervisor, process = self._supervisor, self._process
        if process is not None:
            process.kill()
        if supervisor is not None:
            supervisor.join()
        self.pool.shutdown()
        self._groups.shutdown()

    def _read_beside(self, job: ReadingJob[T]) -> list[T] | None:
        order = pickle.dumps(job, pickle.HIGHEST_PROTOCOL)
        with self._turn:
            child = self._child
            if child is None:
                return None
            try:
                answer = child.ask(order)
            except OSError as error:
                self._give_up(child, f"reading was not answered ({type(error).__name__}: {error})")
                return None
        if answer == reader_frames.NO_ANSWER:
            return None
        read: list[T] = pickle.loads(answer)  # noqa: S301 - from the process that we started
        on = errand.find_current()
        for item in read:
            if on is not None and isinstance(item, Arrival):
                msgspec.structs.force_setattr(item, "errand", on)
        return read

    def _give_up(self, child: _Child, fault: str) -> None:
        """Go on without a child that failed; it is killed, and another one is tried after a while."""
        with self._guard:
            if self._child is child:
                self._child = None
                self._note_fault(fault)
        with suppress(OSError):
            child.process.kill()

    def _note_fault(self, fault: str) -> None:
        if self._stopped.is_set():
            return
        self._blocked_until = self._now() + self._plan.retry_s
        self._stats = replace(self._stats, faults=self._stats.faults + 1, last_fault=fault)
        _LOG.warning("the process that reads events: %s; they are read in the server's own process", fault)

    def _note_load(self, events: int, *, beside: bool) -> None:
        with self._guard:
            stats, now = self._stats, self._now()
            if beside:
                self._stats = replace(stats, read_beside=stats.read_beside + events)
            else:
                self._stats = replace(stats, read_here=stats.read_here + events)
            if now - self._window_at > self._plan.window_s:
                self._window_at, self._window_events = now, 0
            self._window_events += events
            if self._window_events * limits_reading.READING_QUIET_PART >= self._plan.events_min:
                self._busy_at = now
            if self._window_events >= self._plan.events_min and self._may_start(now):
                self._supervisor = threading.Thread(target=self._supervise, name="reader-supervisor", daemon=True)
                self._supervisor.start()

    def _may_start(self, now: float) -> bool:
        if self._stopped.is_set() or now < self._blocked_until or os.name != "posix":
            return False
        return self._supervisor is None or not self._supervisor.is_alive()

    def _supervise(self) -> None:
        """Start the child, and end it when there is nothing to read any more."""
        try:
            child = self._launch()
        except OSError as error:
            with self._guard:
                self._note_fault(f"it could not be started ({type(error).__name__}: {error})")
            return
        with self._guard:
            self._child, self._stats = child, replace(self._stats, starts=self._stats.starts + 1, last_fault="")
        _LOG.info("a second process reads events while many come (pid %d)", child.process.pid)
        while not self._stopped.wait(self._plan.look_s) and self._child is child:
            if child.process.poll() is not None:
                self._give_up(child, f"it ended by itself ({child.process.returncode})")
            elif self._now() - self._busy_at > self._plan.quiet_s:
                break
        with self._turn, self._guard:
            if self._child is child:
                self._child = None
        child.end()

    def _launch(self) -> _Child:
        own, theirs = socket.socketpair()
        try:
            process = _run_program(self._plan.program, theirs)
        except OSError:
            own.close()
            raise
        finally:
            theirs.close()
        child = _Child(process, own)
        with self._guard:
            self._process = process
            if self._stopped.is_set():
                process.kill()
        try:
            own.settimeout(self._plan.start_s_max)
            if reader_frames.receive_frame(own) != reader_frames.READY:
                raise ConnectionResetError("it ended at its start")
            own.settimeout(self._plan.answer_s_max)
        except OSError:
            process.kill()
            child.end()
            raise
        return child


def _run_program(program: Sequence[str], channel: socket.socket) -> "subprocess.Popen[bytes]":
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OWN_PREFIX)}
    silence = subprocess.DEVNULL
    return subprocess.Popen(program, stdin=channel.fileno(), stdout=silence, stderr=silence, env=kept)
