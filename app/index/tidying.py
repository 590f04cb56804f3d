"""Makes the index's files smaller and its full text faster, in steps that each take a moment."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.domain.limits_upkeep import INDEX_PAGES_GIVEN_BACK_PER_STEP, MERGE_PAGES_PER_STEP
from app.index import schema, vectors
from app.index.database import IndexDatabase, guarded

TEXTS: Final = schema.TEXTS
# A step that changes fewer rows than that found nothing left to merge.
_CHANGES_MIN: Final = 2


@dataclass(frozen=True, slots=True)
class FileSize:
    """The file's size and how much of it stands empty; `can_shrink` is false for one that an older release made."""

    size_bytes: int
    empty_bytes: int
    can_shrink: bool


def measure_file(connection: sqlite3.Connection) -> FileSize:
    """Measure the file."""
    page = _ask(connection, "page_size")
    pages, empty = _ask(connection, "page_count"), _ask(connection, "freelist_count")
    return FileSize(page * pages, page * empty, bool(_ask(connection, "auto_vacuum")))


def count_pieces(connection: sqlite3.Connection, text: str) -> int:
    """Count the pieces in which a full text lies; each search looks into all of them."""
    # From one piece's number to the next, since there is a row for each of its many leaves.
    found = connection.execute(
        f"""WITH RECURSIVE piece (id) AS (SELECT min(segid) FROM {text}_idx UNION ALL
              SELECT (SELECT min(segid) FROM {text}_idx WHERE segid > piece.id) FROM piece WHERE piece.id IS NOT NULL)
            SELECT count(id) FROM piece"""  # noqa: S608 - names of ours
    ).fetchone()
    return int(found[0])


def merge_step(connection: sqlite3.Connection, text: str) -> bool:
    """Merge a bounded number of pages of a full text; False when it is one piece."""
    before = connection.total_changes
    merge = f"INSERT INTO {text} ({text}, rank) VALUES ('merge', ?)"  # noqa: S608 - names of ours
    # Below zero it goes on until all is one piece, and does not stop at the first level that is in order.
    connection.execute(merge, (-MERGE_PAGES_PER_STEP,))
    return connection.total_changes - before >= _CHANGES_MIN


def give_back_step(connection: sqlite3.Connection) -> int:
    """Shorten the file by a bounded number of empty pages; tells how many."""
    before = _ask(connection, "freelist_count")
    # Each call gives back one page: the driver takes the first for the last.
    for _ in range(min(before, INDEX_PAGES_GIVEN_BACK_PER_STEP)):
        connection.execute("PRAGMA incremental_vacuum(1)")
    return before - _ask(connection, "freelist_count")


def tidy_kept(index: IndexDatabase) -> int:
    """Delete kept vectors of texts that are not in the index, with every trace of them; tells how many went.

    Raises:
        DiskRefused: the disk is full or read-only.
        StoreUnreadable: the index cannot be read now, and nothing is deleted.
    """
    with index.kept.changing:
        return index.read(lambda connection: index.kept.keep_only(_walk_texts(connection)))


def _walk_texts(connection: sqlite3.Connection) -> Iterator[str]:
    # A damaged index is no fault of the vectors that are kept beside it.
    with guarded("texts"):
        yield from vectors.walk_texts(connection)


def _ask(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
