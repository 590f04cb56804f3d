"""The tables of lessons, of the pages made from them, and of proposals; they share the metadata of `tables.py`."""

import sqlalchemy as sa

from app.state.tables import SCHEMA, UtcMicros

lessons = sa.Table(
    "lessons",
    SCHEMA,
    sa.Column("session_id", sa.Text(), sa.ForeignKey("sessions.id"), nullable=False),
    sa.Column("kind", sa.Text(), nullable=False),
    sa.Column("key", sa.Text(), nullable=False),
    sa.Column("project_id", sa.Text(), sa.ForeignKey("projects.id"), nullable=False),
    sa.Column("told_at", UtcMicros(), nullable=False),
    sa.Column("content", sa.Text(), nullable=False),
    # When the session was last read for it, which of a session of the past is long after it was told.
    sa.Column("learned_at", UtcMicros(), nullable=True),
    sa.PrimaryKeyConstraint("session_id", "kind", "key"),
    sa.Index(None, "project_id", "kind", "key", "learned_at"),
)

knowledge_pages = sa.Table(
    "knowledge_pages",
    SCHEMA,
    sa.Column("page_id", sa.Text(), primary_key=True),
    sa.Column("project_id", sa.Text(), sa.ForeignKey("projects.id"), nullable=False),
    sa.Column("path", sa.Text(), nullable=False),
    sa.Index(None, "project_id"),
)

proposals = sa.Table(
    "proposals",
    SCHEMA,
    sa.Column("id", sa.Text(), primary_key=True),
    sa.Column("project_id", sa.Text(), sa.ForeignKey("projects.id"), nullable=False),
    sa.Column("kind", sa.Text(), nullable=False),
    sa.Column("key", sa.Text(), nullable=False),
    sa.Column("state", sa.Text(), nullable=False),
    sa.Column("title", sa.Text(), nullable=False),
    sa.Column("text", sa.Text(), nullable=False),
    sa.Column("reason", sa.Text(), nullable=False),
    sa.Column("path", sa.Text(), nullable=False),
    sa.Column("plan", sa.Text(), nullable=False),
    sa.Column("grounds", sa.Text(), nullable=False),
    sa.Column("created_at", UtcMicros(), nullable=False),
    sa.Column("decided_by", sa.Text(), nullable=False),
    sa.Column("decided_at", UtcMicros(), nullable=True),
    sa.UniqueConstraint("project_id", "kind", "key"),
    sa.Index(None, "state", "created_at"),
)
