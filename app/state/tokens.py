"""Access tokens and web sessions: what proves who calls, by hash; nothing here can be renewed back into a proof."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from app.domain.person import AccessToken, Right
from app.domain.person_errors import AccessTokenNotFound
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables_people import access_tokens, web_sessions

_ALL = sa.select(access_tokens)
_BY_HASH = _ALL.where(access_tokens.c.token_hash == sa.bindparam("wanted"))
_BY_ID = _ALL.where(access_tokens.c.id == sa.bindparam("token_id"))
_NEWEST = _ALL.order_by(access_tokens.c.created_at.desc(), access_tokens.c.id.desc()).limit(sa.bindparam("row_limit"))
_USED = (
    sa.update(access_tokens)
    .where(access_tokens.c.id == sa.bindparam("token_id"))
    .values(last_used_at=sa.bindparam("moment", type_=access_tokens.c.last_used_at.type))
)
# There are few sessions, and a secret that is known is looked for once.
_SESSION_BY_HASH = sa.select(web_sessions).where(
    sa.or_(
        web_sessions.c.secret_hash == sa.bindparam("wanted"),
        web_sessions.c.next_hash == sa.bindparam("wanted"),
        web_sessions.c.former_hash == sa.bindparam("wanted"),
    )
)
_SESSION_BY_ID = sa.select(web_sessions).where(web_sessions.c.id == sa.bindparam("session_id"))
_SESSIONS = (
    sa.select(web_sessions)
    .where(web_sessions.c.expires_at > sa.bindparam("moment", type_=web_sessions.c.expires_at.type))
    .order_by(web_sessions.c.seen_at.desc(), web_sessions.c.id)
    .limit(sa.bindparam("row_limit"))
)


@dataclass(frozen=True, slots=True)
class WebSession:
    """Somebody who is signed in with a browser; the account's id is empty for the secret of the settings.

    `renewed_at` is since when the present secret is that; the next one was given out at `next_at`, and is empty where
    none was. The former one is good until `former_until`.
    """

    id: str
    account_id: str
    created_at: datetime
    seen_at: datetime
    expires_at: datetime
    address: str
    renewed_at: datetime
    secret_hash: str = field(repr=False)
    next_hash: str = field(default="", repr=False)
    next_at: datetime | None = None
    former_until: datetime | None = None


def find_token_by_hash(conn: ReadConnection, token_hash: str) -> AccessToken | None:
    """Find an access token by its hash, also one that is revoked or over."""
    row = conn.execute(_BY_HASH, {"wanted": token_hash}).one_or_none()
    return None if row is None else _to_token(row)


def get_token(conn: ReadConnection, token_id: str) -> AccessToken:
    """Get an access token by its id.

    Raises:
        AccessTokenNotFound: there is none.
    """
    row = conn.execute(_BY_ID, {"token_id": token_id}).one_or_none()
    if row is None:
        raise AccessTokenNotFound(token_id)
    return _to_token(row)


def list_tokens(conn: ReadConnection, account_id: str | None, limit: int) -> list[AccessToken]:
    """List access tokens of one account or of all, the newest first."""
    statement = _NEWEST if account_id is None else _NEWEST.where(access_tokens.c.account_id == account_id)
    return [_to_token(row) for row in conn.execute(statement, {"row_limit": limit})]


def insert_token(conn: WriteConnection, token: AccessToken, token_hash: str) -> None:
    """Insert a token that was just made."""
    projects = None if token.project_ids is None else msgspec.json.encode(sorted(token.project_ids)).decode()
    row = {
        "id": token.id,
        "account_id": token.account_id,
        "name": token.name,
        "token_hash": token_hash,
        "rights": " ".join(sorted(token.rights)),
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "hint": token.hint,
        "projects": projects,
    }
    conn.execute(sa.insert(access_tokens), row)


def update_token(conn: WriteConnection, token: AccessToken) -> None:
    """Store when a token ends or was revoked."""
    values = {"expires_at": token.expires_at, "revoked_at": token.revoked_at}
    conn.execute(sa.update(access_tokens).where(access_tokens.c.id == token.id), values)


def update_tokens_used(conn: WriteConnection, uses: Sequence[tuple[str, datetime]]) -> None:
    """Note when tokens were last used."""
    if uses:
        conn.execute(_USED, [{"token_id": token_id, "moment": moment} for token_id, moment in uses])


def revoke_tokens(conn: WriteConnection, account_id: str, now: datetime) -> int:
    """Revoke every token of an account; tells how many were still good."""
    still_good = sa.and_(access_tokens.c.account_id == account_id, access_tokens.c.revoked_at.is_(None))
    return conn.execute(sa.update(access_tokens).where(still_good), {"revoked_at": now}).rowcount


def find_web_session(conn: ReadConnection, secret_hash: str) -> WebSession | None:
    """Find a browser's session by the hash of a secret of it: the present, the next or the former; also one over."""
    row = conn.execute(_SESSION_BY_HASH, {"wanted": secret_hash}).one_or_none()
    return None if row is None else _to_session(row)


