"""When each lesson was last read off its session, by which old ones that nothing rests on leave."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and have the index cover it; of what is there already, its own time is the nearest known."""
    op.add_column("lessons", sa.Column("learned_at", sa.BigInteger(), nullable=True))
    op.execute("UPDATE lessons SET learned_at = told_at")
    op.create_index("ix_lessons_project_id_kind_key_learned_at", "lessons", ["project_id", "kind", "key", "learned_at"])
    op.drop_index("ix_lessons_project_id_kind_key", "lessons")
