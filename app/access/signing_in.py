"""Signing in with a browser: by name and password or by an access token, throttled, and signing out."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from threading import Lock

from app.access import access_token, issuing
from app.access.accounts import PeopleParts, note, write
from app.access.gate import Gate, find_session_end
from app.access.issuing import Issued
from app.access.trail import Deed
from app.domain import limits
from app.domain.errors import TokenRejected
from app.domain.person import LOCAL_PERSON, Principal, Rights
from app.domain.person_errors import AccountDisabled, SignInNotFound, SignInRefused, SignInsThrottled
from app.state import accounts, tokens
from app.state.engine import ReadConnection, WriteConnection
from app.state.tokens import WebSession

_NOTHING = Rights(uses=frozenset())
_WINDOW = timedelta(seconds=limits.SIGN_IN_WINDOW_SECONDS)


class Throttle:
    """Counts failed attempts by account and by address; forgotten at a restart, and never grows without bound."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._failures: dict[str, deque[datetime]] = {}

    def check(self, name: str, address: str, now: datetime) -> None:
        """Let an attempt through, unless too many failed a moment ago.

        Raises:
            SignInsThrottled: they did; it says for how long.
        """
        with self._lock:
            for key, most in _list_keys(name, address):
                failed = self._failures.get(key, deque())
                while failed and failed[0] <= now - _WINDOW:
                    failed.popleft()
                if len(failed) >= most:
                    raise SignInsThrottled(int((failed[0] + _WINDOW - now).total_seconds() * 1000))

    def note_failure(self, name: str, address: str, now: datetime) -> None:
        """Count an attempt that failed."""
        with self._lock:
            for key, _ in _list_keys(name, address):
                while key not in self._failures and len(self._failures) >= limits.SIGN_IN_NAMES_TRACKED_MAX:
                    self._failures.pop(next(iter(self._failures)))
                self._failures.setdefault(key, deque()).append(now)

    def forgive(self, name: str) -> None:
        """Forget an account's failures, since its person has come in."""
        with self._lock:
            self._failures.pop(f"name {name}", None)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What somebody signs in with: a name and a password, or an access token in place of both.

    `cookie` is that of the session which this one takes the place of.
    """

    address: str
    name: str = ""
    password: str = field(default="", repr=False)
    token: str = field(default="", repr=False)
    cookie: str = field(default="", repr=False)


def sign_in(parts: PeopleParts, gate: Gate, throttle: Throttle, attempt: Attempt) -> str:
    """Begin a browser's session; gives the secret of its cookie.

    Raises:
        SignInRefused: the name and password do not belong together, or the token is not good.
        SignInsThrottled: too many attempts failed before.
    """

    def prove(name: str) -> Principal:
        return _prove_by_token(gate, attempt) if attempt.token else _prove_by_password(parts, name, attempt.password)

    return begin_session(parts, _try(parts, throttle, attempt, prove), replaced=attempt.cookie)


def log_in(parts: PeopleParts, throttle: Throttle, attempt: Attempt, token_name: str) -> Issued:
    """Sign in from the command line by name and password; gives an access token for that machine.

    Raises:
        SignInRefused: the name and password do not belong together.
        SignInsThrottled: too many attempts failed before.
    """
    who = _try(parts, throttle, attempt, lambda name: _prove_by_password(parts, name, attempt.password))
    return issuing.issue_login(parts, who, token_name)


def confirm(parts: PeopleParts, throttle: Throttle, attempt: Attempt) -> None:
    """Have somebody who is signed in prove it once more, before a new way into the account is made.

    Whoever has no password cannot, and need not.

    Raises:
        SignInRefused: it is not the password.
        SignInsThrottled: too many attempts failed before.
    """
    found = parts.engine.read(accounts.find_credentials, attempt.name)
    if found is None or found.password_hash:
        _try(parts, throttle, attempt, lambda name: _prove_by_password(parts, name, attempt.password))


def begin_session(
    parts: PeopleParts, who: Principal, *, seconds_max: int = limits.WEB_SESSION_SECONDS_MAX, replaced: str = ""
) -> str:
    """Begin a session of somebody whose proof was checked, in place of another of that browser; gives its secret."""
    now, secret = parts.clock.now(), access_token.build_token(parts.ids.new_secret())
    account_id = who.account_id if who.person != LOCAL_PERSON else ""
    end = now + timedelta(seconds=seconds_max)
    digest = access_token.hash_cookie(secret.encode(), parts.key)
    session = WebSession(parts.ids.new_id(), account_id, now, now, end, who.address, now, digest)

    def insert(conn: WriteConnection) -> None:
        tokens.delete_web_sessions_over(conn, now)
        former = tokens.find_web_session(conn, access_token.hash_cookie(replaced.encode(), parts.key))
        if former is not None:
            tokens.delete_web_session(conn, former.id)
        tokens.insert_web_session(conn, session)
        note(conn, parts, who, Deed("person.sign-in", who.person))

    write(parts, insert)
    return secret


def sign_out(parts: PeopleParts, by: Principal) -> None:
    """End the browser's session that asks."""

    def end(conn: WriteConnection) -> None:
        tokens.delete_web_session(conn, by.web_session_id)
        note(conn, parts, by, Deed("person.sign-out", by.person))

    parts.writer.submit(end).result(timeout=limits.STATE_WRITE_SECONDS_MAX)
    parts.changed()


