"""The secrets of a browser's session: the one to come, the present one and the former."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; what is there keeps its only secret until that is old."""
    for name, kind in (
        ("renewed_at", sa.BigInteger()),
        ("next_hash", sa.Text()),
        ("next_at", sa.BigInteger()),
        ("former_hash", sa.Text()),
        ("former_until", sa.BigInteger()),
    ):
        op.add_column("web_sessions", sa.Column(name, kind, nullable=True))
