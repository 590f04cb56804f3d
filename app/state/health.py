"""Looks at the database for what no statement of daily work would notice; changes nothing."""

from datetime import datetime

import sqlalchemy as sa

from app.state import engine as engines
from app.state.engine import ReadConnection
from app.state.tables import sessions


def find_fault(conn: ReadConnection) -> str:
    """Look at every page of the file, and at every row that names another; empty if all is sound.

    Raises:
        StoreUnreadable: the file is too damaged to be looked at.
    """
    damage = engines.find_damage(conn)
    if damage:
        return damage
    stray = conn.exec_driver_sql("PRAGMA foreign_key_check").first()
    return f"a row of {stray[0]} names one of {stray[2]} that is not there" if stray else ""


def find_newest_moment(conn: ReadConnection) -> datetime | None:
    """Find when a session was last heard, by the server's clock of then; None where there was none."""
    newest: datetime | None = conn.execute(sa.select(sa.func.max(sessions.c.last_event_at))).scalar()
    return newest
