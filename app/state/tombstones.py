"""Tombstones: what was deleted or opted out of, so that a late event cannot bring it back; kept for good."""

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa

from app.state import bulk
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import tombstones

_IS_ONE = sa.and_(tombstones.c.kind == sa.bindparam("of_kind"), tombstones.c.key == sa.bindparam("of_key"))


class TombKind(StrEnum):
    """What a key names: a purged session by its agent's id, a purged project by an identity, an opted-out session."""

    SESSION = "session"
    PROJECT = "project"
    OPT_OUT = "opt_out"


def find_tombstones(conn: ReadConnection, kinds: Collection[TombKind], keys: Collection[str]) -> dict[str, TombKind]:
    """Find which of these keys have a tombstone of one of these kinds; a purged session is no opted-out one."""
    found: dict[str, TombKind] = {}
    # Each session that begins asks for this, so it goes past SQLAlchemy.
    for row in bulk.find_rows(conn, tombstones, tombstones.c.key, keys):
        key, kind = row["key"], TombKind(row["kind"])
        if kind in kinds:
            found[key] = TombKind.SESSION if found.get(key) is TombKind.SESSION else kind
    return found


def insert_tombstone(conn: WriteConnection, kind: TombKind, key: str, moment: datetime) -> None:
    """Leave a tombstone; one that stands already stays as it is."""
    if not conn.execute(sa.select(tombstones.c.key).where(_IS_ONE), {"of_kind": kind.value, "of_key": key}).first():
        conn.execute(sa.insert(tombstones), {"kind": kind.value, "key": key, "created_at": moment})


def delete_tombstone(conn: WriteConnection, kind: TombKind, key: str) -> bool:
    """Take a tombstone away; False if there is none."""
    return conn.execute(sa.delete(tombstones).where(_IS_ONE), {"of_kind": kind.value, "of_key": key}).rowcount == 1


def count_tombstones(conn: ReadConnection) -> int:
    """Count all tombstones."""
    return conn.execute(sa.select(sa.func.count()).select_from(tombstones)).scalar_one()
