"""One thread and one bounded queue through which every write goes: many jobs, one transaction, one fsync."""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Protocol, TypeVar

from sqlalchemy.engine import RootTransaction

from app.domain import errand
from app.domain.errors import AppError, QueueFull, ServerStopping
from app.domain.limits import (
    RETRY_AFTER_MS,
    WRITE_BATCH_MAX,
    WRITE_FLOW_JOBS_MIN,
    WRITE_FLOW_MS_MAX,
    WRITE_FLOW_STEP_MS,
    WRITE_LINGER_MS,
    WRITE_QUEUE_MAX,
)
from app.state import engine as engines
from app.state.engine import StateEngine, WriteConnection
from app.state.meter import Meter

T = TypeVar("T")
I = TypeVar("I")  # noqa: E741 -- the item of a batch, beside R, its result
R = TypeVar("R")
A_contra = TypeVar("A_contra", contravariant=True)

# What a batch may mix is erased here; `submit`, `write` and `write_item` are typed and make every ticket.
_BatchJob = Callable[[WriteConnection, Sequence[Any]], Sequence[Any]]


class Waiter(Protocol[A_contra]):
    """Whoever is told of a job on an event loop, as a future of asyncio is: once, by one of the two ways."""

    def done(self) -> bool:
        """Tell whether nobody waits any more; the job is done all the same."""
        ...

    def set_result(self, result: A_contra, /) -> None:
        """Take what came of the job, which is on the disk."""
        ...

    def set_exception(self, exception: Exception, /) -> None:
        """Take why nothing came of it."""
        ...


@dataclass(frozen=True, slots=True)
class WriterStats:
    """How the writer is doing; `is_failing` tells of the last batch, `last_error` of the last that failed."""

    depth: int = 0
    batches: int = 0
    commits: int = 0
    is_failing: bool = False
    last_error: str = ""
    commit_ms_max: float = 0.0
    lock_wait_ms_max: float = 0.0


@dataclass(eq=False, slots=True)
class _Ticket:
    job: _BatchJob
    item: Any
    is_alone: bool
    waiter: "Future[Any] | Waiter[Any]"
    loop: asyncio.AbstractEventLoop | None = None
    result: Any = None
    error: BaseException | None = None


