"""Access tokens as they are issued: made and shown once, rotated with an overlap, revoked at once."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from app.access import access_token
from app.access import grants as decisions
from app.access.accounts import PeopleParts, note, write
from app.access.trail import Deed
from app.domain import limits, limits_people
from app.domain.errors import InvalidValue
from app.domain.person import AccessToken, Principal, Right
from app.domain.person_errors import AccessTokenNotFound
from app.state import accounts, tokens
from app.state.engine import ReadConnection, WriteConnection

_LOGIN: Final = "login"


@dataclass(frozen=True, slots=True)
class NewToken:
    """What a token is to be good for; without projects it is good for all of its person's."""

    name: str
    rights: Collection[Right]
    project_ids: frozenset[str] | None = None
    days: int | None = None


@dataclass(frozen=True, slots=True)
class Issued:
    """A token with its secret, which is nowhere else and never shown again, and for whom it is."""

    token: AccessToken
    secret: str
    person: str = ""


def issue_token(parts: PeopleParts, by: Principal, person_name: str, new: NewToken) -> Issued:
    """Make an access token for a person.

    Raises:
        PersonNotFound: there is no such account.
        InvalidValue: it has no name or rights, or would be good for too long.
    """
    name = new.name.strip()
    if not 0 < len(name) <= limits.TOKEN_NAME_CHARS_MAX:
        raise InvalidValue("name", f"say in 1 to {limits.TOKEN_NAME_CHARS_MAX} characters what the token is for")
    if not new.rights:
        raise InvalidValue("rights", f"name one or more of {', '.join(Right)}")
    now = parts.clock.now()
    secret = access_token.build_token(parts.ids.new_secret())

    def insert(conn: WriteConnection) -> AccessToken:
        token = AccessToken(
            id=parts.ids.new_id(),
            account_id=accounts.get_person(conn, person_name).id,
            name=name,
            hint=access_token.make_hint(secret),
            rights=decisions.expand_rights(new.rights),
            created_at=now,
            project_ids=new.project_ids,
            expires_at=_find_end(now, new.days),
        )
        tokens.insert_token(conn, token, access_token.hash_token(secret.encode(), parts.key))
        rights = " ".join(sorted(token.rights))
        note(conn, parts, by, Deed("token.create", token.id, f"for {person_name}: {name}", after=rights))
        return token

    return Issued(write(parts, insert), secret, person_name)


def issue_first_token(parts: PeopleParts, by: Principal, person_name: str) -> Issued:
    """Make the token with which a new person begins: for everything that the person may do.

    Raises:
        PersonNotFound: there is no such account.
    """
    return issue_token(parts, by, person_name, NewToken("first", frozenset(Right)))


def issue_login(parts: PeopleParts, by: Principal, name: str) -> Issued:
    """Make the token of a machine on which a person has signed in: for all that the person may do, and for a while.

    Raises:
        InvalidValue: the name is too long.
    """
    new = NewToken(name.strip() or _LOGIN, frozenset(Right), days=limits_people.LOGIN_TOKEN_DAYS)
    return issue_token(parts, by, by.person, new)


def rotate_token(
    parts: PeopleParts, by: Principal, token_id: str, overlap_hours: int = limits.TOKEN_OVERLAP_HOURS
) -> Issued:
    """Make a token like another, which stays good for a while, so that clients can be given the new one.

    Raises:
        AccessTokenNotFound: there is none, or it is not the caller's.
        InvalidValue: it is revoked or over.
    """
    now = parts.clock.now()
    secret = access_token.build_token(parts.ids.new_secret())

    def swap(conn: WriteConnection) -> AccessToken:
        old = get_own(conn, by, token_id)
        if old.revoked_at is not None or (old.expires_at is not None and old.expires_at <= now):
            raise InvalidValue("token", "it is not good any more; make a new one")
        days = None if old.expires_at is None else old.expires_at - old.created_at
        fresh = replace(
            old,
            id=parts.ids.new_id(),
            hint=access_token.make_hint(secret),
            created_at=now,
            expires_at=None if days is None else now + days,
            last_used_at=None,
        )
        end = now + timedelta(hours=max(0, overlap_hours))
        tokens.insert_token(conn, fresh, access_token.hash_token(secret.encode(), parts.key))
        tokens.update_token(conn, replace(old, expires_at=min(end, old.expires_at or end)))
        note(conn, parts, by, Deed("token.rotate", old.id, before=old.id, after=fresh.id))
        return fresh

    return Issued(write(parts, swap), secret)


def revoke_token(parts: PeopleParts, by: Principal, token_id: str) -> AccessToken:
    """Make a token worthless from this moment on; repeating it changes nothing.

    Raises:
        AccessTokenNotFound: there is none, or it is not the caller's.
    """
    now = parts.clock.now()

    def revoke(conn: WriteConnection) -> AccessToken:
        token = get_own(conn, by, token_id)
        if token.revoked_at is not None:
            return token
        revoked = replace(token, revoked_at=now)
        tokens.update_token(conn, revoked)
        note(conn, parts, by, Deed("token.revoke", token.id, token.name, before="good", after="revoked"))
        return revoked

    return write(parts, revoke)


def get_own(conn: ReadConnection, by: Principal, token_id: str) -> AccessToken:
    """Get a token that the caller may decide over: its own, or anybody's for an administrator.

    Raises:
        AccessTokenNotFound: there is none for this caller.
    """
    token = tokens.get_token(conn, token_id)
    if token.account_id != by.account_id and not by.rights.is_admin:
        raise AccessTokenNotFound(token_id)
    return token


def _find_end(now: datetime, days: int | None) -> datetime | None:
    if days is None:
        return None
    if not 1 <= days <= limits.TOKEN_DAYS_MAX:
        raise InvalidValue("days", f"between 1 and {limits.TOKEN_DAYS_MAX}")
    return now + timedelta(days=days)
