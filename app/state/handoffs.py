"""Handoffs: who may take one is a single predicate, and taking it is a single guarded UPDATE."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from app.domain.errors import HandoffNotFound
from app.domain.handoff import (
    TRANSITIONS,
    Handoff,
    HandoffContent,
    HandoffOrigin,
    HandoffState,
    list_ancestors,
)
from app.domain.limits import CWD_ANCESTORS_MAX
from app.state import padding
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import UtcMicros, handoffs

_CONTENT = msgspec.json.Decoder(HandoffContent)
_OPEN = (HandoffState.OFFERED, HandoffState.RELEASED, HandoffState.CLAIMED)
_NO_HOLDER: dict[str, object] = {
    "holder_session_id": "",
    "holder_agent": "",
    "claim_token": "",
    "claimed_at": None,
    "lease_until": None,
    "is_provisional": False,
}
_COLUMNS = tuple(column for column in handoffs.c if column.name != "claim_token")
_NOW = sa.bindparam("moment", type_=UtcMicros())
_BY_ID = sa.select(*_COLUMNS).where(handoffs.c.id == sa.bindparam("handoff_id"))
_HELD = (
    sa.select(*_COLUMNS)
    .where(
        handoffs.c.holder_session_id == sa.bindparam("session_id"),
        handoffs.c.state == HandoffState.CLAIMED.value,
    )
    .order_by(handoffs.c.claimed_at, handoffs.c.id)
    .limit(sa.bindparam("row_limit"))
)
_IS_TAKEABLE = sa.or_(
    handoffs.c.state.in_((HandoffState.OFFERED.value, HandoffState.RELEASED.value)),
    sa.and_(handoffs.c.state == HandoffState.CLAIMED.value, handoffs.c.lease_until <= _NOW),
)
_USER = sa.bindparam("user", type_=sa.Text())
_AGENT = sa.bindparam("agent", type_=sa.Text())
# What is addressed to somebody is for that person alone; everything else is for its owner.
_IS_FOR_USER = sa.or_(handoffs.c.to_user == _USER, sa.and_(handoffs.c.to_user == "", handoffs.c.owner == _USER))
_IS_TARGETED = sa.or_(
    sa.and_(handoffs.c.to_agent != "", handoffs.c.to_agent == _AGENT),
    sa.and_(handoffs.c.to_user != "", handoffs.c.to_user == _USER),
)
_ELIGIBLE = (
    sa.select(*_COLUMNS)
    .where(
        handoffs.c.project_id == sa.bindparam("project_id"),
        _IS_TAKEABLE,
        _IS_FOR_USER,
        handoffs.c.to_agent.in_(("", _AGENT)),
        handoffs.c.cwd.in_(sa.bindparam("folders", expanding=True)),
        handoffs.c.created_at > sa.bindparam("after", type_=UtcMicros()),
    )
    .order_by(
        sa.case((handoffs.c.origin == HandoffOrigin.MANUAL.value, 0), else_=1),
        sa.case((_IS_TARGETED, 0), else_=1),
        sa.func.length(handoffs.c.cwd).desc(),
        handoffs.c.created_at.desc(),
        handoffs.c.id.desc(),
    )
    .limit(sa.bindparam("row_limit"))
)
_SESSION = sa.bindparam("session_id_now", type_=sa.Text())
_LEASE = sa.bindparam("lease", type_=UtcMicros())
_IS_HELD_BY_CLAIMANT = sa.and_(handoffs.c.state == HandoffState.CLAIMED.value, handoffs.c.holder_session_id == _SESSION)
# Asking again neither shortens a lease nor turns a confirmed claim back into a provisional one.
_CLAIM = (
    sa.update(handoffs)
    .where(handoffs.c.id == sa.bindparam("handoff_id"), sa.or_(_IS_TAKEABLE, _IS_HELD_BY_CLAIMANT))
    .values(
        state=HandoffState.CLAIMED.value,
        holder_session_id=_SESSION,
        holder_agent=sa.bindparam("agent_now"),
        claim_token=sa.bindparam("token_now"),
        claimed_at=sa.case((_IS_HELD_BY_CLAIMANT, handoffs.c.claimed_at), else_=_NOW),
        lease_until=sa.case(
            (sa.and_(_IS_HELD_BY_CLAIMANT, handoffs.c.lease_until > _LEASE), handoffs.c.lease_until),
            else_=_LEASE,
        ),
        is_provisional=sa.and_(
            sa.bindparam("provisional_now", type_=sa.Boolean()),
            sa.or_(sa.not_(_IS_HELD_BY_CLAIMANT), handoffs.c.is_provisional),
        ),
    )
)
_HOLDERS = handoffs.c.holder_session_id.in_(sa.bindparam("session_ids", expanding=True))
_CONFIRM = (
    sa.update(handoffs)
    .where(
        _HOLDERS,
        handoffs.c.state == HandoffState.CLAIMED.value,
        sa.or_(handoffs.c.is_provisional, handoffs.c.lease_until < _LEASE),
    )
    .values(is_provisional=False, lease_until=_LEASE)
)
_RELEASE_PROVISIONAL = (
    sa.update(handoffs)
    .where(_HOLDERS, handoffs.c.state == HandoffState.CLAIMED.value, handoffs.c.is_provisional)
    .values(state=HandoffState.OFFERED.value, **_NO_HOLDER)
)
_CHANGE = sa.update(handoffs).where(
    handoffs.c.id == sa.bindparam("handoff_id"),
    handoffs.c.state.in_(sa.bindparam("from_states", expanding=True)),
)
_SUPERSEDE = (
    sa.update(handoffs)
    .where(
        handoffs.c.project_id == sa.bindparam("project"),
        handoffs.c.owner == sa.bindparam("whose"),
        handoffs.c.cwd == sa.bindparam("folder"),
        handoffs.c.origin == HandoffOrigin.AUTOMATIC.value,
        handoffs.c.id != sa.bindparam("by_id"),
        sa.or_(_IS_TAKEABLE, _IS_HELD_BY_CLAIMANT),
    )
    .values(state=HandoffState.SUPERSEDED.value, superseded_by=sa.bindparam("by_id"), closed_at=_NOW)
)
_EXPIRE = (
    sa.update(handoffs)
    .where(handoffs.c.created_at < sa.bindparam("before", type_=UtcMicros()), _IS_TAKEABLE)
    .values(state=HandoffState.EXPIRED.value, closed_at=_NOW)
)

_IS_FROM = handoffs.c.from_session_id == sa.bindparam("from_session")
_COUNT_FROM = sa.select(sa.func.count()).select_from(handoffs).where(_IS_FROM)
_DELETE_FROM = sa.delete(handoffs).where(_IS_FROM)


@dataclass(frozen=True, slots=True)
class Eligibility:
    """Who asks for work: `owner` is the asking person, `to_agent` the asking agent, `cwd` where it stands."""

    project_id: str
    owner: str
    cwd: str
    to_agent: str
    now: datetime
    created_after: datetime


@dataclass(frozen=True, slots=True)
class Claim:
    """One session's wish to hold a handoff."""

    handoff_id: str
    session_id: str
    agent: str
    token: str
    now: datetime
    lease_until: datetime
    is_provisional: bool = False