def list_web_sessions(conn: ReadConnection, now: datetime, limit: int) -> list[WebSession]:
    """List who is signed in with a browser, the last seen first."""
    return [_to_session(row) for row in conn.execute(_SESSIONS, {"moment": now, "row_limit": limit})]


def insert_web_session(conn: WriteConnection, session: WebSession) -> None:
    """Insert a browser's session."""
    row = {
        "id": session.id,
        "secret_hash": session.secret_hash,
        "account_id": session.account_id or None,
        "created_at": session.created_at,
        "seen_at": session.seen_at,
        "expires_at": session.expires_at,
        "address": session.address,
    }
    conn.execute(sa.insert(web_sessions), row)


def update_web_session_seen(conn: WriteConnection, session_id: str, now: datetime) -> None:
    """Note that a browser was here."""
    conn.execute(sa.update(web_sessions).where(web_sessions.c.id == session_id), {"seen_at": now})


def update_next_secret(conn: WriteConnection, session_id: str, next_hash: str, now: datetime) -> None:
    """Note the secret that a browser was given, and has not sent yet."""
    values = {"next_hash": next_hash, "next_at": now}
    conn.execute(sa.update(web_sessions).where(web_sessions.c.id == session_id), values)


def update_secrets(conn: WriteConnection, session: WebSession, now: datetime, former_until: datetime) -> None:
    """Put the next secret in the present one's place, which is the former one from now on."""
    was_so = sa.and_(web_sessions.c.id == session.id, web_sessions.c.next_hash == session.next_hash)
    values = {
        "secret_hash": session.next_hash,
        "renewed_at": now,
        "next_hash": None,
        "next_at": None,
        "former_hash": session.secret_hash,
        "former_until": former_until,
    }
    conn.execute(sa.update(web_sessions).where(was_so), values)


def find_web_session_by_id(conn: ReadConnection, session_id: str) -> WebSession | None:
    """Find a browser's session by its id."""
    row = conn.execute(_SESSION_BY_ID, {"session_id": session_id}).one_or_none()
    return None if row is None else _to_session(row)


def delete_web_session(conn: WriteConnection, session_id: str) -> bool:
    """End a browser's session; False if there is none."""
    return conn.execute(sa.delete(web_sessions).where(web_sessions.c.id == session_id)).rowcount > 0


def delete_web_sessions(conn: WriteConnection, account_id: str) -> int:
    """End every browser's session of an account."""
    return conn.execute(sa.delete(web_sessions).where(web_sessions.c.account_id == account_id)).rowcount


def delete_web_sessions_over(conn: WriteConnection, now: datetime) -> int:
    """Delete what is over by itself."""
    return conn.execute(sa.delete(web_sessions).where(web_sessions.c.expires_at <= now)).rowcount


def _to_token(row: sa.Row[*tuple[Any, ...]]) -> AccessToken:
    projects = None if row.projects is None else frozenset(msgspec.json.decode(row.projects, type=list[str]))
    return AccessToken(
        id=row.id,
        account_id=row.account_id,
        name=row.name,
        hint=row.hint,
        rights=frozenset(Right(word) for word in row.rights.split()),
        created_at=row.created_at,
        project_ids=projects,
        expires_at=row.expires_at,
        last_used_at=row.last_used_at,
        revoked_at=row.revoked_at,
    )


def _to_session(row: sa.Row[*tuple[Any, ...]]) -> WebSession:
    return WebSession(
        id=row.id,
        account_id=row.account_id or "",
        created_at=row.created_at,
        seen_at=row.seen_at,
        expires_at=row.expires_at,
        address=row.address,
        renewed_at=row.renewed_at or row.created_at,
        secret_hash=row.secret_hash,
        next_hash=row.next_hash or "",
        next_at=row.next_at,
        former_until=row.former_until,
    )
