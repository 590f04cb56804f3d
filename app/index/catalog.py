"""Listings that are no search: pages by age or path, links, what lint found; all filtered by scope, all bounded."""

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

from app.domain.limits import LIST_LIMIT_MAX
from app.domain.page import Finding, PageKind, PagePath
from app.domain.scope import Scope
from app.index import filters, rows
from app.index.entries import PageRow
from app.index.filters import PageFilter

# Whole names are shorter than those that only end so, so they are looked for first, each by its own key.
_TARGETS = """
SELECT found.relation, found.target, found.label, found.to_workspace, found.to_project, q.path, q.title FROM (
SELECT l.position, l.relation, l.target, l.label, l.to_workspace, l.to_project, coalesce(
       (SELECT q.id FROM scopes t CROSS JOIN pages q ON q.scope_id = t.id AND q.path_key = l.to_key
         WHERE t.workspace = l.to_workspace AND t.project = l.to_project AND l.to_key <> ''
         ORDER BY length(q.path), q.path LIMIT 1),
       (SELECT q.id FROM scopes t CROSS JOIN pages q ON q.scope_id = t.id AND q.stem_key = l.to_key
         WHERE t.workspace = l.to_workspace AND t.project = l.to_project AND l.to_key <> '' AND l.is_bare
         ORDER BY length(q.path), q.path LIMIT 1)) AS to_page
  FROM links l JOIN pages p ON p.id = l.page JOIN scopes s ON s.id = p.scope_id
 WHERE s.workspace = ? AND s.project = ? AND p.path = ? ORDER BY l.position LIMIT ?) found
  LEFT JOIN pages q ON q.id = found.to_page ORDER BY found.position"""

_BACKLINKS = """ AND p.id IN (
SELECT l.page FROM scopes t CROSS JOIN pages q ON q.scope_id = t.id
  CROSS JOIN links l ON l.to_workspace = t.workspace AND l.to_project = t.project AND l.to_key = q.path_key
 WHERE t.workspace = ? AND t.project = ? AND q.path = ? AND l.page <> q.id
UNION ALL
SELECT l.page FROM scopes t CROSS JOIN pages q ON q.scope_id = t.id
  CROSS JOIN links l ON l.to_workspace = t.workspace AND l.to_project = t.project AND l.to_key = q.stem_key
 WHERE t.workspace = ? AND t.project = ? AND q.path = ? AND l.page <> q.id AND l.is_bare)
 ORDER BY p.updated_us DESC, s.workspace, s.project, p.path LIMIT ?"""
_LINKING = """
SELECT DISTINCT s.workspace, s.project, p.path
  FROM links l JOIN pages p ON p.id = l.page JOIN scopes s ON s.id = p.scope_id
 WHERE l.to_workspace = ? AND l.to_project = ? ORDER BY s.workspace, s.project, p.path"""
