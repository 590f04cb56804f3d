"""The whole step from what arrived to stored observations, idempotent by key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from app.agents import registry
from app.capture import admission, locate, reach
from app.capture.admission import Refusal
from app.capture.arrival import Arrival
from app.capture.exclude import ServerRules
from app.capture.outcome import IngestOutcome, IngestStatus
from app.capture.repeats import SeenKeys, Verdict
from app.domain import backfill, limits, rehearsal
from app.domain.checkout import Checkout
from app.domain.clock import IdSource
from app.domain.event import Actor, Event, EventKind
from app.domain.session import Session, SessionState
from app.state import activity, handoff_moves, jobs, observations, sessions
from app.state.activity import ActivityChange
from app.state.engine import WriteConnection
from app.state.observations import KeyRow, NewObservation
from app.state.sessions import SessionActivity

COMPILE_JOB = "compile_session"
# Tuples, since a member of an enumeration is found in one by itself, and in a set by a slow hash.
_PAGE_KINDS = (EventKind.SESSION_END, EventKind.COMPACTION)

# After these a person may go on elsewhere, and what is on the disk is what the session leaves.
_PAUSES = (EventKind.TURN_END, EventKind.SESSION_END)
_WORK_KINDS = (EventKind.TOOL_END, EventKind.TOOL_START)


@dataclass(frozen=True, slots=True)
class StoreParts:
    """What storing needs besides the events."""

    ids: IdSource
    rules: ServerRules


def store_arrivals(parts: StoreParts, conn: WriteConnection, arrivals: Sequence[Arrival]) -> list[IngestOutcome]:
    """Store a batch in the order given: new projects and sessions, observations, keys, and what follows from them."""
    names = {arrival.event.agent_session_id for arrival in arrivals}
    known = sessions.find_sessions_by_agent_ids(conn, names)
    if outside := reach.find_outside(arrivals, known):
        stored = iter(store_arrivals(parts, conn, [arrival for arrival in arrivals if id(arrival) not in outside]))
        return [reach.OUTSIDE if id(arrival) in outside else next(stored) for arrival in arrivals]
    refused = admission.find_refusals(conn, parts.rules, names, known) | _refuse_captured(arrivals, known)
    judged = _judge_repeats(conn, _leave_out(arrivals, refused), known)
    new = [arrival for arrival, verdict in judged if not verdict.is_repeat]
    if late := _add_sessions(parts, conn, new, known):
        refused |= late
        judged = [(arrival, verdict) for arrival, verdict in judged if arrival.event.agent_session_id not in late]
    fresh = _leave_out(new, refused)
    rows = [NewObservation(known[a.event.agent_session_id].id, a.event, a.received_at, a.stored) for a in fresh]
    numbers = observations.insert_observations(conn, rows)
    observations.insert_keys(conn, _list_keys(judged, known))
    _record_sessions(conn, fresh, known, numbers)
    _note_checkouts(conn, fresh, known)
    _move_leases(conn, fresh, known)
    due = _queue_jobs(conn, fresh, known)
    repeats = {id(arrival) for arrival, verdict in judged if verdict.is_repeat}
    # A rehearsal proves that an agent can be heard, a transcript that it could not: neither is one that was.
    heard = [
        arrival
        for arrival in fresh
        if not rehearsal.is_rehearsal(arrival.checkout.marker_workspace)
        and not backfill.is_backfilled(arrival.checkout)
    ]
    activity.update_activity(conn, _sum_up_activity(heard))
    return _list_outcomes(arrivals, known, refused, repeats=repeats, due=due)


def bind_store(ids: IdSource, rules: ServerRules) -> "partial[list[IngestOutcome]]":
    """Bind what storing needs, so that the writer can hand over whole batches of arrivals."""
    return partial(store_arrivals, StoreParts(ids, rules))


def is_work(event: Event) -> bool:
    """Tell whether an event is work: a person's words or an agent's use of a tool, not lifecycle or machine text."""
    if event.kind is EventKind.PROMPT:
        return event.actor is Actor.PERSON
    return event.kind in _WORK_KINDS


def _leave_out(arrivals: Sequence[Arrival], refused: Mapping[str, Refusal]) -> Sequence[Arrival]:
    return [a for a in arrivals if a.event.agent_session_id not in refused] if refused else arrivals


def _refuse_captured(arrivals: Sequence[Arrival], known: Mapping[str, Session]) -> dict[str, Refusal]:
    """Refuse what a transcript tells of sessions that their hooks told."""
    refusal = Refusal(IngestStatus.REPLAYED, backfill.CAPTURED_REASON)
    return {
        arrival.event.agent_session_id: refusal
        for arrival in arrivals
        if backfill.is_backfilled(arrival.checkout)
        and (session := known.get(arrival.event.agent_session_id))
        and not backfill.is_backfilled(session.checkout)
    }


def _judge_repeats(
    conn: WriteConnection, arrivals: Sequence[Arrival], known: Mapping[str, Session]
) -> list[tuple[Arrival, Verdict]]:
    """Decide for each arrival whether it was told before, and by which keys to remember it."""
    seen = SeenKeys([arrival.keys for arrival in arrivals], partial(observations.find_known_keys, conn))
    states = {name: session.state for name, session in known.items()}
    judged = []
    for arrival in arrivals:
        event = arrival.event
        state = states.get(event.agent_session_id, SessionState.OPEN)
        # Every end of a session looks the same; work between two of them shows that they are two.
        is_another_end = event.kind is EventKind.SESSION_END and state is SessionState.OPEN
        verdict = seen.judge(arrival.keys, is_surely_new=is_another_end)
        judged.append((arrival, verdict))
        states[event.agent_session_id] = state if verdict.is_repeat else _decide_state(event, state)
    return judged


def _add_sessions(
    parts: StoreParts, conn: WriteConnection, fresh: Sequence[Arrival], known: dict[str, Session]
) -> dict[str, Refusal]:
    """Begin the sessions that are new, unless their project is refused; they join the known ones."""
    added: dict[str, Session] = {}
    refused: dict[str, Refusal] = {}
    for arrival in fresh:
        name = arrival.event.agent_session_id
        if name in known or name in added or name in refused:
            continue
        location = locate.locate_project(conn, arrival.checkout, arrival.workspace)
        refusal = admission.refuse_location(conn, parts.rules, arrival, location)
        if refusal:
            refused[name] = refusal
            continue
        project = locate.find_or_insert_project(
            parts.ids,
            conn,
            arrival.checkout,
            location=location,
            workspace=arrival.workspace,
            now=arrival.received_at,
        )
        added[name] = _build_session(parts.ids.new_id(), project.id, arrival)
    sessions.insert_sessions(conn, list(added.values()))
    known.update(added)
    return refused


def _build_session(session_id: str, project_id: str, arrival: Arrival) -> Session:
    event = arrival.event
    moment = event.occurred_at or arrival.received_at
    return Session(
        id=session_id,
        project_id=project_id,
        agent=event.agent,
        agent_session_id=event.agent_session_id,
        owner=arrival.owner,
        cwd=arrival.checkout.root or arrival.checkout.cwd,
        state=SessionState.OPEN,
        started_at=moment,
        last_event_at=moment,
        checkout=arrival.checkout,
        continues=event.continues,
    )


def _list_keys(judged: Sequence[tuple[Arrival, Verdict]], known: Mapping[str, Session]) -> list[KeyRow]:
    return [
        (key, known[arrival.event.agent_session_id].id, arrival.received_at)
        for arrival, verdict in judged
        # A repeat of what was deleted without a tombstone has no session to remember it by.
        if arrival.event.agent_session_id in known
        for key in verdict.new_keys
    ]


def _record_sessions(
    conn: WriteConnection, fresh: Sequence[Arrival], known: Mapping[str, Session], numbers: Sequence[int]
) -> None:
    groups: dict[str, list[Arrival]] = {}
    last_numbers: dict[str, int] = {}
    for arrival, number in zip(fresh, numbers, strict=True):
        name = arrival.event.agent_session_id
        groups.setdefault(name, []).append(arrival)
        last_numbers[name] = number
    changes = []
    for name, group in groups.items():
        session = known[name]
        changes.append(_sum_up_session(session, group, last_numbers[name]))
        earlier = next((arrival.event.continues for arrival in group if arrival.event.continues), "")
        if earlier and not session.continues:
            sessions.update_continues(conn, session.id, earlier)
    sessions.update_sessions_activity(conn, changes)


def _sum_up_session(session: Session, group: Sequence[Arrival], last_number: int) -> SessionActivity:
    state, has_work = session.state, session.has_work
    for arrival in group:
        state = _decide_state(arrival.event, state)
        has_work = has_work or is_work(arrival.event)
    last = group[-1]
    return SessionActivity(
        session_id=session.id,
        last_event_at=_find_moment(last),
        last_observation_id=last_number,
        has_work=has_work,
        state=state,
        ended_at=_find_moment(last) if last.event.kind is EventKind.SESSION_END else None,
    )


def _find_moment(arrival: Arrival) -> datetime:
    """Take the moment by which sessions are dated: when an event came, of one told afterwards when it happened."""
    told = arrival.event.occurred_at if backfill.is_backfilled(arrival.checkout) else None
    return told or arrival.received_at


def _decide_state(event: Event, current: SessionState) -> SessionState:
    """End a session at its end event; any work after that opens it again."""
    if event.kind is EventKind.SESSION_END:
        return SessionState.ENDED
    return SessionState.OPEN if is_work(event) or event.kind is EventKind.SESSION_START else current


def _move_leases(conn: WriteConnection, fresh: Sequence[Arrival], known: Mapping[str, Session]) -> None:
    """Confirm the handoffs of sessions that work; give back those of sessions that end without work."""
    working = [arrival for arrival in fresh if is_work(arrival.event)]
    if working:
        now = working[-1].received_at
        lease_until = now + timedelta(seconds=limits.HANDOFF_LEASE_SECONDS)
        at_work = {known[a.event.agent_session_id].id: a.errand for a in working}
        handoff_moves.confirm_leases(conn, at_work, now=now, lease_until=lease_until, errands=at_work)
    ending = {known[a.event.agent_session_id].id: a.errand for a in fresh if a.event.kind is EventKind.SESSION_END}
    if ending:
        handoff_moves.give_back_provisional(conn, ending, fresh[-1].received_at, ending)


def _note_checkouts(conn: WriteConnection, fresh: Sequence[Arrival], known: Mapping[str, Session]) -> None:
    """Note how the working copy was left, and by which run; a session keeps its place, settled at its start."""
    notes: dict[str, tuple[Checkout, Checkout]] = {}
    for arrival in fresh:
        session = known[arrival.event.agent_session_id]
        begun, left = notes.get(session.id, (session.checkout, session.checkout))
        if arrival.event.actor is not Actor.SUBAGENT and arrival.checkout.root == begun.root:
            notes[session.id] = (begun, _note_checkout(left, arrival))
    for session_id, (begun, left) in notes.items():
        if left != begun:
            sessions.update_checkout(conn, session_id, left)


def _note_checkout(left: Checkout, arrival: Arrival) -> Checkout:
    seen = arrival.checkout
    if backfill.is_backfilled(left) and not backfill.is_backfilled(seen):
        # It goes on with its hooks, which tell all that is to come.
        left = replace(left, run=seen.run)
    if arrival.event.kind is EventKind.SESSION_START:
        # A first prompt that arrives before its start does not know whether a person is there.
        run = left.run if backfill.is_backfilled(seen) else seen.run
        return replace(left, launch=seen.launch or left.launch, run=run)
    if arrival.event.kind not in _PAUSES:
        return left
    return replace(
        left,
        branch=seen.branch or left.branch,
        revision=seen.revision or left.revision,
        dirty=left.dirty if seen.dirty_count is None else seen.dirty,
        dirty_count=seen.dirty_count,
        ahead=seen.ahead,
        behind=seen.behind,
    )


def _queue_jobs(conn: WriteConnection, fresh: Sequence[Arrival], known: Mapping[str, Session]) -> frozenset[str]:
    """Call for pages: at a session's end, and at a compaction, after which its agent has only a recap itself."""
    due = {known[a.event.agent_session_id].id: a.received_at for a in fresh if a.event.kind in _PAGE_KINDS}
    for session_id, moment in due.items():
        jobs.upsert_job(conn, COMPILE_JOB, session_id, moment)
    return frozenset(due)


