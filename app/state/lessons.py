"""Lessons: what each session teaches, kept so that sessions can be laid beside each other; and the pages made of it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from app.domain.lesson import Lesson, LessonKind, SeenLesson
from app.domain.page import PagePath
from app.state import padding
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import UtcMicros, sessions
from app.state.tables_knowledge import knowledge_pages, lessons

_CONTENT = msgspec.json.Decoder(Lesson)
_SEEN = sa.select(lessons.c.session_id, lessons.c.content, sessions.c.page_path, sessions.c.owner).join_from(
    lessons, sessions, sessions.c.id == lessons.c.session_id
)
_IS_OF = sa.and_(lessons.c.project_id == sa.bindparam("project"), lessons.c.kind == sa.bindparam("of_kind"))
_NEWEST_FIRST = (lessons.c.told_at.desc(), lessons.c.session_id, lessons.c.key)
_LIMIT = sa.bindparam("row_limit", type_=sa.BigInteger())
_BY_KEYS = (
    _SEEN.where(_IS_OF, lessons.c.key.in_(sa.bindparam("wanted", expanding=True)))
    .order_by(*_NEWEST_FIRST)
    .limit(_LIMIT)
)
_LATEST = _SEEN.where(_IS_OF).order_by(*_NEWEST_FIRST).limit(_LIMIT)
_OF_SESSION = (
    _SEEN.where(lessons.c.session_id == sa.bindparam("session")).order_by(lessons.c.kind, lessons.c.key).limit(_LIMIT)
)
_WEIGHTS = (
    sa.select(lessons.c.key, sa.func.count())
    .where(_IS_OF)
    .group_by(lessons.c.key)
    .having(sa.func.count() >= sa.bindparam("least", type_=sa.BigInteger()))
    .order_by(sa.func.count().desc(), lessons.c.key)
    .limit(_LIMIT)
)
_DELETE = sa.delete(lessons).where(lessons.c.session_id == sa.bindparam("session"))
_AFTER = ("after_project", "after_kind", "after_key")
_GROUPED = (lessons.c.project_id, lessons.c.kind, lessons.c.key)
_GROUPS = (
    sa.select(*_GROUPED, sa.func.count().label("sightings"), sa.func.max(lessons.c.learned_at).label("last_learned_at"))
    .where(sa.tuple_(*_GROUPED) > sa.tuple_(*(sa.bindparam(name, type_=sa.Text()) for name in _AFTER)))
    .group_by(*_GROUPED)
    .having(
        sa.or_(
            sa.func.count() > sa.bindparam("most", type_=sa.BigInteger()),
            sa.func.coalesce(sa.func.max(lessons.c.learned_at), 0) < sa.bindparam("before", type_=UtcMicros()),
        )
    )
    .order_by(*_GROUPED)
    .limit(_LIMIT)
)
_IN_GROUP = sa.and_(_IS_OF, lessons.c.key == sa.bindparam("of_key"))
_SIGHTINGS = (
    sa.select(lessons.c.session_id).where(_IN_GROUP).order_by(lessons.c.told_at.desc(), lessons.c.session_id.desc())
)
_LAST_LEARNED = sa.select(sa.func.max(lessons.c.learned_at)).where(_IN_GROUP)
_DELETE_GROUP = sa.delete(lessons).where(_IN_GROUP)
_DELETE_SIGHTING = _DELETE_GROUP.where(lessons.c.session_id == sa.bindparam("session"))
_KNOWN = sa.select(knowledge_pages.c.page_id).where(
    knowledge_pages.c.page_id.in_(sa.bindparam("wanted", expanding=True))
)
_PAGE = sa.select(knowledge_pages.c.path).where(knowledge_pages.c.page_id == sa.bindparam("wanted"))


@dataclass(frozen=True, slots=True)
class LessonGroup:
    """What the sessions of a project teach under one key: how many do, and when one was last read for it."""

    project_id: str
    kind: LessonKind
    key: str
    sightings: int
    last_learned_at: datetime | None


def replace_lessons(
    conn: WriteConnection, project_id: str, session_id: str, taught: Sequence[Lesson], learned_at: datetime
) -> None:
    """Put what a session teaches now in place of what it taught when it was read before."""
    conn.execute(_DELETE, {"session": session_id})
    rows = [
        {
            "session_id": session_id,
            "kind": lesson.kind.value,
            "key": lesson.key,
            "project_id": project_id,
            "told_at": lesson.told_at,
            "content": msgspec.json.encode(lesson).decode(),
            "learned_at": learned_at,
        }
        for lesson in taught
    ]
    if rows:
        conn.execute(sa.insert(lessons), rows)


def delete_lessons(conn: WriteConnection, session_id: str) -> int:
    """Delete what a session taught."""
    return conn.execute(_DELETE, {"session": session_id}).rowcount


def list_of_session(conn: ReadConnection, session_id: str, limit: int) -> list[SeenLesson]:
    """List what one session teaches."""
    return [_to_seen(row) for row in conn.execute(_OF_SESSION, {"session": session_id, "row_limit": limit})]


def list_by_keys(
    conn: ReadConnection, project_id: str, kind: LessonKind, keys: Collection[str], limit: int
) -> list[SeenLesson]:
    """List what the sessions of a project teach under these keys, the oldest first; of too many the latest."""
    found: dict[tuple[str, str], SeenLesson] = {}
    for wanted in padding.list_padded(sorted(set(keys))):
        values = {"project": project_id, "of_kind": kind.value, "wanted": wanted, "row_limit": limit}
        for row in conn.execute(_BY_KEYS, values):
            seen = _to_seen(row)
            found[seen.session_id, seen.lesson.key] = seen
    return sorted(found.values(), key=lambda seen: (seen.lesson.told_at, seen.session_id, seen.lesson.key))


def list_latest(conn: ReadConnection, project_id: str, kind: LessonKind, limit: int) -> list[SeenLesson]:
    """List the lessons of a kind, the latest first."""
    values = {"project": project_id, "of_kind": kind.value, "row_limit": limit}
    return [_to_seen(row) for row in conn.execute(_LATEST, values)]


def list_weights(
    conn: ReadConnection, project_id: str, kind: LessonKind, *, least: int, limit: int
) -> list[tuple[str, int]]:
    """List the keys that at least so many sessions teach, with how many, the most first."""
    values = {"project": project_id, "of_kind": kind.value, "least": least, "row_limit": limit}
    return [(str(key), int(count)) for key, count in conn.execute(_WEIGHTS, values)]


def list_keys(conn: ReadConnection, project_id: str, limit: int) -> list[tuple[LessonKind, str]]:
    """List under which keys the sessions of a project teach something."""
    found = sa.select(lessons.c.kind, lessons.c.key).where(lessons.c.project_id == project_id).distinct()
    rows = conn.execute(found.order_by(lessons.c.kind, lessons.c.key).limit(limit))
    return [(LessonKind(row.kind), row.key) for row in rows]


def list_groups(
    conn: ReadConnection, *, most: int, learned_before: datetime, after: LessonGroup | None, limit: int
) -> list[LessonGroup]:
    """List what more sessions teach than `most`, and what none was read for since then, in the order of the index."""
    place = (after.project_id, after.kind.value, after.key) if after else ("", "", "")
    values = {"most": most, "before": learned_before, "row_limit": limit, **dict(zip(_AFTER, place, strict=True))}
    rows = conn.execute(_GROUPS, values)
    return [
        LessonGroup(row.project_id, LessonKind(row.kind), row.key, row.sightings, row.last_learned_at) for row in rows
    ]


def delete_groups(conn: WriteConnection, groups: Sequence[LessonGroup], learned_before: datetime) -> int:
    """Delete what sessions teach under these keys, unless one was read for it meanwhile."""
    deleted = 0
    for group in groups:
        values = _place(group)
        last = conn.execute(_LAST_LEARNED, values).scalar_one_or_none()
        if last is None or last < learned_before:
            deleted += conn.execute(_DELETE_GROUP, values).rowcount
    return deleted


def thin_out_group(conn: WriteConnection, group: LessonGroup, kept: int) -> int:
    """Delete what more than so many sessions teach under a key, but for the first of all."""
    found = [str(row.session_id) for row in conn.execute(_SIGHTINGS, _place(group))]
    return sum(
        conn.execute(_DELETE_SIGHTING, {**_place(group), "session": session_id}).rowcount
        for session_id in found[kept - 1 : -1]
    )


def find_page(conn: ReadConnection, page_id: str) -> PagePath | None:
    """Find where the page of some lessons was put; None for one that was never made."""
    path = conn.execute(_PAGE, {"wanted": page_id}).scalar_one_or_none()
    return None if path is None else PagePath(path)


def list_known_pages(conn: ReadConnection, page_ids: Collection[str]) -> set[str]:
    """List which of these pages were ever made."""
    known: set[str] = set()
    for wanted in padding.list_padded(sorted(set(page_ids))):
        known.update(str(page_id) for page_id in conn.execute(_KNOWN, {"wanted": wanted}).scalars())
    return known


def upsert_page(conn: WriteConnection, project_id: str, page_id: str, path: PagePath) -> None:
    """Note where the page of some lessons lies."""
    is_it = knowledge_pages.c.page_id == page_id
    if not conn.execute(sa.update(knowledge_pages).where(is_it).values(path=path)).rowcount:
        row = {"page_id": page_id, "project_id": project_id, "path": path}
        conn.execute(sa.insert(knowledge_pages), row)


def delete_page(conn: WriteConnection, page_id: str) -> None:
    """Forget that there was a page."""
    conn.execute(sa.delete(knowledge_pages).where(knowledge_pages.c.page_id == page_id))


def _place(group: LessonGroup) -> dict[str, str]:
    return {"project": group.project_id, "of_kind": group.kind.value, "of_key": group.key}


def _to_seen(row: sa.Row[*tuple[Any, ...]]) -> SeenLesson:
    return SeenLesson(row.session_id, row.page_path or "", row.owner, _CONTENT.decode(row.content))
