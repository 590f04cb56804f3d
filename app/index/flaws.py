"""What is wrong between pages of a project: links that lead nowhere, pages that nothing leads to, names used twice."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice

from app.domain.limits_knowledge import LINT_PAGES_MAX
from app.domain.page import PageKind, PagePath
from app.domain.scope import Scope
from app.index import filters, schema, scopes

_OWN = "SELECT p.id FROM pages p JOIN scopes s ON s.id = p.scope_id WHERE s.workspace = ? AND s.project = ?"
_BROKEN = """
SELECT p.path, l.relation, l.target, l.position FROM links l INDEXED BY links_lost
  CROSS JOIN pages p ON p.id = l.page
 WHERE l.is_lost AND l.to_workspace = ?1 AND l.to_project = ?2 AND l.to_key <> '' AND p.scope_id = ?3
UNION
SELECT p.path, l.relation, l.target, l.position FROM links l INDEXED BY links_lost_abroad
  CROSS JOIN pages p ON p.id = l.page
 WHERE l.is_lost AND l.is_abroad AND l.to_key <> '' AND p.scope_id = ?3
 ORDER BY 1, 4 LIMIT ?4"""
# What memwiki made says itself where it comes from, and stands on the entry page.
_ORPHANS = """
SELECT p.path FROM pages p INDEXED BY pages_written
 WHERE p.scope_id = ?3 AND NOT p.is_generated AND p.is_pinned = 0
   AND p.kind NOT IN ('index', 'project', 'session', 'slot', 'rule')
   AND NOT EXISTS (
   SELECT 1 FROM links l CROSS JOIN pages q ON q.id = l.page AND q.kind <> 'index' AND q.id <> p.id
    WHERE l.to_workspace = ?1 AND l.to_project = ?2 AND l.to_key = p.path_key)
   AND NOT EXISTS (
   SELECT 1 FROM links l CROSS JOIN pages q ON q.id = l.page AND q.kind <> 'index' AND q.id <> p.id
    WHERE l.to_workspace = ?1 AND l.to_project = ?2 AND l.to_key = p.stem_key AND l.is_bare)
 ORDER BY p.path LIMIT ?4"""
_ALIKE = f"""
SELECT p.path, p.page_id, p.kind, p.title FROM pages p WHERE p.superseded_by = '' AND p.id IN (
   SELECT q.id FROM (SELECT title, kind FROM pages WHERE scope_id = ?1 AND superseded_by = '' AND kind <> 'session'
                      GROUP BY title, kind HAVING count(*) > 1) same
     CROSS JOIN pages q ON q.scope_id = ?1 AND q.superseded_by = '' AND q.title = same.title AND q.kind = same.kind
   UNION ALL
   SELECT q.id FROM (SELECT page_id FROM pages WHERE page_id <> '' GROUP BY page_id
                     HAVING sum(scope_id = ?1) > 1) same
     CROSS JOIN pages q ON q.page_id = same.page_id AND q.page_id <> '' AND q.scope_id = ?1)
 ORDER BY p.path LIMIT {LINT_PAGES_MAX}"""  # noqa: S608 - a constant of ours
_SIZES = f"""
SELECT path, size FROM pages INDEXED BY pages_large
 WHERE scope_id = ? AND {schema.LARGE} ORDER BY path LIMIT ?"""  # noqa: S608 - a constant of ours
_SECRETS = """
SELECT path, secrets FROM pages INDEXED BY pages_with_secrets
 WHERE scope_id = ? AND secrets <> '' ORDER BY path LIMIT ?"""
_EXPIRED = """
SELECT path, stale_after FROM pages INDEXED BY pages_expiring
 WHERE scope_id = ? AND stale_after <> '' AND stale_after < ? ORDER BY path LIMIT ?"""
_UNCHECKED = f"""
SELECT path, {schema.CHECKED_US}, verified_us IS NOT NULL FROM pages INDEXED BY pages_ageing
 WHERE scope_id = ? AND {schema.AGEING} AND {schema.CHECKED_US} < ? ORDER BY path LIMIT ?"""  # noqa: S608 - a constant of ours


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


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A page whose last check was long ago, or its last change if nobody ever checked it."""

    path: PagePath
    checked_at: datetime
    was_verified: bool


def list_broken_links(connection: sqlite3.Connection, scope: Scope, limit: int) -> list[BrokenLink]:
    """List the links of a project's pages that lead nowhere."""
    own = (scope.workspace, scope.project, scopes.find_scope_id(connection, scope))
    found = connection.execute(_BROKEN, (*own, limit))
    return [BrokenLink(PagePath(path), relation, target) for path, relation, target, _ in found]


def list_orphans(connection: sqlite3.Connection, scope: Scope, limit: int) -> list[PagePath]:
    """List the pages with knowledge, written by people, that no other page leads to, listings apart."""
    own = (scope.workspace, scope.project, scopes.find_scope_id(connection, scope))
    return [PagePath(path) for (path,) in connection.execute(_ORPHANS, (*own, limit))]


def list_twins(connection: sqlite3.Connection, scope: Scope, limit: int) -> list[Twins]:
    """List pairs of pages with the same id, or of one kind with the same title."""
    found = connection.execute(_ALIKE, (scopes.find_scope_id(connection, scope),))
    return list(islice(_pair_twins([tuple(map(str, row)) for row in found]), limit))


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


def list_large(connection: sqlite3.Connection, scope: Scope, limit: int) -> list[tuple[PagePath, int]]:
    """List the pages whose files are larger than is good for whoever reads them."""
    found = connection.execute(_SIZES, (scopes.find_scope_id(connection, scope), limit))
    return [(PagePath(path), int(size)) for path, size in found]


def list_secrets(connection: sqlite3.Connection, scope: Scope, limit: int) -> list[tuple[PagePath, str]]:
    """List the pages written by people in which something looks like a secret, with its classes."""
    found = connection.execute(_SECRETS, (scopes.find_scope_id(connection, scope), limit))
    return [(PagePath(path), classes) for path, classes in found]


def list_expired(connection: sqlite3.Connection, scope: Scope, day: str, limit: int) -> list[tuple[PagePath, str]]:
    """List the pages that say themselves that they are stale after a day that was before this one."""
    found = connection.execute(_EXPIRED, (scopes.find_scope_id(connection, scope), day, limit))
    return [(PagePath(path), told) for path, told in found]


def list_unchecked(connection: sqlite3.Connection, scope: Scope, before: datetime, limit: int) -> list[Unchecked]:
    """List the pages of kinds that age whose last check, or else last change, was before a moment."""
    values = (scopes.find_scope_id(connection, scope), filters.to_microseconds(before), limit)
    return [
        Unchecked(PagePath(path), filters.from_microseconds(checked_us), bool(was_verified))
        for path, checked_us, was_verified in connection.execute(_UNCHECKED, values)
    ]
