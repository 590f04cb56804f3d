"""Projects under way to another name: what is written down before, the rows that change, and where pages went."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from app.domain.handoff import HandoffState
from app.domain.limits import LIST_LIMIT_MAX, PROJECT_NAMES_MAX
from app.domain.moving import Move
from app.domain.page import PagePath
from app.domain.scope import Project, Scope
from app.state import projects as project_rows
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import handoffs, project_aliases, projects, sessions
from app.state.tables_feedback import feedback
from app.state.tables_knowledge import lessons, proposals
from app.state.tables_messages import messages
from app.state.tables_moves import moved_pages, moves
from app.state.tables_people import grants, group_grants

_MOVE = msgspec.json.Decoder(Move)
_COUNTED = {"sessions": sessions, "handoffs": handoffs, "lessons": lessons, "proposals": proposals} | {
    "feedback": feedback,
    "grants": grants,
    "group grants": group_grants,
}


def insert_move(conn: WriteConnection, move: Move) -> None:
    """Write down what is about to begin."""
    row = {"id": move.id, "content": msgspec.json.encode(move).decode(), "begun_at": move.begun_at}
    conn.execute(sa.insert(moves), row)


def list_moves(conn: ReadConnection) -> list[Move]:
    """List what has begun and is not over, the oldest first."""
    rows = conn.execute(sa.select(moves.c.content).order_by(moves.c.begun_at, moves.c.id).limit(LIST_LIMIT_MAX))
    return [_MOVE.decode(content) for content in rows.scalars()]


def delete_move(conn: WriteConnection, move_id: str) -> None:
    """Note that a move is over."""
    conn.execute(sa.delete(moves).where(moves.c.id == move_id))


def count_rows(conn: ReadConnection, project_id: str) -> dict[str, int]:
    """Count what goes along with a project, by the names that people know."""
    found = {
        name: conn.execute(
            sa.select(sa.func.count()).select_from(table).where(table.c.project_id == project_id)
        ).scalar_one()
        for name, table in _COUNTED.items()
    }
    mail = sa.or_(messages.c.project_id == project_id, messages.c.from_project_id == project_id)
    found["messages"] = conn.execute(sa.select(sa.func.count()).select_from(messages).where(mail)).scalar_one()
    return found


def list_running_claims(conn: ReadConnection, project_ids: list[str], now: datetime) -> list[tuple[str, str, datetime]]:
    """List what sessions hold now, as id, holder and end of the lease: handoffs first, then messages."""
    held = sa.select(handoffs.c.id, handoffs.c.holder_session_id, handoffs.c.lease_until).where(
        handoffs.c.project_id.in_(project_ids),
        handoffs.c.state == HandoffState.CLAIMED.value,
        handoffs.c.lease_until > now,
    )
    taken = sa.select(messages.c.id, messages.c.holder_session_id, messages.c.lease_until).where(
        messages.c.project_id.in_(project_ids),
        messages.c.closed_at.is_(None),
        messages.c.lease_until > now,
    )
    found = []
    for statement, name in ((held, "handoff"), (taken, "message")):
        ordered = statement.order_by(sa.column("id")).limit(LIST_LIMIT_MAX)
        found += [(f"{name} {row.id}", row.holder_session_id, row.lease_until) for row in conn.execute(ordered)]
    return found


def update_scope(conn: WriteConnection, project: Project, scope: Scope) -> None:
    """Give a project another name; the one that it had leads to it from then on."""
    delete_alias(conn, scope)
    values = {"workspace": scope.workspace, "name": scope.project}
    conn.execute(sa.update(projects).where(projects.c.id == project.id), values)
    project_rows.insert_alias(conn, project.id, project.scope)


def delete_alias(conn: WriteConnection, scope: Scope) -> None:
    """Have a name lead nowhere any more, since it becomes a project's own."""
    is_it = sa.and_(project_aliases.c.workspace == scope.workspace, project_aliases.c.name == scope.project)
    conn.execute(sa.delete(project_aliases).where(is_it))


def insert_moved_pages(conn: WriteConnection, scope: Scope, project_id: str, paths: Mapping[str, str]) -> None:
    """Keep where pages are now that could not keep their paths."""
    rows = [
        {"workspace": scope.workspace, "name": scope.project, "path": old, "project_id": project_id, "to_path": new}
        for old, new in paths.items()
        if new and old.endswith(".md")
    ]
    if rows:
        conn.execute(sa.insert(moved_pages), rows)


def find_moved_page(conn: ReadConnection, scope: Scope, path: PagePath) -> PagePath | None:
    """Find where a page is now that was at this path when its project had this name; None where it kept the path."""
    is_it = sa.and_(
        moved_pages.c.workspace == scope.workspace, moved_pages.c.name == scope.project, moved_pages.c.path == path
    )
    found = conn.execute(sa.select(moved_pages.c.to_path).where(is_it)).scalar()
    return None if found is None else PagePath(found)


def map_aliases(conn: ReadConnection) -> dict[Scope, Scope]:
    """Tell of every former name which project it leads to."""
    joined = sa.select(
        project_aliases.c.workspace, project_aliases.c.name, projects.c.workspace.label("place"), projects.c.name
    ).join_from(project_aliases, projects, projects.c.id == project_aliases.c.project_id)
    rows: list[Any] = list(conn.execute(joined.limit(PROJECT_NAMES_MAX)))
    return {Scope(row[0], row[1]): Scope(row[2], row[3]) for row in rows}
