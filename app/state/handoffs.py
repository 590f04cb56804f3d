"""Handoffs: rows and reads; who may take one is a single predicate. What changes them is in `handoff_moves`."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from app.domain.errors import HandoffNotFound
from app.domain.handoff import (
    ANYBODY,
    Handoff,
    HandoffContent,
    HandoffOrigin,
    HandoffState,
    list_ancestors,
    list_places,
)
from app.domain.limits import CWD_ANCESTORS_MAX
from app.state import padding
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import UtcMicros, handoffs

_CONTENT = msgspec.json.Decoder(HandoffContent)
_ALL = sa.select(handoffs)
_NOW = sa.bindparam("moment", type_=UtcMicros())
_LIMIT = sa.bindparam("row_limit", type_=sa.BigInteger())
_BY_ID = _ALL.where(handoffs.c.id == sa.bindparam("handoff_id"))
_IS_HOLDER = handoffs.c.holder_session_id.in_(sa.bindparam("session_ids", expanding=True))
_HELD_ORDER = (handoffs.c.claimed_at, handoffs.c.id)
_HELD = _ALL.where(_IS_HOLDER, handoffs.c.state == HandoffState.CLAIMED.value).order_by(*_HELD_ORDER).limit(_LIMIT)
# A silent holder's handoff is on offer, and still remembers whose it was.
_LAST_HELD = (
    _ALL.where(_IS_HOLDER, handoffs.c.state.in_((HandoffState.CLAIMED.value, HandoffState.RELEASED.value)))
    .order_by(*_HELD_ORDER)
    .limit(_LIMIT)
)
_TAKEN = (
    _ALL.where(
        _IS_HOLDER,
        handoffs.c.state.in_((HandoffState.CLAIMED.value, HandoffState.RELEASED.value, HandoffState.DONE.value)),
    )
    .order_by(*_HELD_ORDER)
    .limit(_LIMIT)
)
_IS_OVERDUE = sa.and_(handoffs.c.state == HandoffState.CLAIMED.value, handoffs.c.lease_until <= _NOW)
_IS_TAKEABLE = sa.or_(
    handoffs.c.state.in_((HandoffState.OFFERED.value, HandoffState.RELEASED.value)),
    _IS_OVERDUE,
)
_OVERDUE = _ALL.where(_IS_OVERDUE).order_by(handoffs.c.lease_until, handoffs.c.id).limit(_LIMIT)
_OLD = (
    _ALL.where(handoffs.c.created_at < sa.bindparam("before", type_=UtcMicros()), _IS_TAKEABLE)
    .order_by(handoffs.c.created_at, handoffs.c.id)
    .limit(_LIMIT)
)
_USER = sa.bindparam("user", type_=sa.Text())
_AGENT = sa.bindparam("agent", type_=sa.Text())
_MACHINE = sa.bindparam("on_machine", type_=sa.Text())
# What is addressed to somebody is for that person alone; everything else is for its owner.
_IS_FOR_USER = sa.or_(
    handoffs.c.to_user.in_((_USER, ANYBODY)), sa.and_(handoffs.c.to_user == "", handoffs.c.owner == _USER)
)
_IS_TARGETED = sa.or_(
    sa.and_(handoffs.c.to_agent != "", handoffs.c.to_agent == _AGENT),
    sa.and_(handoffs.c.to_user != "", handoffs.c.to_user == _USER),
)
# Another machine has other folders; what can be compared there is the place within the repository.
_IS_IN_FOLDER = sa.or_(
    handoffs.c.cwd.in_(sa.bindparam("folders", expanding=True)),
    sa.and_(
        sa.func.coalesce(handoffs.c.machine, "") != "",
        handoffs.c.machine != _MACHINE,
        _MACHINE != "",
        handoffs.c.place.in_(sa.bindparam("places", expanding=True)),
    ),
)
_ELIGIBLE = (
    _ALL.where(
        handoffs.c.project_id == sa.bindparam("project_id"),
        _IS_TAKEABLE,
        _IS_FOR_USER,
        handoffs.c.to_agent.in_(("", _AGENT)),
        _IS_IN_FOLDER,
        handoffs.c.created_at > sa.bindparam("after", type_=UtcMicros()),
        sa.or_(handoffs.c.from_session_id == "", handoffs.c.from_session_id != sa.bindparam("asker_id")),
    )
    .order_by(
        sa.case((handoffs.c.origin == HandoffOrigin.MANUAL.value, 0), else_=1),
        sa.case((_IS_TARGETED, 0), else_=1),
        handoffs.c.created_at.desc(),
        handoffs.c.id.desc(),
    )
    .limit(_LIMIT)
)
_AUTOMATIC_THERE = (
    _ALL.where(
        handoffs.c.project_id == sa.bindparam("project"),
        handoffs.c.owner == sa.bindparam("whose"),
        handoffs.c.cwd == sa.bindparam("folder"),
        sa.func.coalesce(handoffs.c.machine, "") == sa.bindparam("there"),
        handoffs.c.origin == HandoffOrigin.AUTOMATIC.value,
        handoffs.c.state.in_((HandoffState.OFFERED.value, HandoffState.RELEASED.value, HandoffState.CLAIMED.value)),
    )
    .order_by(handoffs.c.created_at.desc(), handoffs.c.id.desc())
    .limit(_LIMIT)
)
_IS_FROM = handoffs.c.from_session_id == sa.bindparam("from_session")
_COUNT_FROM = sa.select(sa.func.count()).select_from(handoffs).where(_IS_FROM)
_DELETE_FROM = sa.delete(handoffs).where(_IS_FROM)
_ALL_FROM = _ALL.where(_IS_FROM).order_by(handoffs.c.created_at, handoffs.c.id).limit(_LIMIT)
_NEW_CONTENT = (
    sa.update(handoffs)
    .where(handoffs.c.id == sa.bindparam("handoff_id"))
    .values(content=sa.bindparam("new_content", type_=sa.Text()))
)


@dataclass(frozen=True, slots=True)
class Eligibility:
    """Who asks for work: `owner` is the asking person, `to_agent` the asking agent, `cwd` where it stands.

    `machine` and `place` are of that folder too; `session_id` is the asker's own, whose own offers are not for it.
    """

    project_id: str
    owner: str
    cwd: str
    to_agent: str
    now: datetime
    created_after: datetime
    machine: str = ""
    place: str | None = None
    session_id: str = ""


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
    project_ids: Collection[str] | None = None,
) -> list[Handoff]:
    """List handoffs in these states, newest first; `owner` finds what a person made, was sent, or may take.

    `project_ids` are the projects that may be read, None for all.
    """
    statement = _ALL.where(handoffs.c.state.in_(sorted(states)))
    if project_ids is not None:
        statement = statement.where(handoffs.c.project_id.in_(sorted(project_ids)))
    if project_id is not None:
        statement = statement.where(handoffs.c.project_id == project_id)
    if owner is not None:
        statement = statement.where(sa.or_(handoffs.c.owner == owner, handoffs.c.to_user.in_((owner, ANYBODY))))
    newest = statement.order_by(handoffs.c.created_at.desc(), handoffs.c.id.desc()).limit(limit)
    return [_to_handoff(row) for row in conn.execute(newest)]


def list_held(conn: ReadConnection, session_id: str, limit: int) -> list[Handoff]:
    """List what a session holds, also on a lease that has run out, the longest held first."""
    rows = conn.execute(_HELD, {"session_ids": [session_id], "row_limit": limit})
    return [_to_handoff(row) for row in rows]


def list_last_held(conn: ReadConnection, session_ids: Collection[str], limit: int) -> list[Handoff]:
    """List what these sessions hold, or held last and nobody has taken since."""
    found: list[Handoff] = []
    for ids in padding.list_padded(session_ids):
        rows = conn.execute(_LAST_HELD, {"session_ids": ids, "row_limit": limit})
        found.extend(_to_handoff(row) for row in rows)
    return found


def list_taken(conn: ReadConnection, session_id: str, limit: int) -> list[Handoff]:
    """List what a session took, also what it has finished."""
    (ids,) = padding.list_padded([session_id])
    return [_to_handoff(row) for row in conn.execute(_TAKEN, {"session_ids": ids, "row_limit": limit})]


def list_overdue(conn: ReadConnection, now: datetime, limit: int) -> list[Handoff]:
    """List what is held on a lease that has run out."""
    return [_to_handoff(row) for row in conn.execute(_OVERDUE, {"moment": now, "row_limit": limit})]


def list_old(conn: ReadConnection, *, created_before: datetime, now: datetime, limit: int) -> list[Handoff]:
    """List what has been open for long and nobody is at."""
    values = {"before": created_before, "moment": now, "row_limit": limit}
    return [_to_handoff(row) for row in conn.execute(_OLD, values)]


def list_eligible(conn: ReadConnection, asker: Eligibility, limit: int) -> list[Handoff]:
    """List what the asker may take now, the best first.

    Manual goes before automatic, addressed before open, newer before older.
    """
    values = {
        "project_id": asker.project_id,
        "user": asker.owner,
        "agent": asker.to_agent,
        "folders": ["", *list_ancestors(asker.cwd)[:CWD_ANCESTORS_MAX]],
        "on_machine": asker.machine,
        "places": list_places(asker.place)[:CWD_ANCESTORS_MAX],
        "moment": asker.now,
        "after": asker.created_after,
        "asker_id": asker.session_id,
        "row_limit": limit,
    }
    return [_to_handoff(row) for row in conn.execute(_ELIGIBLE, values)]


def list_automatic_like(conn: ReadConnection, handoff: Handoff, limit: int) -> list[Handoff]:
    """List the open automatic handoffs of the same person, project and folder, newest first."""
    values = {
        "project": handoff.project_id,
        "whose": handoff.owner,
        "folder": to_folder(handoff.cwd),
        "there": handoff.machine,
        "row_limit": limit,
    }
    return [_to_handoff(row) for row in conn.execute(_AUTOMATIC_THERE, values)]


def count_from_session(conn: ReadConnection, session_id: str) -> int:
    """Count the handoffs that a session left."""
    return conn.execute(_COUNT_FROM, {"from_session": session_id}).scalar_one()


def list_from_session(conn: ReadConnection, session_id: str, limit: int) -> list[Handoff]:
    """List the handoffs that a session left, the oldest first."""
    rows = conn.execute(_ALL_FROM, {"from_session": session_id, "row_limit": limit})
    return [_to_handoff(row) for row in rows]


def update_content(conn: WriteConnection, handoff_id: str, content: HandoffContent) -> None:
    """Put another text in the place of what a handoff says; its life is left as it is."""
    conn.execute(_NEW_CONTENT, {"handoff_id": handoff_id, "new_content": _encode_content(content)})


def delete_from_session(conn: WriteConnection, session_id: str) -> int:
    """Delete the handoffs that a session left; tells how many."""
    return conn.execute(_DELETE_FROM, {"from_session": session_id}).rowcount


def to_folder(cwd: str) -> str:
    """Bring a folder to the form in which it is stored."""
    return next(iter(list_ancestors(cwd)), "")


def _to_row(handoff: Handoff) -> dict[str, object]:
    return {
        "id": handoff.id,
        "project_id": handoff.project_id,
        "owner": handoff.owner,
        "origin": handoff.origin.value,
        "state": handoff.state.value,
        "cwd": to_folder(handoff.cwd),
        "content": _encode_content(handoff.content),
        "created_at": handoff.created_at,
        "from_session_id": handoff.from_session_id,
        "from_agent": handoff.from_agent,
        "to_agent": handoff.to_agent,
        "to_user": handoff.to_user,
        "holder_session_id": handoff.holder_session_id,
        "holder_agent": handoff.holder_agent,
        "claim_token": handoff.claim_token,
        "claimed_at": handoff.claimed_at,
        "lease_until": handoff.lease_until,
        "is_provisional": handoff.is_provisional,
        "closed_at": handoff.closed_at,
        "superseded_by": handoff.superseded_by,
        "machine": handoff.machine or None,
        "place": handoff.place,
    }


def _encode_content(content: HandoffContent) -> str:
    return msgspec.json.encode(content).decode()


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
        machine=row.machine or "",
        place=row.place,
        claim_token=row.claim_token,
    )
