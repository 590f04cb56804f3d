"""People's tokens as they are used, groups, web sessions, and what an audit row is about."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add tables and columns; no release has written a token, so that their table is made anew."""
    op.add_column("accounts", sa.Column("removed_at", sa.BigInteger(), nullable=True))
    op.add_column("audit", sa.Column("context", sa.Text(), nullable=True))
    op.drop_table("access_tokens")
    _create_tokens()
    op.create_table(
        "groups",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_groups"),
        sa.UniqueConstraint("name", name="uq_groups_name"),
    )
    op.create_table(
        "group_members",
        sa.Column("group_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("group_id", "account_id", name="pk_group_members"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_group_members_group_id"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_group_members_account_id"),
    )
    op.create_index("ix_group_members_account_id", "group_members", ["account_id"])
    op.create_table(
        "group_grants",
        sa.Column("group_id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("access", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("group_id", "project_id", name="pk_group_grants"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_group_grants_group_id"),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_group_grants_project_id"),
    )
    op.create_index("ix_group_grants_project_id", "group_grants", ["project_id"])
    _create_web_sessions()


def _create_tokens() -> None:
    op.create_table(
        "access_tokens",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("rights", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.Column("hint", sa.Text(), nullable=False),
        sa.Column("projects", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_access_tokens"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_access_tokens_account_id"),
        sa.UniqueConstraint("token_hash", name="uq_access_tokens_token_hash"),
    )
    op.create_index("ix_access_tokens_account_id", "access_tokens", ["account_id"])


def _create_web_sessions() -> None:
    op.create_table(
        "web_sessions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("secret_hash", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_web_sessions"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_web_sessions_account_id"),
        sa.UniqueConstraint("secret_hash", name="uq_web_sessions_secret_hash"),
    )
    op.create_index("ix_web_sessions_account_id", "web_sessions", ["account_id"])
    op.create_index("ix_web_sessions_expires_at", "web_sessions", ["expires_at"])
