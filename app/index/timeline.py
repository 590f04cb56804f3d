"""What stands around a page or a subject, in time and by names; every statement has the caller's filter inside."""

import json
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.domain.limits import ENTITY_POSTINGS_MAX
from app.domain.page import PagePath
from app.domain.scope import Scope
from app.index import filters, rows
from app.index.entries import ObservationRow, PageRow
from app.index.filters import Conditions
from app.index.heard_text import Unpacker

_SHARED: Final = """
WITH own AS (SELECT e.key, e.kind, (SELECT count(*) FROM entities o WHERE o.key = e.key AND o.kind = e.kind) AS pages
               FROM entities e WHERE e.page = ? AND e.kind <> 'mark')
SELECT p.id, group_concat(DISTINCT w.key), round(sum(1.0 / w.pages), 6) AS score FROM own w
  JOIN entities e ON e.key = w.key AND e.kind = w.kind AND e.page <> ?
  JOIN pages p ON p.id = e.page
  JOIN scopes s ON s.id = p.scope_id
 WHERE w.pages <= ? AND {conditions}
 GROUP BY p.id ORDER BY score DESC, s.workspace, s.project, p.path LIMIT ?"""
_ABOUT: Final = "{conditions} AND p.id IN (SELECT e.page FROM entities e WHERE e.key = ?)"
_BESIDE: Final = "{conditions} AND p.scope_id = ? AND p.id <> ? AND p.kind NOT IN ('index', 'project') AND p.updated_us"
_SAID: Final = """
SELECT o.id, h.session_id, o.shows, o.at_us, b.body, p.path, s.workspace, s.project FROM observation_text
  JOIN observations o ON o.id = observation_text.rowid
  JOIN observation_bodies b ON b.id = o.id
  JOIN observed h ON h.id = o.observed
  JOIN pages p ON p.scope_id = h.scope_id AND p.session_id = h.session_id AND p.kind = 'session'
  JOIN scopes s ON s.id = p.scope_id
 WHERE observation_text MATCH ? AND p.session_id <> '' AND {conditions}
 ORDER BY o.at_us DESC, o.id DESC, p.path LIMIT ?"""
_EVIDENCE: Final = """
SELECT o.id, h.session_id, o.shows, o.at_us, b.body FROM observations o
  JOIN observation_bodies b ON b.id = o.id
  JOIN observed h ON h.id = o.observed
  JOIN pages p ON p.id = ? AND p.scope_id = h.scope_id AND p.session_id = h.session_id
 WHERE p.session_id <> '' AND o.id IN (SELECT value FROM json_each(?)) ORDER BY o.id LIMIT ?"""


@dataclass(frozen=True, slots=True)
class Said:
    """An observation that speaks of something, and the page of its session."""

    observation: ObservationRow
    scope: Scope
    path: PagePath


def list_sharing(
    connection: sqlite3.Connection, page: int, conditions: Conditions, limit: int
) -> list[tuple[PageRow, tuple[str, ...]]]:
    """List the pages that name what a page names, rare names first, with those names."""
    values = (page, page, ENTITY_POSTINGS_MAX, *conditions.values, limit)
    found = connection.execute(_SHARED.format(conditions=conditions.sql), values).fetchall()
    listed = {row.row_id: row for row in _list_rows(connection, [row_id for row_id, _, _ in found])}
    return [(listed[row_id], tuple(sorted(names.split(",")))) for row_id, names, _ in found if row_id in listed]


def list_beside(
    connection: sqlite3.Connection, page: PageRow, conditions: Conditions, limit: int
) -> tuple[list[PageRow], list[PageRow]]:
    """List the pages of a page's project that changed last before it, and first after it."""
    scope_id = connection.execute("SELECT scope_id FROM pages WHERE id = ?", (page.row_id,)).fetchone()[0]
    values = (*conditions.values, scope_id, page.row_id, filters.to_microseconds(page.updated_at), limit)
    rest = _BESIDE.format(conditions=conditions.sql)
    before = rows.list_page_rows(connection, rest + " <= ? ORDER BY p.updated_us DESC, p.path LIMIT ?", values)
    after = rows.list_page_rows(connection, rest + " > ? ORDER BY p.updated_us, p.path LIMIT ?", values)
    return before, after


def list_about(connection: sqlite3.Connection, key: str, conditions: Conditions, limit: int) -> list[PageRow]:
    """List the pages that name something, by its key, newest first."""
    rest = (
        _ABOUT.format(conditions=conditions.sql) + " ORDER BY p.updated_us DESC, s.workspace, s.project, p.path LIMIT ?"
    )
    return rows.list_page_rows(connection, rest, (*conditions.values, key, limit))


def list_said(connection: sqlite3.Connection, match: str, conditions: Conditions, limit: int) -> list[Said]:
    """List the observations that a full-text expression finds, newest first."""
    found = connection.execute(_SAID.format(conditions=conditions.sql), (match, *conditions.values, limit))
    listed: dict[int, Said] = {}
    unpacker = Unpacker()
    for *heard, path, workspace, project in found:
        observation = _build_observation(heard, unpacker)
        listed.setdefault(observation.id, Said(observation, Scope(workspace, project), PagePath(path)))
    return list(listed.values())


def list_evidence(connection: sqlite3.Connection, page: int, ids: Collection[int], limit: int) -> list[ObservationRow]:
    """Read the observations of a page's own session that it names."""
    found = connection.execute(_EVIDENCE, (page, json.dumps(sorted(ids)), limit))
    unpacker = Unpacker()
    return [_build_observation(heard, unpacker) for heard in found]


def _build_observation(heard: Sequence[Any], unpacker: Unpacker) -> ObservationRow:
    row_id, session_id, shows, at_us, body = heard
    return ObservationRow(row_id, session_id, shows, filters.from_microseconds(at_us), unpacker.parse(body).text)


def _list_rows(connection: sqlite3.Connection, row_ids: Collection[int]) -> list[PageRow]:
    wanted = json.dumps(sorted(row_ids))
    return rows.list_page_rows(
        connection, "p.id IN (SELECT value FROM json_each(?)) ORDER BY p.id LIMIT ?", (wanted, max(1, len(row_ids)))
    )
