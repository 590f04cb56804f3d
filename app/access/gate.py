"""Tells who makes a request, from memory where it can: what a token or a browser's session proves, and for how long."""

import hashlib
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from app.access import access_token, renewing
from app.access import grants as decisions
from app.domain import limits
from app.domain.clock import Clock
from app.domain.errors import Busy, TokenRejected
from app.domain.person import LOCAL_PERSON, AccessToken, Person, Principal, Right, Rights, Role, Sight
from app.domain.person_errors import AccountDisabled
from app.state import accounts, grants, projects, tokens
from app.state.engine import ReadConnection, StateEngine, WriteConnection
from app.state.tokens import WebSession
from app.state.writer import Writer

_MARK_BYTES: Final = 32
_NOTED_AFTER: Final = timedelta(seconds=limits.TOKEN_USE_NOTED_SECONDS)
_NONE_SENT: Final = ""
_UNKNOWN: Final = "it is none of this server's"
# Whoever has been given such a token by a provider's client must not become an administrator with it.
_BY_PROVIDER: Final = frozenset({Right.CAPTURE, Right.READ, Right.WRITE})


@dataclass(slots=True)
class _Known:
    """What a proof stands for, as long as nothing changes; `note` says to state that it was used.

    From `renewal_at` on a browser is to be given another secret; `settle` is for the first use of that.
    """

    principal: Principal
    expires_at: datetime | None
    note: Callable[[WriteConnection, datetime], None] | None = None
    noted_at: datetime | None = None
    renewal_at: datetime | None = None
    settle: Callable[[WriteConnection], None] | None = None


@dataclass(frozen=True, slots=True)
class GateParts:
    """What the gate works with; `setting_token` is the secret of the settings, empty for none.

    With `is_closed` everybody has to prove who it is, also while there are no accounts.
    """

    engine: StateEngine
    writer: Writer
    clock: Clock
    key: bytes = field(repr=False)
    setting_token: bytes = field(default=b"", repr=False)
    is_closed: bool = False


