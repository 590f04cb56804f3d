"""Add tombstones, what a session continues, and whether it was opted out of."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table and add the columns; what was stored before has continued nothing."""
    op.create_table(
        "tombstones",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "key", name="pk_tombstones"),
    )
    op.create_index("ix_tombstones_key", "tombstones", ["key"])
    op.add_column("sessions", sa.Column("continues", sa.Text(), nullable=True))
    op.add_column("sessions", sa.Column("opted_out_at", sa.BigInteger(), nullable=True))
    op.create_index("ix_sessions_continues", "sessions", ["continues"])
