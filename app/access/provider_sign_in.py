"""Signing in by an identity provider: with a browser, from a machine without one, by a token that a client brings."""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from app.access import admission, issuing, linking, signing_in
from app.access.accounts import PeopleParts
from app.access.issuing import Issued
from app.access.provider_values import DeviceCode, Granted
from app.domain import claimant as claims_of
from app.domain import limits_people
from app.domain.claimant import AdmissionRules, Claimant, decide_admission
from app.domain.person import Person, Principal, Rights
from app.domain.person_errors import AccountDisabled, SignInsThrottled
from app.domain.provider_errors import ProofRejected, ProviderRefused, ProviderUnavailable, SignInOver
from app.state import tokens

if TYPE_CHECKING:
    # Most servers have none, and what checks its signatures takes long to import.
    from app.access.provider import Provider

T = TypeVar("T")

_NOTHING: Final = Rights(uses=frozenset())


@dataclass(frozen=True, slots=True)
class Begun:
    """A sign-in that a browser has begun: what it must bring back, and where the person wanted to go.

    A `linker` is signed in already, and only shows whom the provider takes that person for.
    """

    nonce: str = field(repr=False)
    verifier: str = field(repr=False)
    browser: str = field(repr=False)
    next_path: str
    until: datetime
    linker: Principal | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A machine that waits for a person who signs in elsewhere."""

    code: DeviceCode
    ask_at: datetime

    @property
    def until(self) -> datetime:
        """When the provider forgets it."""
        return self.code.expires_at


class Once(Generic[T]):
    """Keeps things under secrets for a while, each to be taken once; never grows without bound, gone at a restart."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._kept: dict[str, tuple[datetime, T]] = {}

    def put(self, secret: str, thing: T, until: datetime, now: datetime) -> None:
        """Keep a thing.

        Raises:
            SignInsThrottled: too many are kept already.
        """
        with self._lock:
            if len(self._kept) >= self._most:
                self._kept = {key: kept for key, kept in self._kept.items() if kept[0] > now}
            if len(self._kept) >= self._most:
                raise SignInsThrottled(limits_people.PROVIDER_DEVICE_POLL_SECONDS * 1000)
            self._kept[_digest(secret)] = (until, thing)

    def take(self, secret: str, now: datetime) -> T | None:
        """Take a thing, so that nobody gets it again; None if it is gone or was never there."""
        with self._lock:
            until, thing = self._kept.pop(_digest(secret), (now, None))
        return thing if until > now else None


@dataclass(frozen=True, slots=True)
class ProviderParts:
    """What signing in by a provider works with."""

    people: PeopleParts
    provider: "Provider"
    rules: AdmissionRules
    browsers: Once[Begun] = field(default_factory=lambda: Once(limits_people.PROVIDER_SIGN_INS_MAX))
    devices: Once[Waiting] = field(default_factory=lambda: Once(limits_people.PROVIDER_DEVICES_MAX))


@dataclass(frozen=True, slots=True)
class Departure:
    """Where a browser is sent, and the secret that it keeps meanwhile."""

    url: str
    browser: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Return:
    """What a browser brings back from the provider, and from where it comes.

    `issuer` is whom it says it was sent by (RFC 9207), empty where it does not; `refusal` is the provider's no.
    """

    state: str = field(repr=False)
    code: str = field(repr=False)
    browser: str = field(repr=False)
    redirect_uri: str
    issuer: str = ""
    refusal: str = ""
    address: str = ""
    cookie: str = field(default="", repr=False)


def begin_browser(
    parts: ProviderParts, redirect_uri: str, next_path: str, linker: Principal | None = None
) -> Departure:
    """Begin a sign-in with a browser (authorization code with PKCE); for a linker it links its account.

    Raises:
        ProviderUnavailable: the provider does not answer as it should.
        SignInsThrottled: too many have begun one.
    """
    ids, now = parts.people.ids, parts.people.clock.now()
    state, nonce, verifier, browser = (ids.new_secret() for _ in range(4))
    challenge = urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    url = parts.provider.build_sign_in_url(redirect_uri, state=state, nonce=nonce, challenge=challenge)
    until = now + timedelta(seconds=limits_people.PROVIDER_SIGN_IN_SECONDS)
    begun = Begun(nonce, verifier, _digest(browser), clean_next_path(next_path), until, linker)
    parts.browsers.put(state, begun, until, now)
    return Departure(url, browser)


def finish_browser(parts: ProviderParts, back: Return) -> tuple[str, str]:
    """Finish a sign-in with a browser; gives the secret of its cookie, and where the person wanted to go.

    Where an account was linked there is no secret: that browser is signed in.

    Raises:
        SignInOver: this browser did not begin it, or it is over or done.
        ProofRejected: what the provider gave is not good.
        ProviderRefused: the provider does not take the code.
        ProviderUnavailable: the provider does not answer as it should.
        NotAdmitted: no rule lets the person in.
        AccountDisabled: the account may not be used any more.
        SubjectTaken: whom the provider names has another account.
    """
    begun = parts.browsers.take(back.state, parts.people.clock.now())
    if begun is None or not hmac.compare_digest(begun.browser, _digest(back.browser)):
        raise SignInOver
    if back.issuer and back.issuer != parts.provider.settings.issuer:
        raise ProofRejected("it comes from another provider")
    if back.refusal or not back.code:
        raise ProviderRefused(back.refusal or "it gave no code")
    granted = parts.provider.exchange_code(back.code, back.redirect_uri, begun.verifier)
    if begun.linker is not None:
        _link(parts, replace(begun.linker, address=back.address), granted, begun.nonce)
        return "", begun.next_path
    person = _admit(parts, granted, begun.nonce)
    who = Principal(person.name, _NOTHING, account_id=person.id, address=back.address)
    secret = signing_in.begin_session(
        parts.people, who, seconds_max=limits_people.PROVIDER_SESSION_SECONDS_MAX, replaced=back.cookie
    )
    return secret, begun.next_path


