"""Tells from facts what is wrong with capture and what a person should do: the one place where both are worded."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.domain import activity, limits
from app.domain.activity import AgentActivity, Refusal

# By the code of a refusal; what else is refused comes from a client and a server of different releases.
_REFUSED_ADVICE = {
    "token_rejected": "give its hooks the server's token: MEMWIKI_ACCESS_TOKEN, or the file MEMWIKI_ACCESS_TOKEN_FILE",
    "host_refused": "call the server by a name in its setting allowed_hosts",
    "policy_unreadable": "correct the .memwiki.toml there; memwiki doctor names it",
    "body_too_large": "an event may have 10 MB; larger ones are left out and the rest is recorded",
}
# These are about one event, which may be odd; the others are about the way, on which every event fails.
_CONTENT_CODES = frozenset({"body_too_large", "malformed_payload"})


class FaultKind(StrEnum):
    """What can be wrong with capture, the worst first."""

    POLICY_UNREADABLE = "policy_unreadable"
    REFUSED = "refused"
    LOST = "lost"
    SPOOLED = "spooled"
    SILENT = "silent"
    UNKNOWN_KINDS = "unknown_kinds"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one agent: what is wrong, and what to do about it, each a sentence."""

    kind: FaultKind
    agent: str
    owner: str
    machine: str
    text: str
    advice: str

    def __str__(self) -> str:
        """Say both in one line."""
        return f"{self.text}: {self.advice}"


def find_faults(rows: Sequence[AgentActivity], refusals: Iterable[Refusal], now: datetime) -> tuple[Fault, ...]:
    """Find what keeps work from being recorded, the worst first."""
    found = [*_find_refused(refusals), *_find_lost(rows, now), *_find_spooled(rows, now)]
    found += [*_find_silent(rows, now), *_find_unknown(rows, now)]
    order = list(FaultKind)
    return tuple(sorted(found, key=lambda fault: (order.index(fault.kind), fault.agent, fault.owner, fault.machine)))


def choose_notice(faults: Sequence[Fault], agent: str, owner: str) -> str:
    """Choose the one line for a session that starts: of its own agent if it can be, never of another person's."""
    mine = [fault for fault in faults if fault.owner == owner and fault.kind is not FaultKind.UNKNOWN_KINDS]
    chosen = next((fault for fault in mine if fault.agent == agent), mine[0] if mine else None)
    return f"memwiki capture is broken. {chosen}" if chosen else ""


def find_local_faults(
    agent_machine: str, *, waiting_s: int, depth: int, unreadable: Sequence[str]
) -> tuple[Fault, ...]:
    """Find what this machine's own spool folder tells, which the server may not have heard of."""
    found = [
        Fault(
            FaultKind.POLICY_UNREADABLE,
            "",
            "",
            agent_machine,
            f"nothing is captured where a policy cannot be read ({reason})",
            "correct that file; capture goes on with the next event",
        )
        for reason in unreadable
    ]
    if depth and waiting_s > limits.SPOOL_WAIT_MINUTES_MAX * 60:
        age = _say(timedelta(seconds=waiting_s))
        text = f"{_count(depth, 'event')} {_are(depth)} waiting in this machine's spool for {age}"
        advice = "they go with the next event or command once the server answers"
        found.append(Fault(FaultKind.SPOOLED, "", "", agent_machine, text, advice))
    return tuple(found)


def _find_refused(refusals: Iterable[Refusal]) -> Iterator[Fault]:
    for refusal in refusals:
        needed = limits.REFUSED_CONTENTS_MIN if refusal.last_code in _CONTENT_CODES else 1
        if refusal.count_in_hour < needed:
            continue
        is_policy = refusal.last_code == FaultKind.POLICY_UNREADABLE
        kind = FaultKind.POLICY_UNREADABLE if is_policy else FaultKind.REFUSED
        name = _name(refusal.agent, refusal.machine)
        events = _count(refusal.count_in_hour, "event")
        code = refusal.last_code.replace("_", " ")
        text = f"in the last hour {events} of {name} {_are(refusal.count_in_hour)} refused ({code})"
        renew = f"bring client and server to one release, then: memwiki install {refusal.agent} --apply"
        advice = _REFUSED_ADVICE.get(refusal.last_code, renew)
        yield Fault(kind, refusal.agent, refusal.owner, refusal.machine, text, advice)


