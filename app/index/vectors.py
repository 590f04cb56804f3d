"""Vectors in the index: which texts still lack one, and those there are, each with the model that made it."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.limits import EMBEDDED_BEGINNING_CHARS_MAX, EMBEDDED_CHARS_MAX, EMBEDDED_PIECES_MAX
from app.index import embed
from app.index.embed import EmbedderName
from app.index.filters import Conditions
from app.index.heard_text import Unpacker

# What people and agents said; commands and their output are found by their words.
_SPOKEN: Final = "('prompt', 'answer', 'subagent''s answer')"

_PAGES: Final = """
SELECT p.id, p.title, b.body,
       EXISTS (SELECT 1 FROM observed h WHERE h.session_id = p.session_id AND h.scope_id = p.scope_id)
  FROM pages p JOIN page_bodies b ON b.id = p.id
 WHERE """
_OBSERVATIONS: Final = f"""
SELECT o.id, b.body FROM observations o JOIN observation_bodies b ON b.id = o.id
 WHERE o.shows IN {_SPOKEN} AND """  # noqa: S608 - literal SQL of ours
# Pages by their numbers: one that is written again and again while sessions come in has a new one each time, and waits.
_PAGES_WITHOUT: Final = f"""{_PAGES}
       NOT EXISTS (SELECT 1 FROM vectors v WHERE v.page = p.id AND v.observation = 0 AND v.embedder = ?)
 ORDER BY p.id LIMIT ?"""  # noqa: S608 - literal SQL of ours
_OBSERVATIONS_WITHOUT: Final = f"""{_OBSERVATIONS}
       NOT EXISTS (SELECT 1 FROM vectors v WHERE v.page = 0 AND v.observation = o.id AND v.embedder = ?)
 ORDER BY o.id DESC LIMIT ?"""  # noqa: S608 - literal SQL of ours
_OF_SESSION: Final = "SELECT o.id FROM observations o JOIN observed h ON h.id = o.observed WHERE h.session_id = ?"
_RENUMBER: Final = f"""
INSERT OR REPLACE INTO vectors (embedder, page, observation, position, start, vector)
SELECT embedder, page, observation, position, start, vector FROM vectors
 WHERE page = 0 AND observation IN ({_OF_SESSION})"""  # noqa: S608 - literal SQL of ours
_AMONG: Final = "id IN (SELECT value FROM json_each(?)) LIMIT ?"
_COUNTS: Final = f"""
SELECT (SELECT count(*) FROM pages) + (SELECT count(*) FROM observations WHERE shows IN {_SPOKEN}),
       (SELECT count(*) FROM vectors WHERE embedder = ? AND position = 0)"""  # noqa: S608 - literal SQL of ours
_STORED: Final = """
SELECT v.id, v.observation, coalesce(p.scope_id, h.scope_id, 0), v.vector FROM vectors v
  LEFT JOIN pages p ON p.id = v.page LEFT JOIN observations o ON o.id = v.observation
  LEFT JOIN observed h ON h.id = o.observed
 WHERE v.embedder = ? AND v.id > ? AND length(v.vector) > 0 ORDER BY v.id LIMIT ?"""
_NEAR_PAGES: Final = """
SELECT v.id, p.id, 0, v.start, s.workspace || '/' || s.project || '/' || p.path FROM vectors v
  JOIN pages p ON p.id = v.page
  JOIN scopes s ON s.id = p.scope_id
 WHERE v.observation = 0 AND {conditions} AND {chosen} ORDER BY v.id LIMIT ?"""
# As in the words of observations: a page answers for a session of its own project only.
_NEAR_OBSERVATIONS: Final = """
SELECT v.id, p.id, v.observation, v.start, p.path FROM vectors v
  JOIN observations o ON o.id = v.observation
  JOIN observed h ON h.id = o.observed
  JOIN pages p ON p.scope_id = h.scope_id AND p.session_id = h.session_id AND p.kind = 'session'
  JOIN scopes s ON s.id = p.scope_id
 WHERE p.session_id <> '' AND {conditions} AND {chosen} ORDER BY v.id, p.path LIMIT ?"""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a page or, with `page` 0, of an observation; `text` is empty where nothing is there to embed."""

    page: int
    observation: int
    position: int
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class Stored:
    """A vector of a page's or an observation's text, by its number, which is never given twice."""

    id: int
    observation: int
    scope_id: int
    vector: bytes


