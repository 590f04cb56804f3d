"""What is written when a session ends, by its silence or by command, and when it is taken up again."""

from collections.abc import Callable
from datetime import datetime

from app.compile import session_end
from app.domain.session import Session, SessionState
from app.state import jobs, sessions
from app.state.engine import WriteConnection
from app.state.sessions import SessionActivity


def build_ending(session: Session, now: datetime) -> Callable[[WriteConnection], bool]:
    """Build the job that ends a silent session, unless it has spoken again since it was listed."""

    def end(conn: WriteConnection) -> bool:
        current = sessions.find_session(conn, session.id)
        if current is None or current.state is not SessionState.OPEN or current.last_event_at > session.last_event_at:
            return False
        _note_end(conn, session, session.last_event_at)
        jobs.upsert_job(conn, session_end.COMPILE_SESSION, session.id, now)
        return True

    return end


def end_now(conn: WriteConnection, session_id: str, now: datetime) -> Session:
    """End a session now, whoever asks for it; its page is called for in any case."""
    session = sessions.get_session(conn, session_id)
    if session.state is SessionState.OPEN:
        _note_end(conn, session, now)
    jobs.upsert_job(conn, session_end.COMPILE_SESSION, session_id, now)
    return sessions.get_session(conn, session_id)


def reopen_now(conn: WriteConnection, session_id: str, now: datetime) -> Session:
    """Take a session up again as if it had just spoken."""
    session = sessions.get_session(conn, session_id)
    if session.state is not SessionState.OPEN:
        spoken = SessionActivity(session.id, now, session.last_observation_id, state=SessionState.OPEN)
        sessions.update_sessions_activity(conn, [spoken])
    return sessions.get_session(conn, session_id)


def _note_end(conn: WriteConnection, session: Session, ended_at: datetime) -> None:
    ended = SessionActivity(
        session_id=session.id,
        last_event_at=session.last_event_at,
        last_observation_id=session.last_observation_id,
        state=SessionState.ENDED,
        ended_at=ended_at,
    )
    sessions.update_sessions_activity(conn, [ended])
