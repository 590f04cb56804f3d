"""Counts of dropped and refused events, which outlive the server that counted them."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table; counting begins now."""
    op.create_table(
        "unkept_counts",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("position", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("tally", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "position", name="pk_unkept_counts"),
    )