@dataclass(frozen=True, slots=True)
class Owner:
    """What a vector stands for; `place` orders equals."""

    page: int
    observation: int
    start: int
    place: str


@dataclass(frozen=True, slots=True)
class Near:
    """What a vector stands for, and how like the question it is, as a cosine."""

    owner: Owner
    likeness: float


def find_embedder(connection: sqlite3.Connection, name: EmbedderName) -> int:
    """Find the number by which the index knows a model; 0 if it has no vector of it."""
    row = connection.execute(
        "SELECT id FROM embedders WHERE model = ? AND revision = ?", (name.model, name.revision)
    ).fetchone()
    return 0 if row is None else int(row[0])


def claim_embedder(connection: sqlite3.Connection, name: EmbedderName) -> int:
    """Find the number of a model, or give it one."""
    connection.execute("INSERT OR IGNORE INTO embedders (model, revision) VALUES (?, ?)", (name.model, name.revision))
    return find_embedder(connection, name)


def find_birth(connection: sqlite3.Connection) -> int:
    """Tell this file from the one that was at its place before."""
    return int(connection.execute("SELECT value FROM meta WHERE name = 'birth'").fetchone()[0])


def list_waiting(connection: sqlite3.Connection, embedder: int, limit: int) -> list[Piece]:
    """List texts without a vector of this model: pages, then what was said last; each owner whole.

    What a session's page says after its beginning was said in the session, and has vectors there.
    """
    found = list(_cut_pages(connection.execute(_PAGES_WITHOUT, (embedder, limit))))
    return found or list(_cut_observations(connection.execute(_OBSERVATIONS_WITHOUT, (embedder, limit))))


def walk_texts(connection: sqlite3.Connection) -> Iterator[str]:
    """Walk all texts that have, or should have, a vector."""
    for walk in (
        _cut_pages(connection.execute(f"{_PAGES} 1 LIMIT -1")),
        _cut_observations(connection.execute(f"{_OBSERVATIONS} 1 LIMIT -1")),
    ):
        yield from (piece.text for piece in walk if piece.text)


def count_stored(connection: sqlite3.Connection) -> int:
    """Count the vectors of all models, and the texts of which there is none to make."""
    return int(connection.execute("SELECT count(*) FROM vectors").fetchone()[0])


def count_embedded(connection: sqlite3.Connection, embedder: int) -> tuple[int, int]:
    """Count the texts that should have a vector, and those that have one of this model."""
    total, done = connection.execute(_COUNTS, (embedder,)).fetchone()
    return int(total), int(done)


def insert_vectors(
    connection: sqlite3.Connection, embedder: int, made: Sequence[tuple[Piece, bytes]]
) -> list[tuple[Piece, bytes]]:
    """Add vectors, those whose text still stands there as it was; an empty one says that there was nothing to embed.

    Returns those that were added: a page may have been written anew meanwhile, under the same number too.
    """
    there = _list_there(connection, [piece for piece, _ in made])
    kept = [(piece, vector) for piece, vector in made if piece in there]
    connection.executemany(
        "INSERT OR IGNORE INTO vectors (embedder, page, observation, position, start, vector)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [(embedder, piece.page, piece.observation, piece.position, piece.start, vector) for piece, vector in kept],
    )
    return kept


