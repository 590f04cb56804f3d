"""`PageFilter`: which pages a caller may and wants to see, as conditions of the statement itself, before any limit."""

import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from app.domain.page import PageKind
from app.domain.scope import Scope

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

# Pages that another page of their scope says it supersedes, whether or not they know of it themselves; a page of
# another scope has no say, or whoever may write there could hide pages here.
SUPERSEDED = """
SELECT q.id AS old, r.path AS by FROM links l
  JOIN pages r ON r.id = l.page
  JOIN scopes t ON t.id = r.scope_id AND t.workspace = l.to_workspace AND t.project = l.to_project
  JOIN pages q ON q.scope_id = r.scope_id AND q.path_key = l.to_key
 WHERE l.relation = 'supersedes' AND l.to_key <> '' AND q.id <> r.id
UNION ALL
SELECT q.id, r.path FROM links l
  JOIN pages r ON r.id = l.page
  JOIN scopes t ON t.id = r.scope_id AND t.workspace = l.to_workspace AND t.project = l.to_project
  JOIN pages q ON q.scope_id = r.scope_id AND q.stem_key = l.to_key
 WHERE l.relation = 'supersedes' AND l.to_key <> '' AND l.is_bare AND q.id <> r.id"""

_IS_CURRENT = "p.superseded_by = '' AND p.id NOT IN (SELECT old FROM ({superseded}))"


@dataclass(frozen=True, slots=True)
class PageFilter:
    """What is asked for; `scopes` is None where every scope may be read, and every value is taken literally.

    `since` is inclusive and `until` exclusive, both on a page's last update; a page must carry all `tags`, its path
    must hold all `paths`, and it is of any of the `kinds`, `agents`, `authors` and `projects`; of none where the first
    three are given and empty. `as_of` takes the pages that were there by then and not superseded yet. `stale_before`
    takes those that nobody changed or checked since.
    """

    scopes: Collection[Scope] | None = None
    kinds: Collection[PageKind] | None = None
    tags: Collection[str] = ()
    since: datetime | None = None
    until: datetime | None = None
    include_superseded: bool = True
    paths: Collection[str] = ()
    agents: Collection[str] | None = None
    authors: Collection[str] | None = None
    projects: Collection[str] = ()
    as_of: datetime | None = None
    is_pinned: bool = False
    is_superseded: bool = False
    stale_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class Conditions:
    """A filter as SQL over `pages p`, with its bound values; `scope_ids` is None for all."""

    sql: str
    values: tuple[object, ...]
    scope_ids: tuple[int, ...] | None

    @property
    def sql_in_order(self) -> str:
        """The same, written so that of a single scope an index can give the pages in their order."""
        if self.scope_ids is None or len(self.scope_ids) != 1:
            return self.sql
        return f"{self.sql} AND p.scope_id = {self.scope_ids[0]:d}"


def build_conditions(connection: sqlite3.Connection, wanted: PageFilter) -> Conditions:
    """Turn a filter into conditions; scopes that the index does not know match nothing."""
    parts: list[str] = []
    values: list[object] = []
    scope_ids = None
    if wanted.scopes is not None:
        scope_ids = _list_scope_ids(connection, wanted.scopes)
        parts.append("p.scope_id IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(scope_ids))
    if wanted.kinds is not None:
        parts.append("p.kind IN (SELECT value FROM json_each(?))")
        values.append(json.dumps([kind.value for kind in wanted.kinds]))
    for tag in dict.fromkeys(wanted.tags):
        parts.append("EXISTS (SELECT 1 FROM tags g WHERE g.page = p.id AND g.tag = ?)")
        values.append(tag)
    if wanted.since is not None:
        parts.append("p.updated_us >= ?")
        values.append(to_microseconds(wanted.since))
    if wanted.until is not None:
        parts.append("p.updated_us < ?")
        values.append(to_microseconds(wanted.until))
    _add_places(wanted, parts, values)
    _add_states(wanted, parts, values)
    return Conditions(" AND ".join(parts) or "1", tuple(values), scope_ids)


def _add_places(wanted: PageFilter, parts: list[str], values: list[object]) -> None:
    for path in dict.fromkeys(wanted.paths):
        parts.append("instr(p.path, ?) > 0")
        values.append(path)
    for column, among in (("p.agent", wanted.agents), ("p.author", wanted.authors)):
        if among is not None:
            parts.append(f"{column} IN (SELECT value FROM json_each(?))")  # noqa: S608 - a column of ours
            values.append(json.dumps(sorted(set(among))))
    if wanted.projects:
        names = json.dumps(sorted(set(wanted.projects)))
        among_names = "IN (SELECT value FROM json_each(?))"
        parts.append(f"(s.project {among_names} OR s.workspace || '/' || s.project {among_names})")
        values += [names, names]


def _add_states(wanted: PageFilter, parts: list[str], values: list[object]) -> None:
    if wanted.is_pinned:
        parts.append("p.is_pinned")
    if wanted.stale_before is not None:
        parts.append("max(p.updated_us, coalesce(p.verified_us, 0)) < ?")
        values.append(to_microseconds(wanted.stale_before))
    if wanted.is_superseded:
        parts.append(f"NOT ({_IS_CURRENT.format(superseded=SUPERSEDED)})")
    elif wanted.as_of is not None:
        # What took a page's place later than that had not yet taken it.
        moment = to_microseconds(wanted.as_of)
        superseded = SUPERSEDED.replace("<> r.id", "<> r.id AND r.updated_us < ?")
        parts.append("p.updated_us < ?")
        parts.append(f"p.id NOT IN (SELECT old FROM ({superseded}))")  # noqa: S608 - literal SQL of ours
        values += [moment, moment, moment]
    elif not wanted.include_superseded:
        parts.append(_IS_CURRENT.format(superseded=SUPERSEDED))


def to_microseconds(moment: datetime) -> int:
    """Bring an aware moment to the index's integer time."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def from_microseconds(value: int) -> datetime:
    """Bring the index's integer time to an aware moment."""
    return _EPOCH + timedelta(0, 0, value)


def _list_scope_ids(connection: sqlite3.Connection, scopes: Collection[Scope]) -> tuple[int, ...]:
    named = json.dumps(sorted(str(scope) for scope in set(scopes)))
    rows = connection.execute(
        "SELECT id FROM scopes WHERE workspace || '/' || project IN (SELECT value FROM json_each(?)) ORDER BY id",
        (named,),
    )
    return tuple(scope_id for (scope_id,) in rows)
