"""Writes a session's observations into the index and takes them out; which project they are of, the caller says."""

import sqlite3
from collections.abc import Iterable

from app.domain.scope import Scope
from app.index import aliases, filters, stems, vectors
from app.index.observation import ObservationEntry

_INSERT = "INSERT INTO observations (id, scope_id, session_id, shows, at_us, text) VALUES (?, ?, ?, ?, ?, ?)"
_INSERT_TEXT = """
INSERT INTO observation_text (rowid, own, stems, forms, near, moment, facets) VALUES (?, ?, ?, ?, ?, ?, ?)"""
_OWN_TEXT = """
SELECT o.id, t.own, t.stems, t.forms, t.facets FROM observations o JOIN observation_text t ON t.rowid = o.id
 WHERE o.session_id = ? ORDER BY o.id"""
_INSERT_SESSION = "INSERT INTO session_text (rowid, own, stems, forms, facets) VALUES (?, ?, ?, ?, ?)"
# FTS5 forgets a row without content only when it is told what stood there.
_DELETE_SESSION = """
INSERT INTO session_text (session_text, rowid, own, stems, forms, facets) VALUES ('delete', ?, ?, ?, ?, ?)"""
_SET_FACETS = """
UPDATE observation_text SET facets = ? WHERE rowid IN (SELECT id FROM observations WHERE session_id = ?)"""
_DELETE = (
    "DELETE FROM observation_text WHERE rowid IN (SELECT id FROM observations WHERE session_id = ?)",
    "DELETE FROM observations WHERE session_id = ?",
    "DELETE FROM observed WHERE session_id = ?",
)


def put_session(
    connection: sqlite3.Connection, scope: Scope, session_id: str, entries: Iterable[ObservationEntry], through: int
) -> None:
    """Put a session's observations in, in place of those that were there; `through` is the last that was looked at."""
    _delete_session(connection, session_id)
    scope_id = aliases.claim_scope_id(connection, scope)
    connection.execute(
        "INSERT INTO observed (session_id, scope_id, through) VALUES (?, ?, ?)", (session_id, scope_id, through)
    )
    for entry in entries:
        connection.execute(
            _INSERT,
            (entry.id, scope_id, session_id, entry.shows, filters.to_microseconds(entry.at), entry.text),
        )
        own = entry.terms
        new_stems = " ".join(stems.list_new_stems(own))
        connection.execute(
            _INSERT_TEXT,
            (entry.id, own.words, new_stems, " ".join(own.forms), entry.near, entry.moment, f"s{scope_id}"),
        )
    _write_whole(connection, session_id, _INSERT_SESSION)


def remove_session(connection: sqlite3.Connection, session_id: str) -> None:
    """Take a session's observations out, with their vectors."""
    vectors.delete_of_session(connection, session_id)
    _delete_session(connection, session_id)


def remove_scope_observations(connection: sqlite3.Connection, scope_id: int) -> None:
    """Take the observations of all sessions of a scope out."""
    found = connection.execute("SELECT session_id FROM observed WHERE scope_id = ? ORDER BY session_id", (scope_id,))
    for (session_id,) in found.fetchall():
        remove_session(connection, session_id)


def move_scope_observations(connection: sqlite3.Connection, scope_id: int, to_scope_id: int) -> None:
    """Put the observations of all sessions of a scope under another; no word of them is read anew."""
    found = connection.execute("SELECT session_id FROM observed WHERE scope_id = ? ORDER BY session_id", (scope_id,))
    for (session_id,) in found.fetchall():
        _write_whole(connection, session_id, _DELETE_SESSION)
        connection.execute("UPDATE observations SET scope_id = ? WHERE session_id = ?", (to_scope_id, session_id))
        connection.execute(_SET_FACETS, (f"s{to_scope_id}", session_id))
        connection.execute("UPDATE observed SET scope_id = ? WHERE session_id = ?", (to_scope_id, session_id))
        _write_whole(connection, session_id, _INSERT_SESSION)
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


def _delete_session(connection: sqlite3.Connection, session_id: str) -> None:
    _write_whole(connection, session_id, _DELETE_SESSION)
    # Vectors stay for those that come again: an observation never changes.
    for statement in _DELETE:
        connection.execute(statement, (session_id,))


def _write_whole(connection: sqlite3.Connection, session_id: str, statement: str) -> None:
    """Write, or take back, all observations of a session as one text."""
    found = connection.execute(_OWN_TEXT, (session_id,)).fetchall()
    if found:
        row_ids, *fields, facets = zip(*found, strict=True)
        connection.execute(statement, (row_ids[0], *(" ".join(field) for field in fields), facets[0]))
        # FTS5 gives a word that half of all rows have no weight at all, and in a small team's sessions that is most
        # words. With an empty row beside each session no word is in more than half of the rows.
        connection.execute(statement, (-row_ids[0], "", "", "", ""))
