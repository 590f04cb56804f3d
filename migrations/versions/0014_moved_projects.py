"""Projects under way to another name, and pages that got another path by it."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables; nothing is under way yet."""
    op.create_table(
        "moves",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("begun_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_moves"),
    )
    op.create_table(
        "moved_pages",
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("to_path", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("workspace", "name", "path", name="pk_moved_pages"),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_moved_pages_project_id"),
    )
    op.create_index("ix_moved_pages_project_id", "moved_pages", ["project_id"])
