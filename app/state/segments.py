"""Which stretches of which sessions are sealed, where, and whether their rows are still in state as well."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from app.domain.limits import SEGMENTS_LISTED_MAX
from app.domain.segment import SealedFile, Segment
from app.domain.session import SessionState
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import UtcMicros, jobs, raw_segments, sessions

_S = raw_segments.c
_IS_OF_SESSION = _S.session_id == sa.bindparam("of_session")
_OF_SESSION = sa.select(raw_segments).where(_IS_OF_SESSION).order_by(_S.first_observation_id).limit(SEGMENTS_LISTED_MAX)
_RELEASED_AFTER = _OF_SESSION.where(_S.released_at.is_not(None), _S.last_observation_id > sa.bindparam("after_id"))
_IS_RELEASABLE = sa.and_(
    _S.released_at.is_(None), _S.last_received_at <= sa.bindparam("received_before", type_=UtcMicros())
)
_RELEASABLE_OF_SESSION = _OF_SESSION.where(_IS_RELEASABLE)
_RELEASABLE = (
    sa.select(_S.session_id)
    .where(_IS_RELEASABLE)
    .group_by(_S.session_id)
    .order_by(sa.func.min(_S.last_received_at), _S.session_id)
    .limit(sa.bindparam("row_limit"))
)
_HAS_OTHER_KEY = sa.and_(
    _S.key_id.in_(sa.bindparam("readable", expanding=True)), _S.key_id != sa.bindparam("current_id")
)
_OTHER_KEY = (
    sa.select(raw_segments).where(_HAS_OTHER_KEY).order_by(_S.session_id, _S.number).limit(sa.bindparam("row_limit"))
)
_COUNT_OTHER_KEY = sa.select(sa.func.count()).select_from(raw_segments).where(_HAS_OTHER_KEY)
_LAST = sa.select(
    sa.func.coalesce(sa.func.max(_S.number), 0), sa.func.coalesce(sa.func.max(_S.last_observation_id), 0)
).where(_IS_OF_SESSION)
_IS_SEALED = (
    sa.select(_S.number)
    .where(_S.session_id == sessions.c.id, _S.last_observation_id >= sessions.c.last_observation_id)
    .exists()
)
_HAS_JOB = sa.select(jobs.c.id).where(jobs.c.kind == sa.bindparam("compile_kind"), jobs.c.key == sessions.c.id).exists()
# A session whose page waits or cannot be written stays in state whole.
_SEALABLE = (
    sa.select(sessions.c.id)
    .where(
        sessions.c.state == SessionState.ENDED.value,
        sessions.c.last_event_at <= sa.bindparam("quiet_before", type_=UtcMicros()),
        sa.not_(_IS_SEALED),
        sa.not_(_HAS_JOB),
    )
    .order_by(sessions.c.last_event_at, sessions.c.id)
    .limit(sa.bindparam("row_limit"))
)
_COUNT_RELEASED = sa.select(sa.func.coalesce(sa.func.sum(_S.observation_count), 0)).where(_S.released_at.is_not(None))
_BY_KEY = (
    sa.select(_S.key_id, sa.func.count().label("segment_count"))
    .group_by(_S.key_id)
    .order_by(_S.key_id)
    .limit(SEGMENTS_LISTED_MAX)
)
# Whoever changes a segment must have seen its present file.
_IS_AS_SEEN = sa.and_(_IS_OF_SESSION, _S.path == sa.bindparam("seen_path"), _S.sha256 == sa.bindparam("seen_sha256"))
_RELEASE = (
    sa.update(raw_segments)
    .where(_IS_AS_SEEN, _S.released_at.is_(None))
    .values(released_at=sa.bindparam("moment", type_=UtcMicros()))
)
_MOVE = (
    sa.update(raw_segments)
    .where(_IS_AS_SEEN)
    .values(
        number=sa.bindparam("new_number"),
        path=sa.bindparam("new_path"),
        file_bytes=sa.bindparam("new_bytes"),
        sha256=sa.bindparam("new_sha256"),
        key_id=sa.bindparam("new_key_id"),
    )
)

_NEWEST = sa.select(raw_segments).order_by(_S.sealed_at.desc(), _S.path).limit(sa.bindparam("row_limit"))
_DELETE = sa.delete(raw_segments).where(_IS_OF_SESSION)


def insert_segment(conn: WriteConnection, segment: Segment) -> None:
    """Record a segment whose file is on the disk and proved."""
    row = {
        "session_id": segment.session_id,
        "first_observation_id": segment.first_observation_id,
        "last_observation_id": segment.last_observation_id,
        "observation_count": segment.observation_count,
        "last_received_at": segment.last_received_at,
        "sealed_at": segment.sealed_at,
        "released_at": segment.released_at,
        "number": segment.file.number,
        "path": segment.file.path,
        "file_bytes": segment.file.file_bytes,
        "sha256": segment.file.sha256,
        "key_id": segment.file.key_id,
    }
    conn.execute(sa.insert(raw_segments), row)


def find_last(conn: ReadConnection, session_id: str) -> tuple[int, int]:
    """Find the highest number of a session's segments and the last observation in them, both 0 where there is none."""
    number, observation_id = conn.execute(_LAST, {"of_session": session_id}).one()
    return number, observation_id


