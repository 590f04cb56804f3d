"""Whom identity providers speak of: the account behind each of their names for people."""

from datetime import datetime

import sqlalchemy as sa

from app.state.engine import ReadConnection, WriteConnection
from app.state.tables_people import provider_subjects

_WANTED = sa.and_(
    provider_subjects.c.issuer == sa.bindparam("wanted_issuer"),
    provider_subjects.c.subject == sa.bindparam("wanted_subject"),
)
_ACCOUNT = sa.select(provider_subjects.c.account_id).where(_WANTED)
_SEEN = sa.update(provider_subjects).where(_WANTED)


def find_account_id(conn: ReadConnection, issuer: str, subject: str) -> str | None:
    """Find the account of somebody that a provider names."""
    return conn.execute(_ACCOUNT, {"wanted_issuer": issuer, "wanted_subject": subject}).scalar_one_or_none()


def insert_subject(conn: WriteConnection, issuer: str, subject: str, account_id: str, now: datetime) -> None:
    """Say for good which account somebody is that a provider names."""
    row = {"issuer": issuer, "subject": subject, "account_id": account_id, "created_at": now, "seen_at": now}
    conn.execute(sa.insert(provider_subjects), row)


def update_seen(conn: WriteConnection, issuer: str, subject: str, now: datetime) -> None:
    """Note that somebody came in by the provider."""
    conn.execute(_SEEN.values(seen_at=now), {"wanted_issuer": issuer, "wanted_subject": subject})