class Writer:
    """Takes jobs from any thread or event loop and answers each after its transaction is on the disk.

    A job is a function of the write connection, done on the errand of whoever queues it; it must stand being called
    again after its first try was rolled back, and it may not commit. One that raises is undone alone; the others of
    its batch are kept.
    """

    def __init__(
        self,
        engine: StateEngine,
        *,
        queue_max: int = WRITE_QUEUE_MAX,
        batch_max: int = WRITE_BATCH_MAX,
        linger_ms: float = WRITE_LINGER_MS,
        meter: Meter | None = None,
    ) -> None:
        self._engine, self._meter = engine, meter or Meter()
        self._queue_max, self._batch_max, self._linger_s = queue_max, batch_max, linger_ms / 1000
        self._queue: deque[_Ticket] = deque()
        # Taken by itself where nothing is to be told, since a condition's own way in is Python code.
        self._guard = threading.Lock()
        self._changed = threading.Condition(self._guard)
        self._is_idle = False
        self._is_stopping = False
        self._is_urged = False
        self._stats = WriterStats()
        self._thread = threading.Thread(target=self._run, name="state-writer", daemon=True)

    @property
    def stats(self) -> WriterStats:
        """Tell the figures of this moment."""
        return replace(self._stats, depth=len(self._queue))

    def start(self) -> None:
        """Begin to work; jobs that were accepted before are done first."""
        self._thread.start()

    def stop(self) -> None:
        """Refuse new jobs, do all that were accepted, and return when their answers are out."""
        with self._changed:
            self._is_stopping = True
            self._changed.notify()
        if self._thread.ident is None:
            self._thread.start()
        self._thread.join()

    def submit(self, job: Callable[[WriteConnection], T]) -> Future[T]:
        """Queue a job from a thread.

        Raises:
            QueueFull: as much waits as may wait.
            ServerStopping: `stop` was called.
        """
        waiter: Future[T] = Future()
        self._put(_Ticket(_call_alone, errand.carry(job), is_alone=True, waiter=waiter))
        return waiter

    async def write(self, job: Callable[[WriteConnection], T]) -> T:
        """Queue a job from an event loop and wait until it is saved; raises as `submit` does."""
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[T] = loop.create_future()
        self._put(_Ticket(_call_alone, errand.carry(job), is_alone=True, waiter=waiter, loop=loop))
        return await waiter

    async def write_item(self, batch_job: Callable[[WriteConnection, Sequence[I]], Sequence[R]], item: I) -> R:
        """Queue one item of a job that takes many; neighbours with the same job go in one call.

        If such a call raises, each of its items is tried again by itself, so that only the faulty one fails.
        """
        waiter: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self.queue_item(batch_job, item, waiter)
        return await waiter

    def queue_item(
        self, batch_job: Callable[[WriteConnection, Sequence[I]], Sequence[R]], item: I, waiter: Waiter[R]
    ) -> None:
        """Queue one item as `write_item` does, for a waiter that the running event loop tells; raises as `submit`."""
        loop = asyncio.get_running_loop()
        self._put(_Ticket(batch_job, item, is_alone=False, waiter=waiter, loop=loop))

    def urge(self) -> None:
        """Have what is queued saved without waiting for more: enough has come at once."""
        with self._guard:
            if self._queue:
                self._is_urged = True
                self._changed.notify()

    def _put(self, ticket: _Ticket) -> None:
        with self._guard:
            if self._is_stopping:
                raise ServerStopping(RETRY_AFTER_MS)
            if len(self._queue) >= self._queue_max:
                raise QueueFull(RETRY_AFTER_MS)
            self._queue.append(ticket)
            # While the writer lingers, waking it for each ticket would cost more than the linger saves.
            if self._is_idle or len(self._queue) >= self._batch_max:
                self._changed.notify()

    def _run(self) -> None:
        while batch := self._take_batch():
            self._save_batch(batch)
            _answer(batch)

    def _take_batch(self) -> list[_Ticket]:
        """Wait for work, linger for more of it, and take it; nothing is left to take only after `stop`."""
        with self._changed:
            self._is_idle = True
            self._changed.wait_for(lambda: self._queue or self._is_stopping)
            self._is_idle = False
            if self._linger_s:
                self._linger()
            self._is_urged = False
            count = min(len(self._queue), self._batch_max)
            return [self._queue.popleft() for _ in range(count)]

    def _linger(self) -> None:
        """Wait a little for more work, and on as long as much of it comes."""
        waited_s, step_s, before = 0.0, self._linger_s, 0
        while waited_s < WRITE_FLOW_MS_MAX / 1000 and not self._changed.wait_for(self._is_full, step_s):
            count = len(self._queue)
            if count - before < WRITE_FLOW_JOBS_MIN:
                return
            waited_s, step_s, before = waited_s + step_s, WRITE_FLOW_STEP_MS / 1000, count

    def _is_full(self) -> bool:
        return len(self._queue) >= self._batch_max or self._is_urged or self._is_stopping

    def _save_batch(self, batch: Sequence[_Ticket]) -> None:
        with self._meter.cover("state-write"):
            self._save(batch)

    def _save(self, batch: Sequence[_Ticket]) -> None:
        begun = time.perf_counter()
        stats = replace(self._stats, batches=self._stats.batches + 1)
        try:
            with self._engine.write_connection() as conn:
                transaction = conn.begin()
                worked = time.perf_counter()
                transaction = _call_groups(conn, transaction, list(_list_groups(batch)))
                ended = time.perf_counter()
                transaction.commit()
        except BaseException as error:  # noqa: BLE001 -- the thread outlives any fault; the callers get it
            for ticket in batch:
                ticket.error = engines.translate_error(error) or error
            self._stats = replace(stats, is_failing=True, last_error=_describe(batch[0].error))
            return
        took = time.perf_counter() - ended
        self._stats = replace(
            stats,
            commits=stats.commits + 1,
            is_failing=False,
            lock_wait_ms_max=max(stats.lock_wait_ms_max, (worked - begun) * 1000),
            commit_ms_max=max(stats.commit_ms_max, took * 1000),
        )
        self._meter.note("state-commit", "", took)