@dataclass(frozen=True, slots=True)
class StateChange:
    """A transition; with `holder_session_id` it happens only while that session is the holder."""

    handoff_id: str
    from_states: Collection[HandoffState]
    to_state: HandoffState
    now: datetime
    holder_session_id: str | None = None


@dataclass(frozen=True, slots=True)
class Supersession:
    """A new automatic handoff, `by_id`, made in a folder by a session, which replaces older ones there."""

    project_id: str
    owner: str
    cwd: str
    by_id: str
    by_session_id: str
    now: datetime


def insert_handoff(conn: WriteConnection, handoff: Handoff) -> None:
    """Store a handoff; its folder is kept in the form that `list_ancestors` compares."""
    conn.execute(sa.insert(handoffs), _to_row(handoff))


def find_handoff(conn: ReadConnection, handoff_id: str) -> Handoff | None:
    """Find a handoff by its id."""
    row = conn.execute(_BY_ID, {"handoff_id": handoff_id}).one_or_none()
    return None if row is None else _to_handoff(row)


def get_handoff(conn: ReadConnection, handoff_id: str) -> Handoff:
    """Get a handoff by its id.

    Raises:
        HandoffNotFound: no handoff has it.
    """
    handoff = find_handoff(conn, handoff_id)
    if handoff is None:
        raise HandoffNotFound(handoff_id)
    return handoff


def list_handoffs(
    conn: ReadConnection,
    *,
    project_id: str | None,
    states: Collection[HandoffState],
    owner: str | None,
    limit: int,
) -> list[Handoff]:
    """List handoffs in these states, newest first; `owner` finds what a person made or was sent."""
    statement = sa.select(*_COLUMNS).where(handoffs.c.state.in_(sorted(states)))
    if project_id is not None:
        statement = statement.where(handoffs.c.project_id == project_id)
    if owner is not None:
        statement = statement.where(sa.or_(handoffs.c.owner == owner, handoffs.c.to_user == owner))
    newest = statement.order_by(handoffs.c.created_at.desc(), handoffs.c.id.desc()).limit(limit)
    return [_to_handoff(row) for row in conn.execute(newest)]


def list_held(conn: ReadConnection, session_id: str, limit: int) -> list[Handoff]:
    """List what a session holds, also on a lease that has run out, the longest held first."""
    rows = conn.execute(_HELD, {"session_id": session_id, "row_limit": limit})
    return [_to_handoff(row) for row in rows]


def list_eligible(conn: ReadConnection, asker: Eligibility, limit: int) -> list[Handoff]:
    """List what the asker may take now, the best first.

    Manual goes before automatic, addressed before open, a nearer folder before a farther, newer before older.
    """
    values = {
        "project_id": asker.project_id,
        "user": asker.owner,
        "agent": asker.to_agent,
        "folders": ["", *list_ancestors(asker.cwd)[:CWD_ANCESTORS_MAX]],
        "moment": asker.now,
        "after": asker.created_after,
        "row_limit": limit,
    }
    return [_to_handoff(row) for row in conn.execute(_ELIGIBLE, values)]


