"""Sends prepared requests to a server from a process of its own, and reports every answer's status and time.

A process of its own, because a client that shares the server's interpreter measures itself.
"""

import asyncio
import gc
import importlib
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import msgspec

from app.domain.errors import RemoteRejected

_ANSWER_BYTES_MAX: Final = 1024 * 1024
_TICK_S: Final = 0.001
_GRACE_S: Final = 60.0
_HEAD_END: Final = b"\r\n\r\n"
_LENGTH_NAME: Final = b"content-length: "
# "HTTP/1.1 " comes before the three digits of the status.
_STATUS: Final = slice(9, 12)


@dataclass(frozen=True, slots=True)
class LoadPlan:
    """What to send: as fast as answers come, or at `rate` a second whatever the answers do.

    `marker` is counted in the answers' bodies; sending ends after `seconds_max` even if requests are left.
    """

    host: str
    port: int
    requests: list[bytes]
    connections: int
    status: int
    seconds_max: float
    rate: float = 0.0
    marker: bytes = b""


@dataclass(frozen=True, slots=True)
class LoadResult:
    """What came back; at a fixed rate a time counts from the moment at which its request was due."""

    answered: int
    failed: int
    marked: int
    seconds: float
    times_ms: list[float]
    client_us: float
    first_fault: str = ""

    @property
    def per_second(self) -> float:
        """Right answers a second."""
        return self.answered / self.seconds if self.seconds else 0.0


def run_load(plan: LoadPlan) -> LoadResult:
    """Send a plan from a new process and wait for its end.

    Raises:
        RemoteRejected: the process failed as a whole, for example because nothing listens.
    """
    done = subprocess.run(
        [sys.executable, "-P", "-m", "app.bench.load"],
        input=msgspec.msgpack.encode(plan),
        capture_output=True,
        timeout=plan.seconds_max + _GRACE_S,
        check=False,
    )
    if done.returncode != 0:
        raise RemoteRejected(f"{plan.host}:{plan.port}", 0, done.stderr.decode("utf-8", "replace")[-2000:])
    return msgspec.msgpack.decode(done.stdout, type=LoadResult)


@dataclass(slots=True)
class _Tally:
    times_ms: list[float] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    marked: int = 0


class _Connection(asyncio.BufferedProtocol):
    """One kept connection with at most one request under way; tells its owner of each answer or loss."""

    def __init__(self, plan: LoadPlan, tally: _Tally, on_free: Callable[["_Connection"], None]) -> None:
        self._status, self._marker = str(plan.status).encode(), plan.marker
        self._tally, self._on_free = tally, on_free
        self._buffer = bytearray(_ANSWER_BYTES_MAX)
        self._view = memoryview(self._buffer)
        self._filled = 0
        self._since = 0.0
        self.is_open = False
        self.is_busy = False
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]  # the protocol of a stream gets a stream
        self.is_open = True

    def send(self, request: bytes, since: float) -> None:
        self._since, self._filled, self.is_busy = since, 0, True
        self.transport.write(request)

    def get_buffer(self, sizehint: int) -> memoryview:
        del sizehint
        return self._view[self._filled :]

    def buffer_updated(self, nbytes: int) -> None:
        self._filled += nbytes
        head = self._buffer.find(_HEAD_END, 0, self._filled)
        if head < 0:
            return
        at = self._buffer.find(_LENGTH_NAME, 0, head + 2)
        if at >= 0:
            at += len(_LENGTH_NAME)
            length = int(self._buffer[at : self._buffer.find(b"\r", at)])
            if self._filled < head + len(_HEAD_END) + length:
                return
        self._settle(head)

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_open = False
        if self.is_busy:
            self._tally.faults[f"connection lost ({type(exc).__name__})"] += 1
            self.is_busy = False
        self._on_free(self)

    def _settle(self, head: int) -> None:
        if self._buffer[_STATUS] == self._status:
            self._tally.times_ms.append((time.perf_counter() - self._since) * 1000)
            if self._marker:
                self._tally.marked += self._buffer.count(self._marker, head, self._filled)
        else:
            self._tally.faults[self._buffer[: min(self._filled, 400)].decode("latin-1")] += 1
        self.is_busy = False
        self._on_free(self)


class _Run:
    """Hands the plan's requests to free connections until all are answered or the time is over."""

    def __init__(self, plan: LoadPlan) -> None:
        self._plan = plan
        self._total = len(plan.requests)
        self._next = 0
        self._begun = 0.0
        self._is_begun = False
        self._free: deque[_Connection] = deque()
        self._connections: list[_Connection] = []
        self._done = asyncio.Event()
        self.tally = _Tally()

    async def run(self) -> LoadResult:
        loop = asyncio.get_running_loop()
        plan = self._plan
        for _ in range(plan.connections):
            made = await loop.create_connection(
                lambda: _Connection(plan, self.tally, self._take_back), plan.host, plan.port
            )
            self._connections.append(made[1])
        cpu = time.process_time()
        self._begun, self._is_begun = time.perf_counter(), True
        self._free.extend(self._connections)
        self._feed()
        if plan.rate:
            loop.call_later(_TICK_S, self._tick)
        try:
            await asyncio.wait_for(self._done.wait(), plan.seconds_max)
        except TimeoutError:
            self.tally.faults["not answered in time"] += sum(connection.is_busy for connection in self._connections)
            self.tally.faults["not sent in time"] += self._total - self._next
        seconds = time.perf_counter() - self._begun
        return self._build_result(seconds, time.process_time() - cpu)

    def _tick(self) -> None:
        self._feed()
        if not self._done.is_set():
            asyncio.get_running_loop().call_later(_TICK_S, self._tick)

    def _take_back(self, connection: _Connection) -> None:
        if not self._is_begun:
            return
        if connection.is_open:
            self._free.append(connection)
        self._feed()
        if self._next >= self._total and not any(each.is_busy for each in self._connections):
            self._done.set()
        elif not any(each.is_open for each in self._connections):
            self.tally.faults["not sent: no connection is left"] += self._total - self._next
            self._next = self._total
            self._done.set()

    def _feed(self) -> None:
        now = time.perf_counter()
        rate = self._plan.rate
        due = min(self._total, int((now - self._begun) * rate) + 1) if rate else self._total
        # The longest idle goes first, so that no connection is idle long enough for the server to close it.
        while self._next < due and self._free:
            connection = self._free.popleft()
            if not connection.is_open:
                continue
            number, self._next = self._next, self._next + 1
            connection.send(self._plan.requests[number], self._begun + number / rate if rate else now)

    def _build_result(self, seconds: float, cpu_s: float) -> LoadResult:
        faults = +self.tally.faults
        return LoadResult(
            answered=len(self.tally.times_ms),
            failed=sum(faults.values()),
            marked=self.tally.marked,
            seconds=seconds,
            times_ms=self.tally.times_ms,
            client_us=cpu_s * 1e6 / max(1, self._next),
            first_fault=next(iter(faults), ""),
        )


def main() -> None:
    """Read a plan from standard input, carry it out, and write the result to standard output."""
    plan = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=LoadPlan)
    gc.disable()
    with asyncio.Runner(loop_factory=_find_loop_factory()) as runner:
        result = runner.run(_Run(plan).run())
    sys.stdout.buffer.write(msgspec.msgpack.encode(result))


def _find_loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        factory: Callable[[], asyncio.AbstractEventLoop] = importlib.import_module("uvloop").new_event_loop
    except ModuleNotFoundError:
        return None
    return factory


if __name__ == "__main__":
    main()
