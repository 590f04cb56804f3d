"""Seals what finished sessions did into files of their own, and puts those under another key when the key changes.

Every step may be repeated: a file is on the disk and proved before state names it, and state names another one
before the first is removed. A crash between two steps leaves a file too many and nothing too few.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from app.domain.clock import Clock
from app.domain.limits import (
    KEEPING_SEGMENTS_MAX,
    SEGMENT_BYTES_MAX,
    SEGMENT_OBSERVATIONS_MAX,
    SEGMENT_READ_BATCH,
    STATE_WRITE_SECONDS_MAX,
)
from app.domain.segment import Segment, SegmentUnreadable
from app.domain.session import Session, SessionState
from app.state import observations, segment_format, segments, sessions
from app.state.engine import StateEngine, WriteConnection
from app.state.segment_format import StoredLine
from app.state.verbatim import Verbatim
from app.state.writer import Writer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ArchiveParts:
    """What sealing and releasing work with."""

    verbatim: Verbatim
    writer: Writer
    clock: Clock

    def write(self, job: Callable[[WriteConnection], T]) -> T:
        """Have a job saved."""
        return self.writer.submit(job).result(timeout=STATE_WRITE_SECONDS_MAX)


def is_sealable(session: Session) -> bool:
    """Tell whether a session is finished and its page says all of it."""
    return session.state is SessionState.ENDED and session.compiled_through >= session.last_observation_id


def seal_session(parts: ArchiveParts, session_id: str) -> int:
    """Seal what a finished session did since it was last sealed; tells how many segments that made.

    Raises:
        SessionNotFound: there is no such session.
        DiskRefused: the disk is full, read-only or somebody else's; a later attempt goes on.
    """
    session = parts.verbatim.engine.read(sessions.get_session, session_id)
    made = 0
    while is_sealable(session):
        number, last_id = parts.verbatim.engine.read(segments.find_last, session_id)
        lines = _gather_lines(parts.verbatim.engine, session, after_id=last_id)
        if not lines:
            break
        segment = _install(parts, session, lines, number=number + 1)
        parts.write(lambda conn, made=segment: segments.insert_segment(conn, made))  # type: ignore[misc]
        made += 1
    return made


def move_segment(parts: ArchiveParts, segment: Segment) -> bool:
    """Put one segment under the key that new ones have; False if that was done already.

    Raises:
        SegmentUnreadable: it cannot be read, so it stays as it is.
        DiskRefused: it cannot be written anew.
    """
    raw = parts.verbatim.raw
    if segment.file.key_id == raw.keys.current_id:
        return False
    session = parts.verbatim.engine.read(sessions.get_session, segment.session_id)
    file = raw.install_segment(session, segment.file.number, raw.read_content(segment))
    is_moved = parts.write(lambda conn: segments.update_file(conn, segment, file))
    if is_moved:
        raw.remove_file(segment.file.path)
    return is_moved


def move_all(parts: ArchiveParts, told: Callable[[int], None]) -> list[SegmentUnreadable]:
    """Put every segment under the key that new ones have; `told` hears how many are left, the rest cannot be read."""
    engine, keys = parts.verbatim.engine, parts.verbatim.raw.keys
    faults: dict[str, SegmentUnreadable] = {}
    while True:
        found = engine.read(
            segments.list_of_other_keys,
            current_id=keys.current_id,
            readable=keys.readable_ids,
            limit=KEEPING_SEGMENTS_MAX + len(faults),
        )
        left = engine.read(segments.count_of_other_keys, current_id=keys.current_id, readable=keys.readable_ids)
        told(left - len(faults))
        waiting = [segment for segment in found if segment.file.path not in faults]
        if not waiting:
            return list(faults.values())
        for segment in waiting:
            try:
                move_segment(parts, segment)
            except SegmentUnreadable as fault:
                faults[segment.file.path] = fault


def mend_segment(parts: ArchiveParts, segment: Segment, lines: Sequence[StoredLine]) -> Segment | None:
    """Make a lost or damaged file anew from the rows that are still in state; None if it was moved meanwhile."""
    session = parts.verbatim.engine.read(sessions.get_session, segment.session_id)
    number, _ = parts.verbatim.engine.read(segments.find_last, segment.session_id)
    mended = _install(parts, session, lines, number=number + 1)
    if not parts.write(lambda conn: segments.update_file(conn, segment, mended.file)):
        return None
    parts.verbatim.raw.remove_file(segment.file.path)
    return mended


def _install(parts: ArchiveParts, session: Session, lines: Sequence[StoredLine], *, number: int) -> Segment:
    file = parts.verbatim.raw.install_segment(session, number, segment_format.encode_lines(lines))
    return Segment(
        session_id=session.id,
        file=file,
        first_observation_id=lines[0].id,
        last_observation_id=lines[-1].id,
        observation_count=len(lines),
        last_received_at=max(line.received_at for line in lines),
        sealed_at=parts.clock.now(),
    )


def _gather_lines(engine: StateEngine, session: Session, *, after_id: int) -> list[StoredLine]:
    """Gather one segment's worth of rows: a bounded number, and not many more bytes than a segment should have."""
    lines: list[StoredLine] = []
    size = 0
    while len(lines) < SEGMENT_OBSERVATIONS_MAX and size < SEGMENT_BYTES_MAX:
        batch = engine.read(observations.list_lines, session.id, after_id=after_id, limit=SEGMENT_READ_BATCH)
        known = [line for line in batch if line.id <= session.compiled_through]
        lines.extend(known)
        size += sum(len(bytes(line.event)) for line in known)
        if len(known) < SEGMENT_READ_BATCH:
            break
        after_id = known[-1].id
    return lines
