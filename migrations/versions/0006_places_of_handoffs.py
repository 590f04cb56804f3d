"""Where a handoff was made, so that another machine's folders can be compared with it."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the machine and the folder within its repository; of older handoffs neither is known."""
    op.add_column("handoffs", sa.Column("machine", sa.Text(), nullable=True))
    op.add_column("handoffs", sa.Column("place", sa.Text(), nullable=True))
