"""Pages that every session is told of: rules, pinned pages, slots, and pages that contradict others."""

import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

from app.domain.limits import LIST_LIMIT_MAX
from app.domain.page import PageKind, PagePath
from app.domain.scope import Scope
from app.index import filters, rows
from app.index.entries import PageRow
from app.index.filters import PageFilter

_ORDER = " ORDER BY p.is_pinned DESC, p.verified_us IS NULL, p.updated_us DESC, p.path LIMIT ?"
# The few links of that kind come first; left to itself, SQLite joins all pages with all pages.
_CONTRADICTIONS = """
SELECT p.path, q.path FROM links l INDEXED BY links_contradicting
 CROSS JOIN pages p ON p.id = l.page
 CROSS JOIN scopes t ON t.workspace = l.to_workspace AND t.project = l.to_project
 CROSS JOIN pages q ON q.scope_id = t.id AND q.path_key = l.to_key
 WHERE l.relation = 'contradicts' AND l.to_key <> '' AND q.id <> p.id
   AND t.workspace = ? AND t.project = ? AND p.scope_id = t.id
   AND p.superseded_by = '' AND q.superseded_by = ''
   AND p.id NOT IN (SELECT old FROM ({superseded})) AND q.id NOT IN (SELECT old FROM ({superseded}))
 ORDER BY p.path, q.path LIMIT ?"""

# Of a few pages: what they contradict, and what contradicts them, by the index of each direction.
_CONTRADICTING = """
SELECT p.id, q.path FROM pages p
 CROSS JOIN links l ON l.page = p.id
 CROSS JOIN scopes t ON t.id = p.scope_id AND t.workspace = l.to_workspace AND t.project = l.to_project
 CROSS JOIN pages q ON q.scope_id = p.scope_id AND q.path_key = l.to_key
 WHERE p.id IN (SELECT value FROM json_each(?1)) AND {is_open}
UNION
SELECT q.id, p.path FROM pages q
 CROSS JOIN scopes t ON t.id = q.scope_id
 CROSS JOIN links l ON l.to_workspace = t.workspace AND l.to_project = t.project AND l.to_key = q.path_key
 CROSS JOIN pages p ON p.id = l.page AND p.scope_id = q.scope_id
 WHERE q.id IN (SELECT value FROM json_each(?1)) AND {is_open}
 ORDER BY 1, 2 LIMIT ?2"""
_IS_OPEN = """l.relation = 'contradicts' AND l.to_key <> '' AND q.id <> p.id
   AND p.superseded_by = '' AND q.superseded_by = ''
   AND p.id NOT IN (SELECT old FROM ({superseded})) AND q.id NOT IN (SELECT old FROM ({superseded}))"""


@dataclass(frozen=True, slots=True)
class StandingPage:
    """A page with its text."""

    row: PageRow
    body: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A page that says of another, in the same project, that it contradicts it; neither is superseded."""

    path: PagePath
    other: PagePath


def list_rules(connection: sqlite3.Connection, scope: Scope, limit: int) -> list[StandingPage]:
    """List the rules of a project with their texts: pinned ones first, then those that a person has confirmed."""
    return _list_pages(connection, scope, f"p.kind = '{PageKind.RULE}'", limit)


def list_pinned(connection: sqlite3.Connection, scope: Scope, limit: int) -> list[StandingPage]:
    """List pinned pages other than rules, and slots, with their texts."""
    # Asked for apart, because each has an index of its own.
    slots = _list_pages(connection, scope, f"p.kind = '{PageKind.SLOT}'", limit)
    others = f"p.is_pinned AND p.kind NOT IN ('{PageKind.SLOT}', '{PageKind.RULE}')"
    found = [*slots, *_list_pages(connection, scope, others, limit)]
    return sorted(found, key=_order)[:limit]


def list_contradictions(connection: sqlite3.Connection, scope: Scope, limit: int) -> list[Contradiction]:
    """List what contradicts what in a project."""
    statement = _CONTRADICTIONS.format(superseded=filters.SUPERSEDED)
    found = connection.execute(statement, (scope.workspace, scope.project, limit))
    return [Contradiction(PagePath(path), PagePath(other)) for path, other in found]


def list_contradicting(connection: sqlite3.Connection, row_ids: Collection[int]) -> dict[int, tuple[PagePath, ...]]:
    """List for each of these pages those of its project of which it is said that the one contradicts the other."""
    statement = _CONTRADICTING.format(is_open=_IS_OPEN.format(superseded=filters.SUPERSEDED))
    found: dict[int, tuple[PagePath, ...]] = {}
    for row_id, path in connection.execute(statement, (json.dumps(sorted(row_ids)), LIST_LIMIT_MAX)):
        found[row_id] = (*found.get(row_id, ()), PagePath(path))
    return found


def _list_pages(connection: sqlite3.Connection, scope: Scope, further: str, limit: int) -> list[StandingPage]:
    wanted = PageFilter(scopes=(scope,), include_superseded=False)
    conditions = filters.build_conditions(connection, wanted)
    found = rows.list_page_rows(
        connection, f"{conditions.sql_in_order} AND {further}{_ORDER}", (*conditions.values, limit)
    )
    bodies = rows.list_bodies(connection, [row.row_id for row in found])
    return [StandingPage(row, bodies.get(row.row_id, "")) for row in found]


def _order(page: StandingPage) -> tuple[object, ...]:
    row = page.row
    return (not row.is_pinned, row.verified_at is None, -row.updated_at.timestamp(), row.path)
