"""Handoffs as they are made and looked at: offered by hand, listed, given back, withdrawn, closed for their age."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeVar

from app.domain import handoff as domain
from app.domain import redact
from app.domain.checkout import Checkout
from app.domain.clock import Clock, IdSource
from app.domain.errors import HandoffClosed, HandoffNotFound, InvalidValue
from app.domain.handoff import Handoff, HandoffContent, HandoffMove, HandoffOrigin, HandoffState
from app.domain.handoff_errors import ClaimTokenRejected, HandoffOfAnother
from app.domain.limits import HANDOFF_AGE_DAYS_MAX, LIST_LIMIT_MAX, STATE_WRITE_SECONDS_MAX
from app.handoff.compose import cap_content
from app.state import handoff_moves, handoffs, messages
from app.state.engine import ReadConnection, StateEngine, WriteConnection
from app.state.handoff_moves import Mover
from app.state.writer import Writer

T = TypeVar("T")

OPEN_STATES = domain.OPEN_STATES


@dataclass(frozen=True, slots=True)
class OfferParts:
    """What the functions here work with."""

    engine: StateEngine
    writer: Writer
    clock: Clock
    ids: IdSource


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: a person, and the session that asks for that person where there is one.

    With `is_admin` it is an administrator who looks after other people's handoffs.
    """

    owner: str
    session_id: str = ""
    agent: str = ""
    is_admin: bool = False

    @property
    def holder_id(self) -> str:
        """Name the holder of a claim made without a session, so that repeating it is the same claim."""
        return self.session_id or f"{domain.TERMINAL}{self.owner}"


@dataclass(frozen=True, slots=True)
class NewOffer:
    """What a person or an agent hands over on purpose; `machine` and `place` tell other machines where `cwd` is."""

    project_id: str
    content: HandoffContent
    cwd: str = ""
    to_agent: str = ""
    to_user: str = ""
    machine: str = ""
    place: str | None = None


def offer(parts: OfferParts, caller: Caller, new: NewOffer) -> Handoff:
    """Offer work by hand; texts are redacted and cut to their bounds. The same offer made again is the first one.

    Raises:
        InvalidValue: the summary is empty.
    """
    content = cap_content(redact_content(new.content))
    if not content.summary:
        raise InvalidValue("summary", "say in a sentence where the work stands")
    made = Handoff(
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
        machine=new.machine,
        place=new.place,
    )

    def insert(conn: WriteConnection) -> Handoff:
        same = _find_same(conn, made)
        if same is not None:
            return same
        handoff_moves.offer_handoff(conn, made, build_mover(parts, caller))
        return handoffs.get_handoff(conn, made.id)

    return write(parts, insert)


def fill_in(content: HandoffContent, seen: Checkout) -> HandoffContent:
    """Say of the working copy what the maker of an offer left out, as it was seen last."""
    is_told = bool(content.dirty) or content.dirty_count is not None
    return replace(
        content,
        branch=content.branch or seen.branch,
        revision=content.revision or seen.revision,
        dirty=content.dirty if is_told else seen.dirty,
        dirty_count=content.dirty_count if is_told else seen.dirty_count,
        ahead=seen.ahead if content.ahead is None else content.ahead,
        behind=seen.behind if content.behind is None else content.behind,
    )


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
    return parts.engine.read(get_visible, caller, handoff_id)


def release(parts: OfferParts, caller: Caller, handoff_id: str, token: str = "") -> Handoff:
    """Give a handoff back, so that it is offered again; a person may also free one that is stuck.

    Raises:
        HandoffNotFound: there is none, or it is not the caller's.
        HandoffClosed: it is done, cancelled, expired or superseded.
        InvalidValue: a session gives no token.
        ClaimTokenRejected: the token is not that of the claim that holds it.
        HandoffOfAnother: it is no concern of this person.
    """

    def give_back(conn: WriteConnection) -> Handoff:
        seen = get_visible(conn, caller, handoff_id)
        if seen.state is HandoffState.OFFERED:
            return seen
        check_claim(conn, seen, caller, token)
        handoff_moves.move_handoff(conn, seen, HandoffMove.RELEASE, build_mover(parts, caller))
        return handoffs.get_handoff(conn, handoff_id)

    return write(parts, give_back)


def cancel(parts: OfferParts, caller: Caller, handoff_id: str) -> Handoff:
    """Take back an offer, held or not; repeating it changes nothing.

    Raises:
        HandoffNotFound: there is none, or it is not the caller's.
        HandoffClosed: it is done, expired or superseded.
        HandoffOfAnother: another person made it.
    """

    def withdraw(conn: WriteConnection) -> Handoff:
        seen = get_visible(conn, caller, handoff_id)
        if seen.state is HandoffState.CANCELLED:
            return seen
        if not domain.is_open(seen):
            raise HandoffClosed(seen.id, seen.state.value)
        if not caller.is_admin and caller.owner != seen.owner:
            raise HandoffOfAnother(seen.id, seen.owner, "withdraw")
        handoff_moves.move_handoff(conn, seen, HandoffMove.CANCEL, build_mover(parts, caller))
        return handoffs.get_handoff(conn, seen.id)

    return write(parts, withdraw)


