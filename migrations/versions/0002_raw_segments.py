"""Add the record of sealed segments: which observations of a session lie in which file under raw/."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table, empty: sessions that were finished before are sealed by the worker."""
    op.create_table(
        "raw_segments",
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("first_observation_id", sa.BigInteger(), nullable=False),
        sa.Column("last_observation_id", sa.BigInteger(), nullable=False),
        sa.Column("observation_count", sa.BigInteger(), nullable=False),
        sa.Column("file_bytes", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("key_id", sa.Text(), nullable=False),
        sa.Column("last_received_at", sa.BigInteger(), nullable=False),
        sa.Column("sealed_at", sa.BigInteger(), nullable=False),
        sa.Column("released_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name="fk_raw_segments_session_id"),
        sa.PrimaryKeyConstraint("session_id", "number", name="pk_raw_segments"),
        sa.UniqueConstraint("path", name="uq_raw_segments_path"),
    )
    op.create_index("ix_raw_segments_last_observation_id", "raw_segments", ["last_observation_id"])
    op.create_index("ix_raw_segments_released_at_last_received_at", "raw_segments", ["released_at", "last_received_at"])
    op.create_index("ix_raw_segments_key_id", "raw_segments", ["key_id"])
