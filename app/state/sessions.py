"""Sessions: one row per run of an agent, found by the agent's own id."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec
import sqlalchemy as sa

from app.domain.checkout import Checkout
from app.domain.errors import SessionNotFound
from app.domain.event import AgentName, EventKind
from app.domain.session import Session, SessionState
from app.state import bulk
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import UtcMicros, observations, sessions, to_micros

# A session's row is read with each group of its events, and its checkout changes seldom.
_decode_checkout = lru_cache(maxsize=1024)(msgspec.json.Decoder(Checkout).decode)
_NEW_COLUMNS = (
    "id",
    "project_id",
    "agent",
    "agent_session_id",
    "owner",
    "cwd",
    "state",
    "started_at",
    "last_event_at",
    "ended_at",
    "has_work",
    "last_observation_id",
    "compiled_through",
    "page_path",
    "checkout",
    "continues",
    "opted_out_at",
)
_ALL = sa.select(sessions)
_BY_ID = _ALL.where(sessions.c.id == sa.bindparam("session_id"))
_LATEST = _ALL.order_by(sessions.c.last_event_at.desc(), sessions.c.id.desc()).limit(sa.bindparam("row_limit"))
_KNOWN = sa.select(sessions.c.agent, sessions.c.owner).distinct()
_COUNT = sa.select(sa.func.count()).select_from(sessions)
# After a turn's end the agent waits for a person, which may take hours; in mid-turn, silence means it is gone.
_IDLE = (
    _ALL.outerjoin_from(sessions, observations, observations.c.id == sessions.c.last_observation_id)
    .where(
        sessions.c.state == SessionState.OPEN.value,
        sa.or_(
            sessions.c.last_event_at <= sa.bindparam("stopped_before", type_=UtcMicros()),
            sa.and_(
                sessions.c.last_event_at <= sa.bindparam("idle_before", type_=UtcMicros()),
                sa.func.coalesce(observations.c.kind, "") != EventKind.TURN_END.value,
            ),
        ),
    )
    .order_by(sessions.c.last_event_at, sessions.c.id)
    .limit(sa.bindparam("row_limit"))
)
_NEW_STATE = sa.bindparam("new_state", type_=sa.Text())
_NEW_MOMENT = sa.bindparam("new_moment", type_=UtcMicros())
_NEW_OBSERVATION = sa.bindparam("new_observation", type_=sa.BigInteger())
# Nothing goes backwards, so the order in which two batches arrive does not matter.
_ACTIVITY = (
    sa.update(sessions)
    .where(sessions.c.id == sa.bindparam("session_id"))
    .values(
        last_event_at=sa.case((sessions.c.last_event_at < _NEW_MOMENT, _NEW_MOMENT), else_=sessions.c.last_event_at),
        last_observation_id=sa.case(
            (sessions.c.last_observation_id < _NEW_OBSERVATION, _NEW_OBSERVATION),
            else_=sessions.c.last_observation_id,
        ),
        has_work=sa.or_(sessions.c.has_work, sa.bindparam("new_work", type_=sa.Boolean())),
        state=sa.func.coalesce(_NEW_STATE, sessions.c.state),
        ended_at=sa.case(
            (sa.func.coalesce(_NEW_STATE, "") == SessionState.OPEN.value, sa.null()),
            else_=sa.func.coalesce(sa.bindparam("new_end", type_=UtcMicros()), sessions.c.ended_at),
        ),
    )
)
_COMPILED = (
    sa.update(sessions)
    .where(sessions.c.id == sa.bindparam("session_id"))
    .values(compiled_through=sa.bindparam("new_through"), page_path=sa.bindparam("new_path"))
)

_CONTINUING = (
    _ALL.where(sessions.c.continues == sa.bindparam("agent_session_id"))
    .order_by(sessions.c.started_at, sessions.c.id)
    .limit(sa.bindparam("row_limit"))
)
_OPT_OUT = (
    sa.update(sessions)
    .where(sessions.c.id == sa.bindparam("session_id"))
    .values(opted_out_at=sa.bindparam("moment", type_=UtcMicros()))
)
_CONTINUES = (
    sa.update(sessions)
    .where(sessions.c.id == sa.bindparam("session_id"), sessions.c.continues.is_(None))
    .values(continues=sa.bindparam("earlier"))
)
_CHECKOUT_LEFT = (
    sa.update(sessions)
    .where(sessions.c.id == sa.bindparam("session_id"))
    .values(checkout=sa.bindparam("new_checkout", type_=sa.Text()))
)
_BRIEFED = (
    sa.update(sessions)
    .where(sessions.c.id == sa.bindparam("session_id"))
    .values(briefed_at=sa.bindparam("moment", type_=UtcMicros()))
)
_WHEN_BRIEFED = sa.select(sessions.c.briefed_at).where(sessions.c.id == sa.bindparam("session_id"))
_BEFORE_IN_PROJECT = (
    _ALL.where(
        sessions.c.project_id == sa.bindparam("project_id"),
        sessions.c.id != sa.bindparam("session_id"),
        sessions.c.has_work,
    )
    .order_by(sessions.c.last_event_at.desc(), sessions.c.id.desc())
    .limit(1)
)
_BEFORE = _BEFORE_IN_PROJECT.where(sessions.c.owner == sa.bindparam("whose"))
_BEFORE_IN_FOLDER = _BEFORE_IN_PROJECT.where(sessions.c.cwd == sa.bindparam("folder"))
_DELETE = sa.delete(sessions).where(sessions.c.id == sa.bindparam("session_id"))


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """Which sessions are wanted; what is empty asks for nothing.

    `project_ids` are those that may be read, None for all; `since` is inclusive and `until` exclusive, both on the
    last event.
    """

    project_id: str | None = None
    project_ids: Collection[str] | None = None
    agent: str = ""
    owner: str = ""
    state: SessionState | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class SessionActivity:
    """What a batch of events changes in a session; None leaves the stored value, re-opening clears its end."""

    session_id: str
    last_event_at: datetime
    last_observation_id: int
    has_work: bool = False
    state: SessionState | None = None
    ended_at: datetime | None = None


def find_session(conn: ReadConnection, session_id: str) -> Session | None:
    """Find a session by our own id."""
    row = conn.execute(_BY_ID, {"session_id": session_id}).mappings().one_or_none()
    return None if row is None else _to_session(row)


def get_session(conn: ReadConnection, session_id: str) -> Session:
    """Get a session by our own id.

    Raises:
        SessionNotFound: no session has it.
    """
    session = find_session(conn, session_id)
    if session is None:
        raise SessionNotFound(session_id)
    return session


def find_sessions_by_agent_ids(conn: ReadConnection, agent_session_ids: Collection[str]) -> dict[str, Session]:
    """Find sessions by the agents' ids; one that two agents report under their own names is one."""
    rows = bulk.find_rows(conn, sessions, sessions.c.agent_session_id, agent_session_ids)
    return {row["agent_session_id"]: _to_session(row) for row in rows}


