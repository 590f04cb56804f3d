"""What changes a handoff: each move is one guarded UPDATE, and writes its row of the audit trail with it."""

from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from app.domain import errand
from app.domain.errand import Errand
from app.domain.handoff import (
    TERMINAL,
    Handoff,
    HandoffMove,
    HandoffOrigin,
    HandoffState,
    decide_move,
    is_takeable,
)
from app.domain.limits import HANDOFF_RENEW_SECONDS_MIN, HANDOFFS_PER_SWEEP, LIST_LIMIT_MAX
from app.state import audit, bulk, handoffs, projects, sessions
from app.state.audit import AuditEntry
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import UtcMicros
from app.state.tables import handoffs as table

Errands = Mapping[str, Errand | None]

# Who makes the moves that nobody asked for; no account can have this name.
_SERVER = "(server)"
_NO_HOLDER: dict[str, object] = {
    "holder_session_id": "",
    "holder_agent": "",
    "claim_token": "",
    "claimed_at": None,
    "lease_until": None,
    "is_provisional": False,
}
# The row must be as the caller saw it; whoever was faster has changed one of these.
_AS_SEEN = sa.update(table).where(
    table.c.id == sa.bindparam("seen_id"),
    table.c.state == sa.bindparam("seen_state"),
    table.c.holder_session_id == sa.bindparam("seen_holder"),
    table.c.lease_until.is_not_distinct_from(sa.bindparam("seen_lease", type_=UtcMicros())),
    table.c.is_provisional == sa.bindparam("seen_provisional", type_=sa.Boolean()),
)


@dataclass(frozen=True, slots=True)
class Mover:
    """Who makes a move, in which session, and when by the server's clock; without a person the server does."""

    person: str
    session_id: str
    now: datetime


@dataclass(frozen=True, slots=True)
class Claim:
    """One session's wish to hold a handoff; `token` is the claim's, should it be a new one."""

    handoff_id: str
    session_id: str
    agent: str
    token: str
    now: datetime
    lease_until: datetime
    is_provisional: bool = False
    person: str = ""


def offer_handoff(conn: WriteConnection, handoff: Handoff, by: Mover) -> None:
    """Put a handoff on offer; a newer automatic one takes the place of the older ones of its folder."""
    handoffs.insert_handoff(conn, handoff)
    _note(conn, handoff, HandoffMove.OFFER, by)
    if handoff.origin is not HandoffOrigin.AUTOMATIC:
        return
    for older in handoffs.list_automatic_like(conn, handoff, LIST_LIMIT_MAX):
        is_own = older.state is HandoffState.CLAIMED and older.holder_session_id == by.session_id
        if older.id != handoff.id and (is_own or is_takeable(older, by.now)):
            _supersede(conn, older, handoff.id, by)


def claim_handoff(conn: WriteConnection, claim: Claim) -> bool:
    """Take a handoff if it is on offer, its lease has run out, or the same session holds or last held it.

    Asking again neither shortens a lease nor turns a confirmed claim back into a provisional one, nor changes the
    token.
    """
    seen = handoffs.find_handoff(conn, claim.handoff_id)
    if seen is None or decide_move(HandoffMove.CLAIM, seen.state) is None:
        return False
    is_own = bool(seen.holder_session_id) and seen.holder_session_id == claim.session_id
    if not is_own and not is_takeable(seen, claim.now):
        return False
    by = Mover(claim.person, claim.session_id, claim.now)
    if is_own and seen.state is HandoffState.CLAIMED:
        return _extend(conn, seen, claim)
    values: dict[str, object] = {
        "holder_session_id": claim.session_id,
        "holder_agent": claim.agent,
        "claim_token": seen.claim_token if is_own else claim.token,
        "claimed_at": seen.claimed_at if is_own else claim.now,
        "lease_until": claim.lease_until,
        "is_provisional": claim.is_provisional and (seen.is_provisional or not is_own),
    }
    if not _write(conn, seen, HandoffMove.CLAIM, values):
        return False
    if seen.state is HandoffState.CLAIMED:
        _note(conn, seen, HandoffMove.LAPSE, Mover("", seen.holder_session_id, claim.now))
    _note(conn, seen, HandoffMove.CLAIM, by, " at its start" if claim.is_provisional else "")
    return True


