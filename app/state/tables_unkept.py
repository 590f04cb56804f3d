"""The table of what hooks sent and was not kept, as counts; it shares the metadata of `tables.py`."""

import sqlalchemy as sa

from app.state.tables import SCHEMA

unkept_counts = sa.Table(
    "unkept_counts",
    SCHEMA,
    sa.Column("kind", sa.Text(), primary_key=True),
    sa.Column("position", sa.BigInteger(), primary_key=True, autoincrement=False),
    sa.Column("tally", sa.Text(), nullable=False),
)