def _call_alone(conn: WriteConnection, jobs: Sequence[Callable[[WriteConnection], T]]) -> list[T]:
    return [job(conn) for job in jobs]


def _list_groups(batch: Sequence[_Ticket]) -> Iterator[list[_Ticket]]:
    """Split into plain jobs and runs of neighbours that share a job, in the order of arrival."""
    keyed = enumerate(batch)
    for _, group in groupby(keyed, key=lambda pair: (pair[1].job, pair[0] if pair[1].is_alone else -1)):
        yield [ticket for _, ticket in group]


def _call_groups(
    conn: WriteConnection, transaction: RootTransaction, groups: Sequence[Sequence[_Ticket]]
) -> RootTransaction:
    """Do the work of a batch, each group in a savepoint; one that is alone needs none unless it fails."""
    if len(groups) == 1:
        if _call_plainly(conn, groups[0]):
            return transaction
        transaction.rollback()
        transaction = conn.begin()
    for group in groups:
        _call_group(conn, group)
    return transaction


def _call_plainly(conn: WriteConnection, group: Sequence[_Ticket]) -> bool:
    """Do the work of a transaction's only group; False if it is to be undone, and tried again in savepoints."""
    try:
        results = group[0].job(conn, [ticket.item for ticket in group])
        for ticket, result in zip(group, results, strict=True):
            ticket.result = result
    except BaseException as error:
        if engines.translate_error(error):
            raise
        return False
    return True


def _call_group(conn: WriteConnection, group: Sequence[_Ticket]) -> None:
    """Do a group's work inside a savepoint; a fault of the store itself ends the whole batch."""
    savepoint = conn.begin_nested()
    try:
        results = group[0].job(conn, [ticket.item for ticket in group])
        for ticket, result in zip(group, results, strict=True):
            ticket.result = result
    except BaseException as error:
        if engines.translate_error(error):
            raise
        savepoint.rollback()
        if len(group) == 1:
            group[0].error = error
            return
    else:
        savepoint.commit()
        return
    for ticket in group:
        _call_group(conn, [ticket])


def _answer(batch: Sequence[_Ticket]) -> None:
    """Tell each caller; every event loop is woken once, however many of its tasks wait."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Ticket]] = {}
    for ticket in batch:
        if ticket.loop is None:
            _settle([ticket])
        else:
            by_loop.setdefault(ticket.loop, []).append(ticket)
    for loop, tickets in by_loop.items():
        try:
            loop.call_soon_threadsafe(_settle, tickets)
        except RuntimeError:  # The loop is closed, so nobody is left to be told.
            continue


def _settle(tickets: Sequence[_Ticket]) -> None:
    for ticket in tickets:
        if _is_abandoned(ticket.waiter):
            continue
        if ticket.error is None:
            ticket.waiter.set_result(ticket.result)
        else:
            ticket.waiter.set_exception(_make_raisable(ticket.error))


def _is_abandoned(waiter: "Future[Any] | Waiter[Any]") -> bool:
    """Tell whether the caller gave up waiting; its work is saved all the same."""
    if isinstance(waiter, Future):
        return not waiter.set_running_or_notify_cancel()
    return waiter.done()


def _make_raisable(error: BaseException) -> Exception:
    """Wrap what would end an event loop or a generator if it were raised in the caller's place."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration | StopAsyncIteration):
        return error
    wrapped = RuntimeError(f"a write job raised {type(error).__name__}")
    wrapped.__cause__ = error
    return wrapped


def _describe(error: BaseException | None) -> str:
    return str(error) if isinstance(error, AppError) else type(error).__name__
