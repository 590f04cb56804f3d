"""Handoffs as they are used: offered, looked at, taken by exactly one session, given back, finished or cancelled."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeVar

from app.domain import redact
from app.domain.clock import Clock, IdSource
from app.domain.errors import HandoffClaimed, HandoffClosed, HandoffNotFound, InvalidValue
from app.domain.event import Actor, Event, EventKind
from app.domain.handoff import Handoff, HandoffContent, HandoffOrigin, HandoffState, is_open, is_takeable
from app.domain.limits import (
    HANDOFF_AGE_DAYS_MAX,
    HANDOFF_LEASE_SECONDS,
    HANDOFF_PROVISIONAL_SECONDS,
    LIST_LIMIT_MAX,
    STATE_WRITE_SECONDS_MAX,
)
from app.domain.session import Session
from app.handoff.compose import cap_content
from app.state import audit, handoffs
from app.state.engine import ReadConnection, StateEngine, WriteConnection
from app.state.handoffs import Claim, Eligibility, StateChange
from app.state.writer import Writer

T = TypeVar("T")

OPEN_STATES = frozenset({HandoffState.OFFERED, HandoffState.CLAIMED, HandoffState.RELEASED})
CANDIDATES_MAX = 8

# A session that goes on after one of these has been told already, or is another's continuation.
_CONTINUATIONS = frozenset({"resume", "clear", "compact"})


@dataclass(frozen=True, slots=True)
class OfferParts:
    """What the functions here work with."""

    engine: StateEngine
    writer: Writer
    clock: Clock
    ids: IdSource


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: a person, and the session that asks for that person where there is one."""

    owner: str
    session_id: str = ""
    agent: str = ""

    @property
    def holder_id(self) -> str:
        """Name the holder of a claim made without a session, so that repeating it is the same claim."""
        return self.session_id or f"cli:{self.owner}"


@dataclass(frozen=True, slots=True)
class NewOffer:
    """What a person or an agent hands over on purpose."""

    project_id: str
    content: HandoffContent
    cwd: str = ""
    to_agent: str = ""
    to_user: str = ""


def offer(parts: OfferParts, caller: Caller, new: NewOffer) -> Handoff:
    """Offer work by hand; texts are redacted and cut to their bounds.

    Raises:
        InvalidValue: the summary is empty.
    """
    content = cap_content(redact_content(new.content))
    if not content.summary:
        raise InvalidValue("summary", "say in a sentence where the work stands")
    handoff = Handoff(
        id=parts.ids.new_id(),
        project_id=new.project_id,
        owner=caller.owner,
        origin=HandoffOrigin.MANUAL,
        state=HandoffState.OFFERED,
        cwd=new.cwd,
        content=content,
        created_at=parts.clock.now(),
        from_session_id=caller.session_id,
        from_agent=caller.agent,
        to_agent=new.to_agent,
        to_user=new.to_user,
    )

    def insert(conn: WriteConnection) -> Handoff:
        handoffs.insert_handoff(conn, handoff)
        _note(conn, parts, caller, "handoff.offer", handoff.id)
        return handoffs.get_handoff(conn, handoff.id)

    return _write(parts, insert)


def list_open(
    parts: OfferParts, project_id: str | None, owner: str | None, limit: int = LIST_LIMIT_MAX
) -> list[Handoff]:
    """List what is open, newest first; looking changes nothing."""
    return parts.engine.read(
        lambda conn: handoffs.list_handoffs(conn, project_id=project_id, states=OPEN_STATES, owner=owner, limit=limit)
    )


def show(parts: OfferParts, caller: Caller, handoff_id: str) -> Handoff:
    """Look at one handoff; looking changes nothing.

    Raises:
        HandoffNotFound: there is none, or it is not the caller's.
    """
    return parts.engine.read(_get_visible, caller, handoff_id)


def claim(parts: OfferParts, caller: Caller, handoff_id: str) -> Handoff:
    """Take a handoff; asking again from the same session gives the same claim.

    Raises:
        HandoffNotFound: there is none, or it is not the caller's.
        HandoffClaimed: another session holds it.
        HandoffClosed: it is done, cancelled, expired or superseded.
    """

    def take(conn: WriteConnection) -> Handoff:
        seen = _get_visible(conn, caller, handoff_id)
        if not _take(conn, parts, caller, handoff_id, is_provisional=False):
            raise _refuse(seen)
        if seen.holder_session_id != caller.holder_id or seen.state is not HandoffState.CLAIMED:
            _note(conn, parts, caller, "handoff.claim", handoff_id)
        return handoffs.get_handoff(conn, handoff_id)

    return _write(parts, take)


