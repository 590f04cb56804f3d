"""The table of what was said of pages; it shares the metadata of `tables.py`."""

import sqlalchemy as sa

from app.state.tables import SCHEMA, UtcMicros

feedback = sa.Table(
    "feedback",
    SCHEMA,
    sa.Column("project_id", sa.Text(), sa.ForeignKey("projects.id"), nullable=False),
    sa.Column("path", sa.Text(), nullable=False),
    sa.Column("said_by", sa.Text(), nullable=False),
    sa.Column("verdict", sa.Text(), nullable=False),
    sa.Column("content_hash", sa.Text(), nullable=False),
    sa.Column("note", sa.Text(), nullable=False),
    sa.Column("said_at", UtcMicros(), nullable=False),
    sa.PrimaryKeyConstraint("project_id", "path", "said_by"),
)
