"""The whole step from a hook's payload to a stored observation, idempotent by key."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache, partial
from typing import Any

import msgspec

from app.agents import registry
from app.capture import exclude, route
from app.domain import limits, redact
from app.domain.checkout import Checkout
from app.domain.clock import IdSource
from app.domain.errors import MalformedPayload
from app.domain.event import Actor, Event, EventKind
from app.domain.redact import RedactedEvent
from app.domain.scope import Project
from app.domain.session import Session, SessionState
from app.state import activity, handoffs, jobs, observations, projects, sessions
from app.state.activity import ActivityChange
from app.state.engine import ReadConnection, WriteConnection
from app.state.observations import NewObservation
from app.state.sessions import SessionActivity

COMPILE_JOB = "compile_session"

_LOGIN = re.compile(r"(?<=:)//[^/\s]*@")
# Events whose ids their agents use once; a helper keeps one id and may stop several times.
_IDENTIFIED_KINDS = frozenset({EventKind.PROMPT, EventKind.TOOL_START, EventKind.TOOL_END})
_WORK_KINDS = frozenset({EventKind.TOOL_END, EventKind.TOOL_START})


class IngestStatus(StrEnum):
    """What became of one event; `MALFORMED` appears in batches only, a single one is an error."""

    STORED = "stored"
    REPLAYED = "replayed"
    DROPPED_BY_POLICY = "dropped_by_policy"
    MALFORMED = "malformed"


@dataclass(frozen=True, slots=True)
class SpoolReport:
    """What a client says of its spool; all zero when it is empty."""

    depth: int = 0
    oldest_seconds: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class RepeatKeys:
    """The keys by which an event is known: its `own` are stored with it, and any of `others` makes it a repeat."""

    own: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Arrival:
    """One event on its way into state, already excluded from and redacted."""

    event: RedactedEvent
    keys: RepeatKeys
    checkout: Checkout
    owner: str
    workspace: str
    received_at: datetime
    spool: SpoolReport = SpoolReport()


@dataclass(frozen=True, slots=True)
class IngestOutcome:
    """What became of one event, and the session and project that it belongs to."""

    status: IngestStatus
    session_id: str = ""
    project_id: str = ""
    is_compile_due: bool = False


def parse_body(body: bytes | msgspec.Raw) -> Mapping[str, object]:
    """Read a hook's JSON object and take out what must not be kept.

    Raises:
        MalformedPayload: the body is not UTF-8 JSON, nests too deeply, or is no object.
    """
    try:
        payload = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedPayload(f"not JSON: {str(error)[:200]}") from error
    if not isinstance(payload, dict):
        raise MalformedPayload(f"an object was expected, not {type(payload).__name__}")
    raw = bytes(body)
    # Nothing nests deeper than it has brackets, and counting those costs next to nothing.
    if raw.count(b"{") + raw.count(b"[") > limits.HOOK_JSON_DEPTH_MAX and _is_deeper(
        payload, limits.HOOK_JSON_DEPTH_MAX
    ):
        raise MalformedPayload(f"it nests deeper than {limits.HOOK_JSON_DEPTH_MAX} levels")
    if exclude.may_have_private(raw):
        payload = {str(exclude.drop_private(name)): exclude.drop_private(value) for name, value in payload.items()}
    return payload


def parse_moment(text: str) -> datetime | None:
    """Read a client's ISO time as UTC; anything else is None."""
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def build_arrival(
    event: Event,
    *,
    key: str,
    checkout: Checkout,
    owner: str,
    workspace: str,
    received_at: datetime,
    spool: SpoolReport,
) -> Arrival:
    """Redact an event and give it the keys by which a repeat is known.

    `key` is the client's own, empty when it sent none; a client's clock is believed within
    `CLIENT_CLOCK_SKEW_SECONDS_MAX` of the future.
    """
    latest = received_at + timedelta(seconds=limits.CLIENT_CLOCK_SKEW_SECONDS_MAX)
    if event.occurred_at and event.occurred_at > latest:
        event = replace(event, occurred_at=received_at)
    return Arrival(
        event=redact.redact_event(event),
        keys=_build_keys(event, key, event.occurred_at or received_at),
        checkout=_redact_checkout(checkout if checkout.cwd else replace(checkout, cwd=event.cwd)),
        owner=owner,
        workspace=workspace,
        received_at=received_at,
        spool=spool,
    )


