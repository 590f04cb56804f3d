"""What secrets the pages written by people hold, and by which rules that was found."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from app.domain.page import ContentHash, PagePath
from app.domain.scope import Scope

_MARK = "SELECT value FROM meta WHERE name = 'rules'"
_WRITTEN = """
SELECT p.id, s.workspace, s.project, p.path, p.content_hash, p.secrets FROM pages p
  JOIN scopes s ON s.id = p.scope_id
 WHERE NOT p.is_generated AND p.id > ? ORDER BY p.id LIMIT ?"""


@dataclass(frozen=True, slots=True)
class Examined:
    """A page, and the classes of what was found in it when it was indexed, joined by commas."""

    row_id: int
    scope: Scope
    path: PagePath
    content_hash: ContentHash
    classes: str


def find_rules(connection: sqlite3.Connection) -> int | None:
    """Find the mark of the rules by which all pages were examined; None where that was never noted."""
    row = connection.execute(_MARK).fetchone()
    return None if row is None else int(row[0])


def put_rules(connection: sqlite3.Connection, mark: int) -> None:
    """Note that all pages have been examined by these rules."""
    connection.execute("INSERT OR REPLACE INTO meta (name, value) VALUES ('rules', ?)", (mark,))


def list_examined(connection: sqlite3.Connection, after: int, limit: int) -> list[Examined]:
    """List pages written by people behind a row, in the order of their rows; whatever is indexed later comes later."""
    return [
        Examined(row_id, Scope(workspace, project), PagePath(path), ContentHash(content_hash), classes)
        for row_id, workspace, project, path, content_hash, classes in connection.execute(_WRITTEN, (after, limit))
    ]


def put_classes(connection: sqlite3.Connection, found: Iterable[tuple[Examined, str]]) -> None:
    """Put in what is found now, for pages that are still what they were."""
    connection.executemany(
        "UPDATE pages SET secrets = ? WHERE id = ? AND content_hash = ?",
        [(classes, page.row_id, page.content_hash) for page, classes in found],
    )