class Gate:
    """Who calls; open to everybody where there are neither accounts nor a secret, which loopback alone allows."""

    def __init__(self, parts: GateParts) -> None:
        self._parts = parts
        self._lock = threading.Lock()
        self._known: dict[str, _Known] = {}
        # By a hash under a key of this run, the digest that a header's token has in state.
        self._digests: dict[bytes, str] = {}
        self._mark_key = secrets.token_bytes(_MARK_BYTES)
        self._generation = 0
        self.has_people = self.has_admin = False
        self._local = Principal(LOCAL_PERSON, Rights(is_admin=True))
        self._prove: Callable[[str], tuple[str, datetime]] | None = None
        self.forget()

    @property
    def is_open(self) -> bool:
        """Whether nobody has to prove anything."""
        return not self.has_people and not self._parts.setting_token and not self._parts.is_closed

    def trust(self, prove: Callable[[str], tuple[str, datetime]] | None) -> None:
        """Take the access tokens of an identity provider too; `prove` tells whose one is, and until when."""
        self._prove = prove

    def change(self, setting_token: bytes, *, is_closed: bool) -> None:
        """Take another secret of the settings from now on, and the earlier one no more."""
        self._parts = replace(self._parts, setting_token=setting_token, is_closed=is_closed)
        self.forget()

    def forget(self) -> None:
        """Forget what proofs stand for, since people, tokens or grants have changed."""
        people, admins, rights = self._parts.engine.read(_look_around)
        with self._lock:
            self._generation += 1
            self._known.clear()
            self._digests.clear()
            self.has_people, self.has_admin = people > 0, admins > 0
            self._local = Principal(LOCAL_PERSON, rights)
            if self._parts.setting_token:
                self._known[self._hash(self._parts.setting_token)] = _Known(self._local, None)

    def recall(self, header: bytes) -> Principal | None:
        """Tell who sent an `Authorization` header, as far as it is known without asking state."""
        if self.is_open:
            # A token that is stale or superfluous here does no harm.
            return self._local
        # The slow hash is made once of each header; nothing is kept of it that could be sent in its place.
        mark = hashlib.blake2b(header, digest_size=_MARK_BYTES, key=self._mark_key).digest()
        digest = self._digests.get(mark)
        if digest is None:
            token = access_token.parse_header(header)
            digest = self._hash(token) if token else ""
            if digest in self._known:
                self._remember(mark, digest)
        return self._recall(digest)

    def look_up(self, header: bytes) -> Principal:
        """Tell who sent an `Authorization` header, by asking state.

        Raises:
            TokenRejected: there is no token in it, or none that is good.
            AccountDisabled: its person may not use this server any more.
            ProofRejected: it is an identity provider's, and not good; further errors are those of `prove`.
        """
        token = access_token.parse_header(header)
        if not token:
            raise TokenRejected(_UNKNOWN if header.strip() else _NONE_SENT)
        if self._prove is not None and access_token.is_foreign(token):
            account_id, end = self._prove(token.decode("ascii"))
            find = partial(find_by_account, account_id=account_id, end=end)
            return self._look_up(self._hash(token), self._parts.engine.read, find)
        return self._look_up(self._hash(token), self._parts.engine.read, find_by_token)

    def recall_browser(self, secret: bytes) -> Principal | None:
        """Tell whose browser sent a cookie, as far as it is known without asking state."""
        return self._recall(access_token.hash_cookie(secret, self._parts.key))

    def look_up_browser(self, secret: bytes) -> Principal:
        """Tell whose browser sent a cookie.

        Raises:
            TokenRejected: its session is over.
            AccountDisabled: its person may not use this server any more.
        """
        digest = access_token.hash_cookie(secret, self._parts.key)
        found = self._parts.engine.read(find_by_cookie, digest, self._parts.clock.now())
        if found.settle is not None:
            self._parts.writer.submit(found.settle).result(limits.STATE_WRITE_SECONDS_MAX)
            # The secret before this one was good without an end until now.
            self.forget()
        return self._look_up(digest, self._parts.engine.read, find_by_cookie)

    def is_renewal_due(self, secret: bytes) -> bool:
        """Tell whether a browser whose cookie was good a moment ago is to be given another one."""
        known = self._known.get(access_token.hash_cookie(secret, self._parts.key))
        return known is not None and known.renewal_at is not None and known.renewal_at <= self._parts.clock.now()

    def find_sight(self, principal: Principal) -> Sight:
        """Find which projects a caller may read now; for most that is all, and asks nobody."""
        if decisions.sees_all(principal.rights):
            return Sight()
        return decisions.build_sight(principal.rights, self._parts.engine.read(projects.list_scopes))

    def _hash(self, secret: bytes) -> str:
        return access_token.hash_token(secret, self._parts.key)

    def _remember(self, mark: bytes, digest: str) -> None:
        with self._lock:
            while len(self._digests) >= limits.TOKENS_CACHED_MAX:
                self._digests.pop(next(iter(self._digests)))
            self._digests[mark] = digest

    def _recall(self, digest: str) -> Principal | None:
        known = self._known.get(digest)
        if known is None:
            return None
        now = self._parts.clock.now()
        if known.expires_at is not None and known.expires_at <= now:
            return None
        self._note_use(known, now)
        return known.principal

    def _look_up(
        self,
        digest: str,
        read: Callable[..., _Known],
        find: Callable[[ReadConnection, str, datetime], _Known],
    ) -> Principal:
        generation, now = self._generation, self._parts.clock.now()
        found = read(find, digest, now)
        self._note_use(found, now)
        with self._lock:
            # What was read before a change must not outlive it.
            if generation == self._generation:
                while len(self._known) >= limits.TOKENS_CACHED_MAX:
                    self._known.pop(next(iter(self._known)))
                self._known[digest] = found
        return found.principal

    def _note_use(self, known: _Known, now: datetime) -> None:
        """Note about once a minute that a proof was used; nobody waits for it."""
        note = known.note
        if note is None or (known.noted_at and now - known.noted_at < _NOTED_AFTER):
            return
        known.noted_at = now
        try:
            noting: Future[None] = self._parts.writer.submit(lambda conn: note(conn, now))
        except Busy:
            known.noted_at = None
            return
        noting.add_done_callback(lambda done: done.exception())


