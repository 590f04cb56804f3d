"""Reads what a session did, word for word, wherever it lies: as rows of state, in sealed segments, or both."""

from dataclasses import dataclass

from app.domain.segment import Segment, SegmentUnreadable
from app.domain.session import Observation
from app.state import observations, segments
from app.state.engine import ReadConnection, StateEngine
from app.state.raw import RawStore
from app.state.segment_format import StoredLine


@dataclass(frozen=True, slots=True)
class Verbatim:
    """The two places where observations lie."""

    engine: StateEngine
    raw: RawStore


def read_session_observations(parts: Verbatim, session_id: str, *, after_id: int, limit: int) -> list[Observation]:
    """Read a stretch of a session in the order of its arrival; the same before and after rows leave state.

    Raises:
        SegmentUnreadable: a file that alone holds a part of the stretch is missing or damaged.
        SegmentLocked: such a file needs a key that is not here.
    """
    released, rows = parts.engine.read(_list_places, session_id, after_id, limit)
    try:
        lines = _merge(parts.raw, released, rows, after_id=after_id, limit=limit)
    except SegmentUnreadable:
        moved, rows = parts.engine.read(_list_places, session_id, after_id, limit)
        if moved == released:
            raise
        # Its file got another name, as happens when the key changes, between our two looks.
        lines = _merge(parts.raw, moved, rows, after_id=after_id, limit=limit)
    return [observations.restore_line(line) for line in lines]


def count_session_observations(conn: ReadConnection, session_id: str | None = None) -> int:
    """Count the observations of one session or of all, wherever they lie."""
    return observations.count_observations(conn, session_id) + segments.count_released(conn, session_id)


def _list_places(
    conn: ReadConnection, session_id: str, after_id: int, limit: int
) -> tuple[list[Segment], list[StoredLine]]:
    """Look at both places in one moment, since rows leave one as their segment is marked."""
    released = segments.list_released(conn, session_id, after_id)
    return released, observations.list_lines(conn, session_id, after_id=after_id, limit=limit)


def _merge(
    raw: RawStore, released: list[Segment], rows: list[StoredLine], *, after_id: int, limit: int
) -> list[StoredLine]:
    """Read only the segments that the stretch needs; a damaged one beyond it does not matter."""
    lines = list(rows)
    for segment in released:
        if sum(line.id < segment.first_observation_id for line in lines) >= limit:
            break
        lines.extend(line for line in raw.read_lines(segment) if line.id > after_id)
    lines.sort(key=lambda line: line.id)
    return lines[:limit]
