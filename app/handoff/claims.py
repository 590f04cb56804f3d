"""Handoffs as they are taken: by exactly one session, provisionally at its start, and finished."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain import handoff as domain
from app.domain.errors import HandoffClaimed, HandoffClosed
from app.domain.handoff import Handoff, HandoffMove, HandoffState
from app.domain.limits import (
    HANDOFF_AGE_DAYS_MAX,
    HANDOFF_LEASE_SECONDS,
    HANDOFF_PROVISIONAL_SECONDS,
)
from app.domain.limits_handoff import CLAIM_CANDIDATES_MAX
from app.domain.session import Session
from app.handoff import offers
from app.handoff.offers import Caller, OfferParts
from app.state import handoff_moves, handoffs
from app.state.engine import ReadConnection, WriteConnection
from app.state.handoff_moves import Claim
from app.state.handoffs import Eligibility

# Short enough to be copied by a model, and 80 bits, which nobody guesses.
TOKEN_CHARS = 20


@dataclass(frozen=True, slots=True)
class StartLook:
    """What a session finds when it starts: what it holds already, else the best that it may take."""

    found: Handoff | None
    is_held: bool


def claim(parts: OfferParts, caller: Caller, handoff_id: str) -> Handoff:
    """Take a handoff; asking again from the same session gives the same claim and token.

    Raises:
        HandoffNotFound: there is none, or it is not the caller's.
        HandoffClaimed: another session holds it.
        HandoffClosed: it is done, cancelled, expired or superseded.
    """

    def take(conn: WriteConnection) -> Handoff:
        seen = offers.get_visible(conn, caller, handoff_id)
        if not _take(conn, parts, caller, handoff_id, is_provisional=False):
            raise _refuse(seen)
        return handoffs.get_handoff(conn, handoff_id)

    return offers.write(parts, take)


def finish(parts: OfferParts, caller: Caller, handoff_id: str, token: str = "") -> Handoff:
    """Mark a handoff as done by its holder, or by a person.

    Raises:
        HandoffNotFound: there is none, or it is not the caller's.
        HandoffClosed: nobody took it, or it is cancelled, expired or superseded.
        InvalidValue: a session gives no token.
        ClaimTokenRejected: the token is not that of the claim that holds it.
        HandoffOfAnother: it is no concern of this person.
    """

    def close(conn: WriteConnection) -> Handoff:
        seen = offers.get_visible(conn, caller, handoff_id)
        is_repeat = seen.state is HandoffState.DONE and (seen.claim_token == token or not caller.session_id)
        if is_repeat:
            return seen
        if seen.state is HandoffState.OFFERED:
            raise HandoffClosed(seen.id, "offered: claim it before you finish it")
        offers.check_claim(conn, seen, caller, token)
        handoff_moves.move_handoff(conn, seen, HandoffMove.FINISH, offers.build_mover(parts, caller))
        return handoffs.get_handoff(conn, handoff_id)

    return offers.write(parts, close)


def look_for_start(parts: OfferParts, session: Session) -> StartLook:
    """Find what a session holds, else the best that it may take; looking changes nothing."""
    return parts.engine.read(_look, session, parts)


def claim_for_start(parts: OfferParts, session: Session) -> Handoff | None:
    """Take the best open handoff for a session, provisionally; None where there is none. A repeat is the same claim."""

    def take(conn: WriteConnection) -> Handoff | None:
        # Looked for again inside the transaction, where nobody else can take it in between.
        looked = _look(conn, session, parts)
        if looked.found is None or looked.is_held:
            return looked.found
        # Who has finished what it was given takes more only when it asks: its start may come again, or late.
        if any(each.state is HandoffState.DONE for each in handoffs.list_taken(conn, session.id, CLAIM_CANDIDATES_MAX)):
            return None
        caller = Caller(session.owner, session.id, session.agent.value)
        if not _take(conn, parts, caller, looked.found.id, is_provisional=True):
            return None
        return handoffs.get_handoff(conn, looked.found.id)

    return offers.write(parts, take)


def give_back_untold(conn: WriteConnection, session_id: str, parts: OfferParts) -> int:
    """Offer again what a session took with a text that cannot have reached its model; tells how many."""
    by = handoff_moves.Mover("", session_id, parts.clock.now())
    held = handoffs.list_last_held(conn, [session_id], CLAIM_CANDIDATES_MAX)
    return sum(handoff_moves.move_handoff(conn, each, HandoffMove.GIVE_BACK, by) for each in held)


def is_waiting(handoff: Handoff, session: Session, now: datetime) -> bool:
    """Tell whether a handoff waits for anybody but the session that left it."""
    return handoff.from_session_id != session.id and domain.is_takeable(handoff, now)


def build_eligibility(parts: OfferParts, session: Session) -> Eligibility:
    """Say who asks when a session starts."""
    now = parts.clock.now()
    checkout = session.checkout
    cwd = checkout.cwd or session.cwd
    return Eligibility(
        project_id=session.project_id,
        owner=session.owner,
        cwd=cwd,
        to_agent=session.agent.value,
        now=now,
        created_after=now - timedelta(days=HANDOFF_AGE_DAYS_MAX),
        machine=checkout.machine,
        place=domain.find_place(checkout.root, cwd),
        session_id=session.id,
    )


def _look(conn: ReadConnection, session: Session, parts: OfferParts) -> StartLook:
    now = parts.clock.now()
    held = [each for each in handoffs.list_held(conn, session.id, 1) if not domain.is_takeable(each, now)]
    if held:
        return StartLook(held[0], is_held=True)
    eligible = handoffs.list_eligible(conn, build_eligibility(parts, session), 1)
    return StartLook(eligible[0] if eligible else None, is_held=False)


def _take(conn: WriteConnection, parts: OfferParts, caller: Caller, handoff_id: str, *, is_provisional: bool) -> bool:
    now = parts.clock.now()
    seconds = HANDOFF_PROVISIONAL_SECONDS if is_provisional else HANDOFF_LEASE_SECONDS
    wish = Claim(
        handoff_id=handoff_id,
        session_id=caller.holder_id,
        agent=caller.agent,
        token=hashlib.sha256(parts.ids.new_secret().encode()).hexdigest()[:TOKEN_CHARS],
        now=now,
        lease_until=now + timedelta(seconds=seconds),
        is_provisional=is_provisional,
        person=caller.owner,
    )
    return handoff_moves.claim_handoff(conn, wish)


def _refuse(seen: Handoff) -> HandoffClaimed | HandoffClosed:
    if not domain.is_open(seen):
        return HandoffClosed(seen.id, seen.state.value)
    until = seen.lease_until.strftime("%Y-%m-%dT%H:%M:%SZ") if seen.lease_until else "it is released"
    return HandoffClaimed(seen.id, offers.name_holder(seen), until)
