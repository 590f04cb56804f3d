"""Writes one document into the index and removes one; all functions take the write connection."""

import sqlite3
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from app.domain.page import ContentHash, PagePath
from app.domain.pagepath import PROJECT_PATH
from app.domain.scope import Scope
from app.index import aliases, document, lost, observed, scopes
from app.index.document import Document, DocumentLink, Stamp

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

_INSERT_PAGE = """
INSERT INTO pages (scope_id, path, path_key, stem_key, kind, title, page_id, description, session_id, agent, revision,
                    author, updated_us, verified_us, superseded_by, is_pinned, mtime_ns, size, content_hash,
                    is_generated, stale_after, secrets)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_INSERT_TERMS = """
INSERT INTO page_terms (id, title, headings, names, body, forms, stems, facets, tally)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_INSERT_TEXT = """
INSERT INTO page_text (rowid, title, headings, names, body, forms, stems, facets) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
# FTS5 forgets a row of an external table only when it is told what stood there.
_DELETE_TEXT = """
INSERT INTO page_text (page_text, rowid, title, headings, names, body, forms, stems, facets)
SELECT 'delete', id, title, headings, names, body, forms, stems, facets FROM page_terms WHERE id = ?"""
_DELETE_REST = (
    "DELETE FROM page_terms WHERE id = ?",
    "DELETE FROM page_bodies WHERE id = ?",
    "DELETE FROM name_terms WHERE page = ?",
    "DELETE FROM passage_text WHERE rowid IN (SELECT id FROM passages WHERE page = ?)",
    "DELETE FROM passages WHERE page = ?",
    "DELETE FROM entities WHERE page = ?",
    "DELETE FROM things WHERE page = ?",
    "DELETE FROM vectors WHERE page = ?",
    "DELETE FROM links WHERE page = ?",
    "DELETE FROM findings WHERE page = ?",
    "DELETE FROM tags WHERE page = ?",
    "DELETE FROM pages WHERE id = ?",
)


def put_documents(connection: sqlite3.Connection, documents: Iterable[Document]) -> None:
    """Put pages in, each in place of what stood at its path; all of one scope keep clear of other scopes."""
    scope_ids: dict[Scope, int] = {}
    for put in documents:
        if put.scope not in scope_ids:
            scope_ids[put.scope] = aliases.claim_scope_id(connection, put.scope)
        scope_id = scope_ids[put.scope]
        was_there = _delete_page(connection, scope_id, put.path)
        page = _insert_page(connection, scope_id, put)
        _insert_terms(connection, page, scope_id, put)
        _insert_passages(connection, page, scope_id, put)
        _insert_parts(connection, page, put)
        lost.mark_own(connection, page)
        if not was_there:
            lost.mark_leading(connection, scope_id, put.path, has_come=True)
        if put.path == PROJECT_PATH:
            aliases.put_aliases(connection, put.scope, put.aliases)


def remove_documents(connection: sqlite3.Connection, pages: Iterable[tuple[Scope, PagePath]]) -> int:
    """Take pages out and tell how many were there."""
    removed = 0
    for scope, path in pages:
        scope_id = scopes.find_scope_id(connection, scope)
        if scope_id is not None and _delete_page(connection, scope_id, path):
            lost.mark_leading(connection, scope_id, path, has_come=False)
            removed += 1
    return removed


def remove_scope(connection: sqlite3.Connection, scope: Scope) -> None:
    """Take a scope out with all of its pages."""
    scope_id = scopes.find_scope_id(connection, scope)
    if scope_id is None:
        return
    _delete_pages(connection, scope_id)
    lost.mark_scope(connection, scope)
    observed.remove_scope_observations(connection, scope_id)
    aliases.put_aliases(connection, scope, ())
    connection.execute("DELETE FROM scopes WHERE id = ?", (scope_id,))


def absorb_scope(connection: sqlite3.Connection, gone: Scope, into: Scope) -> None:
    """Take a scope's pages out, which have other paths in the one that they went to, and put all else under that."""
    gone_id = scopes.find_scope_id(connection, gone)
    if gone_id is None:
        return
    _delete_pages(connection, gone_id)
    lost.mark_scope(connection, gone)
    observed.move_scope_observations(connection, gone_id, aliases.claim_scope_id(connection, into))
    aliases.follow_scope(connection, gone, into)


def list_stamps(connection: sqlite3.Connection, scope: Scope | None = None) -> dict[tuple[Scope, PagePath], Stamp]:
    """Collect what every indexed file looked like; all of them, because reconcile compares whole trees."""
    return dict(_walk_stamps(connection, scope))