def begin_device(parts: ProviderParts) -> tuple[str, DeviceCode]:
    """Begin a sign-in for a machine without a browser; gives the secret by which it asks how far that is.

    Raises:
        NoProvider: the provider has no such flow.
        ProviderRefused: it is not open to us.
        ProviderUnavailable: the provider does not answer as it should.
        SignInsThrottled: too many machines wait.
    """
    code, now = parts.provider.begin_device(), parts.people.clock.now()
    secret = parts.people.ids.new_secret()
    parts.devices.put(secret, Waiting(code, now), code.expires_at, now)
    return secret, code


def poll_device(parts: ProviderParts, secret: str, name: str, address: str) -> Issued | None:
    """Ask how far a machine's sign-in is: None as long as the person has not answered, at last an access token.

    Raises:
        SignInOver: nobody began it here, or it is over or done.
        ProofRejected: what the provider gave is not good.
        ProviderRefused: the person said no.
        ProviderUnavailable: the provider does not answer as it should.
        NotAdmitted: no rule lets the person in.
        AccountDisabled: the account may not be used any more.
    """
    now = parts.people.clock.now()
    waiting = parts.devices.take(secret, now)
    if waiting is None:
        raise SignInOver
    granted = None
    if now >= waiting.ask_at:
        try:
            granted = parts.provider.poll_device(waiting.code.device_code)
        except ProviderUnavailable:
            parts.devices.put(secret, waiting, waiting.until, now)
            raise
        waiting = replace(waiting, ask_at=now + timedelta(seconds=waiting.code.poll_seconds))
    if granted is None:
        # Whoever asks more often than the provider wants is told to wait without asking it.
        parts.devices.put(secret, waiting, waiting.until, now)
        return None
    person = _admit(parts, granted)
    by = Principal(person.name, _NOTHING, account_id=person.id, address=address)
    return issuing.issue_login(parts.people, by, name)


def prove_token(parts: ProviderParts, token: str) -> tuple[str, datetime]:
    """Tell whose account a provider's access token is for, and until when.

    Raises:
        ProofRejected: it is not good.
        ProviderUnavailable: the provider's keys cannot be had.
        NotAdmitted: no rule lets the person in.
        AccountDisabled: the account may not be used any more.
    """
    claims = parts.provider.check_access_token(token)
    until = claims["exp"]
    assert isinstance(until, int | float), "it was checked"
    claimant = claims_of.parse_claims(claims, parts.rules.groups_claim)
    known = parts.people.engine.read(admission.find_known, claimant)
    if known is None and not _says_enough(claims, parts.rules):
        claimant = _ask_more(parts, claims, token)
    person = known if known and not _says_enough(claims, parts.rules) else _bring_up_to_date(parts, known, claimant)
    if not person.is_active:
        raise AccountDisabled
    return (person.id, datetime.fromtimestamp(until, tz=parts.people.clock.now().tzinfo))


def clean_next_path(given: str) -> str:
    """Take a path of this server's own; anything that could lead elsewhere becomes the first page."""
    is_own = given.startswith("/") and not given.startswith(("//", "/\\")) and given.isprintable()
    return given if is_own and "\\" not in given and len(given) <= limits_people.NEXT_PATH_CHARS_MAX else "/"


def _bring_up_to_date(parts: ProviderParts, known: Person | None, claimant: Claimant) -> Person:
    admitted = decide_admission(claimant, parts.rules)
    if known and known.is_active and admitted:
        current: bool = parts.people.engine.read(admission.is_current, parts.rules, claimant, known, admitted)
        if current:
            return known
    return admission.admit(parts.people, parts.rules, claimant)


def _admit(parts: ProviderParts, granted: Granted, nonce: str = "") -> Person:
    claims = parts.provider.check_id_token(granted.id_token, nonce)
    claimant = claims_of.parse_claims(claims, parts.rules.groups_claim)
    if not _says_enough(claims, parts.rules):
        claimant = _ask_more(parts, claims, granted.access_token)
    return admission.admit(parts.people, parts.rules, claimant)


def _link(parts: ProviderParts, linker: Principal, granted: Granted, nonce: str) -> None:
    """Link the account of somebody whose browser is still signed in to it."""
    claims = parts.provider.check_id_token(granted.id_token, nonce)
    claimant = claims_of.parse_claims(claims, parts.rules.groups_claim)
    session = parts.people.engine.read(tokens.find_web_session_by_id, linker.web_session_id)
    if session is None or session.account_id != linker.account_id:
        raise SignInOver
    linking.link(parts.people, linker, linker.person, issuer=claimant.issuer, subject=claimant.subject)


def _ask_more(parts: ProviderParts, claims: Mapping[str, object], access_token: str) -> Claimant:
    """Fill in what a token leaves out from what the provider tells of its person."""
    subject = claims["sub"]
    assert isinstance(subject, str), "it was checked"
    more = parts.provider.read_userinfo(access_token, subject)
    return claims_of.parse_claims({**more, **claims}, parts.rules.groups_claim)


def _says_enough(claims: Mapping[str, object], rules: AdmissionRules) -> bool:
    """Tell whether claims hold what the rules ask for; what is missing is no proof that there is none."""
    asks_groups = bool(rules.member_groups or rules.admin_groups or rules.groups)
    asks_address = bool(rules.domains - {claims_of.ANYBODY})
    return (rules.groups_claim in claims or not asks_groups) and ("email" in claims or not asks_address)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
