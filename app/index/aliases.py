"""Former names of projects: links that name one lead to the project of today, for as long as nobody has that name."""

import sqlite3
from collections.abc import Iterable

from app.domain.scope import Scope
from app.index import lost, scopes

_OF_SCOPE = "SELECT workspace, project FROM aliases WHERE scope_id = ?"
# What was written stays known, so that a link finds back when the name becomes somebody's again.
_LEAD_ON = """
UPDATE links SET to_workspace = ?, to_project = ?, written = to_workspace || '/' || to_project
 WHERE to_workspace = ? AND to_project = ? AND written = ''"""
_FOLLOW = (
    "UPDATE links SET to_workspace = ?, to_project = ? WHERE to_workspace = ? AND to_project = ? AND written <> ''"
)
# What a project says of itself names no project, so it goes with it and never back.
_GO_ALONG = """
UPDATE links SET to_workspace = ?, to_project = ?
 WHERE to_workspace = ? AND to_project = ? AND written = '' AND NOT is_abroad"""
_LEAD_BACK = """
UPDATE links SET to_workspace = ?, to_project = ?, written = ''
 WHERE to_workspace = ? AND to_project = ? AND written = ?"""


def resolve(connection: sqlite3.Connection, scope: Scope) -> Scope:
    """Find the scope that a name leads to, now or by what it was called before."""
    if scopes.find_scope_id(connection, scope) is not None:
        return scope
    row = connection.execute(
        "SELECT s.workspace, s.project FROM aliases a JOIN scopes s ON s.id = a.scope_id"
        " WHERE a.workspace = ? AND a.project = ?",
        (scope.workspace, scope.project),
    ).fetchone()
    return scope if row is None else Scope(*row)


def claim_scope_id(connection: sqlite3.Connection, scope: Scope) -> int:
    """Find the number of a scope, or give it one; a name that has become somebody's is nobody's former one."""
    known = scopes.find_scope_id(connection, scope)
    if known is not None:
        return known
    for holder in _list_holders(connection, scope):
        _drop_alias(connection, holder, scope)
    return scopes.claim_scope_id(connection, scope)


def put_aliases(connection: sqlite3.Connection, scope: Scope, names: Iterable[Scope]) -> None:
    """Let these names, and no others, lead to a scope; the name of a scope that is there leads to nobody else."""
    scope_id = scopes.find_scope_id(connection, scope)
    if scope_id is None:
        return
    wanted = [name for name in names if scopes.find_scope_id(connection, name) is None]
    known = {Scope(*row) for row in connection.execute(_OF_SCOPE, (scope_id,))}
    for name in known.difference(wanted):
        _drop_alias(connection, scope, name)
    for name in dict.fromkeys(wanted):
        if name not in known and not _list_holders(connection, name):
            _add_alias(connection, scope, scope_id, name)


def rename_scope(connection: sqlite3.Connection, scope: Scope, to: Scope) -> None:
    """Give a scope another name, whatever is in it; links by the former one lead on."""
    scope_id = scopes.find_scope_id(connection, scope)
    if scope_id is None:
        return
    for holder in _list_holders(connection, to):
        _drop_alias(connection, holder, to)
    connection.execute("UPDATE scopes SET workspace = ?, project = ? WHERE id = ?", (*_pair(to), scope_id))
    connection.execute(_GO_ALONG, (*_pair(to), *_pair(scope)))
    connection.execute(_FOLLOW, (*_pair(to), *_pair(scope)))
    _add_alias(connection, to, scope_id, scope)


def follow_scope(connection: sqlite3.Connection, gone: Scope, into: Scope) -> None:
    """Have the names of a scope that is about to go, and the links to it, lead to another."""
    into_id = claim_scope_id(connection, into)
    gone_id = scopes.find_scope_id(connection, gone)
    connection.execute("UPDATE aliases SET scope_id = ? WHERE scope_id = ?", (into_id, gone_id))
    connection.execute("DELETE FROM scopes WHERE id = ?", (gone_id,))
    connection.execute(_FOLLOW, (*_pair(into), *_pair(gone)))
    _add_alias(connection, into, into_id, gone)


def _add_alias(connection: sqlite3.Connection, scope: Scope, scope_id: int, name: Scope) -> None:
    connection.execute("INSERT OR REPLACE INTO aliases VALUES (?, ?, ?)", (*_pair(name), scope_id))
    connection.execute(_LEAD_ON, (*_pair(scope), *_pair(name)))
    lost.mark_scope(connection, scope)


def _drop_alias(connection: sqlite3.Connection, scope: Scope, name: Scope) -> None:
    connection.execute("DELETE FROM aliases WHERE workspace = ? AND project = ?", _pair(name))
    connection.execute(_LEAD_BACK, (*_pair(name), *_pair(scope), str(name)))
    lost.mark_scope(connection, name)


def _list_holders(connection: sqlite3.Connection, name: Scope) -> list[Scope]:
    rows = connection.execute(
        "SELECT s.workspace, s.project FROM aliases a JOIN scopes s ON s.id = a.scope_id"
        " WHERE a.workspace = ? AND a.project = ?",
        _pair(name),
    )
    return [Scope(*row) for row in rows.fetchall()]


def _pair(scope: Scope) -> tuple[str, str]:
    return scope.workspace, scope.project