def store_arrivals(ids: IdSource, conn: WriteConnection, arrivals: Sequence[Arrival]) -> list[IngestOutcome]:
    """Store a batch in the order given: new projects and sessions, observations, keys, and what follows from them."""
    known = sessions.find_sessions_by_agent_ids(conn, {arrival.event.agent_session_id for arrival in arrivals})
    chosen = _choose_keys(conn, arrivals, known)
    fresh = [arrival for arrival, keys in zip(arrivals, chosen, strict=True) if keys is not None]
    added = _build_sessions(ids, conn, fresh, known)
    sessions.insert_sessions(conn, added)
    known.update({session.agent_session_id: session for session in added})
    rows = [_build_row(arrival, known[arrival.event.agent_session_id]) for arrival in fresh]
    numbers = observations.insert_observations(conn, rows)
    observations.insert_keys(
        conn,
        (
            (key, known[arrival.event.agent_session_id].id, arrival.received_at)
            for arrival, keys in zip(arrivals, chosen, strict=True)
            for key in keys or ()
        ),
    )
    _record_activity(conn, fresh, known, numbers)
    _move_leases(conn, fresh, known)
    due = _queue_jobs(conn, fresh, known)
    return [
        _build_outcome(arrival, known.get(arrival.event.agent_session_id), is_repeat=keys is None, due=due)
        for arrival, keys in zip(arrivals, chosen, strict=True)
    ]


def bind_store(ids: IdSource) -> "partial[list[IngestOutcome]]":
    """Bind the id source, so that the writer can hand over whole batches of arrivals."""
    return partial(store_arrivals, ids)


def find_project_of(conn: ReadConnection, checkout: Checkout) -> Project | None:
    """Find the project that a checkout belongs to, without making one."""
    for identity in route.list_identities(checkout):
        project = projects.find_project_by_identity(conn, identity)
        if project:
            return project
    return None


def is_work(event: Event) -> bool:
    """Tell whether an event is work: a person's words or an agent's use of a tool, not lifecycle or machine text."""
    if event.kind is EventKind.PROMPT:
        return event.actor is Actor.PERSON
    return event.kind in _WORK_KINDS


def _is_deeper(payload: Mapping[str, object], levels: int) -> bool:
    layer: list[dict[str, object] | list[object]] = [dict(payload)]
    for _ in range(levels):
        children = (item.values() if isinstance(item, dict) else item for item in layer)
        layer = [child for found in children for child in found if isinstance(child, dict | list)]
        if not layer:
            return False
    return True


@lru_cache(maxsize=1024)
def _redact_checkout(checkout: Checkout) -> Checkout:
    """Take secrets out of every fact that was seen of a folder."""
    facts: dict[str, Any] = {field.name: _redact_fact(getattr(checkout, field.name)) for field in fields(Checkout)}
    return Checkout(**facts)


def _redact_fact(fact: str | tuple[str, ...]) -> str | tuple[str, ...]:
    """Redact a text or each of several; the login in a URL tells nothing of a project, and may be a password."""
    if isinstance(fact, tuple):
        return tuple(redact.redact_text(item) for item in fact)
    return redact.redact_text(_LOGIN.sub("//", fact))


