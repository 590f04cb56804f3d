"""Messages between projects: an inbox for each, from which a message is taken by one guarded UPDATE."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from app.domain.handoff_errors import MessageNotFound
from app.domain.limits import MESSAGES_PER_SWEEP
from app.domain.message import Message, MessageState
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import UtcMicros
from app.state.tables_messages import messages

_ALL = sa.select(messages)
_NOW = sa.bindparam("moment", type_=UtcMicros())
_USER = sa.bindparam("user", type_=sa.Text())
_AGENT = sa.bindparam("agent", type_=sa.Text())
_BY_ID = _ALL.where(messages.c.id == sa.bindparam("message_id"))
_IS_WAITING = sa.and_(
    messages.c.expires_at > _NOW,
    sa.or_(
        messages.c.state == MessageState.WAITING.value,
        sa.and_(messages.c.state == MessageState.POPPED.value, messages.c.lease_until <= _NOW),
    ),
)
# Another person's mail is not this one's, and a message for one agent is not for another.
_IS_FOR = sa.and_(messages.c.to_user.in_(("", _USER)), messages.c.to_agent.in_(("", _AGENT)))
_IN_INBOX = (messages.c.project_id == sa.bindparam("project_id"), _IS_FOR, _IS_WAITING)
_OLDEST_FIRST = (messages.c.created_at, messages.c.id)
_INBOX = _ALL.where(*_IN_INBOX).order_by(*_OLDEST_FIRST).limit(sa.bindparam("row_limit"))
_COUNT_INBOX = sa.select(sa.func.count()).select_from(messages).where(*_IN_INBOX)
_COUNT_WAITING = (
    sa.select(sa.func.count())
    .select_from(messages)
    .where(messages.c.project_id == sa.bindparam("project_id"), _IS_WAITING)
)
_POPPED_BY = (
    _ALL.where(
        messages.c.project_id == sa.bindparam("project_id"),
        messages.c.holder_session_id == sa.bindparam("holder"),
        messages.c.state == MessageState.POPPED.value,
        messages.c.expires_at > _NOW,
    )
    .order_by(*_OLDEST_FIRST)
    .limit(1)
)
_THREAD = (
    _ALL.where(messages.c.thread_id == sa.bindparam("thread")).order_by(*_OLDEST_FIRST).limit(sa.bindparam("row_limit"))
)
_EXPIRE = (
    sa.update(messages)
    .where(
        messages.c.id.in_(
            sa.select(messages.c.id)
            .where(
                messages.c.state.in_((MessageState.WAITING.value, MessageState.POPPED.value)),
                messages.c.expires_at <= _NOW,
            )
            .order_by(messages.c.expires_at, messages.c.id)
            .limit(MESSAGES_PER_SWEEP)
        )
    )
    .values(state=MessageState.EXPIRED.value, closed_at=_NOW)
)
_TAKE = (
    sa.update(messages)
    .where(messages.c.id == sa.bindparam("message_id"), _IS_WAITING)
    .values(
        state=MessageState.POPPED.value,
        holder_session_id=sa.bindparam("new_holder"),
        holder_agent=sa.bindparam("new_agent"),
        pop_token=sa.bindparam("new_token"),
        popped_at=_NOW,
        lease_until=sa.bindparam("new_lease", type_=UtcMicros()),
    )
)
_CLOSE = (
    sa.update(messages)
    .where(
        messages.c.id == sa.bindparam("message_id"),
        messages.c.state.in_(sa.bindparam("from_states", expanding=True)),
        messages.c.pop_token == sa.bindparam("seen_token"),
    )
    .values(state=sa.bindparam("to_state"), closed_at=_NOW)
)


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks into an inbox, and when."""

    project_id: str
    user: str
    agent: str
    now: datetime


@dataclass(frozen=True, slots=True)
class Pop:
    """A session's wish to take a message out of the inbox; it comes back if not acknowledged by `lease_until`."""

    message_id: str
    session_id: str
    agent: str
    token: str
    now: datetime
    lease_until: datetime


