"""Which links lead to no page, kept right at each change, so that lint need not look through all of them."""

import sqlite3

from app.domain.page import PagePath
from app.domain.scope import Scope
from app.index import document

_IS_LOST = """NOT EXISTS (
   SELECT 1 FROM scopes t CROSS JOIN pages q ON q.scope_id = t.id AND q.path_key = links.to_key
    WHERE t.workspace = links.to_workspace AND t.project = links.to_project)
   AND NOT (is_bare AND EXISTS (
   SELECT 1 FROM scopes t CROSS JOIN pages q ON q.scope_id = t.id AND q.stem_key = links.to_key
    WHERE t.workspace = links.to_workspace AND t.project = links.to_project))"""
_OF_PAGE = f"UPDATE links SET is_lost = {_IS_LOST} WHERE page = ?"  # noqa: S608 - a constant of ours
_TO_PAGE = f"""
UPDATE links SET is_lost = {_IS_LOST}
 WHERE is_lost = ? AND to_key IN (?, ?) AND to_workspace = (SELECT workspace FROM scopes WHERE id = ?)
   AND to_project = (SELECT project FROM scopes WHERE id = ?)"""  # noqa: S608 - a constant of ours
_TO_SCOPE = f"""
UPDATE links SET is_lost = {_IS_LOST} WHERE to_workspace = ? AND to_project = ?"""  # noqa: S608 - a constant of ours


def mark_own(connection: sqlite3.Connection, page: int) -> None:
    """Mark the links of a page that has just been put in."""
    connection.execute(_OF_PAGE, (page,))


def mark_leading(connection: sqlite3.Connection, scope_id: int, path: PagePath, *, has_come: bool) -> None:
    """Mark the links that lead to a page which has come, or which has gone."""
    keys = (document.build_path_key(path), document.build_stem_key(path))
    connection.execute(_TO_PAGE, (has_come, *keys, scope_id, scope_id))


def mark_scope(connection: sqlite3.Connection, scope: Scope) -> None:
    """Mark all links to a scope, of which many pages or the name have changed."""
    connection.execute(_TO_SCOPE, (scope.workspace, scope.project))
