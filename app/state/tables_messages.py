"""The table of messages between projects; it shares the metadata of `tables.py`."""

import sqlalchemy as sa

from app.state.tables import SCHEMA, UtcMicros

messages = sa.Table(
    "messages",
    SCHEMA,
    sa.Column("id", sa.Text(), primary_key=True),
    sa.Column("project_id", sa.Text(), sa.ForeignKey("projects.id"), nullable=False),
    sa.Column("from_project_id", sa.Text(), sa.ForeignKey("projects.id"), nullable=True),
    sa.Column("thread_id", sa.Text(), nullable=False),
    sa.Column("reply_to", sa.Text(), nullable=False),
    sa.Column("owner", sa.Text(), nullable=False),
    sa.Column("from_session_id", sa.Text(), nullable=False),
    sa.Column("from_agent", sa.Text(), nullable=False),
    sa.Column("to_agent", sa.Text(), nullable=False),
    sa.Column("to_user", sa.Text(), nullable=False),
    sa.Column("subject", sa.Text(), nullable=False),
    sa.Column("body", sa.Text(), nullable=False),
    sa.Column("state", sa.Text(), nullable=False),
    sa.Column("created_at", UtcMicros(), nullable=False),
    sa.Column("expires_at", UtcMicros(), nullable=False),
    sa.Column("holder_session_id", sa.Text(), nullable=False),
    sa.Column("holder_agent", sa.Text(), nullable=False),
    sa.Column("pop_token", sa.Text(), nullable=False),
    sa.Column("popped_at", UtcMicros(), nullable=True),
    sa.Column("lease_until", UtcMicros(), nullable=True),
    sa.Column("closed_at", UtcMicros(), nullable=True),
    sa.Index(None, "project_id", "state", "created_at"),
    sa.Index(None, "from_project_id", "created_at"),
    sa.Index(None, "thread_id", "created_at"),
    sa.Index(None, "state", "expires_at"),
)