def _find_lost(rows: Sequence[AgentActivity], now: datetime) -> Iterator[Fault]:
    since = now - timedelta(days=limits.LOSS_SHOWN_DAYS)
    for row in list_spool_reports(rows):
        if row.lost_total and row.lost_at is not None and row.lost_at > since:
            name = _name(row.agent, row.machine)
            text = f"memwiki lost {_count(row.lost_total, 'event')}, last known from {name}"
            advice = "hook.log in that machine's spool folder says why (memwiki status names the folder)"
            yield Fault(FaultKind.LOST, row.agent, row.owner, row.machine, text, advice)


def _find_spooled(rows: Sequence[AgentActivity], now: datetime) -> Iterator[Fault]:
    for row in list_spool_reports(rows):
        age = timedelta(seconds=row.spooled_oldest_s) + max(timedelta(0), now - row.last_event_at)
        if row.spooled_depth and age > timedelta(minutes=limits.SPOOL_WAIT_MINUTES_MAX):
            waiting = _count(row.spooled_depth, "event")
            name = _name(row.agent, row.machine)
            text = f"{waiting} {_are(row.spooled_depth)} waiting in the spool of {name} for {_say(age)}"
            advice = "run any memwiki command there to send them; memwiki doctor says what is in the way"
            yield Fault(FaultKind.SPOOLED, row.agent, row.owner, row.machine, text, advice)


def _find_silent(rows: Sequence[AgentActivity], now: datetime) -> Iterator[Fault]:
    """Find agents that were seen often and fell silent while the same person works with others.

    After a while an agent counts as given up.
    """
    active = {
        (row.agent, row.owner, row.machine)
        for row in rows
        if now - row.last_event_at <= timedelta(days=limits.ACTIVE_DAYS_MAX)
    }
    for row in rows:
        silence = now - row.last_event_at
        is_between = timedelta(days=limits.SILENT_DAYS_MIN) < silence <= timedelta(days=limits.SILENT_DAYS_MAX)
        if not is_between or row.events_total < limits.SEEN_OFTEN_EVENTS_MIN:
            continue
        if any(owner == row.owner for _, owner, _ in active) and not _is_moved(row, active):
            name = _name(row.agent, row.machine)
            text = f"{name} has sent nothing for {_say(silence)}, while other agents did"
            advice = f"if it is still used there, run there: memwiki doctor {row.agent}"
            yield Fault(FaultKind.SILENT, row.agent, row.owner, row.machine, text, advice)


def _find_unknown(rows: Sequence[AgentActivity], now: datetime) -> Iterator[Fault]:
    for row in rows:
        count = activity.count_unknown_kinds_today(row, now)
        if count >= limits.UNKNOWN_KINDS_PER_DAY_MAX:
            events = _count(count, "event")
            text = f"today {_name(row.agent, row.machine)} sent {events} of kinds that this release does not know"
            advice = "they are kept, but as raw text only: upgrade memwiki, or report the agent's version"
            yield Fault(FaultKind.UNKNOWN_KINDS, row.agent, row.owner, row.machine, text, advice)


def list_spool_reports(rows: Sequence[AgentActivity]) -> list[AgentActivity]:
    """List of each person and machine the row that was heard of last: one machine's agents share one spool."""
    latest: dict[tuple[str, ...], AgentActivity] = {}
    for row in rows:
        # Clients that do not name their machine cannot be told to share anything.
        key = (row.owner, row.machine) if row.machine else (row.owner, "", row.agent)
        if key not in latest or latest[key].last_event_at < row.last_event_at:
            latest[key] = row
    return list(latest.values())


def _is_moved(row: AgentActivity, active: Iterable[tuple[str, str, str]]) -> bool:
    """Tell whether the same agent works elsewhere now and this machine has nobody active left: it was retired."""
    others = [(agent, machine) for agent, owner, machine in active if owner == row.owner]
    return any(agent == row.agent for agent, _ in others) and not any(machine == row.machine for _, machine in others)


def _name(agent: str, machine: str) -> str:
    return f"{agent} on {machine}" if machine else agent


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _are(number: int) -> str:
    return "was" if number == 1 else "were"


def _say(span: timedelta) -> str:
    """Say a span in its largest unit."""
    if span.days:
        return _count(span.days, "day")
    hours, rest = divmod(span.seconds, 3600)
    return _count(hours, "hour") if hours else _count(rest // 60, "minute")