def _walk_stamps(connection: sqlite3.Connection, scope: Scope | None) -> Iterator[tuple[tuple[Scope, PagePath], Stamp]]:
    rows = connection.execute(
        "SELECT s.workspace, s.project, p.path, p.mtime_ns, p.size, p.content_hash"
        " FROM pages p JOIN scopes s ON s.id = p.scope_id"
        " WHERE ? IS NULL OR (s.workspace = ? AND s.project = ?) ORDER BY s.workspace, s.project, p.path",
        (
            None if scope is None else scope.workspace,
            scope and scope.workspace,
            scope and scope.project,
        ),
    )
    for workspace, project, path, mtime_ns, size, content_hash in rows:
        key = (Scope(workspace, project), PagePath(path))
        yield key, Stamp(mtime_ns, size, ContentHash(content_hash))


def _delete_pages(connection: sqlite3.Connection, scope_id: int) -> None:
    paths = connection.execute("SELECT path FROM pages WHERE scope_id = ? ORDER BY path", (scope_id,)).fetchall()
    for (path,) in paths:
        _delete_page(connection, scope_id, path)


def _delete_page(connection: sqlite3.Connection, scope_id: int, path: str) -> bool:
    row = connection.execute("SELECT id FROM pages WHERE scope_id = ? AND path = ?", (scope_id, path)).fetchone()
    if row is None:
        return False
    connection.execute(_DELETE_TEXT, row)
    for statement in _DELETE_REST:
        connection.execute(statement, row)
    return True


def _insert_page(connection: sqlite3.Connection, scope_id: int, put: Document) -> int:
    cursor = connection.execute(
        _INSERT_PAGE,
        (
            scope_id,
            put.path,
            document.build_path_key(put.path),
            document.build_stem_key(put.path),
            put.kind.value,
            put.title,
            put.id,
            put.description,
            put.session_id,
            put.agent,
            put.revision,
            put.author,
            (put.updated_at - _EPOCH) // _MICROSECOND,
            None if put.verified_at is None else (put.verified_at - _EPOCH) // _MICROSECOND,
            put.superseded_by,
            put.is_pinned,
            put.stamp.mtime_ns,
            put.stamp.size,
            put.stamp.content_hash,
            put.is_generated,
            put.stale_after,
            ", ".join(put.secrets),
        ),
    )
    assert cursor.lastrowid is not None
    connection.execute("INSERT INTO page_bodies (id, body) VALUES (?, ?)", (cursor.lastrowid, put.body))
    return cursor.lastrowid


def _insert_terms(connection: sqlite3.Connection, page: int, scope_id: int, put: Document) -> None:
    terms = put.terms
    row = (page, terms.title, terms.headings, terms.names, terms.body, terms.forms, terms.stems, f"s{scope_id}")
    connection.execute(_INSERT_TERMS, (*row, terms.tally))
    connection.execute(_INSERT_TEXT, row)
    connection.executemany(
        "INSERT INTO name_terms (term, page) VALUES (?, ?)", [(term, page) for term in terms.name_terms]
    )


def _insert_passages(connection: sqlite3.Connection, page: int, scope_id: int, put: Document) -> None:
    for position, passage in enumerate(put.passages):
        cursor = connection.execute(
            "INSERT INTO passages (page, position, start) VALUES (?, ?, ?)", (page, position, passage.start)
        )
        connection.execute(
            "INSERT INTO passage_text (rowid, own, stems, forms, near, facets) VALUES (?, ?, ?, ?, ?, ?)",
            (cursor.lastrowid, passage.own, passage.stems, passage.forms, passage.near, f"s{scope_id}"),
        )


def _insert_parts(connection: sqlite3.Connection, page: int, put: Document) -> None:
    if put.tags:
        connection.executemany("INSERT INTO tags (page, tag) VALUES (?, ?)", [(page, tag) for tag in put.tags])
    if put.entities:
        connection.executemany(
            "INSERT INTO entities (key, kind, page) VALUES (?, ?, ?)",
            [(entity.key, entity.kind.value, page) for entity in put.entities],
        )
    if put.things:
        connection.executemany(
            "INSERT INTO things (page, kind, name) VALUES (?, ?, ?)",
            [(page, thing.kind.value, thing.name) for thing in put.things],
        )
    if put.links:
        leads = {scope: aliases.resolve(connection, scope) for scope in {link.to_scope for link in put.links}}
        connection.executemany(
            "INSERT INTO links (page, position, relation, target, label, to_workspace, to_project, to_key, is_bare,"
            " written, is_abroad) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (page, *_list_values(position, link, leads[link.to_scope]), link.to_scope != put.scope)
                for position, link in enumerate(put.links)
            ],
        )
    if put.findings:
        connection.executemany(
            "INSERT INTO findings (page, position, code, detail) VALUES (?, ?, ?, ?)",
            [(page, position, found.code, found.detail) for position, found in enumerate(put.findings)],
        )


def _list_values(position: int, link: DocumentLink, to_scope: Scope) -> tuple[object, ...]:
    written = "" if to_scope == link.to_scope else str(link.to_scope)
    target = (to_scope.workspace, to_scope.project, link.to_key)
    return (position, link.relation, link.target, link.label, *target, link.is_bare, written)
