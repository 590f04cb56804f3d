"""Whom identity providers speak of: the account behind each of their names for people."""

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from app.domain.limits import LIST_LIMIT_MAX
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables_people import provider_subjects


@dataclass(frozen=True, slots=True)
class ProviderSubject:
    """An account and how a provider names its person; `linked_by` is empty where the account was made for it."""

    account_id: str
    issuer: str
    subject: str
    linked_by: str = ""


_WANTED = sa.and_(
    provider_subjects.c.issuer == sa.bindparam("wanted_issuer"),
    provider_subjects.c.subject == sa.bindparam("wanted_subject"),
)
_ACCOUNT = sa.select(provider_subjects.c.account_id).where(_WANTED)
_IS_LINKED = sa.select(provider_subjects.c.linked_by).where(_WANTED)
_SUBJECTS = (
    sa.select(
        provider_subjects.c.account_id,
        provider_subjects.c.issuer,
        provider_subjects.c.subject,
        provider_subjects.c.linked_by,
    )
    .order_by(provider_subjects.c.account_id, provider_subjects.c.issuer, provider_subjects.c.subject)
    .limit(LIST_LIMIT_MAX)
)
_SEEN = sa.update(provider_subjects).where(_WANTED)


def find_account_id(conn: ReadConnection, issuer: str, subject: str) -> str | None:
    """Find the account of somebody that a provider names."""
    return conn.execute(_ACCOUNT, {"wanted_issuer": issuer, "wanted_subject": subject}).scalar_one_or_none()


def is_linked(conn: ReadConnection, issuer: str, subject: str) -> bool:
    """Tell whether a person or an administrator has said which account somebody is that a provider names."""
    return conn.execute(_IS_LINKED, {"wanted_issuer": issuer, "wanted_subject": subject}).scalar() is not None


def list_subjects(conn: ReadConnection, account_id: str | None = None) -> list[ProviderSubject]:
    """List whom providers name, of one account or of all."""
    statement = _SUBJECTS if account_id is None else _SUBJECTS.where(provider_subjects.c.account_id == account_id)
    return [
        ProviderSubject(row.account_id, row.issuer, row.subject, row.linked_by or "") for row in conn.execute(statement)
    ]


def insert_subject(conn: WriteConnection, subject: ProviderSubject, now: datetime) -> None:
    """Say which account somebody is that a provider names."""
    row = {
        "issuer": subject.issuer,
        "subject": subject.subject,
        "account_id": subject.account_id,
        "created_at": now,
        "seen_at": now,
        "linked_by": subject.linked_by or None,
    }
    conn.execute(sa.insert(provider_subjects), row)


def delete_subjects(conn: WriteConnection, account_id: str) -> int:
    """Forget whom providers name of an account; tells how many that were."""
    return conn.execute(sa.delete(provider_subjects).where(provider_subjects.c.account_id == account_id)).rowcount


def update_seen(conn: WriteConnection, issuer: str, subject: str, now: datetime) -> None:
    """Note that somebody came in by the provider."""
    conn.execute(_SEEN.values(seen_at=now), {"wanted_issuer": issuer, "wanted_subject": subject})
