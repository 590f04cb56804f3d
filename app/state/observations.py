"""Observations, the stored events, and the keys by which a repeat of one is recognised."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import lru_cache

import msgspec
import sqlalchemy as sa

from app.domain.event import EventKind
from app.domain.redact import RedactedEvent
from app.domain.session import Observation
from app.state import bulk, padding, stored_event
from app.state.engine import ReadConnection, WriteConnection
from app.state.segment_format import StoredLine
from app.state.tables import UtcMicros, ingest_keys, observations, raw_segments, to_micros

# Most events of a batch came at one moment.
_to_micros = lru_cache(maxsize=64)(to_micros)
_ENCODER = msgspec.json.Encoder()
# A key with its session and moment.
KeyRow = tuple[str, str, datetime]
# What was released is known by its segment alone, and its ids are never given again.
_ENDS = sa.union_all(
    sa.select(sa.func.max(observations.c.id).label("id")),
    sa.select(sa.func.max(raw_segments.c.last_observation_id).label("id")),
).subquery()
_LAST_ID = sa.select(sa.func.coalesce(sa.func.max(_ENDS.c.id), 0))
_COLUMNS = ("id", "session_id", "kind", "received_at", "event")
_KEY_COLUMNS = ("key", "session_id", "received_at")
_OF_SESSION = (
    sa.select(observations.c.id, observations.c.session_id, observations.c.received_at, observations.c.event)
    .where(
        observations.c.session_id == sa.bindparam("session_id"),
        observations.c.id > sa.bindparam("after_id"),
    )
    .order_by(observations.c.id)
    .limit(sa.bindparam("row_limit"))
)
_IN_RANGE = sa.and_(
    observations.c.session_id == sa.bindparam("session_id"),
    observations.c.id.between(sa.bindparam("first_id"), sa.bindparam("last_id")),
)
_DELETE = sa.delete(observations).where(_IN_RANGE)
_DELETE_ALL = sa.delete(observations).where(observations.c.session_id == sa.bindparam("session_id"))
_OLD_KEYS = (
    sa.select(ingest_keys.c.key)
    .where(ingest_keys.c.received_at <= sa.bindparam("received_before", type_=UtcMicros()))
    .limit(sa.bindparam("row_limit"))
)
_KEY_MOMENT = sa.select(ingest_keys.c.received_at).where(ingest_keys.c.key == sa.bindparam("wanted_key"))
_DELETE_KEYS = sa.delete(ingest_keys).where(ingest_keys.c.key.in_(sa.bindparam("wanted", expanding=True)))
_NEWEST = (
    sa.select(observations.c.id, observations.c.session_id, observations.c.event)
    .order_by(observations.c.id.desc())
    .limit(sa.bindparam("row_limit"))
).subquery()
_PROMPTS = (
    sa.select(observations.c.id, observations.c.session_id, observations.c.received_at, observations.c.event)
    .where(
        observations.c.session_id == sa.bindparam("session_id"),
        observations.c.kind == EventKind.PROMPT.value,
    )
    .order_by(observations.c.id.desc())
    .limit(sa.bindparam("row_limit"))
)
_COUNT = sa.select(sa.func.count()).select_from(observations)
_COUNT_OF_SESSION = _COUNT.where(observations.c.session_id == sa.bindparam("session_id"))


class NewObservation(msgspec.Struct, frozen=True):
    """An event to be stored; its id is given by the writer. `stored` is what it is stored as, if that is known."""

    session_id: str
    event: RedactedEvent
    received_at: datetime
    stored: str = ""


def insert_observations(conn: WriteConnection, rows: Sequence[NewObservation]) -> range:
    """Store events and tell their ids, which rise in the order given and from batch to batch."""
    first = bulk.find_number(conn, _LAST_ID) + 1
    ids = range(first, first + len(rows))
    values = [
        (
            observation_id,
            row.session_id,
            str(row.event.kind),
            _to_micros(row.received_at),
            row.stored or stored_event.write_event(row.event),
        )
        for observation_id, row in zip(ids, rows, strict=True)
    ]
    bulk.insert_rows(conn, observations, _COLUMNS, values)
    return ids


def list_observations(conn: ReadConnection, session_id: str, *, after_id: int, limit: int) -> list[Observation]:
    """List those of a session's observations that have not left state, in the order of their arrival."""
    return [restore_line(line) for line in list_lines(conn, session_id, after_id=after_id, limit=limit)]


