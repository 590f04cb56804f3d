"""What is said to and by an identity provider, as plain values: who we are there, and what it gives."""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """Which provider, and as which client we are known there; `audiences` are those of access tokens for us."""

    issuer: str
    client_id: str
    client_secret: str = field(default="", repr=False)
    scopes: str = "openid profile email"
    audiences: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Granted:
    """What a provider gave for a code; both are worth a sign-in."""

    id_token: str = field(repr=False)
    access_token: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """A sign-in that a person goes on with elsewhere; `device_code` stays with us, `user_code` is typed there."""

    device_code: str = field(repr=False)
    user_code: str
    page: str
    page_with_code: str
    expires_at: datetime
    poll_seconds: int
