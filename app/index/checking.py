"""Looks at an index that a server may have open, or none has: its version, its soundness, and what it holds."""

import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from app.domain.page import PagePath
from app.domain.scope import Scope
from app.index import build, schema
from app.index.document import Stamp

_NAME: Final = re.compile(r"index-v(\d+)\.db")


@dataclass(frozen=True, slots=True)
class IndexLook:
    """What was seen: what is wrong with the file (empty for nothing), whether it was filled, and its pages."""

    fault: str
    is_complete: bool = False
    stamps: Mapping[tuple[Scope, PagePath], Stamp] = field(default_factory=dict)


def list_versions(folder: Path) -> list[int]:
    """List the versions of the index files in a folder, the newest first."""
    names = (path.name for path in folder.iterdir()) if folder.is_dir() else ()
    return sorted((int(match[1]) for name in names if (match := _NAME.fullmatch(name))), reverse=True)


def find_file(folder: Path) -> Path:
    """Tell where this release keeps its index."""
    return folder / f"index-v{schema.INDEX_VERSION}.db"


def look(folder: Path, *, is_served: bool) -> IndexLook:
    """Look into the index of this release; one that a server has open is not asked for its full text's soundness."""
    path = find_file(folder)
    try:
        with closing(sqlite3.connect(path, timeout=10, isolation_level=None)) as connection:
            connection.execute("PRAGMA wal_autocheckpoint=0")
            fault = _find_fault(connection, is_served=is_served)
            return IndexLook(fault) if fault else _read(connection)
    except sqlite3.Error as error:
        return IndexLook(str(error))


def _find_fault(connection: sqlite3.Connection, *, is_served: bool) -> str:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version != schema.INDEX_VERSION:
        return f"it says that it is of version {version}"
    if is_served:
        found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        return "" if found == "ok" else found
    return "" if schema.check_schema(connection) else "a table or its full text is damaged"


def _read(connection: sqlite3.Connection) -> IndexLook:
    return IndexLook("", schema.is_complete(connection), build.list_stamps(connection))
