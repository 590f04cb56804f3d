"""Which accounts a person or an administrator has linked with somebody whom a provider names."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; nobody has linked any before."""
    op.add_column("provider_subjects", sa.Column("linked_by", sa.Text(), nullable=True))
