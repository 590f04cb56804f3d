"""What each agent of each person on each machine last sent, so that a person can see whether work is being recorded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

import sqlalchemy as sa

from app.domain import limits
from app.domain.activity import AgentActivity
from app.state import bulk
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import UtcMicros, agent_activity, to_micros

_TABLE = agent_activity.c
_MOMENT = sa.bindparam("moment", type_=UtcMicros())
_LOST = sa.bindparam("lost", type_=sa.BigInteger())
_EVENTS = sa.bindparam("events", type_=sa.BigInteger())
_KINDS = sa.bindparam("kinds", type_=sa.BigInteger())
_IS_SAME_DAY = _TABLE.counted_on == sa.bindparam("today")
_ADD = (
    sa.update(agent_activity)
    .where(
        _TABLE.agent == sa.bindparam("of_agent"),
        _TABLE.owner == sa.bindparam("of_owner"),
        _TABLE.machine == sa.bindparam("of_machine"),
    )
    .values(
        last_event_at=sa.case((_TABLE.last_event_at < _MOMENT, _MOMENT), else_=_TABLE.last_event_at),
        events_total=_TABLE.events_total + _EVENTS,
        counted_on=sa.bindparam("today"),
        events_on_day=sa.case((_IS_SAME_DAY, _TABLE.events_on_day + _EVENTS), else_=_EVENTS),
        unknown_kinds_on_day=sa.case((_IS_SAME_DAY, _TABLE.unknown_kinds_on_day + _KINDS), else_=_KINDS),
        unknown_kinds=_TABLE.unknown_kinds + _KINDS,
        unknown_fields=_TABLE.unknown_fields + sa.bindparam("fields"),
        spooled_depth=sa.bindparam("depth"),
        spooled_oldest_s=sa.bindparam("oldest"),
        lost_total=sa.case((_TABLE.lost_total < _LOST, _LOST), else_=_TABLE.lost_total),
        lost_at=sa.case((_TABLE.lost_total < _LOST, _MOMENT), else_=_TABLE.lost_at),
        last_error=sa.func.coalesce(sa.bindparam("error", type_=sa.Text()), _TABLE.last_error),
    )
)
_INSERT = sa.insert(agent_activity)
_FORGET = sa.delete(agent_activity).where(_TABLE.last_event_at < _MOMENT)
_ALL = sa.select(agent_activity).order_by(_TABLE.last_event_at.desc(), _TABLE.agent, _TABLE.owner, _TABLE.machine)
_LATEST = _ALL.limit(sa.bindparam("row_limit"))
_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class ActivityChange:
    """What a batch adds; the spool's figures and `lost_total` are what the client last reported.

    Without an `error` the last one stays; an empty text clears it.
    """

    agent: str
    owner: str
    last_event_at: datetime
    machine: str = ""
    events: int = 0
    unknown_kinds: int = 0
    unknown_fields: int = 0
    spooled_depth: int = 0
    spooled_oldest_s: int = 0
    lost_total: int = 0
    error: str | None = None


def update_activity(conn: WriteConnection, changes: Sequence[ActivityChange]) -> None:
    """Add a batch's figures, one statement per agent, owner and machine; a new one gets a row.

    Those not heard of for `ACTIVITY_KEPT_DAYS` then go: machines come and go, and some are containers.
    """
    groups: dict[tuple[str, str, str], list[ActivityChange]] = {}
    for change in changes:
        groups.setdefault((change.agent, change.owner, change.machine), []).append(change)
    for group in groups.values():
        total = _add_up(group)
        if not bulk.execute_plain(conn, _ADD, [_to_sums(total)]):
            conn.execute(_INSERT, _to_row(total))
            conn.execute(_FORGET, {"moment": total.last_event_at - timedelta(days=limits.ACTIVITY_KEPT_DAYS)})


def list_activity(conn: ReadConnection, limit: int) -> list[AgentActivity]:
    """List agents, the last heard of first."""
    rows = conn.execute(_LATEST, {"row_limit": limit}).mappings()
    return [AgentActivity(**{**row, "counted_on": _EPOCH + timedelta(days=row["counted_on"])}) for row in rows]


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
        "of_machine": change.machine,
        "moment": to_micros(change.last_event_at),
        "today": _to_day(change.last_event_at),
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
        "machine": change.machine,
        "last_event_at": change.last_event_at,
        "events_total": change.events,
        "counted_on": _to_day(change.last_event_at),
        "events_on_day": change.events,
        "unknown_kinds_on_day": change.unknown_kinds,
        "unknown_kinds": change.unknown_kinds,
        "unknown_fields": change.unknown_fields,
        "spooled_depth": change.spooled_depth,
        "spooled_oldest_s": change.spooled_oldest_s,
        "lost_total": change.lost_total,
        "lost_at": change.last_event_at if change.lost_total else None,
        "last_error": change.error or "",
    }


def _to_day(moment: datetime) -> int:
    """Number the day in UTC, from 1970 on."""
    return (moment.astimezone(UTC).date() - _EPOCH).days
