"""Gives a browser's session a new secret after each hour of use, so that one that was copied is soon worth nothing.

The new secret takes the old one's place when the browser first sends it, never before: an answer that got lost signs
nobody out. From then on the old one is good for a moment more, for requests that were under way with it.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from app.access import access_token
from app.access.accounts import PeopleParts
from app.domain import limits
from app.domain.limits_people import WEB_SECRET_OVERLAP_SECONDS, WEB_SECRET_SECONDS
from app.state import tokens
from app.state.engine import WriteConnection
from app.state.tokens import WebSession

OVERLAP = timedelta(seconds=WEB_SECRET_OVERLAP_SECONDS)
_USE = timedelta(seconds=WEB_SECRET_SECONDS)


@dataclass(frozen=True, slots=True)
class Renewed:
    """The secret that a browser is to send from now on, and for how long at most."""

    secret: str = field(repr=False)
    seconds_max: int


def find_renewal(session: WebSession) -> datetime:
    """Tell from when on a browser is to be given another secret than the one that it sends."""
    due = session.renewed_at + _USE
    return due if session.next_at is None else max(due, session.next_at + OVERLAP)


def is_spent(session: WebSession, digest: str, now: datetime) -> bool:
    """Tell whether a secret of a session is its former one, and was that for too long."""
    is_former = digest not in {session.secret_hash, session.next_hash}
    return is_former and (session.former_until is None or session.former_until <= now)


def renew(parts: PeopleParts, secret: bytes) -> Renewed | None:
    """Make the next secret of the session whose present one this is; None where that was just done."""
    now, fresh = parts.clock.now(), access_token.build_token(parts.ids.new_secret())
    digest = access_token.hash_cookie(secret, parts.key)

    def store(conn: WriteConnection) -> WebSession | None:
        session = tokens.find_web_session(conn, digest)
        # Of many requests that come at once, each asks.
        if session is None or session.secret_hash != digest or now < find_renewal(session):
            return None
        tokens.update_next_secret(conn, session.id, access_token.hash_cookie(fresh.encode(), parts.key), now)
        return session

    session = parts.writer.submit(store).result(timeout=limits.STATE_WRITE_SECONDS_MAX)
    if session is None:
        return None
    # What is remembered of the session says that it is due.
    parts.changed()
    return Renewed(fresh, max(1, int((session.expires_at - now).total_seconds())))


def settle(conn: WriteConnection, session: WebSession, now: datetime) -> None:
    """Put the next secret in the present one's place, since the browser has sent it; repeating it changes nothing."""
    tokens.update_secrets(conn, session, now, now + OVERLAP)
