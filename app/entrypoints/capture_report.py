"""Whether work is being recorded: per agent, person and machine, with what is wrong and what to do about it."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from app.domain import activity as facts
from app.domain import capture_health, limits
from app.domain.activity import AgentActivity, Refusal
from app.domain.capture_health import Fault, FaultKind
from app.entrypoints import shapes
from app.entrypoints.shapes import Shape
from app.state import activity
from app.wiring import Runtime

_Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Summary:
    """How capture is in all: events that wait on clients and that they lost, and the faults of each kind."""

    spooled: int
    oldest_seconds: int
    lost: int
    faults: Counter[FaultKind]
    last_event_at: datetime | None


def report_health(runtime: Runtime) -> Shape:
    """Tell of every agent what was recorded and refused, and list the faults, the worst first."""
    now = runtime.clock.now()
    rows = runtime.engine.read(activity.list_activity, limits.LIST_LIMIT_MAX)
    refusals = runtime.refusals.list_refusals(now)
    faults = capture_health.find_faults(rows, refusals, now)
    by_key = {(refusal.agent, refusal.owner, refusal.machine): refusal for refusal in refusals}
    agents = [_shape_row(row, by_key.pop((row.agent, row.owner, row.machine), None), runtime) for row in rows]
    return {
        "status": "broken" if faults else "recording" if rows else "nothing captured yet",
        "agents": agents + [_shape_stranger(key, refusal) for key, refusal in by_key.items()],
        "faults": [shape_fault(fault) for fault in faults],
    }


def summarise(runtime: Runtime) -> Summary:
    """Sum up what waits on the clients' machines, what they lost, and which faults there are."""
    now = runtime.clock.now()
    rows = runtime.engine.read(activity.list_activity, limits.LIST_LIMIT_MAX)
    faults = capture_health.find_faults(rows, runtime.refusals.list_refusals(now), now)
    latest = capture_health.list_spool_reports(rows)
    return Summary(
        spooled=sum(row.spooled_depth for row in latest),
        oldest_seconds=max((row.spooled_oldest_s for row in latest), default=0),
        lost=sum(row.lost_total for row in latest),
        faults=Counter(fault.kind for fault in faults),
        last_event_at=max((row.last_event_at for row in rows), default=None),
    )


def report_brief(runtime: Runtime) -> Shape:
    """Tell in brief what waits on the clients' machines, what they lost, and which faults there are."""
    found = summarise(runtime)
    spools = {"depth": found.spooled, "oldest_seconds": found.oldest_seconds, "lost": found.lost}
    return {"spools": spools, "capture_faults": [str(kind) for kind in found.faults]}


def list_lines(report: Shape) -> list[str]:
    """List the faults of a report as lines for a person."""
    faults = report["faults"]
    assert isinstance(faults, list), "report_health makes a list"
    return [f"{fault['text']}: {fault['advice']}" for fault in faults]


def shape_fault(fault: Fault) -> Shape:
    """Shape one fault with its advice."""
    return {
        "kind": str(fault.kind),
        "agent": fault.agent,
        "owner": fault.owner,
        "machine": fault.machine,
        "text": fault.text,
        "advice": fault.advice,
    }


def _shape_row(row: AgentActivity, refusal: Refusal | None, runtime: Runtime) -> Shape:
    refused = _shape_refusal(refusal)
    return {
        "agent": row.agent,
        "owner": row.owner,
        "machine": row.machine,
        "last_event_at": shapes.shape_moment(row.last_event_at),
        "events": row.events_total,
        "events_today": facts.count_events_today(row, runtime.clock.now()),
        "unknown_kinds": row.unknown_kinds,
        "unknown_fields": row.unknown_fields,
        "spooled": row.spooled_depth,
        "spooled_oldest_seconds": row.spooled_oldest_s,
        "lost": row.lost_total,
        **refused,
        "last_error": refused["last_error"] or row.last_error,
    }


def _shape_stranger(key: _Key, refusal: Refusal) -> Shape:
    """Shape an agent of which nothing was ever taken."""
    counts = ("events", "events_today", "unknown_kinds", "unknown_fields", "spooled", "spooled_oldest_seconds", "lost")
    names: Shape = dict(zip(("agent", "owner", "machine"), key, strict=True))
    return {**names, "last_event_at": None, **dict.fromkeys(counts, 0), **_shape_refusal(refusal)}


def _shape_refusal(refusal: Refusal | None) -> Shape:
    if refusal is None:
        return {"refused": 0, "refused_in_hour": 0, "last_refused_at": None, "last_error": ""}
    return {
        "refused": refusal.count,
        "refused_in_hour": refusal.count_in_hour,
        "last_refused_at": shapes.shape_moment(refusal.last_at),
        "last_error": f"{refusal.last_code}: {refusal.last_reason}",
    }