def _build_keys(event: Event, client_key: str, moment: datetime) -> RepeatKeys:
    """Name an event by its client's key and by the agent's own id; one without an id by its content and its time.

    Agents' names play no part: the same hook registered twice, or one agent that runs another's hooks, gives the
    same keys. Not every agent's module reads a prompt's id, so that a prompt with one is known by its content too.
    """
    session = _hash_session(event.agent_session_id)
    own = [f"c:{session}{_hash_text(client_key)}"] if client_key else []
    others: list[str] = []
    has_own_id = event.kind in _IDENTIFIED_KINDS and event.native_id
    if has_own_id:
        own.append(f"n:{session}{_hash_text(f'{event.kind} {event.native_id}')}")
    if not has_own_id or event.kind is EventKind.PROMPT:
        content = f"{session}{_hash_text(json.dumps(_list_content(event)))}"
        slot = int(moment.timestamp()) // limits.DUPLICATE_WINDOW_SECONDS
        own.append(f"{'i' if has_own_id else 'w'}:{content}:{slot}")
        # Two with ids of their own are told apart by these alone.
        marks = "w" if has_own_id else "iw"
        others = [f"{mark}:{content}:{near}" for mark in marks for near in (slot, slot - 1, slot + 1)]
    return RepeatKeys(tuple(own), (*(key for key in own if not key.startswith("i:")), *others))


def _list_content(event: Event) -> list[object]:
    tool = event.tool
    parts: list[object] = [event.kind, event.native_name, event.text, event.reason]
    if event.kind is not EventKind.PROMPT:
        parts.append(event.native_id)
    if tool:
        parts += [tool.name, tool.command, tool.input_text, tool.output_text]
        parts += [[touch.path, touch.change] for touch in tool.files]
    if event.kind is EventKind.OTHER:
        # Elsewhere these differ between two agents' modules, which do not know the same fields.
        parts += [list(field) for field in event.extra]
    return parts


@lru_cache(maxsize=1024)
def _hash_session(agent_session_id: str) -> str:
    """Make the beginning of a session's keys, so that those of one session lie together in the store."""
    return hashlib.blake2b(agent_session_id.encode("utf-8", "replace"), digest_size=6).hexdigest()


def _hash_text(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=14).hexdigest()


def _choose_keys(
    conn: WriteConnection, arrivals: Sequence[Arrival], known: Mapping[str, Session]
) -> list[tuple[str, ...] | None]:
    """Choose for each arrival the keys to remember it by; None for a repeat."""
    wanted = {key for arrival in arrivals for key in (*arrival.keys.own, *arrival.keys.others)}
    seen = observations.find_known_keys(conn, wanted)
    states = {name: session.state for name, session in known.items()}
    chosen: list[tuple[str, ...] | None] = []
    for arrival in arrivals:
        event, keys = arrival.event, arrival.keys
        state = states.get(event.agent_session_id, SessionState.OPEN)
        # Every end of a session looks the same; work between two of them shows that they are two.
        is_another_end = event.kind is EventKind.SESSION_END and state is SessionState.OPEN
        telling = [key for key in keys.own if key.startswith("c:")] if is_another_end else keys.others
        is_repeat = not seen.isdisjoint(telling)
        chosen.append(None if is_repeat else tuple(key for key in keys.own if key not in seen))
        seen.update(keys.own)
        states[event.agent_session_id] = state if is_repeat else _decide_state(event, state)
    return chosen


def _build_sessions(
    ids: IdSource, conn: WriteConnection, fresh: Sequence[Arrival], known: Mapping[str, Session]
) -> list[Session]:
    added: dict[str, Session] = {}
    for arrival in fresh:
        event = arrival.event
        if event.agent_session_id in known or event.agent_session_id in added:
            continue
        project = _find_or_insert_project(ids, conn, arrival)
        moment = event.occurred_at or arrival.received_at
        added[event.agent_session_id] = Session(
            id=ids.new_id(),
            project_id=project.id,
            agent=event.agent,
            agent_session_id=event.agent_session_id,
            owner=arrival.owner,
            cwd=arrival.checkout.root or arrival.checkout.cwd,
            state=SessionState.OPEN,
            started_at=moment,
            last_event_at=moment,
            checkout=arrival.checkout,
        )
    return list(added.values())


