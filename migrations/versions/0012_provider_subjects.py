"""Whom identity providers speak of, and which account that is."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table; nobody has come by a provider before."""
    op.create_table(
        "provider_subjects",
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("issuer", "subject", name="pk_provider_subjects"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_provider_subjects_account_id"),
    )
    op.create_index("ix_provider_subjects_account_id", "provider_subjects", ["account_id"])