def insert_message(conn: WriteConnection, message: Message) -> None:
    """Put a message into its inbox."""
    row = {column.name: getattr(message, column.name) for column in messages.c}
    conn.execute(sa.insert(messages), {**row, "state": message.state.value})


def get_message(conn: ReadConnection, message_id: str) -> Message:
    """Get a message by its id.

    Raises:
        MessageNotFound: there is none.
    """
    row = conn.execute(_BY_ID, {"message_id": message_id}).one_or_none()
    if row is None:
        raise MessageNotFound(message_id)
    return _to_message(row)


def list_inbox(conn: ReadConnection, reader: Reader, limit: int) -> list[Message]:
    """List what waits for a reader, the oldest first."""
    return [_to_message(row) for row in conn.execute(_INBOX, {**_bind(reader), "row_limit": limit})]


def count_inbox(conn: ReadConnection, reader: Reader) -> int:
    """Count what waits for a reader."""
    return conn.execute(_COUNT_INBOX, _bind(reader)).scalar_one()


def count_waiting(conn: ReadConnection, project_id: str, now: datetime) -> int:
    """Count what waits in a project's inbox, whomever it is for."""
    return conn.execute(_COUNT_WAITING, {"project_id": project_id, "moment": now}).scalar_one()


def find_popped(conn: ReadConnection, reader: Reader, session_id: str) -> Message | None:
    """Find what a session took out and has not acknowledged."""
    values = {"project_id": reader.project_id, "holder": session_id, "moment": reader.now}
    row = conn.execute(_POPPED_BY, values).one_or_none()
    return None if row is None else _to_message(row)


def list_sent(conn: ReadConnection, project_id: str, owner: str, limit: int) -> list[Message]:
    """List what a person's sessions of a project sent, newest first."""
    sent = _ALL.where(messages.c.from_project_id == project_id, messages.c.owner == owner)
    newest = sent.order_by(messages.c.created_at.desc(), messages.c.id.desc()).limit(limit)
    return [_to_message(row) for row in conn.execute(newest)]


def list_thread(conn: ReadConnection, thread_id: str, limit: int) -> list[Message]:
    """List a conversation from its beginning."""
    return [_to_message(row) for row in conn.execute(_THREAD, {"thread": thread_id, "row_limit": limit})]


def take_message(conn: WriteConnection, pop: Pop) -> bool:
    """Take a message out of the inbox if it still waits there."""
    values = {
        "message_id": pop.message_id,
        "new_holder": pop.session_id,
        "new_agent": pop.agent,
        "new_token": pop.token,
        "new_lease": pop.lease_until,
        "moment": pop.now,
    }
    return conn.execute(_TAKE, values).rowcount == 1


def close_message(
    conn: WriteConnection, seen: Message, sources: Collection[MessageState], to_state: MessageState, now: datetime
) -> bool:
    """Bring a message to its last state, unless its claim has changed since the caller saw it."""
    values = {
        "message_id": seen.id,
        "from_states": sorted(state.value for state in sources),
        "seen_token": seen.pop_token,
        "to_state": to_state.value,
        "moment": now,
    }
    return conn.execute(_CLOSE, values).rowcount == 1


def count_from_session(conn: ReadConnection, session_id: str) -> int:
    """Count the messages that a session sent."""
    return conn.execute(
        sa.select(sa.func.count()).select_from(messages).where(messages.c.from_session_id == session_id)
    ).scalar_one()


def delete_from_session(conn: WriteConnection, session_id: str) -> int:
    """Delete the messages that a session sent, read or not; tells how many."""
    return conn.execute(sa.delete(messages).where(messages.c.from_session_id == session_id)).rowcount


def expire_messages(conn: WriteConnection, now: datetime) -> int:
    """Close what nobody read in time."""
    return conn.execute(_EXPIRE, {"moment": now}).rowcount


def _bind(reader: Reader) -> dict[str, object]:
    return {"project_id": reader.project_id, "user": reader.user, "agent": reader.agent, "moment": reader.now}


def _to_message(row: sa.Row[*tuple[Any, ...]]) -> Message:
    facts = {column.name: getattr(row, column.name) for column in messages.c}
    return Message(**{**facts, "state": MessageState(row.state)})
