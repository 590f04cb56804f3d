"""The tables of projects under way to another name, and of pages that did not keep theirs; as `tables.py` has them."""

import sqlalchemy as sa

from app.state.tables import SCHEMA, UtcMicros

# What has begun and is not over; a server that was killed finishes it.
moves = sa.Table(
    "moves",
    SCHEMA,
    sa.Column("id", sa.Text(), primary_key=True),
    sa.Column("content", sa.Text(), nullable=False),
    sa.Column("begun_at", UtcMicros(), nullable=False),
)

# Where a page is now that was at `path` in a project of that former name.
moved_pages = sa.Table(
    "moved_pages",
    SCHEMA,
    sa.Column("workspace", sa.Text(), primary_key=True),
    sa.Column("name", sa.Text(), primary_key=True),
    sa.Column("path", sa.Text(), primary_key=True),
    sa.Column("project_id", sa.Text(), sa.ForeignKey("projects.id"), nullable=False),
    sa.Column("to_path", sa.Text(), nullable=False),
    sa.Index(None, "project_id"),
)
