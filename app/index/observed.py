"""Writes a session's observations into the index and takes them out; which project they are of, the caller says."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from app.domain.scope import Scope
from app.index import aliases, filters, vectors
from app.index.heard_text import HeardText, Packer, Unpacker, build_heard_text
from app.index.observation import ObservationEntry, build_moment

_OBSERVED = "SELECT id, scope_id FROM observed WHERE session_id = ?"
_INSERT_OBSERVED = "INSERT INTO observed (session_id, scope_id, through) VALUES (?, ?, ?)"
_ROWS = """
SELECT o.id, o.shows, o.at_us, b.body FROM observations o JOIN observation_bodies b ON b.id = o.id
 WHERE o.observed = ? ORDER BY o.id"""
_INSERT = "INSERT INTO observations (id, observed, shows, at_us) VALUES (?, ?, ?, ?)"
_INSERT_BODY = "INSERT INTO observation_bodies (id, body) VALUES (?, ?)"
_INSERT_TEXT = """
INSERT INTO observation_text (rowid, own, stems, forms, near, moment, facets) VALUES (?, ?, ?, ?, ?, ?, ?)"""
# FTS5 forgets a row without content only when it is told what stood there.
_DELETE_TEXT = """
INSERT INTO observation_text (observation_text, rowid, own, stems, forms, near, moment, facets)
VALUES ('delete', ?, ?, ?, ?, ?, ?, ?)"""
_INSERT_SESSION = "INSERT INTO session_text (rowid, own, stems, forms, facets) VALUES (?, ?, ?, ?, ?)"
_DELETE_SESSION = """
INSERT INTO session_text (session_text, rowid, own, stems, forms, facets) VALUES ('delete', ?, ?, ?, ?, ?)"""
_OF_SCOPE: Final = "SELECT session_id FROM observed WHERE scope_id = ? ORDER BY session_id"


class _Row(NamedTuple):
    """An observation as its tables hold it; one that is equal to another needs no writing."""

    shows: str
    at_us: int
    body: bytes


class _Heard(NamedTuple):
    """What the full text is told of an observation."""

    text: HeardText
    moment: str


_Texts = Mapping[int, _Heard]


def put_session(
    connection: sqlite3.Connection, scope: Scope, session_id: str, entries: Iterable[ObservationEntry], through: int
) -> None:
    """Put a session's observations in, in place of those that were there; `through` is the last that was looked at.

    Vectors stay for those that come again: an observation never changes. Of a session that grew, only what is new or
    stands beside it is written.
    """
    scope_id = aliases.claim_scope_id(connection, scope)
    found = connection.execute(_OBSERVED, (session_id,)).fetchone()
    if found is not None and found[1] != scope_id:
        _delete_session(connection, session_id)
        found = None
    if found is None:
        number = connection.execute(_INSERT_OBSERVED, (session_id, scope_id, through)).lastrowid
        assert number is not None, "it was inserted"
    else:
        number = int(found[0])
        connection.execute("UPDATE observed SET through = ? WHERE id = ?", (through, number))
    facets = f"s{scope_id}"
    before, texts_before = _read_session(connection, number)
    after, texts_after = _build_rows(entries)
    gone = [row_id for row_id in before if before[row_id] != after.get(row_id)]
    come = [row_id for row_id in after if after[row_id] != before.get(row_id)]
    if not gone and not come:
        return
    _write_whole(connection, _DELETE_SESSION, texts_before, facets)
    _delete_rows(connection, {row_id: texts_before[row_id] for row_id in gone}, facets)
    connection.executemany(_INSERT, [(row_id, number, after[row_id].shows, after[row_id].at_us) for row_id in come])
    connection.executemany(_INSERT_BODY, [(row_id, after[row_id].body) for row_id in come])
    _write_texts(connection, _INSERT_TEXT, {row_id: texts_after[row_id] for row_id in come}, facets)
    _write_whole(connection, _INSERT_SESSION, texts_after, facets)


def remove_session(connection: sqlite3.Connection, session_id: str) -> None:
    """Take a session's observations out, with their vectors."""
    vectors.delete_of_session(connection, session_id)
    _delete_session(connection, session_id)


def remove_scope_observations(connection: sqlite3.Connection, scope_id: int) -> None:
    """Take the observations of all sessions of a scope out."""
    for (session_id,) in connection.execute(_OF_SCOPE, (scope_id,)).fetchall():
        remove_session(connection, session_id)


