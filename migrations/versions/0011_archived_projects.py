"""Since when a project is archived."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; nothing was archived before."""
    op.add_column("projects", sa.Column("archived_at", sa.BigInteger(), nullable=True))