def confirm_leases(
    conn: WriteConnection,
    session_ids: Collection[str],
    *,
    now: datetime,
    lease_until: datetime,
    errands: Errands | None = None,
) -> int:
    """Confirm and extend what these sessions hold, and give back what they lost by silence and nobody took since.

    A lease is never shortened; `errands` are by session. Tells how many rows were written.
    """
    # Few sessions ever hold one, and asking which do costs a tenth of asking what.
    holders = bulk.find_values(conn, table.c.holder_session_id, session_ids)
    written = 0
    for held in handoffs.list_last_held(conn, holders, LIST_LIMIT_MAX):
        with _on_errand(held, errands):
            written += _confirm(conn, held, _find_holder(conn, held, now), lease_until)
    return written


def give_back_provisional(
    conn: WriteConnection, session_ids: Collection[str], now: datetime, errands: Errands | None = None
) -> int:
    """Offer again what these sessions took at their start and never confirmed; tells how many."""
    given_back = 0
    for held in handoffs.list_last_held(conn, session_ids, LIST_LIMIT_MAX):
        if held.is_provisional:
            with _on_errand(held, errands):
                given_back += _put_back(conn, held, HandoffMove.GIVE_BACK, _find_holder(conn, held, now))
    return given_back


def move_handoff(conn: WriteConnection, seen: Handoff, move: HandoffMove, by: Mover) -> bool:
    """Make a move from the state that the caller saw; False if somebody was faster.

    A handoff that comes back on offer is superseded at once where a newer automatic one waits in its place.
    """
    match move:
        case HandoffMove.RELEASE | HandoffMove.GIVE_BACK:
            return _put_back(conn, seen, move, by)
        case HandoffMove.FINISH | HandoffMove.CANCEL:
            return _move(conn, seen, move, by, {"closed_at": by.now})
        case _:
            raise AssertionError(f"{move} is made by a function of its own")


def lapse_leases(conn: WriteConnection, now: datetime) -> int:
    """Offer again what silent holders hold; each is remembered until another takes it. Tells how many."""
    overdue = handoffs.list_overdue(conn, now, HANDOFFS_PER_SWEEP)
    lapsed = 0
    for seen in overdue:
        by = Mover("", seen.holder_session_id, now)
        if _move(conn, seen, HandoffMove.LAPSE, by, {}):
            lapsed += 1
            _close_outdated(conn, handoffs.get_handoff(conn, seen.id), by)
    return lapsed


def expire_handoffs(conn: WriteConnection, *, created_before: datetime, now: datetime) -> int:
    """Close old handoffs that nobody is at; tells how many."""
    old = handoffs.list_old(conn, created_before=created_before, now=now, limit=HANDOFFS_PER_SWEEP)
    by = Mover("", "", now)
    return sum(_move(conn, seen, HandoffMove.EXPIRE, by, {"closed_at": now}) for seen in old)


def find_holding_person(conn: ReadConnection, held: Handoff) -> str:
    """Find whose session holds or last held a handoff, or which person at a terminal; empty where nobody knows."""
    session = sessions.find_session(conn, held.holder_session_id) if held.holder_session_id else None
    if session is not None:
        return session.owner
    is_at_terminal = held.holder_session_id.startswith(TERMINAL)
    return held.holder_session_id.removeprefix(TERMINAL) if is_at_terminal else ""


def _find_holder(conn: ReadConnection, held: Handoff, now: datetime) -> Mover:
    return Mover(find_holding_person(conn, held) or held.owner, held.holder_session_id, now)


