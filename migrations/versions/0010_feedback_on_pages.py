"""What people and agents said of pages: whether they helped, are wrong, or stale."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table; nothing was said before."""
    op.create_table(
        "feedback",
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("said_by", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("said_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "path", "said_by", name="pk_feedback"),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_feedback_project_id"),
    )