def move_scope_observations(connection: sqlite3.Connection, scope_id: int, to_scope_id: int) -> None:
    """Put the observations of all sessions of a scope under another; no word of them is read anew."""
    for (session_id,) in connection.execute(_OF_SCOPE, (scope_id,)).fetchall():
        number, _ = connection.execute(_OBSERVED, (session_id,)).fetchone()
        _, texts = _read_session(connection, number)
        for delete, insert, write in (
            (_DELETE_SESSION, _INSERT_SESSION, _write_whole),
            (_DELETE_TEXT, _INSERT_TEXT, _write_texts),
        ):
            write(connection, delete, texts, f"s{scope_id}")
            write(connection, insert, texts, f"s{to_scope_id}")
        connection.execute("UPDATE observed SET scope_id = ? WHERE id = ?", (to_scope_id, number))
        vectors.renumber_session(connection, session_id)


def find_through(connection: sqlite3.Connection, session_id: str) -> int:
    """Find up to which observation a session is in the index; 0 for a session that is not."""
    row = connection.execute("SELECT through FROM observed WHERE session_id = ?", (session_id,)).fetchone()
    return 0 if row is None else int(row[0])


def count_observations(connection: sqlite3.Connection) -> int:
    """Count the observations of all sessions."""
    return int(connection.execute("SELECT count(*) FROM observations").fetchone()[0])


def is_complete(connection: sqlite3.Connection) -> bool:
    """Tell whether every compiled session was ever looked at; a file that was made anew has to be filled first."""
    return connection.execute("SELECT value FROM meta WHERE name = 'observed'").fetchone() is not None


def mark_complete(connection: sqlite3.Connection) -> None:
    """Note that every compiled session is in the file."""
    connection.execute("INSERT OR REPLACE INTO meta (name, value) VALUES ('observed', 1)")


def _build_rows(entries: Iterable[ObservationEntry]) -> tuple[dict[int, _Row], dict[int, _Heard]]:
    packer = Packer()
    rows: dict[int, _Row] = {}
    texts: dict[int, _Heard] = {}
    for entry in sorted(entries, key=lambda each: each.id):
        text = build_heard_text(entry)
        rows[entry.id] = _Row(entry.shows, filters.to_microseconds(entry.at), packer.render(text))
        texts[entry.id] = _Heard(text, build_moment(entry.at))
    return rows, texts


def _read_session(connection: sqlite3.Connection, number: int) -> tuple[dict[int, _Row], dict[int, _Heard]]:
    unpacker = Unpacker()
    rows: dict[int, _Row] = {}
    texts: dict[int, _Heard] = {}
    for row_id, shows, at_us, body in connection.execute(_ROWS, (number,)):
        rows[row_id] = _Row(shows, at_us, body)
        texts[row_id] = _Heard(unpacker.parse(body), build_moment(filters.from_microseconds(at_us)))
    return rows, texts


def _delete_session(connection: sqlite3.Connection, session_id: str) -> None:
    found = connection.execute(_OBSERVED, (session_id,)).fetchone()
    if found is None:
        return
    number, scope_id = found
    _, texts = _read_session(connection, number)
    _write_whole(connection, _DELETE_SESSION, texts, f"s{scope_id}")
    _delete_rows(connection, texts, f"s{scope_id}")
    connection.execute("DELETE FROM observed WHERE id = ?", (number,))


def _delete_rows(connection: sqlite3.Connection, texts: _Texts, facets: str) -> None:
    _write_texts(connection, _DELETE_TEXT, texts, facets)
    connection.executemany("DELETE FROM observation_bodies WHERE id = ?", [(row_id,) for row_id in texts])
    connection.executemany("DELETE FROM observations WHERE id = ?", [(row_id,) for row_id in texts])


def _write_texts(connection: sqlite3.Connection, statement: str, texts: _Texts, facets: str) -> None:
    """Write observations into the full text, or take them back."""
    connection.executemany(
        statement,
        [
            (row_id, text.own, text.stems, text.forms, text.near, moment, facets)
            for row_id, (text, moment) in texts.items()
        ],
    )


def _write_whole(connection: sqlite3.Connection, statement: str, texts: _Texts, facets: str) -> None:
    """Write, or take back, all observations of a session as one text."""
    if not texts:
        return
    fields = (
        " ".join(text.own for text, _ in texts.values()),
        " ".join(text.stems for text, _ in texts.values()),
        " ".join(text.forms for text, _ in texts.values()),
    )
    first = next(iter(texts))
    connection.execute(statement, (first, *fields, facets))
    # FTS5 gives a word that half of all rows have no weight at all, and in a small team's sessions that is most
    # words. With an empty row beside each session no word is in more than half of the rows.
    connection.execute(statement, (-first, "", "", "", ""))
