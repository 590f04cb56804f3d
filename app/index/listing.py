"""Lists what a filter lets through where nothing is looked for: pages, or what sessions said, newest change first."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.index import filters, rows
from app.index.entries import CandidateRow, Heard, PageRow, Place
from app.index.filters import Conditions

_FROM_PAGES: Final = "FROM pages p JOIN scopes s ON s.id = p.scope_id"
# A session's observations are found from its page, so that only as much is read as is shown.
_FROM_HEARD: Final = f"""{_FROM_PAGES}
  CROSS JOIN observed h ON h.scope_id = p.scope_id AND h.session_id = p.session_id
  CROSS JOIN observations o ON o.observed = h.id"""
# The plus keeps SQLite from the index of session ids, by which it would have to put all of them in order first.
_OF_SESSIONS: Final = "p.kind = 'session' AND +p.session_id <> ''"
_ORDER: Final = "p.updated_us DESC, s.workspace, s.project, p.path"
_BEHIND_PAGE: Final = """
 p.updated_us <= ? AND (p.updated_us < ? OR (s.workspace, s.project, p.path) > (?, ?, ?))"""
_BEHIND_HEARD: Final = """
 p.updated_us <= ? AND (p.updated_us < ? OR (s.workspace, s.project, p.path) > (?, ?, ?)
   OR ((s.workspace, s.project, p.path) = (?, ?, ?) AND o.id < ?))"""
_WITHOUT_PAGES: Final = "p.id NOT IN (SELECT rowid FROM page_text WHERE page_text MATCH ?)"
_WITHOUT_HEARD: Final = "o.id NOT IN (SELECT rowid FROM observation_text WHERE observation_text MATCH ?)"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is listed: `without` is a full-text expression for what is left out, `behind` where to begin."""

    conditions: Conditions
    limit: int
    without: str = ""
    behind: Place | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """What is shown of a listing, and how much there is of it from there to its end."""

    rows: tuple[CandidateRow, ...]
    count: int


def list_pages(connection: sqlite3.Connection, wanted: Wanted) -> Listed:
    """List the pages, what changed last first."""
    parts, values = _write_conditions(wanted, _WITHOUT_PAGES)
    if wanted.behind is not None:
        parts.append(_BEHIND_PAGE)
        values += _bind_place(wanted.behind)
    where = " AND ".join(parts)
    shown = rows.list_page_rows(connection, f"{where} ORDER BY {_ORDER} LIMIT ?", (*values, wanted.limit))
    return Listed(tuple(map(_build_row, shown)), _count(connection, _FROM_PAGES, where, values))


def list_heard(connection: sqlite3.Connection, wanted: Wanted) -> Listed:
    """List what the sessions of pages said and did: the page that changed last first, of each the last first."""
    parts, values = _write_conditions(wanted, _WITHOUT_HEARD)
    parts.append(_OF_SESSIONS)
    if (behind := wanted.behind) is not None:
        parts.append(_BEHIND_HEARD)
        values += [*_bind_place(behind), behind.scope.workspace, behind.scope.project, behind.path, behind.observation]
    where = " AND ".join(parts)
    statement = f"SELECT o.id, p.id {_FROM_HEARD} WHERE {where} ORDER BY {_ORDER}, o.id DESC LIMIT ?"
    shown = connection.execute(statement, (*values, wanted.limit)).fetchall()
    return Listed(_read_heard(connection, shown), _count(connection, _FROM_HEARD, where, values))


def _write_conditions(wanted: Wanted, without: str) -> tuple[list[str], list[object]]:
    parts, values = [f"({wanted.conditions.sql_in_order})"], list(wanted.conditions.values)
    if wanted.without:
        parts.append(without)
        values.append(wanted.without)
    return parts, values


def _bind_place(place: Place) -> list[object]:
    moment = filters.to_microseconds(place.updated_at)
    return [moment, moment, place.scope.workspace, place.scope.project, place.path]


def _count(connection: sqlite3.Connection, source: str, where: str, values: list[object]) -> int:
    return int(connection.execute(f"SELECT count(*) {source} WHERE {where}", values).fetchone()[0])


def _read_heard(connection: sqlite3.Connection, shown: Sequence[tuple[int, int]]) -> tuple[CandidateRow, ...]:
    # Page by page, because two pages may be of one session.
    by_page: dict[int, list[Heard]] = {}
    for observation, page in shown:
        by_page.setdefault(page, []).append(Heard(observation, page, 0.0))
    known = {(row.key, page): row for page, heard in by_page.items() for row in rows.list_heard(connection, heard, "")}
    return tuple(known[each] for each in shown)


def _build_row(page: PageRow) -> CandidateRow:
    return CandidateRow(page, title="", names="", text="", has_literal=False)
