"""Works off jobs on one thread: leases them, tries again later what failed, ends silent sessions, stops cleanly."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from app.compile import curating, endings, forget, index_page, keeping, learning, observing, session_end
from app.compile.curating import Rounds
from app.compile.keeping import Kept
from app.compile.observing import CatchUp
from app.compile.parts import CompileParts
from app.compile.retention import KeepingTimes
from app.compile.session_end import CompileReport
from app.compile.thresholds import Thresholds
from app.domain.clock import has_passed
from app.domain.errors import AppError, SessionNotFound
from app.domain.limits import (
    JOB_ATTEMPTS_MAX,
    JOB_LEASE_SECONDS,
    JOB_RETRY_SECONDS_MAX,
    JOB_WAIT_SECONDS_MAX,
    KEEPING_SECONDS,
    SESSION_IDLE_AFTER_STOP_SECONDS,
    SESSION_IDLE_SECONDS,
    SHUTDOWN_SECONDS_MAX,
    STATE_WRITE_SECONDS_MAX,
    SWEEP_SECONDS,
    SWEEP_SESSIONS_MAX,
)
from app.domain.limits_knowledge import OPEN_WORK_PROJECTS_MAX
from app.domain.redact import redact_text
from app.domain.session import Forgetting, Session
from app.handoff import offers
from app.handoff.offers import OfferParts
from app.state import jobs, open_work, projects, sessions
from app.state.engine import WriteConnection
from app.state.jobs import Job
from app.state.meter import Meter

T = TypeVar("T")


_LOG = logging.getLogger(__name__)


def _compile(parts: CompileParts, job: Job) -> None:
    try:
        session_end.compile_session(parts, job.key)
    except SessionNotFound:
        # Deleted since it was queued; there is nothing left to do.
        return
    finally:
        # After the page, which of a long session is there in a quarter of the time.
        observing.bring_up_to_date(parts.wiki.index, parts.archive.verbatim, job.key)


JOB_KINDS: Mapping[str, Callable[[CompileParts, Job], None]] = {
    session_end.COMPILE_SESSION: _compile,
    session_end.LEARN_SESSION: lambda parts, job: learning.learn_session(parts, job.key),
    keeping.SEAL_SESSION: lambda parts, job: keeping.run_seal(parts, job.key),
    keeping.RELEASE_SESSION: lambda parts, job: keeping.run_release(parts, job.key, job.payload),
    keeping.MOVE_SEGMENTS: lambda parts, _: keeping.run_move(parts),
    curating.CURATE_PROJECT: curating.run,
    forget.CLEAR_UP: lambda parts, job: forget.clear_up(parts, job.payload),
}


@dataclass(frozen=True, slots=True)
class WorkerStats:
    """What the worker has done since it started, and the last thing that went wrong."""

    done: int = 0
    failed: int = 0
    ended_sessions: int = 0
    expired_handoffs: int = 0
    last_error: str = ""
    last_run_at: datetime | None = None


class Worker:
    """One thread that leases and runs jobs; `wake` makes it look at once."""

    def __init__(
        self,
        parts: CompileParts,
        *,
        name: str = "worker",
        idle_seconds: int = SESSION_IDLE_SECONDS,
        idle_after_stop_seconds: int = SESSION_IDLE_AFTER_STOP_SECONDS,
        times: KeepingTimes | None = None,
        meter: Meter | None = None,
    ) -> None:
        self._meter = meter or Meter()
        self._name = name
        self._set_parts(parts)
        self._set_times(idle_seconds, idle_after_stop_seconds, times or KeepingTimes())
        self._woken = threading.Event()
        self._is_stopping = threading.Event()
        self._at_work = threading.Lock()
        self._stats = WorkerStats()
        self._swept_at: datetime | None = None
        self._kept_at: datetime | None = None
        self._has_resumed = False
        self._open_work: dict[str, int] = {}
        self._catch_up = CatchUp()
        self._rounds = Rounds(parts.clock.now())
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def stats(self) -> WorkerStats:
        """Tell the figures of this moment."""
        return self._stats

    def start(self) -> None:
        """Begin to work; jobs left by an earlier run are taken up."""
        self._thread.start()

    def resume(self) -> None:
        """Take up at once what a killed run of this worker had leased; nobody else has its name."""
        if not self._has_resumed:
            self._write(lambda conn: jobs.release_jobs(conn, self._name))
            self._has_resumed = True

    def wake(self) -> None:
        """Look for due jobs now; safe from any thread, also before the start."""
        self._woken.set()

    def change(
        self, thresholds: Thresholds, times: KeepingTimes, *, idle_seconds: int, idle_after_stop_seconds: int
    ) -> None:
        """Go on by other settings; the job at hand ends by the earlier ones."""
        self._set_parts(replace(self._parts, thresholds=thresholds))
        self._set_times(idle_seconds, idle_after_stop_seconds, times)
        self.wake()

    def stop(self, timeout_seconds: float = SHUTDOWN_SECONDS_MAX) -> bool:
        """Finish the job at hand and take no other; False if that took longer than allowed."""
        self._is_stopping.set()
        self._woken.set()
        if self._thread.ident is None:
            return True
        self._thread.join(timeout_seconds)
        return not self._thread.is_alive()

    def end_session(self, session_id: str) -> Session:
        """End a session now, for agents that never say so, and have its page compiled.

        Raises:
            SessionNotFound: there is no such session.
        """
        now = self._parts.clock.now()
        ended = self._write(lambda conn: endings.end_now(conn, session_id, now))
        self.wake()
        return ended

    def compile_session(self, session_id: str) -> CompileReport:
        """Bring a session's page up to date between two jobs, whether the session goes on or not.

        Raises:
            SessionNotFound: there is no such session.
            DiskRefused: the disk is full, read-only or somebody else's; a later call finishes.
        """
        with self._at_work:
            return session_end.compile_session(self._parts, session_id)

    def finalize_session(self, session_id: str) -> CompileReport:
        """End a session and wait for its page and what it hands on.

        Raises:
            SessionNotFound: there is no such session.
            DiskRefused: the disk is full, read-only or somebody else's; its job finishes later.
        """
        self.end_session(session_id)
        return self.compile_session(session_id)

    def reopen_session(self, session_id: str) -> Session:
        """Take a session up again as if it had just spoken; it ends by its next end event or by silence.

        Raises:
            SessionNotFound: there is no such session.
        """
        now = self._parts.clock.now()
        return self._write(lambda conn: endings.reopen_now(conn, session_id, now))

    def forget_session(self, session_id: str, actor: str) -> Forgetting:
        """Delete a session between two jobs, so that none brings its page back.

        Raises:
            SessionNotFound: there is no such session.
            DiskRefused: a file cannot be removed; a later call goes on.
        """
        with self._at_work:
            observing.forget_session(self._parts.wiki.index, self._parts.archive.verbatim, session_id)
            forgotten = forget.forget_session(self._parts, session_id, actor)
        self.wake()
        return forgotten

    def run_between_jobs(self, call: Callable[[], T]) -> T:
        """Call something while no job runs, so that none brings back what it deletes."""
        with self._at_work:
            return call()

    def run_due_jobs(self) -> int:
        """Run jobs until none is due; tells how many were tried."""
        tried = 0
        while not self._is_stopping.is_set() and (job := self._claim()) is not None:
            self._run_job(job)
            tried += 1
        return tried

    def sweep(self) -> int:
        """End sessions that have gone silent, take back leases that ran out, close old handoffs; tells what ended."""
        now = self._parts.clock.now()
        idle = self._parts.engine.read(
            sessions.list_idle_sessions,
            idle_before=now - self._idle,
            stopped_before=now - self._idle_after_stop,
            limit=SWEEP_SESSIONS_MAX,
        )
        ended = sum(self._write(endings.build_ending(session, now)) for session in idle)
        self._bring_forward(now)
        parts = self._parts
        expired = offers.close_stale(OfferParts(parts.engine, parts.writer, parts.clock, parts.ids))
        self._stats = replace(
            self._stats,
            ended_sessions=self._stats.ended_sessions + ended,
            expired_handoffs=self._stats.expired_handoffs + expired,
        )
        return ended

    def keep(self) -> Kept:
        """Call for what is due to be sealed, released or forgotten."""
        return keeping.keep(self._parts.archive, self._times, compile_kind=session_end.COMPILE_SESSION)

    def catch_up(self) -> None:
        """Index some of the sessions whose words the index lacks, as all of them are after it was made anew."""
        with self._at_work:
            if observing.catch_up(self._parts.wiki.index, self._parts.archive.verbatim, self._catch_up):
                self._woken.set()

    def curate(self) -> int:
        """Call for the curation of projects whose pages have changed, if a round is due; tells of how many."""
        due = curating.list_due(self._parts, self._rounds)
        if due:
            now = self._parts.clock.now()
            self._write(lambda conn: curating.call_for(conn, due, now))
            self._woken.set()
        return len(due)

    def keep_entry_pages(self) -> int:
        """Bring the entry pages up to date of the projects whose open work has changed; tells how many."""
        parts = self._parts
        counts = parts.engine.read(open_work.count_open_handoffs, OPEN_WORK_PROJECTS_MAX)
        changed = {name for name in {*counts, *self._open_work} if counts.get(name) != self._open_work.get(name)}
        for project_id in sorted(changed):
            with self._at_work:
                project = parts.engine.read(projects.get_project, project_id)
                index_page.save_pages(parts.engine, parts.wiki, project)
        self._open_work = counts
        return len(changed)

    def _set_parts(self, parts: CompileParts) -> None:
        self._parts = parts
        self._at_urgent = replace(parts, awaits_others=self._awaits_others)
        self._at_job = replace(self._at_urgent, breathe=self._let_pages_by)

    def _awaits_others(self, session: Session) -> bool:
        """Tell whether others of the project are about to be learnt from, as after many ended at once."""
        now, kind = self._parts.clock.now(), session_end.LEARN_SESSION
        return self._parts.engine.read(jobs.has_other_due, kind, session.project_id, session.id, now)

    def _set_times(self, idle_seconds: int, idle_after_stop_seconds: int, times: KeepingTimes) -> None:
        self._idle, self._idle_after_stop = timedelta(seconds=idle_seconds), timedelta(seconds=idle_after_stop_seconds)
        self._sweep_pause = min(timedelta(seconds=SWEEP_SECONDS), self._idle, self._idle_after_stop)
        self._times = times
        self._keep_pause = min(timedelta(seconds=KEEPING_SECONDS), times.seal_after)

    def _run(self) -> None:
        while not self._is_stopping.is_set():
            # Cleared before looking, so that a call during the look is not lost.
            self._woken.clear()
            try:
                self.resume()
                self._sweep_if_due()
                self.run_due_jobs()
                self.keep_entry_pages()
                self.catch_up()
                self._keep_if_due()
                self.curate()
            except Exception as error:  # noqa: BLE001  # the thread must outlive a fault of the store or the disk
                self._stats = replace(self._stats, last_error=_describe(error))
            self._woken.wait(JOB_WAIT_SECONDS_MAX)

    def _sweep_if_due(self) -> None:
        now = self._parts.clock.now()
        if has_passed(self._swept_at, now, self._sweep_pause):
            self._swept_at = now
            self.sweep()

    def _bring_forward(self, now: datetime) -> None:
        """Make jobs due that wait for a moment which a clock that was wrong had named."""
        latest = now + timedelta(seconds=JOB_RETRY_SECONDS_MAX)
        last = self._parts.engine.read(jobs.find_last_due)
        if last is not None and last > latest:
            self._write(lambda conn: jobs.bring_forward(conn, now, latest))

    def _keep_if_due(self) -> None:
        now = self._parts.clock.now()
        if not has_passed(self._kept_at, now, self._keep_pause):
            return
        kept = self.keep()
        self._kept_at = None if kept.is_cut else now
        if kept.jobs:
            self._woken.set()

    def _claim(self) -> Job | None:
        now = self._parts.clock.now()
        lease_until = now + timedelta(seconds=JOB_LEASE_SECONDS)
        claim = partial(jobs.claim_job, now=now, lease_until=lease_until, worker=self._name)
        return self._write(partial(claim, urgent=session_end.COMPILE_SESSION))

    def _let_pages_by(self) -> None:
        """Make the pages of sessions that ended while a long job runs."""
        while self._woken.is_set() and not self._is_stopping.is_set():
            now = self._parts.clock.now()
            lease_until = now + timedelta(seconds=JOB_LEASE_SECONDS)
            claim = partial(jobs.claim_job_of, now=now, lease_until=lease_until, worker=self._name)
            job = self._write(partial(claim, kind=session_end.COMPILE_SESSION))
            if job is None:
                # What else it was woken for comes when the job at hand is done.
                self._woken.clear()
                return
            self._work_off(self._at_urgent, job)

    def _run_job(self, job: Job) -> None:
        with self._at_work:
            self._work_off(self._at_job, job)

    def _work_off(self, parts: CompileParts, job: Job) -> None:
        with self._meter.cover("job"):
            self._carry_out(parts, job)

    def _carry_out(self, parts: CompileParts, job: Job) -> None:
        self._stats = replace(self._stats, last_run_at=self._parts.clock.now())
        begun = time.perf_counter()
        try:
            JOB_KINDS[job.kind](parts, job)
        except Exception as error:  # noqa: BLE001  # one job's fault must not stop the others; it is recorded with it
            self._meter.note("job", job.kind, time.perf_counter() - begun, subject=job.key, is_failed=True)
            self._put_back(job, error)
            return
        self._meter.note("job", job.kind, time.perf_counter() - begun, subject=job.key)
        if job.kind == session_end.COMPILE_SESSION:
            waited = (self._parts.clock.now() - job.due_at).total_seconds()
            self._meter.note("page", "", max(0.0, waited), subject=job.key)
        self._write(lambda conn: jobs.finish_job(conn, job))
        self._stats = replace(self._stats, done=self._stats.done + 1)

    def _put_back(self, job: Job, error: Exception) -> None:
        told = _describe(error)
        _LOG.warning("%s of %s failed, attempt %d: %s", job.kind, job.key, job.attempts, told)
        self._stats = replace(self._stats, failed=self._stats.failed + 1, last_error=f"{job.kind} {job.key}: {told}")
        if job.attempts >= JOB_ATTEMPTS_MAX:
            self._write(lambda conn: jobs.fail_job(conn, job, error=told))
            return
        due_at = self._parts.clock.now() + decide_delay(job.attempts)
        self._write(lambda conn: jobs.retry_job(conn, job, due_at=due_at, error=told))

    def _write(self, job: Callable[[WriteConnection], T]) -> T:
        return self._parts.writer.submit(job).result(timeout=STATE_WRITE_SECONDS_MAX)


def decide_delay(attempts: int) -> timedelta:
    """Decide how long a job waits after so many failed attempts: twice as long each time, up to a bound."""
    return timedelta(seconds=min(2 ** min(attempts, 16), JOB_RETRY_SECONDS_MAX))


def _describe(error: Exception) -> str:
    """Say what went wrong in words that may be shown: our own errors', and of any other its name alone."""
    return redact_text(str(error))[:500] if isinstance(error, AppError) else type(error).__name__
