"""Finds what is to be sealed, released, put under another key or forgotten, and calls for it as jobs."""

from dataclasses import dataclass
from datetime import datetime

from app.compile import lesson_keeping, retention, sealing, session_end
from app.compile.parts import CompileParts
from app.compile.retention import KeepingTimes
from app.compile.sealing import ArchiveParts
from app.domain.limits import KEEPING_SEGMENTS_MAX, KEEPING_SESSIONS_MAX
from app.domain.segment import SegmentUnreadable
from app.state import jobs, segments, sessions
from app.state.engine import WriteConnection

SEAL_SESSION = "seal_session"
RELEASE_SESSION = "release_session"
MOVE_SEGMENTS = "move_segments"


@dataclass(frozen=True, slots=True)
class Kept:
    """What one look came to; `is_cut` says that there was more than one look takes up."""

    jobs: int
    keys_expired: int
    lessons_faded: int
    pages_given_back: int
    is_cut: bool


def keep(parts: ArchiveParts, times: KeepingTimes, *, compile_kind: str) -> Kept:
    """Call for what is due, and do the small things at once."""
    now, engine, keys = parts.clock.now(), parts.verbatim.engine, parts.verbatim.raw.keys
    sealable = engine.read(
        segments.list_sealable,
        quiet_before=now - times.seal_after,
        compile_kind=compile_kind,
        limit=KEEPING_SESSIONS_MAX,
    )
    received_before = now - times.observations_kept
    releasable = engine.read(
        segments.list_releasable_sessions, received_before=received_before, limit=KEEPING_SESSIONS_MAX
    )
    has_others = engine.read(segments.count_of_other_keys, current_id=keys.current_id, readable=keys.readable_ids)

    def call(conn: WriteConnection) -> int:
        for session_id in sealable:
            jobs.upsert_job(conn, SEAL_SESSION, session_id, now)
        for session_id in releasable:
            jobs.upsert_job(conn, RELEASE_SESSION, session_id, now, payload=received_before.isoformat())
        if has_others:
            jobs.upsert_job(conn, MOVE_SEGMENTS, keys.current_id, now)
        return len(sealable) + len(releasable) + bool(has_others)

    called = parts.write(call) if sealable or releasable or has_others else 0
    return Kept(
        jobs=called,
        keys_expired=retention.expire_keys(parts, now - times.keys_kept),
        lessons_faded=lesson_keeping.keep_lessons(parts, now - times.lessons_kept),
        pages_given_back=retention.give_back_space(parts),
        is_cut=KEEPING_SESSIONS_MAX in {len(sealable), len(releasable)} or has_others > KEEPING_SEGMENTS_MAX,
    )


def run_seal(parts: CompileParts, session_id: str) -> None:
    """Seal a session, after its page where something came in since that was written."""
    session = parts.engine.read(sessions.find_session, session_id)
    if session is None:
        return
    if not sealing.is_sealable(session):
        session_end.compile_session(parts, session_id)
    sealing.seal_session(parts.archive, session_id)


def run_release(parts: CompileParts, session_id: str, received_before: str) -> None:
    """Let a session's old rows leave."""
    retention.release_session(parts.archive, session_id, datetime.fromisoformat(received_before))


def run_move(parts: CompileParts) -> None:
    """Put some of the segments that are under older keys under the present one."""
    keys = parts.raw.keys
    found = parts.engine.read(
        segments.list_of_other_keys,
        current_id=keys.current_id,
        readable=keys.readable_ids,
        limit=KEEPING_SEGMENTS_MAX,
    )
    faults: list[SegmentUnreadable] = []
    for segment in found:
        try:
            sealing.move_segment(parts.archive, segment)
        except SegmentUnreadable as fault:
            # It stays as it is and is told at the end; the others are moved all the same.
            faults.append(fault)
    if faults:
        raise faults[0]
