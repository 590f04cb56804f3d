"""Jobs: work to be done off the request path, leased to one worker at a time and never lost."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from app.domain.limits import JOB_HEAD_START_SECONDS
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import UtcMicros, jobs, sessions


class JobState(StrEnum):
    """`FAILED` has used up its attempts and waits for a person or for new work under its key."""

    PENDING = "pending"
    RUNNING = "running"
    FAILED = "failed"


_NOW = sa.bindparam("moment", type_=UtcMicros())
_IS_DUE = sa.or_(
    sa.and_(jobs.c.state == JobState.PENDING.value, jobs.c.due_at <= _NOW),
    sa.and_(jobs.c.state == JobState.RUNNING.value, jobs.c.lease_until <= _NOW),
)
# Counted as due earlier than they are, jobs of the urgent kind go first, and no other waits for ever.
_HEAD_START = sa.case((jobs.c.kind == sa.bindparam("urgent_kind"), JOB_HEAD_START_SECONDS * 1_000_000), else_=0)
_RANK = sa.type_coerce(jobs.c.due_at, sa.BigInteger()) - _HEAD_START
_NEXT_DUE = sa.select(jobs).where(_IS_DUE).order_by(_RANK, jobs.c.id).limit(1)
_NEXT_OF_KIND = _NEXT_DUE.where(jobs.c.kind == sa.bindparam("urgent_kind"))
_TAKE = (
    sa.update(jobs)
    .where(jobs.c.id == sa.bindparam("job_id"), _IS_DUE)
    .values(
        state=JobState.RUNNING.value,
        worker=sa.bindparam("by_worker"),
        lease_until=sa.bindparam("lease", type_=UtcMicros()),
        attempts=jobs.c.attempts + 1,
        claim_number=jobs.c.claim_number + 1,
    )
)
# A worker whose lease ran out and whose job another one took may not touch it any more.
_IS_MINE = sa.and_(
    jobs.c.id == sa.bindparam("job_id"),
    jobs.c.state == JobState.RUNNING.value,
    jobs.c.claim_number == sa.bindparam("my_claim"),
)
_IS_UNCHANGED = jobs.c.generation == sa.bindparam("my_generation")
_OTHER_DUE = (
    sa.select(jobs.c.id)
    .join(sessions, sessions.c.id == jobs.c.key)
    .where(
        jobs.c.state == JobState.PENDING.value,
        jobs.c.due_at <= sa.bindparam("moment", type_=UtcMicros()),
        jobs.c.kind == sa.bindparam("of_kind"),
        jobs.c.key != sa.bindparam("of_key"),
        sessions.c.project_id == sa.bindparam("of_project"),
    )
    .limit(1)
)
_FINISH = sa.delete(jobs).where(_IS_MINE, _IS_UNCHANGED)
_REARM = sa.update(jobs).where(_IS_MINE).values(state=JobState.PENDING.value, worker="", lease_until=None)
_RETRY = _REARM.values(
    # Work that arrived meanwhile has its own due time, which a retry may not push back.
    due_at=sa.case((_IS_UNCHANGED, sa.bindparam("new_due", type_=UtcMicros())), else_=jobs.c.due_at),
    last_error=sa.bindparam("new_error"),
)
_FAIL = (
    sa.update(jobs)
    .where(_IS_MINE)
    .values(
        state=sa.case((_IS_UNCHANGED, JobState.FAILED.value), else_=JobState.PENDING.value),
        worker="",
        lease_until=None,
        last_error=sa.bindparam("new_error"),
    )
)
_GIVE_BACK = (
    sa.update(jobs)
    .where(jobs.c.state == JobState.RUNNING.value, jobs.c.worker == sa.bindparam("of_worker"))
    .values(state=JobState.PENDING.value, worker="", lease_until=None)
)
_EXTEND = sa.update(jobs).where(_IS_MINE).values(lease_until=sa.bindparam("lease", type_=UtcMicros()))
_AGAIN = (
    sa.update(jobs)
    .where(jobs.c.kind == sa.bindparam("of_kind"), jobs.c.key == sa.bindparam("of_key"))
    .values(
        due_at=sa.bindparam("new_due", type_=UtcMicros()),
        generation=jobs.c.generation + 1,
        attempts=0,
        payload=sa.bindparam("new_payload"),
        state=sa.case((jobs.c.state == JobState.RUNNING.value, JobState.RUNNING.value), else_=JobState.PENDING.value),
    )
)
_ALL = sa.select(jobs).order_by(jobs.c.due_at, jobs.c.id).limit(sa.bindparam("row_limit"))
_FAILING = _ALL.where(jobs.c.last_error != "")
_LAST_DUE = sa.select(sa.func.max(jobs.c.due_at)).where(jobs.c.state == JobState.PENDING.value)
_FORWARD = (
    sa.update(jobs)
    .where(jobs.c.state == JobState.PENDING.value, jobs.c.due_at > sa.bindparam("latest", type_=UtcMicros()))
    .values(due_at=sa.bindparam("new_due", type_=UtcMicros()))
)
_COUNTS = sa.select(jobs.c.state, sa.func.count()).group_by(jobs.c.state)


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work; `generation` counts the calls for it, `claim_number` the times it was leased."""

    id: int
    kind: str
    key: str
    state: JobState
    due_at: datetime
    attempts: int
    generation: int
    claim_number: int
    payload: str
    worker: str
    lease_until: datetime | None
    last_error: str


