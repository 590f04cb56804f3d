"""Reads pages out of the index as the values of `entries.py`."""

import json
import sqlite3
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any, Final

from app.domain.page import PageKind, PagePath
from app.domain.scope import Scope
from app.index import document, filters
from app.index.entries import CandidateRow, Heard, ObservationRow, PageRow
from app.index.heard_text import Unpacker
from app.index.observation import build_moment

# A statement that begins so is finished by `list_page_rows`.
PAGES = """
SELECT p.id, s.workspace, s.project, p.path, p.kind, p.title, p.page_id, p.description, p.session_id, p.agent,
       p.author, p.updated_us, p.verified_us, p.superseded_by, p.is_pinned, p.content_hash, p.revision
  FROM pages p JOIN scopes s ON s.id = p.scope_id WHERE """

_KINDS: Final = {kind.value: kind for kind in PageKind}
_AMONG = "p.id IN (SELECT value FROM json_each(?)) ORDER BY s.workspace, s.project, p.path LIMIT ?"
_TERMS = """
SELECT id, title, headings, names, body, forms, stems, tally FROM page_terms
 WHERE id IN (SELECT value FROM json_each(?)) LIMIT ?"""
_LITERAL = """
SELECT id FROM page_bodies WHERE id IN (SELECT value FROM json_each(?)) AND instr(body, ?) LIMIT ?"""
_HEARD = """
SELECT o.id, h.session_id, o.shows, o.at_us, b.body FROM observations o
  JOIN observed h ON h.id = o.observed
  JOIN observation_bodies b ON b.id = o.id
 WHERE o.id IN (SELECT value FROM json_each(?)) ORDER BY o.id LIMIT ?"""
_BODIES = "SELECT id, body FROM page_bodies WHERE id IN (SELECT value FROM json_each(?)) LIMIT ?"
_SUPERSEDERS = """
SELECT old, min(by) FROM ({superseded}) WHERE old IN (SELECT value FROM json_each(?)) GROUP BY old LIMIT ?"""


def list_page_rows(connection: sqlite3.Connection, rest: str, values: Sequence[object]) -> list[PageRow]:
    """Read pages by what `rest`, literal SQL of this package, says after `PAGES`."""
    return [_build_page_row(row) for row in connection.execute(PAGES + rest, tuple(values))]


def list_candidates(
    connection: sqlite3.Connection, row_ids: Collection[int], literal: str, words: str
) -> list[CandidateRow]:
    """Read what ranking needs of these pages, by scope and path; `words` are the literal's, in its order."""
    wanted = json.dumps(sorted(row_ids))
    pages = list_page_rows(connection, _AMONG, (wanted, len(row_ids)))
    terms = {row[0]: row for row in connection.execute(_TERMS, (wanted, len(row_ids)))}
    # A text is read only where it may hold the literal; beyond ASCII, a part of a run has other words than the run.
    may_hold = [row_id for row_id, row in terms.items() if words in row[4]] if literal.isascii() else list(terms)
    holding = _list_holding(connection, may_hold, literal)
    found: list[CandidateRow] = []
    for page in pages:
        row = terms.get(page.row_id)
        if row is None:
            continue
        row_id, title, headings, names, body, forms, stems, tally = row
        found.append(
            CandidateRow(
                page=page,
                title=title,
                names=names,
                text=document.join_fields((title, headings, names, body, forms, stems)),
                has_literal=row_id in holding or literal in page.title,
                words=f" {body} ",
                headings=f" {headings} ",
                tally=tally,
            )
        )
    return found


def list_heard(connection: sqlite3.Connection, heard: Collection[Heard], literal: str) -> list[CandidateRow]:
    """Read what ranking needs of these observations, each with the page of its session, by their ids."""
    if not heard:
        return []
    page_ids = {each.page for each in heard}
    pages = {
        page.row_id: page
        for page in list_page_rows(connection, _AMONG, (json.dumps(sorted(page_ids)), max(1, len(page_ids))))
    }
    page_of = {each.observation: each.page for each in heard}
    wanted = json.dumps(sorted(page_of))
    found: list[CandidateRow] = []
    unpacker = Unpacker()
    for row_id, session_id, shows, at_us, body in connection.execute(_HEARD, (wanted, len(page_of))):
        heard_text = unpacker.parse(body)
        own, stems, forms = heard_text.own, heard_text.stems, heard_text.forms
        at = filters.from_microseconds(at_us)
        observation = ObservationRow(row_id, session_id, shows, at, heard_text.text)
        found.append(
            CandidateRow(
                page=pages[page_of[row_id]],
                title="",
                names="",
                text=f" {own} {forms} {stems} {build_moment(at)} ",
                has_literal=literal in heard_text.text,
                words=f" {own} ",
                near=f" {heard_text.near} ",
                observation=observation,
            )
        )
    return found


def list_bodies(connection: sqlite3.Connection, row_ids: Collection[int]) -> dict[int, str]:
    """Read the stored texts of these pages."""
    return dict(connection.execute(_BODIES, (json.dumps(sorted(row_ids)), len(row_ids))).fetchall())


def list_superseders(connection: sqlite3.Connection, row_ids: Collection[int]) -> dict[int, str]:
    """Name for each of these pages that is superseded by another page's word, the first page that says so."""
    statement = _SUPERSEDERS.format(superseded=filters.SUPERSEDED)
    return dict(connection.execute(statement, (json.dumps(sorted(row_ids)), len(row_ids))).fetchall())


def _list_holding(connection: sqlite3.Connection, row_ids: Collection[int], literal: str) -> set[int]:
    if not row_ids:
        return set()
    rows = connection.execute(_LITERAL, (json.dumps(sorted(row_ids)), literal, len(row_ids)))
    return {row_id for (row_id,) in rows}


def _build_page_row(row: Sequence[Any]) -> PageRow:
    row_id, workspace, project, path, kind, title, page_id, description, session_id, agent, author = row[:11]
    updated_us, verified_us, superseded_by, is_pinned, content_hash, revision = row[11:]
    return PageRow(
        row_id=row_id,
        scope=_find_scope(workspace, project),
        path=PagePath(path),
        kind=_KINDS[kind],
        title=title,
        id=page_id,
        description=description,
        session_id=session_id,
        agent=agent,
        author=author,
        updated_at=filters.from_microseconds(updated_us),
        verified_at=None if verified_us is None else filters.from_microseconds(verified_us),
        superseded_by=superseded_by,
        is_pinned=bool(is_pinned),
        content_hash=content_hash,
        revision=revision,
    )


@lru_cache(maxsize=1024)
def _find_scope(workspace: str, project: str) -> Scope:
    return Scope(workspace, project)