def _on_errand(held: Handoff, errands: Errands | None) -> AbstractContextManager[None]:
    """Go on with the errand of the session that holds a handoff, where many sessions are looked after together."""
    return nullcontext() if errands is None else errand.resume(errands.get(held.holder_session_id))


def _confirm(conn: WriteConnection, held: Handoff, by: Mover, lease_until: datetime) -> bool:
    values: dict[str, object] = {"is_provisional": False, "lease_until": lease_until}
    if held.state is HandoffState.RELEASED:
        return _move(conn, held, HandoffMove.RESUME, by, values)
    if held.is_provisional:
        return _move(conn, held, HandoffMove.CONFIRM, by, values)
    return _is_worth_renewing(held, lease_until) and _write(conn, held, HandoffMove.CONFIRM, values)


def _extend(conn: WriteConnection, seen: Handoff, claim: Claim) -> bool:
    longest = max(claim.lease_until, seen.lease_until or claim.lease_until)
    by = Mover(claim.person, claim.session_id, claim.now)
    is_provisional = seen.is_provisional and claim.is_provisional
    values: dict[str, object] = {"lease_until": longest, "is_provisional": is_provisional}
    if seen.is_provisional and not is_provisional:
        return _move(conn, seen, HandoffMove.CONFIRM, by, values)
    return _write(conn, seen, HandoffMove.CONFIRM, values)


def _is_worth_renewing(held: Handoff, lease_until: datetime) -> bool:
    gained = timedelta(seconds=HANDOFF_RENEW_SECONDS_MIN)
    return held.lease_until is None or held.lease_until + gained <= lease_until


def _put_back(conn: WriteConnection, seen: Handoff, move: HandoffMove, by: Mover) -> bool:
    if not _move(conn, seen, move, by, _NO_HOLDER):
        return False
    _close_outdated(conn, handoffs.get_handoff(conn, seen.id), by)
    return True


def _close_outdated(conn: WriteConnection, back: Handoff, by: Mover) -> None:
    """Close what came back on offer while a newer automatic handoff was left in the same place."""
    if back.origin is not HandoffOrigin.AUTOMATIC:
        return
    newest = next(iter(handoffs.list_automatic_like(conn, back, 1)), back)
    if newest.id != back.id:
        _supersede(conn, back, newest.id, by)


def _supersede(conn: WriteConnection, older: Handoff, newer_id: str, by: Mover) -> None:
    _move(conn, older, HandoffMove.SUPERSEDE, by, {"superseded_by": newer_id, "closed_at": by.now})


def _move(conn: WriteConnection, seen: Handoff, move: HandoffMove, by: Mover, values: dict[str, object]) -> bool:
    if not _write(conn, seen, move, values):
        return False
    _note(conn, seen, move, by)
    return True


def _write(conn: WriteConnection, seen: Handoff, move: HandoffMove, values: dict[str, object]) -> bool:
    target = decide_move(move, seen.state)
    if target is None:
        return False
    changed = conn.execute(
        _AS_SEEN.values(state=target.value, **values),
        {
            "seen_id": seen.id,
            "seen_state": seen.state.value,
            "seen_holder": seen.holder_session_id,
            "seen_lease": seen.lease_until,
            "seen_provisional": seen.is_provisional,
        },
    )
    return changed.rowcount == 1


def _note(conn: WriteConnection, seen: Handoff, move: HandoffMove, by: Mover, how: str = "") -> None:
    before = "" if move is HandoffMove.OFFER else seen.state.value
    after = seen.state if move is HandoffMove.OFFER else decide_move(move, seen.state)
    scope = projects.find_scope_name(conn, seen.project_id)
    context = audit.build_context(scope=scope, before=before, after=after.value if after else "")
    detail = f"session {by.session_id or '-'}{how}"
    entry = AuditEntry(by.now, by.person or _SERVER, f"handoff.{move}", seen.id, detail, context)
    audit.insert_audit(conn, entry)
