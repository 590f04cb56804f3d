"""Count each agent's activity by machine and by day, and remember when a loss was reported."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_KEPT = (
    "agent", "owner", "last_event_at", "events_total", "unknown_kinds", "unknown_fields", "spooled_depth",
    "spooled_oldest_s", "lost_total", "last_error",
)  # fmt: skip


def upgrade() -> None:
    """Make the table anew, since its key grows; it has one row for each agent of each person."""
    connection = op.get_bind()
    old = sa.table("agent_activity", *(sa.column(name) for name in _KEPT))
    rows = [dict(row) for row in connection.execute(sa.select(old)).mappings()]
    op.drop_table("agent_activity")
    made = op.create_table(
        "agent_activity",
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("machine", sa.Text(), nullable=False),
        sa.Column("last_event_at", sa.BigInteger(), nullable=False),
        sa.Column("events_total", sa.BigInteger(), nullable=False),
        sa.Column("counted_on", sa.BigInteger(), nullable=False),
        sa.Column("events_on_day", sa.BigInteger(), nullable=False),
        sa.Column("unknown_kinds_on_day", sa.BigInteger(), nullable=False),
        sa.Column("unknown_kinds", sa.BigInteger(), nullable=False),
        sa.Column("unknown_fields", sa.BigInteger(), nullable=False),
        sa.Column("spooled_depth", sa.BigInteger(), nullable=False),
        sa.Column("spooled_oldest_s", sa.BigInteger(), nullable=False),
        sa.Column("lost_total", sa.BigInteger(), nullable=False),
        sa.Column("lost_at", sa.BigInteger(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("agent", "owner", "machine", name="pk_agent_activity"),
    )
    added = {"machine": "", "counted_on": 0, "events_on_day": 0, "unknown_kinds_on_day": 0}
    moved = [{**row, **added, "lost_at": row["last_event_at"] if row["lost_total"] else None} for row in rows]
    if moved:
        op.bulk_insert(made, moved)