def find_by_token(conn: ReadConnection, digest: str, now: datetime) -> _Known:
    """Find what an access token proves.

    Raises:
        TokenRejected: it is unknown, revoked or over.
        AccountDisabled: its person may not use this server any more.
    """
    token = tokens.find_token_by_hash(conn, digest)
    if token is None:
        raise TokenRejected(_UNKNOWN)
    if token.revoked_at is not None:
        raise TokenRejected(f"it was revoked on {token.revoked_at:%Y-%m-%d}")
    if token.expires_at is not None and token.expires_at <= now:
        raise TokenRejected(f"it expired on {token.expires_at:%Y-%m-%d}")
    person = _get_active(conn, token.account_id)
    rights = _find_rights(conn, person, token)
    principal = Principal(person.name, rights, decisions.build_reach(rights), person.id, token.id)
    return _Known(
        principal, token.expires_at, lambda write, moment: tokens.update_tokens_used(write, [(token.id, moment)])
    )


def find_by_account(conn: ReadConnection, digest: str, now: datetime, *, account_id: str, end: datetime) -> _Known:
    """Find what somebody may do who proved who it is by an identity provider's token; never to administer.

    Raises:
        AccountDisabled: the person may not use this server any more.
    """
    del digest, now
    person = _get_active(conn, account_id)
    rights = replace(_find_rights(conn, person), uses=_BY_PROVIDER)
    return _Known(Principal(person.name, rights, decisions.build_reach(rights), person.id), end)


def find_by_cookie(conn: ReadConnection, digest: str, now: datetime) -> _Known:
    """Find what a browser's session proves.

    Raises:
        TokenRejected: it is unknown or over.
        AccountDisabled: its person may not use this server any more.
    """
    session = tokens.find_web_session(conn, digest)
    if session is None or find_session_end(session) <= now or renewing.is_spent(session, digest, now):
        raise TokenRejected("your session in this browser is over")
    rights = Rights(is_admin=True, archived=projects.list_archived(conn))
    principal = Principal(LOCAL_PERSON, rights, web_session_id=session.id)
    if session.account_id:
        person = _get_active(conn, session.account_id)
        rights = _find_rights(conn, person)
        reach = decisions.build_reach(rights)
        principal = Principal(person.name, rights, reach, person.id, web_session_id=session.id)
    # What is remembered ends before silence would end the session, so that its use is noted in time.
    end = min(session.expires_at, now + timedelta(seconds=limits.WEB_SESSION_IDLE_SECONDS // 2))
    known = _Known(principal, end, lambda write, moment: tokens.update_web_session_seen(write, session.id, moment))
    if digest == session.secret_hash:
        known.renewal_at = renewing.find_renewal(session)
    elif digest == session.next_hash:
        known.settle = partial(renewing.settle, session=session, now=now)
    elif session.former_until is not None:
        known.expires_at = min(end, session.former_until)
    return known


def find_session_end(session: WebSession) -> datetime:
    """Tell when a browser's session ends if nothing more comes from it."""
    return min(session.expires_at, session.seen_at + timedelta(seconds=limits.WEB_SESSION_IDLE_SECONDS))


def _get_active(conn: ReadConnection, account_id: str) -> Person:
    person = accounts.find_person_by_id(conn, account_id)
    if person is None or not person.is_active:
        raise AccountDisabled
    return person


def _find_rights(conn: ReadConnection, person: Person, token: AccessToken | None = None) -> Rights:
    return Rights(
        is_admin=person.role is Role.ADMIN,
        uses=token.rights if token else frozenset(Right),
        restricted=grants.list_restricted(conn),
        granted=grants.find_granted(conn, person.id),
        only=token.project_ids if token else None,
        archived=projects.list_archived(conn),
    )


def _look_around(conn: ReadConnection) -> tuple[int, int, Rights]:
    rights = Rights(is_admin=True, archived=projects.list_archived(conn))
    return accounts.count_people(conn), accounts.count_active_admins(conn), rights