def claim_handoff(conn: WriteConnection, claim: Claim) -> bool:
    """Take a handoff if it is free, its lease has run out, or the same session holds it."""
    values = {
        "handoff_id": claim.handoff_id,
        "session_id_now": claim.session_id,
        "agent_now": claim.agent,
        "token_now": claim.token,
        "moment": claim.now,
        "lease": claim.lease_until,
        "provisional_now": claim.is_provisional,
    }
    return conn.execute(_CLAIM, values).rowcount == 1


def confirm_leases(conn: WriteConnection, session_ids: Collection[str], lease_until: datetime) -> int:
    """Confirm and extend what these sessions hold; a lease is never shortened."""
    return sum(
        conn.execute(_CONFIRM, {"session_ids": ids, "lease": lease_until}).rowcount
        for ids in padding.list_padded(session_ids)
    )


def release_provisional(conn: WriteConnection, session_ids: Collection[str]) -> int:
    """Offer again what these sessions took at their start and never confirmed."""
    return sum(
        conn.execute(_RELEASE_PROVISIONAL, {"session_ids": ids}).rowcount for ids in padding.list_padded(session_ids)
    )


def update_handoff_state(conn: WriteConnection, change: StateChange) -> bool:
    """Make a transition if the handoff is still in one of the states that the caller saw."""
    assert all(change.to_state in TRANSITIONS[state] for state in change.from_states)
    statement = _CHANGE
    if change.holder_session_id is not None:
        statement = statement.where(handoffs.c.holder_session_id == change.holder_session_id)
    values: dict[str, object] = {"state": change.to_state.value}
    values.update(_NO_HOLDER if change.to_state in _OPEN else {"closed_at": change.now})
    states = sorted(state.value for state in change.from_states)
    binds = {"handoff_id": change.handoff_id, "from_states": states}
    return conn.execute(statement.values(values), binds).rowcount == 1


def supersede_automatic(conn: WriteConnection, newer: Supersession) -> int:
    """Close older automatic handoffs of the same owner and folder, but none that another session is at."""
    values = {
        "project": newer.project_id,
        "whose": newer.owner,
        "folder": _to_folder(newer.cwd),
        "by_id": newer.by_id,
        "session_id_now": newer.by_session_id,
        "moment": newer.now,
    }
    return conn.execute(_SUPERSEDE, values).rowcount


def expire_handoffs(conn: WriteConnection, *, created_before: datetime, now: datetime) -> int:
    """Close old handoffs that nobody is at."""
    return conn.execute(_EXPIRE, {"before": created_before, "moment": now}).rowcount


def count_from_session(conn: ReadConnection, session_id: str) -> int:
    """Count the handoffs that a session left."""
    return conn.execute(_COUNT_FROM, {"from_session": session_id}).scalar_one()


def delete_from_session(conn: WriteConnection, session_id: str) -> int:
    """Delete the handoffs that a session left; tells how many."""
    return conn.execute(_DELETE_FROM, {"from_session": session_id}).rowcount


def _to_folder(cwd: str) -> str:
    return next(iter(list_ancestors(cwd)), "")


def _to_row(handoff: Handoff) -> dict[str, object]:
    return {
        "id": handoff.id,
        "project_id": handoff.project_id,
        "owner": handoff.owner,
        "origin": handoff.origin.value,
        "state": handoff.state.value,
        "cwd": _to_folder(handoff.cwd),
        "content": msgspec.json.encode(handoff.content).decode(),
        "created_at": handoff.created_at,
        "from_session_id": handoff.from_session_id,
        "from_agent": handoff.from_agent,
        "to_agent": handoff.to_agent,
        "to_user": handoff.to_user,
        "holder_session_id": handoff.holder_session_id,
        "holder_agent": handoff.holder_agent,
        "claim_token": "",
        "claimed_at": handoff.claimed_at,
        "lease_until": handoff.lease_until,
        "is_provisional": handoff.is_provisional,
        "closed_at": handoff.closed_at,
        "superseded_by": handoff.superseded_by,
    }


def _to_handoff(row: sa.Row[*tuple[Any, ...]]) -> Handoff:
    return Handoff(
        id=row.id,
        project_id=row.project_id,
        owner=row.owner,
        origin=HandoffOrigin(row.origin),
        state=HandoffState(row.state),
        cwd=row.cwd,
        content=_CONTENT.decode(row.content),
        created_at=row.created_at,
        from_session_id=row.from_session_id,
        from_agent=row.from_agent,
        to_agent=row.to_agent,
        to_user=row.to_user,
        holder_session_id=row.holder_session_id,
        holder_agent=row.holder_agent,
        claimed_at=row.claimed_at,
        lease_until=row.lease_until,
        is_provisional=row.is_provisional,
        closed_at=row.closed_at,
        superseded_by=row.superseded_by,
    )