def list_lines(conn: ReadConnection, session_id: str, *, after_id: int, limit: int) -> list[StoredLine]:
    """List the same as it is stored, letter by letter."""
    page = {"session_id": session_id, "after_id": after_id, "row_limit": limit}
    return [
        StoredLine(row.id, row.session_id, row.received_at, msgspec.Raw(row.event.encode()))
        for row in conn.execute(_OF_SESSION, page)
    ]


def list_prompts(conn: ReadConnection, session_id: str, limit: int) -> list[Observation]:
    """List the last prompts of a session that have not left state, the latest first."""
    rows = conn.execute(_PROMPTS, {"session_id": session_id, "row_limit": limit})
    lines = (StoredLine(row.id, row.session_id, row.received_at, msgspec.Raw(row.event.encode())) for row in rows)
    return [restore_line(line) for line in lines]


def restore_line(line: StoredLine) -> Observation:
    """Take back what was redacted before it was stored or sealed."""
    event = stored_event.read_event(line.event)
    return Observation(id=line.id, session_id=line.session_id, received_at=line.received_at, event=event)


def find_recent_session(conn: ReadConnection, native_id: str, rows_max: int) -> str | None:
    """Find the session in which one of the newest observations has an id of the agent's own."""
    part = f'"native_id":{_ENCODER.encode(native_id).decode()}'
    mentions = sa.select(_NEWEST.c.session_id).where(_NEWEST.c.event.contains(part, autoescape=True))
    latest = mentions.order_by(_NEWEST.c.id.desc()).limit(1)
    return conn.execute(latest, {"row_limit": rows_max}).scalar_one_or_none()


def delete_observations(conn: WriteConnection, session_id: str, *, first_id: int, last_id: int) -> int:
    """Delete a stretch of a session that is sealed and proved; tells how many rows went."""
    return conn.execute(_DELETE, {"session_id": session_id, "first_id": first_id, "last_id": last_id}).rowcount


def delete_session_observations(conn: WriteConnection, session_id: str) -> int:
    """Delete all of a session that is in state; tells how many rows went."""
    return conn.execute(_DELETE_ALL, {"session_id": session_id}).rowcount


def count_observations(conn: ReadConnection, session_id: str | None = None) -> int:
    """Count the observations of one session or of all that have not left state."""
    if session_id is None:
        return conn.execute(_COUNT).scalar_one()
    return conn.execute(_COUNT_OF_SESSION, {"session_id": session_id}).scalar_one()


def find_known_keys(conn: ReadConnection, keys: Collection[str]) -> set[str]:
    """Find which of these keys were stored before."""
    return bulk.find_values(conn, ingest_keys.c.key, keys)


def find_key_moment(conn: ReadConnection, key: str) -> datetime | None:
    """Find when what has this key came for the first time; None where it never did."""
    return conn.execute(_KEY_MOMENT, {"wanted_key": key}).scalar_one_or_none()


def insert_keys(conn: WriteConnection, rows: Iterable[KeyRow]) -> None:
    """Remember keys, each with its session and moment; all of them new and different from each other."""
    values = [(key, session_id, _to_micros(received_at)) for key, session_id, received_at in rows]
    bulk.insert_rows(conn, ingest_keys, _KEY_COLUMNS, values)


def list_old_keys(conn: ReadConnection, *, received_before: datetime, limit: int) -> list[str]:
    """List keys that no client can send again; in no order, since they are only to be deleted."""
    return list(conn.execute(_OLD_KEYS, {"received_before": received_before, "row_limit": limit}).scalars())


def delete_keys(conn: WriteConnection, keys: Collection[str]) -> None:
    """Forget keys; what comes under them later is taken for new."""
    for wanted in padding.list_padded(keys):
        conn.execute(_DELETE_KEYS, {"wanted": wanted})
