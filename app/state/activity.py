"""What each agent of each person last sent, so that a person can see whether memory is being recorded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import sqlalchemy as sa

from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import UtcMicros, agent_activity

_TABLE = agent_activity.c
_MOMENT = sa.bindparam("moment", type_=UtcMicros())
_LOST = sa.bindparam("lost", type_=sa.BigInteger())
_ADD = (
    sa.update(agent_activity)
    .where(_TABLE.agent == sa.bindparam("of_agent"), _TABLE.owner == sa.bindparam("of_owner"))
    .values(
        last_event_at=sa.case((_TABLE.last_event_at < _MOMENT, _MOMENT), else_=_TABLE.last_event_at),
        events_total=_TABLE.events_total + sa.bindparam("events"),
        unknown_kinds=_TABLE.unknown_kinds + sa.bindparam("kinds"),
        unknown_fields=_TABLE.unknown_fields + sa.bindparam("fields"),
        spooled_depth=sa.bindparam("depth"),
        spooled_oldest_s=sa.bindparam("oldest"),
        lost_total=sa.case((_TABLE.lost_total < _LOST, _LOST), else_=_TABLE.lost_total),
        last_error=sa.func.coalesce(sa.bindparam("error", type_=sa.Text()), _TABLE.last_error),
    )
)
_INSERT = sa.insert(agent_activity)
_ALL = sa.select(agent_activity).order_by(_TABLE.last_event_at.desc(), _TABLE.agent, _TABLE.owner)
_LATEST = _ALL.limit(sa.bindparam("row_limit"))


@dataclass(frozen=True, slots=True)
class ActivityChange:
    """What a batch adds; the spool's figures and `lost_total` are what the client last reported.

    Without an `error` the last one stays; an empty text clears it.
    """

    agent: str
    owner: str
    last_event_at: datetime
    events: int = 0
    unknown_kinds: int = 0
    unknown_fields: int = 0
    spooled_depth: int = 0
    spooled_oldest_s: int = 0
    lost_total: int = 0
    error: str | None = None


@dataclass(frozen=True, slots=True)
class AgentActivity:
    """One agent of one person: when it was last heard of, and what went wrong."""

    agent: str
    owner: str
    last_event_at: datetime
    events_total: int
    unknown_kinds: int
    unknown_fields: int
    spooled_depth: int
    spooled_oldest_s: int
    lost_total: int
    last_error: str


def update_activity(conn: WriteConnection, changes: Sequence[ActivityChange]) -> None:
    """Add a batch's figures, one statement per agent and owner; a new pair gets a row."""
    pairs: dict[tuple[str, str], list[ActivityChange]] = {}
    for change in changes:
        pairs.setdefault((change.agent, change.owner), []).append(change)
    for of_pair in pairs.values():
        total = _add_up(of_pair)
        if not conn.execute(_ADD, _to_sums(total)).rowcount:
            conn.execute(_INSERT, _to_row(total))


def list_activity(conn: ReadConnection, limit: int) -> list[AgentActivity]:
    """List agents, the last heard of first."""
    rows = conn.execute(_LATEST, {"row_limit": limit}).mappings()
    return [AgentActivity(**row) for row in rows]


def _add_up(changes: Sequence[ActivityChange]) -> ActivityChange:
    errors = [change.error for change in changes if change.error is not None]
    return replace(
        changes[-1],
        last_event_at=max(change.last_event_at for change in changes),
        events=sum(change.events for change in changes),
        unknown_kinds=sum(change.unknown_kinds for change in changes),
        unknown_fields=sum(change.unknown_fields for change in changes),
        lost_total=max(change.lost_total for change in changes),
        error=errors[-1] if errors else None,
    )


def _to_sums(change: ActivityChange) -> dict[str, object]:
    return {
        "of_agent": change.agent,
        "of_owner": change.owner,
        "moment": change.last_event_at,
        "events": change.events,
        "kinds": change.unknown_kinds,
        "fields": change.unknown_fields,
        "depth": change.spooled_depth,
        "oldest": change.spooled_oldest_s,
        "lost": change.lost_total,
        "error": change.error,
    }


def _to_row(change: ActivityChange) -> dict[str, object]:
    return {
        "agent": change.agent,
        "owner": change.owner,
        "last_event_at": change.last_event_at,
        "events_total": change.events,
        "unknown_kinds": change.unknown_kinds,
        "unknown_fields": change.unknown_fields,
        "spooled_depth": change.spooled_depth,
        "spooled_oldest_s": change.spooled_oldest_s,
        "lost_total": change.lost_total,
        "last_error": change.error or "",
    }