def close_stale(parts: OfferParts) -> int:
    """Offer again what silent holders hold, and close what is too old; tells how many handoffs were closed."""
    now = parts.clock.now()
    before = now - timedelta(days=HANDOFF_AGE_DAYS_MAX)

    def sweep(conn: WriteConnection) -> int:
        handoff_moves.lapse_leases(conn, now)
        messages.expire_messages(conn, now)
        return handoff_moves.expire_handoffs(conn, created_before=before, now=now)

    return write(parts, sweep)


def redact_content(content: HandoffContent) -> HandoffContent:
    """Clean every text of a handoff like any event's."""

    def clean(text: str) -> str:
        return redact.redact_text(redact.strip_private(text))

    def clean_all(items: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(clean, items))

    return replace(
        content,
        summary=clean(content.summary),
        goal=clean(content.goal),
        done=clean_all(content.done),
        open_questions=clean_all(content.open_questions),
        next_steps=clean_all(content.next_steps),
        files=clean_all(content.files),
        failing_commands=clean_all(content.failing_commands),
        branch=redact.redact_text(content.branch),
        revision=redact.redact_text(content.revision),
        dirty=clean_all(content.dirty),
        page=clean(content.page),
        decisions=clean_all(content.decisions),
        rejected=clean_all(content.rejected),
        carried=clean_all(content.carried),
        looked_at=clean_all(content.looked_at),
    )


def get_visible(conn: ReadConnection, caller: Caller, handoff_id: str) -> Handoff:
    """Get a handoff that the caller may know of; another's looks as if it did not exist.

    Raises:
        HandoffNotFound: there is none for this caller.
    """
    found = handoffs.get_handoff(conn, handoff_id)
    if not caller.is_admin and not domain.is_for(found, caller.owner):
        raise HandoffNotFound(handoff_id)
    return found


def check_claim(conn: ReadConnection, seen: Handoff, caller: Caller, token: str) -> None:
    """Let the holder through by its token, and without one the persons whose handoff it is.

    Those are its maker, whom it is addressed to by name, the person whose session holds it, and administrators.

    Raises:
        HandoffClosed: it is not open.
        InvalidValue: a session gives no token.
        ClaimTokenRejected: the token is not that of the claim that holds it.
        HandoffOfAnother: it is no concern of this person.
    """
    if not domain.is_open(seen):
        raise HandoffClosed(seen.id, seen.state.value)
    if token:
        if token != seen.claim_token:
            raise ClaimTokenRejected("handoff", seen.id, name_holder(seen))
    elif caller.session_id:
        raise InvalidValue("token", "give the token that claiming the handoff showed")
    elif not caller.is_admin and caller.owner not in _list_concerned(conn, seen):
        raise HandoffOfAnother(seen.id, seen.owner, "free")


def name_holder(seen: Handoff) -> str:
    """Name who holds a handoff; empty for nobody."""
    if seen.state is not HandoffState.CLAIMED:
        return ""
    agent = f"{seen.holder_agent} session " if seen.holder_agent else ""
    return f"{agent}{seen.holder_session_id}"


def build_mover(parts: OfferParts, caller: Caller) -> Mover:
    """Say who moves a handoff, for the audit trail."""
    return Mover(caller.owner, caller.session_id, parts.clock.now())


def write(parts: OfferParts, job: Callable[[WriteConnection], T]) -> T:
    """Run a job in the writer's next transaction and wait until it is on the disk."""
    return parts.writer.submit(job).result(timeout=STATE_WRITE_SECONDS_MAX)


def _list_concerned(conn: ReadConnection, seen: Handoff) -> set[str]:
    return {seen.owner, seen.to_user, handoff_moves.find_holding_person(conn, seen)}


def _find_same(conn: ReadConnection, made: Handoff) -> Handoff | None:
    """Find an offer that says the same to the same: a request that was sent again, or a tool that was called twice."""
    offered = handoffs.list_handoffs(
        conn,
        project_id=made.project_id,
        states=frozenset({HandoffState.OFFERED}),
        owner=made.owner,
        limit=LIST_LIMIT_MAX,
    )
    facts = _list_facts(made)
    return next((found for found in offered if _list_facts(found) == facts), None)


def _list_facts(handoff: Handoff) -> tuple[object, ...]:
    folder = handoffs.to_folder(handoff.cwd)
    return handoff.origin, handoff.owner, folder, handoff.to_agent, handoff.to_user, handoff.content
