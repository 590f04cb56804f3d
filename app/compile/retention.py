"""Lets old rows leave state, once what they hold is proved to be in a sealed file; forgets keys; gives back space."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.compile import sealing
from app.compile.sealing import ArchiveParts
from app.domain.limits import (
    EMPTY_PAGES_KEPT_PART,
    KEYS_EXPIRED_PER_SWEEP,
    KEYS_EXPIRED_PER_WRITE,
    OBSERVATIONS_RETENTION_DAYS,
    PAGES_GIVEN_BACK_PER_SWEEP,
    PAGES_GIVEN_BACK_PER_WRITE,
    REPLAY_KEYS_RETENTION_DAYS,
    SEAL_AFTER_SECONDS,
    SEGMENT_OBSERVATIONS_MAX,
)
from app.domain.limits_knowledge import LESSONS_RETENTION_DAYS
from app.domain.segment import Segment, SegmentUnreadable
from app.state import engine as engines
from app.state import observations, segments
from app.state.engine import WriteConnection
from app.state.segment_format import StoredLine


@dataclass(frozen=True, slots=True)
class KeepingTimes:
    """How long a session must be quiet before it is sealed, and how long rows, replay keys and lessons stay."""

    seal_after: timedelta = timedelta(seconds=SEAL_AFTER_SECONDS)
    observations_kept: timedelta = timedelta(days=OBSERVATIONS_RETENTION_DAYS)
    keys_kept: timedelta = timedelta(days=REPLAY_KEYS_RETENTION_DAYS)
    lessons_kept: timedelta = timedelta(days=LESSONS_RETENTION_DAYS)


def release_session(parts: ArchiveParts, session_id: str, received_before: datetime) -> int:
    """Remove a session's old rows, one proved segment in each transaction; tells how many rows went.

    Raises:
        SegmentUnreadable: the file does not hold what the rows do, so they stay; what can be mended was.
        SegmentLocked: it needs a key that is not here.
    """
    released = 0
    for segment in parts.verbatim.engine.read(segments.list_releasable, session_id, received_before):
        rows = _list_rows(parts, segment)
        proved = _prove(parts, segment, rows)
        if proved is not None:
            released += parts.write(lambda conn, proved=proved: _release(conn, parts, proved))  # type: ignore[misc]
    return released


def expire_keys(parts: ArchiveParts, received_before: datetime) -> int:
    """Forget keys that no client can send again, in small transactions and a bounded number at a time."""
    expired = 0
    while expired < KEYS_EXPIRED_PER_SWEEP:
        keys = parts.verbatim.engine.read(
            observations.list_old_keys, received_before=received_before, limit=KEYS_EXPIRED_PER_WRITE
        )
        if not keys:
            break
        parts.write(lambda conn, keys=keys: observations.delete_keys(conn, keys))  # type: ignore[misc]
        expired += len(keys)
    return expired


def give_back_space(parts: ArchiveParts, *, is_all: bool = False) -> int:
    """Give the pages that stand empty back to the file system, few at a time, if they are many; tells how many."""
    total, empty = parts.verbatim.engine.read(engines.measure_file)
    if not is_all and empty * EMPTY_PAGES_KEPT_PART <= total:
        # New events fill these sooner than the file system would.
        return 0
    given = 0
    while given < PAGES_GIVEN_BACK_PER_SWEEP:
        count = parts.write(lambda conn: engines.give_back_pages(conn, PAGES_GIVEN_BACK_PER_WRITE))
        if not count:
            break
        given += count
    return given


def _list_rows(parts: ArchiveParts, segment: Segment) -> list[StoredLine]:
    rows = parts.verbatim.engine.read(
        observations.list_lines,
        segment.session_id,
        after_id=segment.first_observation_id - 1,
        limit=SEGMENT_OBSERVATIONS_MAX,
    )
    return [row for row in rows if row.id <= segment.last_observation_id]


def _prove(parts: ArchiveParts, segment: Segment, rows: Sequence[StoredLine]) -> Segment | None:
    """Read the file again and compare it with the rows letter by letter; make it anew where only they are whole."""
    try:
        sealed = {line.id: line for line in parts.verbatim.raw.read_lines(segment)}
    except SegmentUnreadable:
        if len(rows) != segment.observation_count:
            raise
        return sealing.mend_segment(parts, segment, rows)
    if any(sealed.get(row.id) != row for row in rows):
        raise segment.build_fault("it holds other words than state does")
    return segment


def _release(conn: WriteConnection, parts: ArchiveParts, segment: Segment) -> int:
    """Mark and delete in one transaction, so that a reader finds the words in exactly one of the places."""
    if not segments.update_released(conn, segment, parts.clock.now()):
        return 0
    # A purge that comes later finds rows only: what they leave in the file now must not be readable then.
    with engines.overwriting(conn):
        return observations.delete_observations(
            conn, segment.session_id, first_id=segment.first_observation_id, last_id=segment.last_observation_id
        )