_COUNT = "SELECT count(*) FROM pages p WHERE {conditions}"
_COUNT_BY_KIND = "SELECT p.kind, count(*) FROM pages p WHERE {conditions} GROUP BY p.kind ORDER BY p.kind"
_FINDINGS = """
SELECT s.workspace, s.project, p.path, f.code, f.detail
  FROM findings f JOIN pages p ON p.id = f.page JOIN scopes s ON s.id = p.scope_id
 WHERE {conditions}
 ORDER BY f.code IN ('byte_order_mark', 'line_ends'), s.workspace, s.project, p.path, f.position LIMIT ?"""


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A link of a page; `to_path` and `to_title` are empty where no page is there (yet)."""

    relation: str
    target: str
    label: str
    to_scope: Scope
    to_path: str
    to_title: str = ""


@dataclass(frozen=True, slots=True)
class FindingRow:
    """Something wrong with an indexed file."""

    scope: Scope
    path: PagePath
    finding: Finding


def list_recent(connection: sqlite3.Connection, wanted: PageFilter, limit: int) -> list[PageRow]:
    """List pages by their last update, newest first."""
    conditions = filters.build_conditions(connection, wanted)
    rest = conditions.sql_in_order + " ORDER BY p.updated_us DESC, s.workspace, s.project, p.path LIMIT ?"
    return rows.list_page_rows(connection, rest, (*conditions.values, min(limit, LIST_LIMIT_MAX)))


def list_pages(connection: sqlite3.Connection, wanted: PageFilter, limit: int, *, after: str = "") -> list[PageRow]:
    """List pages by path, those behind the path `after`; meant for one scope."""
    conditions = filters.build_conditions(connection, wanted)
    rest = conditions.sql_in_order + " AND p.path > ? ORDER BY p.path, s.workspace, s.project LIMIT ?"
    return rows.list_page_rows(connection, rest, (*conditions.values, after, min(limit, LIST_LIMIT_MAX)))


def list_pages_by_id(connection: sqlite3.Connection, page_id: str, wanted: PageFilter) -> list[PageRow]:
    """List the pages that carry an id in their frontmatter; more than one if a file was copied."""
    conditions = filters.build_conditions(connection, wanted)
    rest = conditions.sql + " AND p.page_id = ? AND p.page_id <> '' ORDER BY s.workspace, s.project, p.path LIMIT ?"
    return rows.list_page_rows(connection, rest, (*conditions.values, page_id, LIST_LIMIT_MAX))


def find_page(connection: sqlite3.Connection, scope: Scope, path: PagePath) -> PageRow | None:
    """Find one page of one scope."""
    rest = "s.workspace = ? AND s.project = ? AND p.path = ? LIMIT 1"
    return next(iter(rows.list_page_rows(connection, rest, (scope.workspace, scope.project, path))), None)


def count_pages(connection: sqlite3.Connection, scopes: Collection[Scope] | None = None) -> int:
    """Count the pages of these scopes, of all if None."""
    conditions = filters.build_conditions(connection, PageFilter(scopes))
    row = connection.execute(_COUNT.format(conditions=conditions.sql), conditions.values).fetchone()
    return int(row[0])


def count_pages_by_kind(connection: sqlite3.Connection, scopes: Collection[Scope] | None) -> dict[PageKind, int]:
    """Count the pages of these scopes, kind by kind."""
    conditions = filters.build_conditions(connection, PageFilter(scopes))
    found = connection.execute(_COUNT_BY_KIND.format(conditions=conditions.sql), conditions.values)
    return {PageKind(kind): count for kind, count in found}


def list_links(
    connection: sqlite3.Connection, scope: Scope, path: PagePath, scopes: Collection[Scope] | None
) -> list[LinkRow]:
    """List where a page's links lead now; a name without folder goes to the page of that name nearest the root.

    A link out of the readable `scopes` looks like one to a page that is not there.
    """
    found = connection.execute(_TARGETS, (scope.workspace, scope.project, path, LIST_LIMIT_MAX))
    links: list[LinkRow] = []
    for relation, target, label, workspace, project, to_path, to_title in found:
        to_scope = Scope(workspace, project)
        is_found = to_path is not None and (scopes is None or to_scope in scopes)
        place = (to_path, to_title) if is_found else ("", "")
        links.append(LinkRow(relation, target, label, to_scope, *place))
    return links


def list_backlinks(
    connection: sqlite3.Connection, scope: Scope, path: PagePath, wanted: PageFilter, limit: int = LIST_LIMIT_MAX
) -> list[PageRow]:
    """List the pages that link to a page and that the filter lets through, newest first."""
    conditions = filters.build_conditions(connection, wanted)
    page = (scope.workspace, scope.project, path)
    values = (*conditions.values, *page, *page, min(limit, LIST_LIMIT_MAX))
    return rows.list_page_rows(connection, conditions.sql + _BACKLINKS, values)


def list_linking_places(connection: sqlite3.Connection, scope: Scope) -> list[tuple[Scope, PagePath]]:
    """List all pages of whatever project with a link to a page of this one."""
    rows = connection.execute(_LINKING, (scope.workspace, scope.project))
    return [(Scope(workspace, project), PagePath(path)) for workspace, project, path in rows]


def list_findings(connection: sqlite3.Connection, scopes: Collection[Scope] | None, limit: int) -> list[FindingRow]:
    """List what is wrong with files, by path; what no reader notices comes last."""
    conditions = filters.build_conditions(connection, PageFilter(scopes))
    found = connection.execute(_FINDINGS.format(conditions=conditions.sql), (*conditions.values, limit))
    return [
        FindingRow(Scope(workspace, project), PagePath(path), Finding(code, detail))
        for workspace, project, path, code, detail in found
    ]