def list_segments(conn: ReadConnection, session_id: str) -> list[Segment]:
    """List a session's segments in the order of their observations."""
    return [_to_segment(row) for row in conn.execute(_OF_SESSION, {"of_session": session_id})]


def list_newest(conn: ReadConnection, limit: int) -> list[Segment]:
    """List segments of any session, the last sealed first."""
    return [_to_segment(row) for row in conn.execute(_NEWEST, {"row_limit": limit})]


def list_released(conn: ReadConnection, session_id: str, after_id: int) -> list[Segment]:
    """List the segments that alone hold what a session did after an observation."""
    page = {"of_session": session_id, "after_id": after_id}
    return [_to_segment(row) for row in conn.execute(_RELEASED_AFTER, page)]


def list_sealable(conn: ReadConnection, *, quiet_before: datetime, compile_kind: str, limit: int) -> list[str]:
    """List finished sessions, silent since then, that are not sealed to their end and wait for no page."""
    page = {"quiet_before": quiet_before, "compile_kind": compile_kind, "row_limit": limit}
    return list(conn.execute(_SEALABLE, page).scalars())


def list_releasable_sessions(conn: ReadConnection, *, received_before: datetime, limit: int) -> list[str]:
    """List sessions with sealed stretches so old that their rows may leave, the oldest first."""
    return list(conn.execute(_RELEASABLE, {"received_before": received_before, "row_limit": limit}).scalars())


def list_releasable(conn: ReadConnection, session_id: str, received_before: datetime) -> list[Segment]:
    """List one session's stretches whose rows may leave."""
    page = {"of_session": session_id, "received_before": received_before}
    return [_to_segment(row) for row in conn.execute(_RELEASABLE_OF_SESSION, page)]


def list_of_other_keys(
    conn: ReadConnection, *, current_id: str, readable: Collection[str], limit: int
) -> list[Segment]:
    """List segments that can be read but are under another key than new ones are."""
    page = {"current_id": current_id, "readable": sorted(readable), "row_limit": limit}
    return [_to_segment(row) for row in conn.execute(_OTHER_KEY, page)]


def count_of_other_keys(conn: ReadConnection, *, current_id: str, readable: Collection[str]) -> int:
    """Count those segments."""
    return conn.execute(_COUNT_OTHER_KEY, {"current_id": current_id, "readable": sorted(readable)}).scalar_one()


def count_by_key(conn: ReadConnection) -> dict[str, int]:
    """Count segments by the key that they need, empty for none."""
    return {row.key_id: row.segment_count for row in conn.execute(_BY_KEY)}


def count_released(conn: ReadConnection, session_id: str | None = None) -> int:
    """Count the observations of one session or of all that have left state."""
    if session_id is None:
        return int(conn.execute(_COUNT_RELEASED).scalar_one())
    return int(conn.execute(_COUNT_RELEASED.where(_IS_OF_SESSION), {"of_session": session_id}).scalar_one())


def update_released(conn: WriteConnection, seen: Segment, now: datetime) -> bool:
    """Note that a segment's file is the only place that has its observations; False if it is another file by now."""
    return conn.execute(_RELEASE, {**_to_key(seen), "moment": now}).rowcount == 1


def update_file(conn: WriteConnection, seen: Segment, file: SealedFile) -> bool:
    """Note that a segment's observations lie in another file; False if it was moved meanwhile."""
    new = {
        "new_number": file.number,
        "new_path": file.path,
        "new_bytes": file.file_bytes,
        "new_sha256": file.sha256,
        "new_key_id": file.key_id,
    }
    return conn.execute(_MOVE, {**_to_key(seen), **new}).rowcount == 1


def delete_segments(conn: WriteConnection, session_id: str) -> int:
    """Forget a session's segments, whose files are gone; tells how many there were."""
    return conn.execute(_DELETE, {"of_session": session_id}).rowcount


def _to_key(seen: Segment) -> dict[str, object]:
    return {"of_session": seen.session_id, "seen_path": seen.file.path, "seen_sha256": seen.file.sha256}


def _to_segment(row: sa.Row[*tuple[Any, ...]]) -> Segment:
    return Segment(
        session_id=row.session_id,
        file=SealedFile(row.number, row.path, row.file_bytes, row.sha256, row.key_id),
        first_observation_id=row.first_observation_id,
        last_observation_id=row.last_observation_id,
        observation_count=row.observation_count,
        last_received_at=row.last_received_at,
        sealed_at=row.sealed_at,
        released_at=row.released_at,
    )
