"""What each agent of each person on each machine sent, and what of it was refused: the facts behind faults."""

from dataclasses import dataclass
from datetime import UTC, date, datetime


@dataclass(frozen=True, slots=True)
class AgentActivity:
    """One agent of one person on one machine: when it was last heard of, and what went wrong.

    The spool's figures are the machine's, as they were at `last_event_at`. What is counted by the day is of
    `counted_on`, the server's day in UTC; an empty `machine` means that the client did not say.
    """

    agent: str
    owner: str
    machine: str
    last_event_at: datetime
    events_total: int
    counted_on: date
    events_on_day: int
    unknown_kinds_on_day: int
    unknown_kinds: int
    unknown_fields: int
    spooled_depth: int
    spooled_oldest_s: int
    lost_total: int
    lost_at: datetime | None
    last_error: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """What one agent of one person on one machine was refused: in the last hour, and in all."""

    agent: str
    owner: str
    machine: str
    count_in_hour: int
    count: int
    last_at: datetime
    last_code: str
    last_reason: str


@dataclass(frozen=True, slots=True)
class RefusalTally:
    """The same as it is counted and saved: `by_minute` pairs the last hour's minutes, as numbers, with counts."""

    agent: str
    owner: str
    machine: str
    count: int
    last_at: datetime
    last_code: str = ""
    last_reason: str = ""
    by_minute: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class DropCount:
    """What one agent on one machine sent that was not kept.

    `unreadable` of them came with a policy that cannot be read, the last at `unreadable_at`.
    """

    agent: str
    machine: str
    by_policy: int = 0
    purged: int = 0
    unreadable: int = 0
    unreadable_at: datetime | None = None


def count_events_today(row: AgentActivity, now: datetime) -> int:
    """Count the events of the server's day in UTC."""
    return row.events_on_day if row.counted_on == now.astimezone(UTC).date() else 0


def count_unknown_kinds_today(row: AgentActivity, now: datetime) -> int:
    """Count the events of the day whose kind the agent's module has never heard of."""
    return row.unknown_kinds_on_day if row.counted_on == now.astimezone(UTC).date() else 0