def list_sign_ins(conn: ReadConnection, now: datetime) -> list[WebSession]:
    """List who is signed in with a browser, the last seen first."""
    found = tokens.list_web_sessions(conn, now, limits.LIST_LIMIT_MAX)
    return [session for session in found if find_session_end(session) > now]


def end_sign_in(parts: PeopleParts, by: Principal, sign_in_id: str) -> WebSession:
    """Sign a browser out from afar.

    Raises:
        SignInNotFound: no browser is signed in under this id.
    """

    def end(conn: WriteConnection) -> WebSession:
        session = tokens.find_web_session_by_id(conn, sign_in_id)
        if session is None:
            raise SignInNotFound(sign_in_id)
        tokens.delete_web_session(conn, sign_in_id)
        note(conn, parts, by, Deed("sign-in.end", sign_in_id, session.address))
        return session

    return write(parts, end)


def _try(parts: PeopleParts, throttle: Throttle, attempt: Attempt, prove: Callable[[str], Principal]) -> Principal:
    """Check a proof, unless too many failed before; one that fails is counted and told in the trail."""
    now, name = parts.clock.now(), attempt.name.strip().casefold()
    throttle.check(name, attempt.address, now)
    with parts.passwords.take_turn():
        # Many that came at once were all let through above.
        throttle.check(name, attempt.address, now)
        try:
            who = prove(name)
        except SignInRefused:
            throttle.note_failure(name, attempt.address, now)
            by = Principal(name[: limits.NAME_CHARS_MAX], _NOTHING, address=attempt.address)
            _leave(parts, by, Deed("person.sign-in", by.person, outcome="refused"))
            raise
    throttle.forgive(name)
    return replace(who, address=attempt.address)


def _prove_by_password(parts: PeopleParts, name: str, password: str) -> Principal:
    found = parts.engine.read(accounts.find_credentials, name)
    known = found.password_hash if found else ""
    if not parts.passwords.is_match(password, known) or found is None or not found.person.is_active:
        raise SignInRefused
    if parts.passwords.is_dated(known):
        fresh = parts.passwords.hash_new(password)
        parts.writer.submit(lambda conn: accounts.update_password(conn, found.person.id, fresh))
    return Principal(found.person.name, _NOTHING, account_id=found.person.id)


def _prove_by_token(gate: Gate, attempt: Attempt) -> Principal:
    """Take a token that may do all that its person may; a lesser one must not become more in a browser."""
    try:
        who = gate.look_up(f"Bearer {attempt.token.strip()}".encode())
    except (TokenRejected, AccountDisabled) as error:
        raise SignInRefused from error
    if who.rights.only is not None or who.rights.uses != Rights().uses:
        raise SignInRefused
    return who


def _leave(parts: PeopleParts, by: Principal, deed: Deed) -> None:
    parts.writer.submit(lambda conn: note(conn, parts, by, deed)).result(timeout=limits.STATE_WRITE_SECONDS_MAX)


def _list_keys(name: str, address: str) -> tuple[tuple[str, int], ...]:
    by_name = (f"name {name}", limits.SIGN_IN_FAILURES_MAX)
    return (by_name, (f"address {address}", limits.SIGN_IN_FAILURES_PER_ADDRESS_MAX))
