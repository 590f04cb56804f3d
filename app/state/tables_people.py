"""The tables of people, groups, access tokens, web sessions and grants; they share the metadata of `tables.py`."""

from typing import Final

import sqlalchemy as sa

from app.state.tables import SCHEMA, UtcMicros

accounts = sa.Table(
    "accounts",
    SCHEMA,
    sa.Column("id", sa.Text(), primary_key=True),
    sa.Column("name", sa.Text(), nullable=False),
    sa.Column("role", sa.Text(), nullable=False),
    # Empty for who signs in by access tokens alone.
    sa.Column("password_hash", sa.Text(), nullable=False),
    sa.Column("created_at", UtcMicros(), nullable=False),
    sa.Column("disabled_at", UtcMicros(), nullable=True),
    # A removed account keeps its name, so that nobody inherits what it left.
    sa.Column("removed_at", UtcMicros(), nullable=True),
    sa.UniqueConstraint("name"),
)

groups = sa.Table(
    "groups",
    SCHEMA,
    sa.Column("id", sa.Text(), primary_key=True),
    sa.Column("name", sa.Text(), nullable=False),
    sa.Column("created_at", UtcMicros(), nullable=False),
    sa.UniqueConstraint("name"),
)

group_members = sa.Table(
    "group_members",
    SCHEMA,
    sa.Column("group_id", sa.Text(), sa.ForeignKey("groups.id"), primary_key=True),
    sa.Column("account_id", sa.Text(), sa.ForeignKey("accounts.id"), primary_key=True),
    sa.Index(None, "account_id"),
)

grants = sa.Table(
    "grants",
    SCHEMA,
    sa.Column("account_id", sa.Text(), sa.ForeignKey("accounts.id"), primary_key=True),
    sa.Column("project_id", sa.Text(), sa.ForeignKey("projects.id"), primary_key=True),
    sa.Column("access", sa.Text(), nullable=False),
    sa.Column("created_at", UtcMicros(), nullable=False),
    sa.Index(None, "project_id"),
)

group_grants = sa.Table(
    "group_grants",
    SCHEMA,
    sa.Column("group_id", sa.Text(), sa.ForeignKey("groups.id"), primary_key=True),
    sa.Column("project_id", sa.Text(), sa.ForeignKey("projects.id"), primary_key=True),
    sa.Column("access", sa.Text(), nullable=False),
    sa.Column("created_at", UtcMicros(), nullable=False),
    sa.Index(None, "project_id"),
)

access_tokens = sa.Table(
    "access_tokens",
    SCHEMA,
    sa.Column("id", sa.Text(), primary_key=True),
    sa.Column("account_id", sa.Text(), sa.ForeignKey("accounts.id"), nullable=False),
    sa.Column("name", sa.Text(), nullable=False),
    sa.Column("token_hash", sa.Text(), nullable=False),
    sa.Column("rights", sa.Text(), nullable=False),
    sa.Column("created_at", UtcMicros(), nullable=False),
    sa.Column("expires_at", UtcMicros(), nullable=True),
    sa.Column("last_used_at", UtcMicros(), nullable=True),
    sa.Column("revoked_at", UtcMicros(), nullable=True),
    sa.Column("hint", sa.Text(), nullable=False),
    # Ids as JSON; none where the token is good for every project of its person.
    sa.Column("projects", sa.Text(), nullable=True),
    sa.UniqueConstraint("token_hash"),
    sa.Index(None, "account_id"),
)

web_sessions = sa.Table(
    "web_sessions",
    SCHEMA,
    sa.Column("id", sa.Text(), primary_key=True),
    sa.Column("secret_hash", sa.Text(), nullable=False),
    # None for who came in by the secret of the settings.
    sa.Column("account_id", sa.Text(), sa.ForeignKey("accounts.id"), nullable=True),
    sa.Column("created_at", UtcMicros(), nullable=False),
    sa.Column("seen_at", UtcMicros(), nullable=False),
    sa.Column("expires_at", UtcMicros(), nullable=False),
    sa.Column("address", sa.Text(), nullable=False),
    # Since when the secret is the present one, none since the session began; the one to come, and the one before.
    sa.Column("renewed_at", UtcMicros(), nullable=True),
    sa.Column("next_hash", sa.Text(), nullable=True),
    sa.Column("next_at", UtcMicros(), nullable=True),
    sa.Column("former_hash", sa.Text(), nullable=True),
    sa.Column("former_until", UtcMicros(), nullable=True),
    sa.UniqueConstraint("secret_hash"),
    sa.Index(None, "account_id"),
    sa.Index(None, "expires_at"),
)

provider_subjects = sa.Table(
    "provider_subjects",
    SCHEMA,
    sa.Column("issuer", sa.Text(), primary_key=True),
    # How the provider names a person for good; names and addresses change.
    sa.Column("subject", sa.Text(), primary_key=True),
    sa.Column("account_id", sa.Text(), sa.ForeignKey("accounts.id"), nullable=False),
    sa.Column("created_at", UtcMicros(), nullable=False),
    sa.Column("seen_at", UtcMicros(), nullable=False),
    # Who said that the two are one; none where the account was made for whom the provider names.
    sa.Column("linked_by", sa.Text(), nullable=True),
    sa.Index(None, "account_id"),
)

PEOPLE_TABLES: Final = (
    accounts,
    groups,
    group_members,
    grants,
    group_grants,
    access_tokens,
    web_sessions,
    provider_subjects,
)
