"""`Message`: words from one project to another, read by exactly one session, and the states it goes through."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class MessageState(StrEnum):
    """`POPPED` waits for its reader's acknowledgement; without one in time it waits in the inbox again."""

    WAITING = "waiting"
    POPPED = "popped"
    READ = "read"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


OPEN_STATES = frozenset({MessageState.WAITING, MessageState.POPPED})


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `project_id` is the inbox it lies in, `from_project_id` where a reply goes, None for nowhere.

    `thread_id` is the id of the first message of a conversation; `pop_token` is for its reader alone.
    """

    id: str
    project_id: str
    from_project_id: str | None
    thread_id: str
    reply_to: str
    owner: str
    subject: str
    body: str
    state: MessageState
    created_at: datetime
    expires_at: datetime
    from_session_id: str = ""
    from_agent: str = ""
    to_agent: str = ""
    to_user: str = ""
    holder_session_id: str = ""
    holder_agent: str = ""
    popped_at: datetime | None = None
    lease_until: datetime | None = None
    closed_at: datetime | None = None
    pop_token: str = field(default="", repr=False)
