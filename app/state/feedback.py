"""What was said of pages: one word of each person or session on each page, the last one; rows and reads."""

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa

from app.domain.feedback import Opinion, Verdict
from app.domain.page import PagePath
from app.domain.redact import restore_text
from app.domain.scope import Scope
from app.state import padding
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import projects
from app.state.tables_feedback import feedback

_IS_SAME = sa.and_(
    feedback.c.project_id == sa.bindparam("project"),
    feedback.c.path == sa.bindparam("of_path"),
    feedback.c.said_by == sa.bindparam("by"),
)
_VERDICT = sa.select(feedback.c.verdict).where(_IS_SAME)
_DELETE = sa.delete(feedback).where(_IS_SAME)
_ANY = sa.select(feedback.c.project_id).limit(1)
_OF_PATHS = (
    sa.select(feedback, projects.c.workspace, projects.c.name.label("project_name"))
    .join_from(feedback, projects, projects.c.id == feedback.c.project_id)
    .where(feedback.c.path.in_(sa.bindparam("paths", expanding=True)))
    .order_by(feedback.c.project_id, feedback.c.path, feedback.c.said_by)
    .limit(sa.bindparam("row_limit", type_=sa.BigInteger()))
)
_OF_PROJECT = (
    sa.select(feedback)
    .where(feedback.c.project_id == sa.bindparam("project"))
    .order_by(feedback.c.path, feedback.c.said_at.desc(), feedback.c.said_by)
    .limit(sa.bindparam("row_limit", type_=sa.BigInteger()))
)


def put_opinion(conn: WriteConnection, opinion: Opinion) -> None:
    """Store what somebody says of a page, in place of what they said of it before."""
    delete_opinion(conn, opinion.project_id, opinion.path, opinion.said_by)
    conn.execute(
        sa.insert(feedback),
        {
            "project_id": opinion.project_id,
            "path": opinion.path,
            "said_by": opinion.said_by,
            "verdict": opinion.verdict.value,
            "content_hash": opinion.content_hash,
            "note": opinion.note,
            "said_at": opinion.said_at,
        },
    )


def find_verdict(conn: ReadConnection, project_id: str, path: PagePath, said_by: str) -> Verdict | None:
    """Find what somebody last said of a page."""
    found = conn.execute(_VERDICT, {"project": project_id, "of_path": path, "by": said_by}).scalar()
    return None if found is None else Verdict(found)


def delete_opinion(conn: WriteConnection, project_id: str, path: PagePath, said_by: str) -> bool:
    """Take back what somebody said of a page; False if that was nothing."""
    values = {"project": project_id, "of_path": path, "by": said_by}
    return conn.execute(_DELETE, values).rowcount > 0


def delete_on_page(conn: WriteConnection, project_id: str, path: str) -> int:
    """Delete what was said of a page; tells how many words that were."""
    on_page = (feedback.c.project_id == project_id, feedback.c.path == path)
    return conn.execute(sa.delete(feedback).where(*on_page)).rowcount


def list_on_paths(conn: ReadConnection, paths: Collection[str], limit: int) -> list[tuple[Scope, Opinion]]:
    """List what was said of pages at these paths, of whatever project."""
    found: dict[tuple[str, str, str], tuple[Scope, Opinion]] = {}
    # Each search asks, and where nothing was ever said that is answered in a third of the time.
    if conn.execute(_ANY).first() is None:
        return []
    for wanted in padding.list_padded(sorted(set(paths))):
        for row in conn.execute(_OF_PATHS, {"paths": wanted, "row_limit": limit}):
            key = (row.project_id, row.path, row.said_by)
            found[key] = (Scope(row.workspace, row.project_name), _to_opinion(row))
    return list(found.values())


def list_of_project(conn: ReadConnection, project_id: str, limit: int) -> list[Opinion]:
    """List what was said of the pages of a project, by path, the latest first."""
    return [_to_opinion(row) for row in conn.execute(_OF_PROJECT, {"project": project_id, "row_limit": limit})]


def _to_opinion(row: "sa.Row[Any]") -> Opinion:
    return Opinion(
        project_id=row.project_id,
        path=PagePath(row.path),
        said_by=row.said_by,
        verdict=Verdict(row.verdict),
        content_hash=row.content_hash,
        note=restore_text(row.note),
        said_at=row.said_at,
    )
