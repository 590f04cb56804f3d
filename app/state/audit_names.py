"""Takes a person's name out of the trail: rows say a pseudonym, and a row that follows them says which, and how.

The chain stays as it was: each row keeps its hash and that of the one before, so that checkpoints still hold. What a
changed row says now cannot be told by its own hash any more; the later row, which the chain binds, has the digest.
"""

import hashlib
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from app.domain.limits import AUDIT_ROWS_PER_READ
from app.state import person_rows
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import audit

RENAMED: Final = "audit.pseudonym"
ROWS_PER_MARK: Final = 200
_DIGEST_CHARS: Final = 32
_FACTS: Final = (audit.c.id, audit.c.actor, audit.c.action, audit.c.subject, audit.c.detail, audit.c.context)
_SAID: Final = ("actor", "subject", "detail", "context")


def replace_name(conn: WriteConnection, name: str, pseudonym: str) -> list[str]:
    """Put a pseudonym in the place of a name in all rows; gives the details of the rows that have to say so."""
    pattern = person_rows.build_name_pattern(name)
    named = sa.or_(*(audit.c[column].contains(name, autoescape=True) for column in _SAID))
    marks: list[str] = []
    last_id = 0
    while rows := conn.execute(_list_next(named, last_id)).all():
        last_id = rows[-1].id
        for row in rows:
            said = {column: getattr(row, column) for column in _SAID}
            new = {column: pattern.sub(pseudonym, text) if text else text for column, text in said.items()}
            if new != said and row.action != RENAMED:
                conn.execute(sa.update(audit).where(audit.c.id == row.id).values(new))
                renamed = conn.execute(sa.select(*_FACTS).where(audit.c.id == row.id)).one()
                marks.append(f"{row.id}:{build_digest(renamed)}")
    return [" ".join(marks[start : start + ROWS_PER_MARK]) for start in range(0, len(marks), ROWS_PER_MARK)]


def list_renamed(conn: ReadConnection) -> dict[int, str]:
    """List the rows that were changed, with the digest of what each says now; of several the last."""
    found: dict[int, str] = {}
    rows = conn.execute(sa.select(audit.c.detail).where(audit.c.action == RENAMED).order_by(audit.c.id))
    for detail in rows.scalars():
        for mark in detail.split():
            row_id, _, digest = mark.partition(":")
            if row_id.isdecimal():
                found[int(row_id)] = digest
    return found


def build_digest(row: sa.Row[*tuple[Any, ...]]) -> str:
    """Build the digest of what a row says."""
    facts = [row.id, row.actor, row.action, row.subject, row.detail, row.context or ""]
    return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()[:_DIGEST_CHARS]


def _list_next(named: sa.ColumnElement[bool], last_id: int) -> sa.Select[Any]:
    return sa.select(*_FACTS).where(named, audit.c.id > last_id).order_by(audit.c.id).limit(AUDIT_ROWS_PER_READ)
