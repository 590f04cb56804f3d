"""Table definitions, the target of the migrations; rows and their meaning belong to the family modules."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_micros(moment: datetime) -> int:
    """Count the microseconds from 1970 to an aware moment."""
    return (moment - _EPOCH) // _MICROSECOND


class UtcMicros(sa.types.TypeDecorator[datetime]):
    """Keep an aware moment as whole microseconds since 1970, exact and ordered on every database."""

    impl = sa.BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Refuse a naive moment by the subtraction itself."""
        del dialect
        return None if value is None else to_micros(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Give the moment back in UTC."""
        del dialect
        return None if value is None else _EPOCH + timedelta(microseconds=value)


# SQLite makes only a column declared INTEGER its row number, which saves a second tree per table.
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

SCHEMA = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    }
)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[datetime]:
    return sa.Column(name, UtcMicros(), nullable=nullable)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False)


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False)


def _reference(name: str, target: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), sa.ForeignKey(target), nullable=nullable)


projects = sa.Table(
    "projects",
    SCHEMA,
    sa.Column("id", sa.Text(), primary_key=True),
    _text("workspace"),
    _text("name"),
    _flag("is_restricted"),
    _moment("created_at"),
    _moment("archived_at", nullable=True),
    sa.UniqueConstraint("workspace", "name"),
)

project_aliases = sa.Table(
    "project_aliases",
    SCHEMA,
    sa.Column("workspace", sa.Text(), primary_key=True),
    sa.Column("name", sa.Text(), primary_key=True),
    _reference("project_id", "projects.id"),
    sa.Index(None, "project_id"),
)

project_identities = sa.Table(
    "project_identities",
    SCHEMA,
    sa.Column("identity", sa.Text(), primary_key=True),
    _reference("project_id", "projects.id"),
    sa.Index(None, "project_id"),
)

sessions = sa.Table(
    "sessions",
    SCHEMA,
    sa.Column("id", sa.Text(), primary_key=True),
    _reference("project_id", "projects.id"),
    _text("agent"),
    _text("agent_session_id"),
    _text("owner"),
    _text("cwd"),
    _text("state"),
    _moment("started_at"),
    _moment("last_event_at"),
    _moment("ended_at", nullable=True),
    _flag("has_work"),
    _count("last_observation_id"),
    _count("compiled_through"),
    _text("page_path"),
    _text("checkout"),
    # The agent's id of the session that this one goes on with; that one may arrive later.
    _text("continues", nullable=True),
    _moment("opted_out_at", nullable=True),
    # When the text of a brief was last handed to the agent in whole; none while that is not known.
    _moment("briefed_at", nullable=True),
    # One session that two agents report under their own names is still one session.
    sa.UniqueConstraint("agent_session_id"),
    sa.Index(None, "continues"),
    sa.Index(None, "project_id", "last_event_at"),
    sa.Index(None, "state", "last_event_at"),
)

observations = sa.Table(
    "observations",
    SCHEMA,
    sa.Column("id", _NUMBER, primary_key=True, autoincrement=False),
    _reference("session_id", "sessions.id"),
    _text("kind"),
    _moment("received_at"),
    _text("event"),
    sa.Index(None, "session_id", "id"),
)

# A released segment's observations have left the table above; before that they are in both places.
raw_segments = sa.Table(
    "raw_segments",
    SCHEMA,
    sa.Column("session_id", sa.Text(), sa.ForeignKey("sessions.id"), primary_key=True),
    sa.Column("number", sa.BigInteger(), primary_key=True, autoincrement=False),
    _text("path"),
    _count("first_observation_id"),
    _count("last_observation_id"),
    _count("observation_count"),
    _count("file_bytes"),
    _text("sha256"),
    _text("key_id"),
    _moment("last_received_at"),
    _moment("sealed_at"),
    _moment("released_at", nullable=True),
    sa.UniqueConstraint("path"),
    sa.Index(None, "last_observation_id"),
    sa.Index(None, "released_at", "last_received_at"),
    sa.Index(None, "key_id"),
)

# No reference to sessions: a key outlives what was purged, so that a late repeat cannot bring it back.
ingest_keys = sa.Table(
    "ingest_keys",
    SCHEMA,
    sa.Column("key", sa.Text(), primary_key=True),
    _text("session_id"),
    _moment("received_at"),
    # One tree instead of two for what is written with each event.
    sqlite_with_rowid=False,
)

tombstones = sa.Table(
    "tombstones",
    SCHEMA,
    sa.Column("kind", sa.Text(), primary_key=True),
    sa.Column("key", sa.Text(), primary_key=True),
    _moment("created_at"),
    sa.Index(None, "key"),
)

handoffs = sa.Table(
    "handoffs",
    SCHEMA,
    sa.Column("id", sa.Text(), primary_key=True),
    _reference("project_id", "projects.id"),
    _text("owner"),
    _text("origin"),
    _text("state"),
    _text("cwd"),
    _text("content"),
    _moment("created_at"),
    _text("from_session_id"),
    _text("from_agent"),
    _text("to_agent"),
    _text("to_user"),
    _text("holder_session_id"),
    _text("holder_agent"),
    _text("claim_token"),
    _moment("claimed_at", nullable=True),
    _moment("lease_until", nullable=True),
    _flag("is_provisional"),
    _moment("closed_at", nullable=True),
    _text("superseded_by"),
    # The computer that `cwd` is on, and the same folder from the top of its repository on.
    _text("machine", nullable=True),
    _text("place", nullable=True),
    sa.Index(None, "project_id", "state", "created_at"),
    sa.Index(None, "holder_session_id", "state"),
    sa.Index(None, "state", "lease_until"),
)

jobs = sa.Table(
    "jobs",
    SCHEMA,
    sa.Column("id", _NUMBER, primary_key=True, autoincrement=True),
    _text("kind"),
    _text("key"),
    _text("state"),
    _moment("due_at"),
    _count("attempts"),
    _count("generation"),
    _count("claim_number"),
    _text("payload"),
    _text("worker"),
    _moment("lease_until", nullable=True),
    _text("last_error"),
    sa.UniqueConstraint("kind", "key"),
    sa.Index(None, "state", "due_at"),
)

audit = sa.Table(
    "audit",
    SCHEMA,
    sa.Column("id", _NUMBER, primary_key=True, autoincrement=False),
    _moment("at"),
    _text("actor"),
    _text("action"),
    _text("subject"),
    _text("detail"),
    _text("previous_hash"),
    _text("row_hash"),
    # By which proof, from where and on what, as JSON; rows of before have none.
    _text("context", nullable=True),
)

agent_activity = sa.Table(
    "agent_activity",
    SCHEMA,
    sa.Column("agent", sa.Text(), primary_key=True),
    sa.Column("owner", sa.Text(), primary_key=True),
    sa.Column("machine", sa.Text(), primary_key=True),
    _moment("last_event_at"),
    _count("events_total"),
    # A day's number from 1970 on, and what was counted on it.
    _count("counted_on"),
    _count("events_on_day"),
    _count("unknown_kinds_on_day"),
    _count("unknown_kinds"),
    _count("unknown_fields"),
    _count("spooled_depth"),
    _count("spooled_oldest_s"),
    _count("lost_total"),
    _moment("lost_at", nullable=True),
    _text("last_error"),
)
