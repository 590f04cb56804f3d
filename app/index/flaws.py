"""What is wrong between pages of a project: links that lead nowhere, pages that nothing leads to, names used twice."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from app.domain.page import PageKind, PagePath
from app.domain.scope import Scope

_OWN = "SELECT p.id FROM pages p JOIN scopes s ON s.id = p.scope_id WHERE s.workspace = ? AND s.project = ?"
# Each way of naming a page is looked up by its own key: asked for at once, all links are read for each page.
_BROKEN = f"""
SELECT p.path, l.relation, l.target FROM links l JOIN pages p ON p.id = l.page
 WHERE p.id IN ({_OWN}) AND l.to_key <> ''
   AND NOT EXISTS (
   SELECT 1 FROM scopes t CROSS JOIN pages q ON q.scope_id = t.id AND q.path_key = l.to_key
    WHERE t.workspace = l.to_workspace AND t.project = l.to_project)
   AND NOT EXISTS (
   SELECT 1 FROM scopes t CROSS JOIN pages q ON q.scope_id = t.id AND q.stem_key = l.to_key
    WHERE t.workspace = l.to_workspace AND t.project = l.to_project AND l.is_bare)
 ORDER BY p.path, l.position LIMIT ?"""  # noqa: S608 - the parts are constants of this module
_ORPHANS = f"""
SELECT p.path FROM pages p WHERE p.id IN ({_OWN}) AND p.kind NOT IN ('index', 'project', 'session', 'slot', 'rule')
   AND p.is_pinned = 0
   AND NOT EXISTS (
   SELECT 1 FROM links l CROSS JOIN pages q ON q.id = l.page AND q.kind <> 'index' AND q.id <> p.id
    WHERE l.to_workspace = ? AND l.to_project = ? AND l.to_key = p.path_key)
   AND NOT EXISTS (
   SELECT 1 FROM links l CROSS JOIN pages q ON q.id = l.page AND q.kind <> 'index' AND q.id <> p.id
    WHERE l.to_workspace = ? AND l.to_project = ? AND l.to_key = p.stem_key AND l.is_bare)
 ORDER BY p.path LIMIT ?"""  # noqa: S608 - the parts are constants of this module
_ALIKE = f"""
SELECT p.path, p.page_id, p.kind, p.title FROM pages p
 WHERE p.id IN ({_OWN}) AND p.superseded_by = '' ORDER BY p.path"""  # noqa: S608 - the parts are constants of this module
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
    return [PagePath(path) for (path,) in connection.execute(_ORPHANS, (*own * 3, limit))]


def list_twins(connection: sqlite3.Connection, scope: Scope, limit: int) -> list[Twins]:
    """List pairs of pages with the same id, or of one kind with the same title."""
    rows = [tuple(map(str, row)) for row in connection.execute(_ALIKE, (scope.workspace, scope.project))]
    return list(islice(_pair_twins(rows), limit))


def _pair_twins(rows: Sequence[tuple[str, ...]]) -> Iterator[Twins]:
    """Pair rows of path, id, kind and title, which stand in the order of their paths."""
    by_id: dict[str, list[str]] = {}
    by_title: dict[tuple[str, str], list[str]] = {}
    pairs: list[Iterator[Twins]] = []
    # From the end, so that what a row finds is behind it.
    for path, page_id, kind, title in reversed(rows):
        same_id = by_id.setdefault(page_id, []) if page_id else []
        same_title = by_title.setdefault((kind, title), []) if kind != PageKind.SESSION else []
        if same_id or same_title:
            pairs.append(_pair(path, (same_id, len(same_id)), (same_title, len(same_title))))
        same_id.append(path)
        same_title.append(path)
    return chain.from_iterable(reversed(pairs))


def _pair(path: str, same_id: tuple[list[str], int], same_title: tuple[list[str], int]) -> Iterator[Twins]:
    """Pair a path with the first so many of both lists, which go on growing until they are looked at."""
    by_id, by_title = ({*paths[:count]} for paths, count in (same_id, same_title))
    for other in sorted(by_id | by_title):
        yield Twins(PagePath(path), PagePath(other), "id" if other in by_id else "title")


def list_large(connection: sqlite3.Connection, scope: Scope, bytes_max: int, limit: int) -> list[tuple[PagePath, int]]:
    """List the pages whose files are larger than is good for whoever reads them."""
    found = connection.execute(_SIZES, (scope.workspace, scope.project, bytes_max, limit))
    return [(PagePath(path), int(size)) for path, size in found]