def _find_or_insert_project(ids: IdSource, conn: WriteConnection, arrival: Arrival) -> Project:
    identities = route.list_identities(arrival.checkout)
    found = [projects.find_project_by_identity(conn, identity) for identity in identities]
    project = next((candidate for candidate in found if candidate), None)
    if project is None:
        scope = route.name_project(arrival.checkout, arrival.workspace, projects.list_names(conn, arrival.workspace))
        project = projects.find_project(conn, scope) if arrival.checkout.marker_project else None
    if project is None:
        project = Project(id=ids.new_id(), scope=scope, created_at=arrival.received_at)
        projects.insert_project(conn, project)
    for identity, owner in zip(identities, found, strict=True):
        if owner is None:
            projects.insert_identity(conn, project.id, identity)
    return project


def _build_row(arrival: Arrival, session: Session) -> NewObservation:
    return NewObservation(session_id=session.id, received_at=arrival.received_at, event=arrival.event)


def _record_activity(
    conn: WriteConnection, fresh: Sequence[Arrival], known: Mapping[str, Session], numbers: Sequence[int]
) -> None:
    latest: dict[str, SessionActivity] = {}
    for arrival, number in zip(fresh, numbers, strict=True):
        session = known[arrival.event.agent_session_id]
        before = latest.get(session.id)
        work = is_work(arrival.event)
        latest[session.id] = SessionActivity(
            session_id=session.id,
            last_event_at=arrival.received_at,
            last_observation_id=number,
            has_work=work or session.has_work or (before is not None and before.has_work),
            state=_decide_state(arrival.event, before.state if before and before.state else session.state),
            ended_at=arrival.received_at if arrival.event.kind is EventKind.SESSION_END else None,
        )
    sessions.update_sessions_activity(conn, list(latest.values()))
    activity.update_activity(conn, [_build_activity(arrival) for arrival in fresh])


def _decide_state(event: Event, current: SessionState) -> SessionState:
    """End a session at its end event; any work after that opens it again."""
    if event.kind is EventKind.SESSION_END:
        return SessionState.ENDED
    return SessionState.OPEN if is_work(event) or event.kind is EventKind.SESSION_START else current


def _build_activity(arrival: Arrival) -> ActivityChange:
    return ActivityChange(
        agent=str(arrival.event.agent),
        owner=arrival.owner,
        machine=arrival.checkout.machine,
        last_event_at=arrival.received_at,
        events=1,
        unknown_kinds=int(registry.is_unknown_kind(arrival.event)),
        unknown_fields=registry.count_unknown_fields(arrival.event),
        spooled_depth=arrival.spool.depth,
        spooled_oldest_s=arrival.spool.oldest_seconds,
        lost_total=arrival.spool.lost,
    )


def _move_leases(conn: WriteConnection, fresh: Sequence[Arrival], known: Mapping[str, Session]) -> None:
    """Confirm the handoffs of sessions that work; give back those of sessions that end without work."""
    working = [arrival for arrival in fresh if is_work(arrival.event)]
    if working:
        lease_until = working[-1].received_at + timedelta(seconds=limits.HANDOFF_LEASE_SECONDS)
        handoffs.confirm_leases(conn, {known[a.event.agent_session_id].id for a in working}, lease_until)
    ending = {known[a.event.agent_session_id].id for a in fresh if a.event.kind is EventKind.SESSION_END}
    if ending:
        handoffs.release_provisional(conn, ending)


def _queue_jobs(conn: WriteConnection, fresh: Sequence[Arrival], known: Mapping[str, Session]) -> frozenset[str]:
    ended = {known[a.event.agent_session_id].id: a.received_at for a in fresh if a.event.kind is EventKind.SESSION_END}
    for session_id, moment in ended.items():
        jobs.upsert_job(conn, COMPILE_JOB, session_id, moment)
    return frozenset(ended)


def _build_outcome(arrival: Arrival, session: Session | None, *, is_repeat: bool, due: frozenset[str]) -> IngestOutcome:
    status = IngestStatus.REPLAYED if is_repeat else IngestStatus.STORED
    if session is None:
        return IngestOutcome(status)
    is_end = arrival.event.kind is EventKind.SESSION_END
    return IngestOutcome(status, session.id, session.project_id, is_compile_due=is_end and session.id in due)