def claim_for_start(parts: OfferParts, session: Session, event: Event) -> Handoff | None:
    """Take the best open handoff for a session that starts, on a provisional lease; None where there is none.

    A repeat gets the same claim. A continuation gets what the session holds and never a second one; helpers,
    and sessions that have worked already, get nothing new.
    """
    if event.kind is not EventKind.SESSION_START or event.actor is Actor.SUBAGENT:
        return None
    now = parts.clock.now()
    looked = parts.engine.read(_look_for_start, session, parts)
    is_settled = looked is None or (looked.holder_session_id == session.id and not is_takeable(looked, now))
    if is_settled:
        return looked
    may_take = event.reason not in _CONTINUATIONS and not session.has_work
    return _write(parts, lambda conn: _take_for_start(conn, parts, session)) if may_take else None


def release(parts: OfferParts, caller: Caller, handoff_id: str) -> Handoff:
    """Give a handoff back, so that it is offered again; a person may also free one that is stuck.

    Raises:
        HandoffNotFound: there is none, or it is not the caller's.
        HandoffClaimed: another session holds it.
        HandoffClosed: it is done, cancelled, expired or superseded.
    """

    def give_back(conn: WriteConnection) -> Handoff:
        seen = _get_visible(conn, caller, handoff_id)
        if seen.state in {HandoffState.OFFERED, HandoffState.RELEASED}:
            return seen
        _check_holder(seen, caller, or_person=True)
        return _move(conn, parts, caller, seen, HandoffState.OFFERED)

    return _write(parts, give_back)


def finish(parts: OfferParts, caller: Caller, handoff_id: str) -> Handoff:
    """Mark a handoff as done by its holder.

    Raises:
        HandoffNotFound: there is none, or it is not the caller's.
        HandoffClaimed: another session holds it.
        HandoffClosed: it is not held: offered, cancelled, expired or superseded.
    """

    def close(conn: WriteConnection) -> Handoff:
        seen = _get_visible(conn, caller, handoff_id)
        if seen.state is HandoffState.DONE and seen.holder_session_id == caller.holder_id:
            return seen
        if seen.state is not HandoffState.CLAIMED:
            raise HandoffClosed(seen.id, seen.state.value)
        _check_holder(seen, caller, or_person=True)
        return _move(conn, parts, caller, seen, HandoffState.DONE)

    return _write(parts, close)


def cancel(parts: OfferParts, caller: Caller, handoff_id: str) -> Handoff:
    """Take back an offer, held or not; repeating it changes nothing.

    Raises:
        HandoffNotFound: there is none, or it is not the caller's.
        HandoffClosed: it is done, expired or superseded.
    """

    def withdraw(conn: WriteConnection) -> Handoff:
        seen = _get_visible(conn, caller, handoff_id)
        if seen.state is HandoffState.CANCELLED:
            return seen
        if not is_open(seen):
            raise HandoffClosed(seen.id, seen.state.value)
        return _move(conn, parts, caller, seen, HandoffState.CANCELLED)

    return _write(parts, withdraw)


def expire_old(parts: OfferParts) -> int:
    """Close what has been open longer than its age allows and nobody is at; tells how many."""
    now = parts.clock.now()
    before = now - timedelta(days=HANDOFF_AGE_DAYS_MAX)
    return _write(parts, lambda conn: handoffs.expire_handoffs(conn, created_before=before, now=now))


