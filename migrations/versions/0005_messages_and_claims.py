"""Messages between projects, a token for each claim of a handoff, and when a session was told its brief."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add a table, a column and an index; the token of a claim had a place of another name, which was never filled."""
    op.execute(sa.text("ALTER TABLE handoffs RENAME COLUMN token_hash TO claim_token"))
    op.create_index("ix_handoffs_state_lease_until", "handoffs", ["state", "lease_until"])
    op.add_column("sessions", sa.Column("briefed_at", sa.BigInteger(), nullable=True))
    op.create_table(
        "messages",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("from_project_id", sa.Text(), nullable=True),
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
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("holder_session_id", sa.Text(), nullable=False),
        sa.Column("holder_agent", sa.Text(), nullable=False),
        sa.Column("pop_token", sa.Text(), nullable=False),
        sa.Column("popped_at", sa.BigInteger(), nullable=True),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_messages_project_id"),
        sa.ForeignKeyConstraint(["from_project_id"], ["projects.id"], name="fk_messages_from_project_id"),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
    )
    op.create_index("ix_messages_project_id_state_created_at", "messages", ["project_id", "state", "created_at"])
    op.create_index("ix_messages_from_project_id_created_at", "messages", ["from_project_id", "created_at"])
    op.create_index("ix_messages_thread_id_created_at", "messages", ["thread_id", "created_at"])
    op.create_index("ix_messages_state_expires_at", "messages", ["state", "expires_at"])