def find_session_by_any_id(conn: ReadConnection, session_id: str) -> Session | None:
    """Find a session by our own id, else by the one that its agent gave it."""
    return find_session(conn, session_id) or find_sessions_by_agent_ids(conn, {session_id}).get(session_id)


def get_session_by_any_id(conn: ReadConnection, session_id: str) -> Session:
    """Get a session by our own id or its agent's.

    Raises:
        SessionNotFound: no session has it.
    """
    session = find_session_by_any_id(conn, session_id)
    if session is None:
        raise SessionNotFound(session_id)
    return session


def insert_sessions(conn: WriteConnection, new_sessions: Sequence[Session]) -> None:
    """Insert sessions that `find_sessions_by_agent_ids` did not find in the same transaction."""
    bulk.insert_rows(conn, sessions, _NEW_COLUMNS, [_to_stored(session) for session in new_sessions])


def update_sessions_activity(conn: WriteConnection, activities: Sequence[SessionActivity]) -> None:
    """Note what a batch of events did to its sessions; never moves a moment or an id backwards."""
    if not activities:
        return
    rows = [
        {
            "session_id": activity.session_id,
            "new_moment": to_micros(activity.last_event_at),
            "new_observation": activity.last_observation_id,
            "new_work": activity.has_work,
            "new_state": None if activity.state is None else activity.state.value,
            "new_end": None if activity.ended_at is None else to_micros(activity.ended_at),
        }
        for activity in activities
    ]
    bulk.execute_plain(conn, _ACTIVITY, rows)


def update_session_compiled(conn: WriteConnection, session_id: str, *, compiled_through: int, page_path: str) -> None:
    """Note how far a session's page goes and where it is."""
    row = {"session_id": session_id, "new_through": compiled_through, "new_path": page_path}
    conn.execute(_COMPILED, row)


def list_sessions(conn: ReadConnection, wanted: SessionFilter, limit: int) -> list[Session]:
    """List sessions, the last active first."""
    rows = conn.execute(_LATEST.where(*_build_conditions(wanted)), {"row_limit": limit}).mappings()
    return [_to_session(row) for row in rows]


def list_agents_and_owners(conn: ReadConnection, project_ids: Collection[str] | None) -> tuple[list[str], list[str]]:
    """List the agents and the people of sessions that may be read, each by name."""
    readable = SessionFilter(project_ids=project_ids)
    rows = [(str(row.agent), str(row.owner)) for row in conn.execute(_KNOWN.where(*_build_conditions(readable)))]
    return sorted({agent for agent, _ in rows}), sorted({owner for _, owner in rows})


def _build_conditions(wanted: SessionFilter) -> list[sa.ColumnElement[bool]]:
    found: list[sa.ColumnElement[bool]] = []
    if wanted.project_ids is not None:
        found.append(sessions.c.project_id.in_(sorted(wanted.project_ids)))
    for column, value in (
        (sessions.c.project_id, wanted.project_id),
        (sessions.c.agent, wanted.agent),
        (sessions.c.owner, wanted.owner),
        (sessions.c.state, wanted.state.value if wanted.state else ""),
    ):
        if value:
            found.append(column == value)
    if wanted.since is not None:
        found.append(sessions.c.last_event_at >= wanted.since)
    if wanted.until is not None:
        found.append(sessions.c.last_event_at < wanted.until)
    return found


