"""What one project holds in state: how much of what, the names of its sessions, and its files below `raw/`."""

from dataclasses import dataclass

import sqlalchemy as sa

from app.state.engine import ReadConnection
from app.state.tables import handoffs, observations, raw_segments, sessions
from app.state.tables_messages import messages


@dataclass(frozen=True, slots=True)
class Holdings:
    """A project's rows; `agent_session_ids` are by what late events would name its sessions."""

    session_ids: tuple[str, ...]
    agent_session_ids: tuple[str, ...]
    observations: int
    handoffs: int
    messages: int
    raw_paths: tuple[str, ...]


def find_holdings(conn: ReadConnection, project_id: str) -> Holdings:
    """Find what a project holds."""
    own = sa.select(sessions.c.id).where(sessions.c.project_id == project_id)
    names = conn.execute(
        sa.select(sessions.c.id, sessions.c.agent_session_id)
        .where(sessions.c.project_id == project_id)
        .order_by(sessions.c.id)
    ).all()
    paths = sa.select(raw_segments.c.path).where(raw_segments.c.session_id.in_(own)).order_by(raw_segments.c.path)
    mail = sa.or_(messages.c.project_id == project_id, messages.c.from_project_id == project_id)
    return Holdings(
        tuple(name.id for name in names),
        tuple(name.agent_session_id for name in names),
        _count(conn, observations, observations.c.session_id.in_(own)),
        _count(conn, handoffs, handoffs.c.project_id == project_id),
        _count(conn, messages, mail),
        tuple(conn.execute(paths).scalars()),
    )


def _count(conn: ReadConnection, table: sa.Table, where: sa.ColumnElement[bool]) -> int:
    return conn.execute(sa.select(sa.func.count()).select_from(table).where(where)).scalar_one()
