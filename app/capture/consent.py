"""Opts a session out of capture, or in again, also before its first event has come."""

from datetime import datetime

from app.domain.errors import InvalidValue
from app.domain.limits import NATIVE_ID_CHARS_MAX
from app.state import sessions, tombstones
from app.state.engine import WriteConnection
from app.state.tombstones import TombKind


def switch_session(conn: WriteConnection, *, name: str, enabled: bool, now: datetime) -> None:
    """Note what is to become of a session's events; `name` is our id of it or, also of one to come, its agent's.

    Raises:
        InvalidValue: the name is longer than an id can be.
    """
    if len(name) > NATIVE_ID_CHARS_MAX:
        raise InvalidValue("session", f"an id has at most {NATIVE_ID_CHARS_MAX} characters")
    session = sessions.find_session_by_any_id(conn, name)
    if session is not None:
        sessions.update_opt_out(conn, session.id, None if enabled else now)
    if enabled:
        tombstones.delete_tombstone(conn, TombKind.OPT_OUT, name)
    elif session is None:
        tombstones.insert_tombstone(conn, TombKind.OPT_OUT, name, now)
