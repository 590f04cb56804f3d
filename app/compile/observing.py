"""Brings what sessions said and did into the index, turn by turn, when they are compiled and after a rebuild."""

import logging
from dataclasses import dataclass
from functools import partial

from app.domain.errors import DiskRefused, StoreUnreadable
from app.domain.limits import (
    OBSERVED_SESSIONS_PER_SWEEP,
    SESSION_OBSERVATIONS_READ_MAX,
    SESSION_READ_BATCH,
)
from app.domain.segment import SegmentLocked, SegmentUnreadable
from app.domain.session import Observation, Session
from app.index import observation, observed
from app.index.database import IndexDatabase
from app.state import compiled, projects, sessions, verbatim
from app.state.verbatim import Verbatim

_LOG = logging.getLogger(__name__)


def bring_up_to_date(index: IndexDatabase, places: Verbatim, session_id: str) -> None:
    """Index what a session said since it was last looked at; what cannot be read is left to its page."""
    session = places.engine.read(sessions.find_session, session_id)
    if session is None:
        return
    try:
        through = index.read(partial(observed.find_through, session_id=session_id))
        if through < session.last_observation_id:
            index_session(index, places, session)
    except StoreUnreadable:
        # It is made anew then, and filled from the beginning.
        return
    except (SegmentUnreadable, SegmentLocked) as error:
        # Its page still answers; what is wrong with the file, status and doctor say.
        _LOG.warning("what session %s said cannot be searched: %s", session.id, error)


def index_session(index: IndexDatabase, places: Verbatim, session: Session) -> bool:
    """Bring one session's observations into the index; False where the index could not take them now."""
    scope = places.engine.read(projects.get_project, session.project_id).scope
    listed = _read_all(places, session)
    # Built before the index is locked.
    entries = list(observation.build_entries(listed))
    through = listed[-1].id if listed else session.compiled_through
    try:
        index.write(lambda connection: observed.put_session(connection, scope, session.id, entries, through))
    except (StoreUnreadable, DiskRefused):
        return False
    return True


def forget_session(index: IndexDatabase, places: Verbatim, session_id: str) -> None:
    """Take a session's observations out of the index, by either of its ids.

    Raises:
        SessionNotFound: there is no such session.
        DiskRefused: the disk is full or read-only.
        StoreUnreadable: the index is closed or damaged.
    """
    session = places.engine.read(sessions.get_session_by_any_id, session_id)
    index.write(lambda connection: observed.remove_session(connection, session.id))


@dataclass(slots=True)
class CatchUp:
    """How far one pass over all sessions has come; a pass begins at the server's start and when the file is new."""

    after: str = ""
    is_over: bool = False


def catch_up(index: IndexDatabase, places: Verbatim, pass_: CatchUp) -> bool:
    """Bring in some of the compiled sessions that the index lacks; False when none is left to look at."""
    if not index.read(observed.is_complete):
        if pass_.is_over:
            pass_.after, pass_.is_over = "", False
    elif pass_.is_over:
        return False
    found = places.engine.read(compiled.list_compiled_after, pass_.after, OBSERVED_SESSIONS_PER_SWEEP)
    for session_id in found:
        pass_.after = session_id
        bring_up_to_date(index, places, session_id)
    if not found:
        pass_.is_over = True
        index.write(observed.mark_complete)
    return bool(found)


def _read_all(places: Verbatim, session: Session) -> list[Observation]:
    listed: list[Observation] = []
    last_id = 0
    while len(listed) < SESSION_OBSERVATIONS_READ_MAX:
        batch = verbatim.read_session_observations(places, session.id, after_id=last_id, limit=SESSION_READ_BATCH)
        if not batch:
            break
        listed += batch
        last_id = batch[-1].id
    return listed
