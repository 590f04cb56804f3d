"""What a copy of state is proved by: whether its file is sound, its schema, how many rows, and which files it names."""

from dataclasses import dataclass

import sqlalchemy as sa

from app.state import engine as engines
from app.state import schema
from app.state.engine import ReadConnection
from app.state.tables import SCHEMA, raw_segments


@dataclass(frozen=True, slots=True)
class Snapshot:
    """State at one moment; `files` are the paths below `raw/` that it names, with their SHA-256 and key ids."""

    damage: str
    revision: str
    rows: dict[str, int]
    files: dict[str, tuple[str, str]]


def take_snapshot(conn: ReadConnection) -> Snapshot:
    """Look at the whole database, which takes as long as reading it."""
    present = set(sa.inspect(conn).get_table_names())
    rows = {
        table.name: conn.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
        for table in SCHEMA.sorted_tables
        if table.name in present
    }
    listed = sa.select(raw_segments.c.path, raw_segments.c.sha256, raw_segments.c.key_id).order_by(raw_segments.c.path)
    files = {path: (sha256, key_id) for path, sha256, key_id in conn.execute(listed)}
    return Snapshot(engines.find_damage(conn), schema.find_revision(conn) or "", rows, files)