def _list_outcomes(
    arrivals: Sequence[Arrival],
    known: Mapping[str, Session],
    refused: Mapping[str, Refusal],
    *,
    repeats: set[int],
    due: frozenset[str],
) -> list[IngestOutcome]:
    """Say what became of each; the events of a session that fared alike share one outcome."""
    shared: dict[tuple[str, bool, bool], IngestOutcome] = {}
    outcomes = []
    for arrival in arrivals:
        name, is_end = arrival.event.agent_session_id, arrival.event.kind is EventKind.SESSION_END
        case = (name, id(arrival) in repeats, is_end)
        outcome = shared.get(case)
        if outcome is None:
            outcome = shared[case] = _build_outcome(
                known.get(name), refused.get(name), is_repeat=case[1], is_end=is_end, due=due
            )
        outcomes.append(outcome)
    return outcomes


def _build_outcome(
    session: Session | None, refusal: Refusal | None, *, is_repeat: bool, is_end: bool, due: frozenset[str]
) -> IngestOutcome:
    if refusal:
        return IngestOutcome(refusal.status, reason=refusal.reason)
    status = IngestStatus.REPLAYED if is_repeat else IngestStatus.STORED
    if session is None:
        return IngestOutcome(status)
    return IngestOutcome(status, session.id, session.project_id, is_compile_due=is_end and session.id in due)


def _sum_up_activity(heard: Sequence[Arrival]) -> list[ActivityChange]:
    """Add up what each agent of a person on a machine sent; a spool's figures are the last ones told."""
    groups: dict[tuple[str, str, str], list[Arrival]] = {}
    for arrival in heard:
        groups.setdefault((arrival.event.agent, arrival.owner, arrival.checkout.machine), []).append(arrival)
    return [_build_activity(group) for group in groups.values()]


def _build_activity(group: Sequence[Arrival]) -> ActivityChange:
    last = group[-1]
    return ActivityChange(
        agent=str(last.event.agent),
        owner=last.owner,
        machine=last.checkout.machine,
        last_event_at=max(arrival.received_at for arrival in group),
        events=len(group),
        unknown_kinds=sum(registry.is_unknown_kind(arrival.event) for arrival in group),
        unknown_fields=sum(registry.count_unknown_fields(arrival.event) for arrival in group),
        spooled_depth=last.spool.depth,
        spooled_oldest_s=last.spool.oldest_seconds,
        lost_total=max(arrival.spool.lost for arrival in group),
    )
