"""The audit trail: every row carries the hash of the one before it, so that a change to the past shows."""

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from app.domain import errand
from app.domain.limits import AUDIT_ROWS_PER_READ
from app.domain.limits_trail import TRAIL_ROWS_RETIRED_PER_WRITE
from app.state import audit_names
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import audit

RETIRED: Final = "audit.retire"
_LAST = sa.select(audit.c.id, audit.c.row_hash).order_by(audit.c.id.desc()).limit(1)
_NEWEST = sa.select(audit).order_by(audit.c.id.desc()).limit(sa.bindparam("row_limit"))
_AFTER = sa.select(audit).where(audit.c.id > sa.bindparam("after_id")).order_by(audit.c.id).limit(AUDIT_ROWS_PER_READ)
_OLD = sa.select(audit.c.id, audit.c.at, audit.c.row_hash).order_by(audit.c.id).limit(TRAIL_ROWS_RETIRED_PER_WRITE + 1)


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Who did what to which thing; `id` is given by the trail.

    `context` is JSON about the request: by which proof, from where, on what, with which outcome.
    """

    at: datetime
    actor: str
    action: str
    subject: str
    detail: str = ""
    context: str = ""
    id: int = 0


@dataclass(frozen=True, slots=True)
class TrailFilter:
    """Which rows are wanted; empty texts want all. `action` is a beginning such as `person.`, `before_id` leads on."""

    actor: str = ""
    action: str = ""
    outcome: str = ""
    scope: str = ""
    before_id: int = 0


@dataclass(frozen=True, slots=True)
class TrailEnd:
    """The last row of the trail, by which all before it are known."""

    id: int
    row_hash: str


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known elsewhere of rows: their hashes by checkpoints, and what renamed ones say now."""

    marks: Mapping[int, str]
    renamed: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class TrailCheck:
    """What a walk along the trail found: the first row that is not as it was written, and why; None if all are."""

    rows: int
    first_id: int
    last_id: int
    checkpoints: int
    broken_at: int | None = None
    reason: str = ""


def build_context(**said: str) -> str:
    """Write what a row says of its request and its thing; what is empty is left out."""
    known = {name: value for name, value in said.items() if value}
    return msgspec.json.encode(known).decode() if known else ""


def insert_audit(conn: WriteConnection, entry: AuditEntry) -> int:
    """Append a row to the chain and tell its id; by which proof and from where it came is added where it is missing."""
    entry = replace(entry, context=_complete(entry.context))
    last = conn.execute(_LAST).one_or_none()
    entry_id, previous_hash = (1, "") if last is None else (last.id + 1, last.row_hash)
    row = {
        "id": entry_id,
        "at": entry.at,
        "actor": entry.actor,
        "action": entry.action,
        "subject": entry.subject,
        "detail": entry.detail,
        "previous_hash": previous_hash,
        "row_hash": _hash_row(entry_id, entry, previous_hash),
        "context": entry.context or None,
    }
    conn.execute(sa.insert(audit), row)
    return entry_id


def list_audit(conn: ReadConnection, limit: int, wanted: TrailFilter | None = None) -> list[AuditEntry]:
    """List what was done, newest first."""
    statement = _NEWEST if wanted is None else _NEWEST.where(*_list_conditions(wanted))
    return [_to_entry(row) for row in conn.execute(statement, {"row_limit": limit})]


def list_audit_after(conn: ReadConnection, after_id: int) -> list[AuditEntry]:
    """List the next rows after one, oldest first, as many as are read at a time."""
    return [_to_entry(row) for row in conn.execute(_AFTER, {"after_id": after_id})]


def find_end(conn: ReadConnection) -> TrailEnd | None:
    """Find the last row."""
    last = conn.execute(_LAST).one_or_none()
    return None if last is None else TrailEnd(last.id, last.row_hash)