def upsert_job(conn: WriteConnection, kind: str, key: str, due_at: datetime, *, payload: str = "") -> None:
    """Call for a piece of work; if it waits, it moves to `due_at`, and if it runs, it will run once more."""
    again = {"of_kind": kind, "of_key": key, "new_due": due_at, "new_payload": payload}
    if conn.execute(_AGAIN, again).rowcount:
        return
    row = {
        "kind": kind,
        "key": key,
        "state": JobState.PENDING.value,
        "due_at": due_at,
        "attempts": 0,
        "generation": 1,
        "claim_number": 0,
        "payload": payload,
        "worker": "",
        "lease_until": None,
        "last_error": "",
    }
    conn.execute(sa.insert(jobs), row)


def claim_job(
    conn: WriteConnection, *, now: datetime, lease_until: datetime, worker: str, urgent: str = ""
) -> Job | None:
    """Lease the job that has been due longest, or one whose worker has gone silent; None if nothing is due.

    Jobs of the `urgent` kind go before others, within a bound.
    """
    return _claim(conn, _NEXT_DUE, urgent, {"moment": now, "by_worker": worker, "lease": lease_until})


def claim_job_of(conn: WriteConnection, kind: str, *, now: datetime, lease_until: datetime, worker: str) -> Job | None:
    """Lease the job of one kind that has been due longest; None if none of it is due."""
    return _claim(conn, _NEXT_OF_KIND, kind, {"moment": now, "by_worker": worker, "lease": lease_until})


def finish_job(conn: WriteConnection, job: Job) -> bool:
    """Remove a job that is done; False if it was called for again, which re-arms it, or lost to another."""
    if conn.execute(_FINISH, {**_to_lease(job)}).rowcount:
        return True
    mine = {"job_id": job.id, "my_claim": job.claim_number}
    conn.execute(_REARM, mine)
    return False


def retry_job(conn: WriteConnection, job: Job, *, due_at: datetime, error: str) -> bool:
    """Put a job back for another attempt; False if another worker has it."""
    return conn.execute(_RETRY, {**_to_lease(job), "new_due": due_at, "new_error": error}).rowcount == 1


def fail_job(conn: WriteConnection, job: Job, *, error: str) -> bool:
    """Set a job aside whose attempts are used up, unless it was called for again; False if lost to another."""
    return conn.execute(_FAIL, {**_to_lease(job), "new_error": error}).rowcount == 1


def release_jobs(conn: WriteConnection, worker: str) -> int:
    """Put back what an earlier run under this name was at when it died; tells how many."""
    return conn.execute(_GIVE_BACK, {"of_worker": worker}).rowcount


def delete_jobs_of(conn: WriteConnection, key: str) -> int:
    """Delete all jobs of a key, whatever their kind and state; tells how many."""
    return conn.execute(sa.delete(jobs).where(jobs.c.key == sa.bindparam("of_key")), {"of_key": key}).rowcount


def extend_job_lease(conn: WriteConnection, job: Job, lease_until: datetime) -> bool:
    """Keep a job that takes long; False if another worker has it."""
    mine = {"job_id": job.id, "my_claim": job.claim_number, "lease": lease_until}
    return conn.execute(_EXTEND, mine).rowcount == 1


def find_last_due(conn: ReadConnection) -> datetime | None:
    """Find the moment for which the last of the jobs waits."""
    found: datetime | None = conn.execute(_LAST_DUE).scalar_one()
    return found


def bring_forward(conn: WriteConnection, now: datetime, latest: datetime) -> int:
    """Make those jobs due now that wait for something after `latest`; tells how many."""
    return conn.execute(_FORWARD, {"latest": latest, "new_due": now}).rowcount


def has_other_due(conn: ReadConnection, kind: str, project_id: str, key: str, now: datetime) -> bool:
    """Tell whether another session of a project waits for the same kind of work."""
    values = {"of_kind": kind, "of_project": project_id, "of_key": key, "moment": now}
    return conn.execute(_OTHER_DUE, values).first() is not None


def list_jobs(conn: ReadConnection, limit: int) -> list[Job]:
    """List jobs by the time they are due."""
    return [_to_job(row) for row in conn.execute(_ALL, {"row_limit": limit})]


def list_failing_jobs(conn: ReadConnection, limit: int) -> list[Job]:
    """List jobs whose last attempt failed, also those that will be tried again."""
    return [_to_job(row) for row in conn.execute(_FAILING, {"row_limit": limit})]


def count_jobs(conn: ReadConnection) -> dict[JobState, int]:
    """Count jobs by state; every state has its number."""
    counts = dict.fromkeys(JobState, 0)
    counts.update({JobState(state): count for state, count in conn.execute(_COUNTS)})
    return counts


def _claim(conn: WriteConnection, wanted: sa.Select[Any], kind: str, taking: Mapping[str, object]) -> Job | None:
    while row := conn.execute(wanted, {"moment": taking["moment"], "urgent_kind": kind}).one_or_none():
        if conn.execute(_TAKE, {**taking, "job_id": row.id}).rowcount:
            return _to_job(conn.execute(sa.select(jobs).where(jobs.c.id == row.id)).one())
    return None


def _to_lease(job: Job) -> dict[str, object]:
    return {"job_id": job.id, "my_claim": job.claim_number, "my_generation": job.generation}


def _to_job(row: sa.Row[*tuple[Any, ...]]) -> Job:
    return Job(
        id=row.id,
        kind=row.kind,
        key=row.key,
        state=JobState(row.state),
        due_at=row.due_at,
        attempts=row.attempts,
        generation=row.generation,
        claim_number=row.claim_number,
        payload=row.payload,
        worker=row.worker,
        lease_until=row.lease_until,
        last_error=row.last_error,
    )