def list_continuing(conn: ReadConnection, agent_session_id: str, limit: int) -> list[Session]:
    """List the sessions that go on with one, by the id that its agent gave it, in the order of their beginning."""
    wanted = {"agent_session_id": agent_session_id, "row_limit": limit}
    return [_to_session(row) for row in conn.execute(_CONTINUING, wanted).mappings()]


def update_continues(conn: WriteConnection, session_id: str, earlier: str) -> None:
    """Note the agent's id of the session that this one goes on with; what was noted before stays."""
    conn.execute(_CONTINUES, {"session_id": session_id, "earlier": earlier})


def update_opt_out(conn: WriteConnection, session_id: str, moment: datetime | None) -> None:
    """Note since when a session is opted out of; None takes it in again."""
    conn.execute(_OPT_OUT, {"session_id": session_id, "moment": moment})


def update_checkout(conn: WriteConnection, session_id: str, checkout: Checkout) -> None:
    """Note how a session's working copy was left."""
    conn.execute(_CHECKOUT_LEFT, {"session_id": session_id, "new_checkout": msgspec.json.encode(checkout).decode()})


def update_briefed(conn: WriteConnection, session_id: str, moment: datetime | None) -> None:
    """Note when a session was handed its brief in whole; None when it turns out that it was not."""
    conn.execute(_BRIEFED, {"session_id": session_id, "moment": moment})


def find_briefed_at(conn: ReadConnection, session_id: str) -> datetime | None:
    """Find when a session was handed its brief; None if it was not, as far as is known."""
    return conn.execute(_WHEN_BRIEFED, {"session_id": session_id}).scalar_one_or_none()


def find_session_before(conn: ReadConnection, session: Session) -> Session | None:
    """Find the last session with work of the same person in the same project, apart from this one.

    Where the person was never here, it is the last of anybody in the same folder.
    """
    wanted = {"project_id": session.project_id, "session_id": session.id}
    row = conn.execute(_BEFORE, {**wanted, "whose": session.owner}).mappings().one_or_none()
    if row is None and session.cwd:
        row = conn.execute(_BEFORE_IN_FOLDER, {**wanted, "folder": session.cwd}).mappings().one_or_none()
    return None if row is None else _to_session(row)


def delete_session(conn: WriteConnection, session_id: str) -> None:
    """Delete a session that has no observations any more."""
    conn.execute(_DELETE, {"session_id": session_id})


def list_idle_sessions(
    conn: ReadConnection, *, idle_before: datetime, stopped_before: datetime, limit: int
) -> list[Session]:
    """List open sessions silent since `idle_before`, or since `stopped_before` if their turn had ended."""
    bounds = {"idle_before": idle_before, "stopped_before": stopped_before, "row_limit": limit}
    return [_to_session(row) for row in conn.execute(_IDLE, bounds).mappings()]


def count_observed(conn: ReadConnection, project_ids: Collection[str]) -> int:
    """Count the observations of these projects that have not left state."""
    own = (
        sa.select(sa.func.count()).select_from(observations).join(sessions, sessions.c.id == observations.c.session_id)
    )
    return conn.execute(own.where(sessions.c.project_id.in_(sorted(project_ids)))).scalar_one()


def count_sessions(conn: ReadConnection) -> int:
    """Count all sessions."""
    return conn.execute(_COUNT).scalar_one()


def _to_stored(session: Session) -> tuple[object, ...]:
    return (
        session.id,
        session.project_id,
        session.agent.value,
        session.agent_session_id,
        session.owner,
        session.cwd,
        session.state.value,
        to_micros(session.started_at),
        to_micros(session.last_event_at),
        None if session.ended_at is None else to_micros(session.ended_at),
        session.has_work,
        session.last_observation_id,
        session.compiled_through,
        session.page_path,
        msgspec.json.encode(session.checkout).decode(),
        session.continues or None,
        None if session.opted_out_at is None else to_micros(session.opted_out_at),
    )


def _to_session(row: Mapping[str, Any] | sa.RowMapping) -> Session:
    return Session(
        id=row["id"],
        project_id=row["project_id"],
        agent=AgentName(row["agent"]),
        agent_session_id=row["agent_session_id"],
        owner=row["owner"],
        cwd=row["cwd"],
        state=SessionState(row["state"]),
        started_at=row["started_at"],
        last_event_at=row["last_event_at"],
        ended_at=row["ended_at"],
        has_work=row["has_work"],
        last_observation_id=row["last_observation_id"],
        compiled_through=row["compiled_through"],
        page_path=row["page_path"],
        checkout=_decode_checkout(row["checkout"]),
        continues=row["continues"] or "",
        opted_out_at=row["opted_out_at"],
    )