def _list_there(connection: sqlite3.Connection, pieces: Sequence[Piece]) -> frozenset[Piece]:
    pages = sorted({piece.page for piece in pieces if piece.page})
    heard = sorted({piece.observation for piece in pieces if not piece.page})
    return frozenset(
        (
            *_cut_pages(connection.execute(f"{_PAGES} p.{_AMONG}", (json.dumps(pages), len(pages)))),
            *_cut_observations(connection.execute(f"{_OBSERVATIONS} o.{_AMONG}", (json.dumps(heard), len(heard)))),
        )
    )


def delete_of_session(connection: sqlite3.Connection, session_id: str) -> None:
    """Take out the vectors of a session's observations."""
    connection.execute(
        f"DELETE FROM vectors WHERE page = 0 AND observation IN ({_OF_SESSION})",  # noqa: S608 - literal SQL of ours
        (session_id,),
    )


def renumber_session(connection: sqlite3.Connection, session_id: str) -> None:
    """Give the vectors of a session's observations new numbers, so that those in memory, of another scope, go."""
    connection.execute(
        _RENUMBER,
        (session_id,),
    )


def list_stored(connection: sqlite3.Connection, embedder: int, after: int, limit: int) -> list[Stored]:
    """List a model's vectors by their numbers, those behind `after`."""
    return [Stored(*row) for row in connection.execute(_STORED, (embedder, after, limit))]


def list_vectors(connection: sqlite3.Connection, ids: Collection[int]) -> dict[int, bytes]:
    """Read the vectors of these numbers."""
    rows = connection.execute(
        "SELECT id, vector FROM vectors WHERE id IN (SELECT value FROM json_each(?)) LIMIT ?",
        (json.dumps(sorted(ids)), len(ids)),
    )
    return dict(rows.fetchall())


def list_owners(
    connection: sqlite3.Connection, ids: Collection[int], conditions: Conditions, *, is_heard: bool
) -> dict[int, list[Owner]]:
    """Tell what these vectors stand for, those that the filter lets through."""
    statement = _NEAR_OBSERVATIONS if is_heard else _NEAR_PAGES
    chosen = "v.id IN (SELECT value FROM json_each(?))"
    values = (*conditions.values, json.dumps(sorted(ids)), 4 * len(ids))
    found: dict[int, list[Owner]] = {}
    for row_id, *rest in connection.execute(statement.format(conditions=conditions.sql, chosen=chosen), values):
        found.setdefault(row_id, []).append(Owner(*rest))
    return found


def list_allowed(connection: sqlite3.Connection, embedder: int, conditions: Conditions, *, is_heard: bool) -> list[int]:
    """List the numbers of all vectors that a rare filter lets through, however many there are."""
    statement = _NEAR_OBSERVATIONS if is_heard else _NEAR_PAGES
    rows = connection.execute(
        statement.format(conditions=conditions.sql, chosen="v.embedder = ?"), (*conditions.values, embedder, -1)
    )
    return [row[0] for row in rows]


def _cut_pages(rows: Iterable[tuple[int, str, str, int]]) -> Iterator[Piece]:
    for page, title, body, is_heard in rows:
        yield from _cut(page, 0, body[: EMBEDDED_BEGINNING_CHARS_MAX if is_heard else None], title)


def _cut_observations(rows: Iterable[tuple[int, bytes]]) -> Iterator[Piece]:
    unpacker = Unpacker()
    for observation, body in rows:
        heard = unpacker.parse(body)
        yield from _cut(0, observation, heard.text, "", heard.near)


def _cut(page: int, observation: int, text: str, title: str, near: str = "") -> Iterator[Piece]:
    """Cut a text to what the model reads at once, each piece below the title."""
    if not embed.is_latin(text) and not embed.is_latin(title):
        yield Piece(page, observation, 0, 0, "")
        return
    starts = range(0, max(1, len(text)), EMBEDDED_CHARS_MAX)
    for position, start in enumerate(starts[:EMBEDDED_PIECES_MAX]):
        part = text[start : start + EMBEDDED_CHARS_MAX]
        yield Piece(page, observation, position, start, "\n".join(filter(None, (title, part, near))))
