"""Scopes by the numbers that the index knows them by; the numbers mean nothing after a rebuild."""

import sqlite3

from app.domain.scope import Scope


def find_scope_id(connection: sqlite3.Connection, scope: Scope) -> int | None:
    """Find the number by which the index knows a scope."""
    row = connection.execute(
        "SELECT id FROM scopes WHERE workspace = ? AND project = ?", (scope.workspace, scope.project)
    ).fetchone()
    return None if row is None else int(row[0])


def claim_scope_id(connection: sqlite3.Connection, scope: Scope) -> int:
    """Find the number of a scope, or give it one."""
    connection.execute(
        "INSERT OR IGNORE INTO scopes (workspace, project) VALUES (?, ?)", (scope.workspace, scope.project)
    )
    scope_id = find_scope_id(connection, scope)
    assert scope_id is not None
    return scope_id
