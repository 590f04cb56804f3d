"""What sessions teach, the pages made from it, and what waits for a person's word."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables; sessions of before teach when they are compiled again."""
    op.create_table(
        "lessons",
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("told_at", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", "kind", "key", name="pk_lessons"),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name="fk_lessons_session_id"),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_lessons_project_id"),
    )
    op.create_index("ix_lessons_project_id_kind_key", "lessons", ["project_id", "kind", "key"])
    op.create_table(
        "knowledge_pages",
        sa.Column("page_id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("page_id", name="pk_knowledge_pages"),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_knowledge_pages_project_id"),
    )
    op.create_index("ix_knowledge_pages_project_id", "knowledge_pages", ["project_id"])
    op.create_table(
        "proposals",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("grounds", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("decided_by", sa.Text(), nullable=False),
        sa.Column("decided_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_proposals"),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_proposals_project_id"),
        sa.UniqueConstraint("project_id", "kind", "key", name="uq_proposals_project_id_kind_key"),
    )
    op.create_index("ix_proposals_state_created_at", "proposals", ["state", "created_at"])
