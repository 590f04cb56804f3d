"""Which pages name which files, for pages that lead to others about the same files."""

import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from app.index import entities, filters, rows
from app.index.entities import EntityKind
from app.index.entries import PageRow
from app.index.filters import PageFilter

_NAMING: Final = """ AND p.id IN (SELECT e.page FROM entities e WHERE e.kind = ?
  AND e.key IN (SELECT value FROM json_each(?))) ORDER BY p.updated_us DESC, s.workspace, s.project, p.path LIMIT ?"""
_NAMED: Final = """
SELECT page, key FROM entities WHERE kind = ? AND key IN (SELECT value FROM json_each(?))
   AND page IN (SELECT value FROM json_each(?)) ORDER BY page, key"""


@dataclass(frozen=True, slots=True)
class NamingPage:
    """A page and those of the asked files that it names, in the order in which they were asked for."""

    page: PageRow
    files: tuple[str, ...]


def list_naming(
    connection: sqlite3.Connection, files: Collection[str], wanted: PageFilter, limit: int
) -> list[NamingPage]:
    """List the pages that name any of these files by its whole path, the last changed first."""
    keys = {file: entities.build_key(file) for file in files}
    asked = json.dumps(sorted(set(keys.values())))
    conditions = filters.build_conditions(connection, wanted)
    kind = EntityKind.FILE.value
    pages = rows.list_page_rows(connection, conditions.sql + _NAMING, (*conditions.values, kind, asked, limit))
    among = json.dumps([page.row_id for page in pages])
    named = set(connection.execute(_NAMED, (kind, asked, among)))
    return [
        NamingPage(page, tuple(file for file, key in keys.items() if (page.row_id, key) in named)) for page in pages
    ]
