"""Talks to the identity provider: what it says of itself, its keys, codes for tokens, and devices."""

import threading
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlencode, urlsplit

import httpx2
import msgspec

from app.access import provider_tokens
from app.access.provider_tokens import Expected, Key
from app.access.provider_values import DeviceCode, Granted, ProviderSettings
from app.domain import limits_people
from app.domain.clock import Clock
from app.domain.provider_errors import NoProvider, ProofRejected, ProviderRefused, ProviderUnavailable

_DISCOVERY: Final = "/.well-known/openid-configuration"
_DEVICE_GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"
_OK: Final = 200
_OURS: Final = range(400, 500)
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
# What a provider says while a person has not answered yet (RFC 8628, 3.5).
WAITING: Final = frozenset({"authorization_pending", "slow_down"})


@dataclass(slots=True)
class _Kept:
    """What was asked for, and when."""

    document: Mapping[str, object]
    at: datetime


class Provider:
    """One identity provider; every request to it is bounded in time and size, and its answers are kept for a while."""

    def __init__(self, settings: ProviderSettings, clock: Clock) -> None:
        self.settings = settings
        self.audiences = settings.audiences
        self._clock = clock
        self._lock = threading.Lock()
        self._metadata: _Kept | None = None
        self._keys: dict[str, list[Key]] = {}
        self._keys_at: datetime | None = None
        self._keys_asked_at: datetime | None = None

    def serve_at(self, address: str) -> None:
        """Say where we are, which access tokens that are for us name, unless the settings say otherwise."""
        self.audiences = self.settings.audiences or frozenset({address, f"{address}/", f"{address}/mcp"})

    def build_sign_in_url(self, redirect_uri: str, *, state: str, nonce: str, challenge: str) -> str:
        """Write the address at which a person signs in; raises what `_find_endpoint` does."""
        query = {
            "response_type": "code",
            "client_id": self.settings.client_id,
            "redirect_uri": redirect_uri,
            "scope": self.settings.scopes,
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        endpoint = self._find_endpoint("authorization_endpoint")
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"

    def exchange_code(self, code: str, redirect_uri: str, verifier: str) -> Granted:
        """Give a code for what it stands for.

        Raises:
            ProviderRefused: it was used already, is over, or was for somebody else.
            ProviderUnavailable: the provider does not answer as it should.
        """
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri}
        return self._read_granted(self._post("token_endpoint", {**form, "code_verifier": verifier}))

    def begin_device(self) -> DeviceCode:
        """Begin a sign-in for a machine without a browser (RFC 8628).

        Raises:
            NoProvider: the provider has no such flow.
            ProviderRefused: it is not open to us.
            ProviderUnavailable: the provider does not answer as it should.
        """
        if "device_authorization_endpoint" not in self._read_metadata():
            raise NoProvider("sign-in for machines without a browser: its identity provider has no device flow")
        answer = self._post("device_authorization_endpoint", {"scope": self.settings.scopes})
        page = _text(answer, "verification_uri")
        seconds = min(_number(answer, "expires_in", 600), limits_people.PROVIDER_SIGN_IN_SECONDS)
        return DeviceCode(
            device_code=_need(answer, "device_code"),
            user_code=_need(answer, "user_code"),
            page=page,
            page_with_code=_text(answer, "verification_uri_complete") or page,
            expires_at=self._clock.now() + timedelta(seconds=seconds),
            poll_seconds=max(1, _number(answer, "interval", limits_people.PROVIDER_DEVICE_POLL_SECONDS)),
        )

    def poll_device(self, device_code: str) -> Granted | None:
        """Ask whether the person has signed in; None is not yet.

        Raises:
            ProviderRefused: the person said no, or took too long.
            ProviderUnavailable: the provider does not answer as it should.
        """
        try:
            return self._read_granted(
                self._post("token_endpoint", {"grant_type": _DEVICE_GRANT, "device_code": device_code})
            )
        except ProviderRefused as error:
            if error.reason in WAITING:
                return None
            raise

    def check_id_token(self, token: str, nonce: str = "") -> dict[str, object]:
        """Check who signed in; gives the claims.

        Raises:
            ProofRejected: the token is not good.
            ProviderUnavailable: the provider's keys cannot be had.
        """
        settings = self.settings
        expected = Expected(settings.issuer, frozenset({settings.client_id}), self._clock.now(), nonce)
        return provider_tokens.check_id_token(token, self._find_keys(token), expected)

    def check_access_token(self, token: str) -> dict[str, object]:
        """Check a token that a client brings; gives the claims.

        Raises:
            ProofRejected: the token is not good.
            ProviderUnavailable: the provider's keys cannot be had.
        """
        expected = Expected(self.settings.issuer, self.audiences, self._clock.now())
        return provider_tokens.check_access_token(token, self._find_keys(token), expected)

    def read_userinfo(self, access_token: str, subject: str) -> Mapping[str, object]:
        """Ask what else is known of a person; nothing where the provider does not tell, or tells of somebody else.

        Raises:
            ProviderUnavailable: the provider does not answer.
        """
        endpoint = self._read_metadata().get("userinfo_endpoint")
        if not isinstance(endpoint, str) or not access_token:
            return {}
        status, answer = self._send("GET", endpoint, headers={"Authorization": f"Bearer {access_token}"})
        return answer if status == _OK and answer.get("sub") == subject else {}

    def _find_keys(self, token: str) -> Collection[Key]:
        """Find the keys that may have signed a token; an unknown one makes us look again, and not too often."""
        header = provider_tokens.parse_header(token)
        now = self._clock.now()
        with self._lock:
            is_fresh = self._keys_at is not None and now - self._keys_at < timedelta(
                seconds=limits_people.PROVIDER_KEYS_SECONDS
            )
            found = self._choose(header.key_id)
            if not (is_fresh and found) and self._may_ask(now):
                found = self._renew_keys(now, header.key_id)
        if found:
            return found
        if self._keys_at is None:
            raise ProviderUnavailable("its keys could not be had a moment ago")
        raise ProofRejected("it is signed by a key that the provider does not have")

    def _renew_keys(self, now: datetime, key_id: str) -> list[Key]:
        """Ask for the keys anew; while the provider is away those that are known go on counting."""
        self._keys_asked_at = now
        try:
            self._keys = provider_tokens.parse_keys(self._fetch(self._find_endpoint("jwks_uri")))
            self._keys_at = now
        except ProviderUnavailable:
            if not self._choose(key_id):
                raise
        return self._choose(key_id)

    def _may_ask(self, now: datetime) -> bool:
        pause = timedelta(seconds=limits_people.PROVIDER_KEYS_PAUSE_SECONDS)
        return self._keys_asked_at is None or now - self._keys_asked_at >= pause

    def _choose(self, key_id: str) -> list[Key]:
        """Choose by the id; a token that names none may be signed by any."""
        return self._keys.get(key_id, []) if key_id else [key for keys in self._keys.values() for key in keys]

    def _read_metadata(self) -> Mapping[str, object]:
        """Read what the provider says of itself, which must be of the very issuer that the settings name."""
        kept, now = self._metadata, self._clock.now()
        if kept is not None and now - kept.at < timedelta(seconds=limits_people.PROVIDER_METADATA_SECONDS):
            return kept.document
        document = self._fetch(self.settings.issuer.rstrip("/") + _DISCOVERY)
        if document.get("issuer") != self.settings.issuer:
            raise ProviderUnavailable("what it says of itself names another issuer than oidc_issuer does")
        self._metadata = _Kept(document, now)
        return document

    def _find_endpoint(self, name: str) -> str:
        """Find an address of the provider's; one that others could listen to is not used."""
        address = _text(self._read_metadata(), name)
        parts = urlsplit(address)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
            raise ProviderUnavailable(f"its {name} is missing, or is no https address")
        return address

    def _fetch(self, url: str) -> Mapping[str, object]:
        status, answer = self._send("GET", url)
        if status != _OK:
            raise ProviderUnavailable(f"{urlsplit(url).path} answers {status}")
        return answer

    def _post(self, endpoint: str, form: Mapping[str, str]) -> Mapping[str, object]:
        url, settings = self._find_endpoint(endpoint), self.settings
        fields, auth = {**form, "client_id": settings.client_id}, None
        if settings.client_secret:
            known = self._read_metadata().get("token_endpoint_auth_methods_supported")
            if isinstance(known, list) and "client_secret_basic" not in known and "client_secret_post" in known:
                fields["client_secret"] = settings.client_secret
            else:
                auth = (settings.client_id, settings.client_secret)
        status, answer = self._send("POST", url, form=fields, auth=auth)
        if status in _OURS:
            raise ProviderRefused(_text(answer, "error") or f"it answers {status}")
        if status != _OK:
            raise ProviderUnavailable(f"{urlsplit(url).path} answers {status}")
        return answer

    def _send(
        self,
        method: str,
        url: str,
        *,
        form: Mapping[str, str] | None = None,
        auth: tuple[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, Mapping[str, object]]:
        """Send one request and read at most so much of the answer; redirects are not followed."""
        given = {"Accept": "application/json", **(headers or {})}
        is_near = urlsplit(url).hostname in _LOOPBACK
        body, until = b"", time.monotonic() + limits_people.PROVIDER_SECONDS_MAX
        try:
            with (
                httpx2.Client(timeout=limits_people.PROVIDER_SECONDS_MAX, trust_env=not is_near) as client,
                client.stream(method, url, data=form, auth=auth, headers=given) as answer,
            ):
                for part in answer.iter_bytes():
                    body += part
                    if len(body) > limits_people.PROVIDER_ANSWER_BYTES_MAX or time.monotonic() > until:
                        raise ProviderUnavailable("its answer is too large, or takes too long")
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise ProviderUnavailable(type(error).__name__) from error
        return answer.status_code, _parse(body)

    def _read_granted(self, answer: Mapping[str, object]) -> Granted:
        return Granted(_need(answer, "id_token"), _text(answer, "access_token"))


def _parse(body: bytes) -> Mapping[str, object]:
    try:
        found = msgspec.json.decode(body) if body else {}
    except msgspec.DecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _text(answer: Mapping[str, object], name: str) -> str:
    value = answer.get(name)
    return value if isinstance(value, str) else ""


def _need(answer: Mapping[str, object], name: str) -> str:
    value = _text(answer, name)
    if not value:
        raise ProviderUnavailable(f"its answer has no {name}")
    return value


def _number(answer: Mapping[str, object], name: str, default: int) -> int:
    value = answer.get(name)
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else default
