"""The audit trail: every row carries the hash of the one before it, so that a change to the past shows."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from app.domain.limits import AUDIT_ROWS_PER_READ
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import audit

_LAST = sa.select(audit.c.id, audit.c.row_hash).order_by(audit.c.id.desc()).limit(1)
_NEWEST = sa.select(audit).order_by(audit.c.id.desc()).limit(sa.bindparam("row_limit"))
_AFTER = sa.select(audit).where(audit.c.id > sa.bindparam("after_id")).order_by(audit.c.id).limit(AUDIT_ROWS_PER_READ)


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


def insert_audit(conn: WriteConnection, entry: AuditEntry) -> int:
    """Append a row to the chain and tell its id."""
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


def list_audit(conn: ReadConnection, limit: int) -> list[AuditEntry]:
    """List what was done, newest first."""
    return [_to_entry(row) for row in conn.execute(_NEWEST, {"row_limit": limit})]


def verify_audit(conn: ReadConnection) -> int | None:
    """Walk the chain and find the first row that does not follow from those before it; None if all do.

    Rows cut off at the very end leave no trace in the chain itself.
    """
    last_id, last_hash = 0, ""
    while rows := conn.execute(_AFTER, {"after_id": last_id}).all():
        for row in rows:
            is_next = row.id == last_id + 1 and row.previous_hash == last_hash
            if not is_next or row.row_hash != _hash_row(row.id, _to_entry(row), last_hash):
                return int(row.id)
            last_id, last_hash = row.id, row.row_hash
    return None


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
