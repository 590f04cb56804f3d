"""Counts of what was dropped and refused, kept so that they outlive the server that counted them."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
import sqlalchemy as sa

from app.domain.activity import DropCount, RefusalTally
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables_unkept import unkept_counts

_DROPPED: Final = "dropped"
_REFUSED: Final = "refused"
_DROP = msgspec.json.Decoder(DropCount)
_REFUSAL = msgspec.json.Decoder(RefusalTally)
_TABLE = unkept_counts.c
_LIST = (
    sa.select(_TABLE.tally)
    .where(_TABLE.kind == sa.bindparam("of_kind"))
    .order_by(_TABLE.position)
    .limit(sa.bindparam("row_limit"))
)
_DELETE = sa.delete(unkept_counts)
_INSERT = sa.insert(unkept_counts)


def list_dropped(conn: ReadConnection, limit: int) -> list[DropCount]:
    """List the counts of dropped events, in the order in which they were saved."""
    return [_DROP.decode(tally) for tally in _list_tallies(conn, _DROPPED, limit)]


def list_refused(conn: ReadConnection, limit: int) -> list[RefusalTally]:
    """List the tallies of refused events, in the order in which they were saved."""
    return [_REFUSAL.decode(tally) for tally in _list_tallies(conn, _REFUSED, limit)]


def replace_counts(conn: WriteConnection, dropped: Sequence[DropCount], refused: Sequence[RefusalTally]) -> None:
    """Put these counts in place of all that were saved before."""
    conn.execute(_DELETE)
    rows = [*_build_rows(_DROPPED, dropped), *_build_rows(_REFUSED, refused)]
    if rows:
        conn.execute(_INSERT, rows)


def _list_tallies(conn: ReadConnection, kind: str, limit: int) -> Sequence[str]:
    return conn.execute(_LIST, {"of_kind": kind, "row_limit": limit}).scalars().all()


def _build_rows(kind: str, tallies: Iterable[DropCount | RefusalTally]) -> list[dict[str, object]]:
    return [
        {"kind": kind, "position": position, "tally": msgspec.json.encode(tally).decode()}
        for position, tally in enumerate(tallies)
    ]