def redact_content(content: HandoffContent) -> HandoffContent:
    """Clean every text of a handoff like any event's."""

    def clean(items: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(redact.redact_text(redact.strip_private(item)) for item in items)

    return replace(
        content,
        summary=redact.redact_text(redact.strip_private(content.summary)),
        goal=redact.redact_text(redact.strip_private(content.goal)),
        done=clean(content.done),
        open_questions=clean(content.open_questions),
        next_steps=clean(content.next_steps),
        files=clean(content.files),
        failing_commands=clean(content.failing_commands),
        branch=redact.redact_text(content.branch),
        revision=redact.redact_text(content.revision),
        dirty=clean(content.dirty),
        decisions=clean(content.decisions),
        rejected=clean(content.rejected),
    )


def _look_for_start(conn: ReadConnection, session: Session, parts: OfferParts) -> Handoff | None:
    """Find what a start would get: what the session holds, else the best that it may take."""
    held = handoffs.list_held(conn, session.id, 1)
    if held:
        return held[0]
    now = parts.clock.now()
    asker = Eligibility(
        project_id=session.project_id,
        owner=session.owner,
        cwd=session.cwd,
        to_agent=session.agent.value,
        now=now,
        created_after=now - timedelta(days=HANDOFF_AGE_DAYS_MAX),
    )
    eligible = handoffs.list_eligible(conn, asker, CANDIDATES_MAX)
    return next((found for found in eligible if found.from_session_id != session.id), None)


def _take_for_start(conn: WriteConnection, parts: OfferParts, session: Session) -> Handoff | None:
    """Look again inside the transaction, where nobody else can take it in between, and claim what is found."""
    found = _look_for_start(conn, session, parts)
    caller = Caller(session.owner, session.id, session.agent.value)
    if found is None or not _take(conn, parts, caller, found.id, is_provisional=True):
        return None
    if found.holder_session_id != session.id:
        _note(conn, parts, caller, "handoff.claim_at_start", found.id)
    return handoffs.get_handoff(conn, found.id)


def _take(conn: WriteConnection, parts: OfferParts, caller: Caller, handoff_id: str, *, is_provisional: bool) -> bool:
    now = parts.clock.now()
    seconds = HANDOFF_PROVISIONAL_SECONDS if is_provisional else HANDOFF_LEASE_SECONDS
    wish = Claim(
        handoff_id=handoff_id,
        session_id=caller.holder_id,
        agent=caller.agent,
        token="",
        now=now,
        lease_until=now + timedelta(seconds=seconds),
        is_provisional=is_provisional,
    )
    return handoffs.claim_handoff(conn, wish)


def _get_visible(conn: ReadConnection, caller: Caller, handoff_id: str) -> Handoff:
    """Get a handoff that is the caller's own or sent to the caller; another's looks as if it did not exist."""
    found = handoffs.get_handoff(conn, handoff_id)
    if caller.owner not in {found.owner, found.to_user}:
        raise HandoffNotFound(handoff_id)
    return found


def _check_holder(seen: Handoff, caller: Caller, *, or_person: bool) -> None:
    if not is_open(seen):
        raise HandoffClosed(seen.id, seen.state.value)
    is_person = or_person and not caller.session_id
    if seen.holder_session_id != caller.holder_id and not is_person:
        raise _refuse(seen)


def _refuse(seen: Handoff) -> HandoffClaimed | HandoffClosed:
    if not is_open(seen):
        return HandoffClosed(seen.id, seen.state.value)
    agent = f"{seen.holder_agent} session " if seen.holder_agent else ""
    until = seen.lease_until.strftime("%Y-%m-%dT%H:%M:%SZ") if seen.lease_until else "it is released"
    return HandoffClaimed(seen.id, f"{agent}{seen.holder_session_id}", until)


def _move(conn: WriteConnection, parts: OfferParts, caller: Caller, seen: Handoff, to: HandoffState) -> Handoff:
    handoffs.update_handoff_state(conn, StateChange(seen.id, {seen.state}, to, parts.clock.now()))
    _note(conn, parts, caller, f"handoff.{to.value}", seen.id)
    return handoffs.get_handoff(conn, seen.id)


def _note(conn: WriteConnection, parts: OfferParts, caller: Caller, action: str, handoff_id: str) -> None:
    actor = caller.owner or "local"
    entry = audit.AuditEntry(parts.clock.now(), actor, action, handoff_id, f"session {caller.session_id or '-'}")
    audit.insert_audit(conn, entry)


def _write(parts: OfferParts, job: Callable[[WriteConnection], T]) -> T:
    return parts.writer.submit(job).result(timeout=STATE_WRITE_SECONDS_MAX)