def verify_audit(conn: ReadConnection, checkpoints: Collection[TrailEnd] = ()) -> TrailCheck:
    """Walk the chain, and compare it with what is known elsewhere of some of its rows.

    Rows cut off at the very end leave no trace in the chain itself; a checkpoint names them. What old rows the chain
    began with is known by the row that says that they were retired, and what rows say in which a pseudonym took the
    place of a purged person's name, by the row that says so.
    """
    marks = {mark.id: mark.row_hash for mark in checkpoints}
    known = _Known(marks, audit_names.list_renamed(conn))
    rows = first_id = last_id = 0
    start = last_hash = ""
    retired: set[tuple[str, str]] = set()
    for row in _walk(conn):
        if not rows:
            first_id, last_id, start, last_hash = row.id, row.id - 1, row.previous_hash, row.previous_hash
        reason = _find_fault(row, last_id, last_hash, known)
        if reason:
            return TrailCheck(rows, first_id, last_id, len(marks), int(row.id), reason)
        if row.action == RETIRED:
            retired.add((row.subject, row.detail))
        rows, last_id, last_hash = rows + 1, row.id, row.row_hash
    found = TrailCheck(rows, first_id, last_id, len(marks))
    is_start_known = (str(first_id - 1), start) in retired if first_id > 1 else not start
    if not is_start_known:
        return _fail(found, first_id, "the rows before it are gone, and nothing says that they were retired")
    ahead = min((mark for mark in marks if mark > last_id), default=0)
    return _fail(found, last_id + 1, f"a checkpoint in the wiki's history knows row {ahead}") if ahead else found


def retire_audit(conn: WriteConnection, before: datetime, now: datetime) -> int:
    """Remove the oldest rows that are older than a moment, and say in a row which they were; tells how many."""
    old = conn.execute(_OLD).all()
    # The last row stays in any case, since the chain goes on from it.
    gone = list(takewhile(lambda row: row.at < before, old[:-1]))
    if not gone:
        return 0
    last = gone[-1]
    insert_audit(conn, AuditEntry(now, "-", RETIRED, str(last.id), last.row_hash))
    conn.execute(sa.delete(audit).where(audit.c.id <= last.id))
    return len(gone)


def _complete(context: str) -> str:
    """Add where the present errand comes from to what a row says itself."""
    by = errand.find_origin()
    found = {"token": by.token_id, "web_session": by.web_session_id, "address": by.address, "request": by.request_id}
    if not any(found.values()):
        return context
    said: dict[str, str] = msgspec.json.decode(context) if context else {}
    return build_context(**(found | said))


def _list_conditions(wanted: TrailFilter) -> Iterator[sa.ColumnElement[bool]]:
    if wanted.before_id:
        yield audit.c.id < wanted.before_id
    if wanted.actor:
        yield audit.c.actor == wanted.actor
    if wanted.action:
        yield audit.c.action.startswith(wanted.action, autoescape=True)
    for name, value in (("outcome", wanted.outcome), ("scope", wanted.scope)):
        if value:
            said = f'"{name}":{msgspec.json.encode(value).decode()}'
            yield audit.c.context.contains(said, autoescape=True)


def _walk(conn: ReadConnection) -> Iterator[sa.Row[*tuple[Any, ...]]]:
    last_id = 0
    while rows := conn.execute(_AFTER, {"after_id": last_id}).all():
        yield from rows
        last_id = rows[-1].id


def _find_fault(row: sa.Row[*tuple[Any, ...]], last_id: int, last_hash: str, known: _Known) -> str:
    if row.id != last_id + 1 or row.previous_hash != last_hash:
        return "it does not follow from the row before it"
    is_renamed = row.id in known.renamed and known.renamed[row.id] == audit_names.build_digest(row)
    if not is_renamed and row.row_hash != _hash_row(row.id, _to_entry(row), last_hash):
        return "it was changed since it was written"
    if known.marks.get(row.id, row.row_hash) != row.row_hash:
        return "a checkpoint in the wiki's history knows another row there"
    return ""


def _fail(found: TrailCheck, broken_at: int, reason: str) -> TrailCheck:
    return TrailCheck(found.rows, found.first_id, found.last_id, found.checkpoints, broken_at, reason)


def _hash_row(entry_id: int, entry: AuditEntry, previous_hash: str) -> str:
    facts = [entry_id, entry.at, entry.actor, entry.action, entry.subject, entry.detail, previous_hash]
    # Rows of before there was a context keep the hash that they have.
    facts += [entry.context] if entry.context else []
    return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()


def _to_entry(row: sa.Row[*tuple[Any, ...]]) -> AuditEntry:
    return AuditEntry(
        at=row.at,
        actor=row.actor,
        action=row.action,
        subject=row.subject,
        detail=row.detail,
        context=row.context or "",
        id=row.id,
    )
