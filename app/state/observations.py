"""Observations, the stored events, and the keys by which a repeat of one is recognised."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
import sqlalchemy as sa

from app.domain import redact
from app.domain.event import Event
from app.domain.redact import RedactedEvent
from app.domain.session import Observation
from app.state import bulk, padding
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import ingest_keys, observations, to_micros

_EVENT = msgspec.json.Decoder(Event)
_ENCODER = msgspec.json.Encoder()
_LAST_ID = sa.select(sa.func.coalesce(sa.func.max(observations.c.id), 0))
_COLUMNS = ("id", "session_id", "kind", "received_at", "event")
_KEY_COLUMNS = ("key", "session_id", "received_at")
_KNOWN_KEYS = sa.select(ingest_keys.c.key).where(ingest_keys.c.key.in_(sa.bindparam("wanted", expanding=True)))
_OF_SESSION = (
    sa.select(observations.c.id, observations.c.session_id, observations.c.received_at, observations.c.event)
    .where(
        observations.c.session_id == sa.bindparam("session_id"),
        observations.c.id > sa.bindparam("after_id"),
    )
    .order_by(observations.c.id)
    .limit(sa.bindparam("row_limit"))
)
_COUNT = sa.select(sa.func.count()).select_from(observations)
_COUNT_OF_SESSION = _COUNT.where(observations.c.session_id == sa.bindparam("session_id"))


@dataclass(frozen=True, slots=True)
class NewObservation:
    """An event to be stored; its id is given by the writer."""

    session_id: str
    event: RedactedEvent
    received_at: datetime


def insert_observations(conn: WriteConnection, rows: Sequence[NewObservation]) -> range:
    """Store events and tell their ids, which rise in the order given and from batch to batch."""
    first = conn.execute(_LAST_ID).scalar_one() + 1
    ids = range(first, first + len(rows))
    values = [
        (
            observation_id,
            row.session_id,
            row.event.kind.value,
            to_micros(row.received_at),
            _ENCODER.encode(row.event).decode(),
        )
        for observation_id, row in zip(ids, rows, strict=True)
    ]
    bulk.insert_rows(conn, observations, _COLUMNS, values)
    return ids


def list_observations(conn: ReadConnection, session_id: str, *, after_id: int, limit: int) -> list[Observation]:
    """List a session's observations in the order of their arrival."""
    page = {"session_id": session_id, "after_id": after_id, "row_limit": limit}
    return [
        Observation(
            id=row.id,
            session_id=row.session_id,
            received_at=row.received_at,
            event=redact.restore_event(_EVENT.decode(row.event)),
        )
        for row in conn.execute(_OF_SESSION, page)
    ]


def count_observations(conn: ReadConnection, session_id: str | None = None) -> int:
    """Count the observations of one session or of all."""
    if session_id is None:
        return conn.execute(_COUNT).scalar_one()
    return conn.execute(_COUNT_OF_SESSION, {"session_id": session_id}).scalar_one()


def find_known_keys(conn: ReadConnection, keys: Collection[str]) -> set[str]:
    """Find which of these keys were stored before."""
    known: set[str] = set()
    for wanted in padding.list_padded(keys):
        known.update(conn.execute(_KNOWN_KEYS, {"wanted": wanted}).scalars())
    return known


def insert_keys(conn: WriteConnection, rows: Iterable[tuple[str, str, datetime]]) -> None:
    """Remember keys, each with its session and moment; all of them new and different from each other."""
    values = [(key, session_id, to_micros(received_at)) for key, session_id, received_at in rows]
    bulk.insert_rows(conn, ingest_keys, _KEY_COLUMNS, values)
