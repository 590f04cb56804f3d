"""What is wrong between pages of a project: links that lead nowhere, pages that nothing leads to, names used twice."""

import sqlite3
from dataclasses import dataclass

from app.domain.page import PagePath
from app.domain.scope import Scope

_OWN = "SELECT p.id FROM pages p JOIN scopes s ON s.id = p.scope_id WHERE s.workspace = ? AND s.project = ?"
_BROKEN = f"""
SELECT p.path, l.relation, l.target FROM links l JOIN pages p ON p.id = l.page
 WHERE p.id IN ({_OWN}) AND l.to_key <> '' AND NOT EXISTS (
   SELECT 1 FROM pages q JOIN scopes t ON t.id = q.scope_id
    WHERE t.workspace = l.to_workspace AND t.project = l.to_project
      AND (q.path_key = l.to_key OR (l.is_bare AND q.stem_key = l.to_key)))
 ORDER BY p.path, l.position LIMIT ?"""  # noqa: S608 - the parts are constants of this module
_ORPHANS = f"""
SELECT p.path FROM pages p WHERE p.id IN ({_OWN}) AND p.kind NOT IN ('index', 'project', 'session', 'slot', 'rule')
   AND p.is_pinned = 0 AND NOT EXISTS (
   SELECT 1 FROM links l JOIN pages q ON q.id = l.page AND q.kind <> 'index' AND q.id <> p.id
    WHERE l.to_workspace = ? AND l.to_project = ? AND (l.to_key = p.path_key OR (l.is_bare AND l.to_key = p.stem_key)))
 ORDER BY p.path LIMIT ?"""  # noqa: S608 - the parts are constants of this module
_TWINS = f"""
SELECT p.path, q.path, CASE WHEN p.page_id = q.page_id AND p.page_id <> '' THEN 'id' ELSE 'title' END
  FROM pages p JOIN pages q ON q.scope_id = p.scope_id AND q.path > p.path
   AND ((p.page_id = q.page_id AND p.page_id <> '') OR (p.kind = q.kind AND p.kind <> 'session' AND p.title = q.title))
 WHERE p.id IN ({_OWN}) AND p.superseded_by = '' AND q.superseded_by = '' ORDER BY p.path, q.path LIMIT ?"""  # noqa: S608 - the parts are constants of this module
_SIZES = f"""
SELECT p.path, p.size FROM pages p WHERE p.id IN ({_OWN}) AND p.size > ? ORDER BY p.path LIMIT ?"""  # noqa: S608 - the parts are constants of this module


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """A link of a page that leads to no page; `relation` is `link` for a plain one."""

    path: PagePath
    relation: str
    target: str


@dataclass(frozen=True, slots=True)
class Twins:
    """Two pages that have the same `of`: their id, or their kind and title."""

    path: PagePath
    other: PagePath
    of: str


def list_broken_links(connection: sqlite3.Connection, scope: Scope, limit: int) -> list[BrokenLink]:
    """List the links of a project's pages that lead nowhere."""
    found = connection.execute(_BROKEN, (scope.workspace, scope.project, limit))
    return [BrokenLink(PagePath(path), relation, target) for path, relation, target in found]


def list_orphans(connection: sqlite3.Connection, scope: Scope, limit: int) -> list[PagePath]:
    """List the pages with knowledge that no other page leads to, listings apart."""
    own = (scope.workspace, scope.project)
    return [PagePath(path) for (path,) in connection.execute(_ORPHANS, (*own, *own, limit))]


def list_twins(connection: sqlite3.Connection, scope: Scope, limit: int) -> list[Twins]:
    """List pairs of pages with the same id, or of one kind with the same title."""
    found = connection.execute(_TWINS, (scope.workspace, scope.project, limit))
    return [Twins(PagePath(path), PagePath(other), of) for path, other, of in found]


def list_large(connection: sqlite3.Connection, scope: Scope, bytes_max: int, limit: int) -> list[tuple[PagePath, int]]:
    """List the pages whose files are larger than is good for whoever reads them."""
    found = connection.execute(_SIZES, (scope.workspace, scope.project, bytes_max, limit))
    return [(PagePath(path), int(size)) for path, size in found]
