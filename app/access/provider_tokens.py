"""Checks what an identity provider signed: by which key and algorithm, for whom, and when; asks nobody."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from hmac import compare_digest
from typing import Final

import msgspec
from joserfc import jwk, jws, jwt
from joserfc.errors import JoseError
from joserfc.util import to_bytes, urlsafe_b64decode

from app.domain import limits_people
from app.domain.provider_errors import ProofRejected

Key = jwk.RSAKey | jwk.ECKey | jwk.OKPKey

# Signatures that only the provider can make: nothing unsigned, and nothing under a secret that others know too.
ALGORITHMS: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
    "Ed25519",
)
_KEY_TYPES: Final = frozenset({"RSA", "EC", "OKP"})
_RSA_BITS_MIN: Final = 2048
# As what a token that opens doors may call itself; others, such as those that sign people out, do not.
_ACCESS_KINDS: Final = frozenset({"at+jwt", "application/at+jwt", "jwt", ""})


@dataclass(frozen=True, slots=True)
class Header:
    """What a token says of its signature."""

    algorithm: str
    key_id: str
    kind: str


@dataclass(frozen=True, slots=True)
class Expected:
    """What a good token says: by whom, for one of whom, and where a sign-in was begun also with which nonce."""

    issuer: str
    audiences: frozenset[str]
    now: datetime
    nonce: str = ""


def parse_header(token: str) -> Header:
    """Read a token's header, which is to be believed no more than its sender.

    Raises:
        ProofRejected: it is no signed token, or its algorithm is none of those that are taken.
    """
    try:
        found = msgspec.json.decode(urlsafe_b64decode(to_bytes(token.partition(".")[0])))
    except (msgspec.DecodeError, ValueError) as error:
        raise ProofRejected("it is no signed token") from error
    if not isinstance(found, dict) or found.get("alg") not in ALGORITHMS:
        raise ProofRejected("it is not signed by an algorithm that is taken here")
    return Header(found["alg"], _read(found, "kid"), _read(found, "typ").lower())


def parse_keys(document: Mapping[str, object]) -> dict[str, list[Key]]:
    """Read the keys of a provider by their ids; those that sign nothing, or too weakly, are left out."""
    listed = document.get("keys")
    found: dict[str, list[Key]] = {}
    for given in listed[: limits_people.PROVIDER_KEYS_MAX] if isinstance(listed, list) else ():
        key = _parse_key(given)
        if key is not None:
            found.setdefault(_read(given, "kid"), []).append(key)
    return found


def check_id_token(token: str, keys: Collection[Key], expected: Expected) -> dict[str, object]:
    """Check who signed in, as a client that asked for it (OpenID Connect Core, 3.1.3.7); gives the claims.

    Raises:
        ProofRejected: it is not good; it says why.
    """
    claims = _check(token, keys, expected)
    client_ids = expected.audiences
    for_whom = claims["aud"]
    azp = claims.get("azp")
    if (isinstance(for_whom, list) and len(for_whom) > 1 and azp is None) or (
        azp is not None and azp not in client_ids
    ):
        raise ProofRejected("it was made for another client")
    if not isinstance(claims.get("iat"), int | float):
        raise ProofRejected("it does not say when it was made")
    nonce = claims.get("nonce")
    if expected.nonce and not (isinstance(nonce, str) and compare_digest(nonce.encode(), expected.nonce.encode())):
        raise ProofRejected("it belongs to another sign-in")
    return claims


def check_access_token(token: str, keys: Collection[Key], expected: Expected) -> dict[str, object]:
    """Check a token that a client brings (RFC 9068); gives the claims.

    Raises:
        ProofRejected: it is not good; it says why.
    """
    if parse_header(token).kind not in _ACCESS_KINDS:
        raise ProofRejected("it is a token of another kind")
    claims = _check(token, keys, expected)
    if "at_hash" in claims or claims.get("typ") == "ID":
        raise ProofRejected("it tells who signed in, and opens nothing")
    return claims


def _check(token: str, keys: Collection[Key], expected: Expected) -> dict[str, object]:
    claims = _verify(token, keys)
    leeway = limits_people.PROVIDER_CLOCK_LEEWAY_SECONDS
    registry = jwt.JWTClaimsRegistry(
        now=int(expected.now.timestamp()),
        leeway=leeway,
        iss={"essential": True, "value": expected.issuer},
        sub={"essential": True},
        aud={"essential": True},
        exp={"essential": True},
    )
    try:
        registry.validate(claims)
    except JoseError as error:
        raise ProofRejected(_explain(error)) from error
    for_whom = claims["aud"]
    if expected.audiences.isdisjoint(for_whom if isinstance(for_whom, list) else [for_whom]):
        raise ProofRejected("it was made for somebody else (its audience)")
    return claims


def _verify(token: str, keys: Collection[Key]) -> dict[str, object]:
    registry = jws.JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False)
    registry.max_header_length = limits_people.PROVIDER_HEADER_BYTES_MAX
    # Mostly one; where a token names no key there may be some.
    for key in keys:
        try:
            return jwt.decode(token, key, algorithms=ALGORITHMS, registry=registry).claims
        except (JoseError, ValueError, TypeError):
            continue
    raise ProofRejected("its signature is not the provider's")


def _parse_key(given: object) -> Key | None:
    if not isinstance(given, dict) or given.get("kty") not in _KEY_TYPES or given.get("use", "sig") != "sig":
        return None
    try:
        key = jwk.import_key({name: value for name, value in given.items() if name != "key_ops"})
    except (JoseError, ValueError, TypeError, KeyError):
        return None
    if not isinstance(key, jwk.RSAKey | jwk.ECKey | jwk.OKPKey):
        return None
    return None if isinstance(key, jwk.RSAKey) and key.public_key.key_size < _RSA_BITS_MIN else key


def _explain(error: JoseError) -> str:
    """Say of which claim it is that a token is not good, in words without what it holds."""
    match error.error:
        case "expired_token":
            return "it is over"
        case "missing_claim":
            return f"it lacks what it must say ({getattr(error, 'claim', '')})"
        case _:
            return f"what it says of itself does not hold ({getattr(error, 'claim', '') or error.error})"


def _read(found: Mapping[str, object], name: str) -> str:
    value = found.get(name)
    return value if isinstance(value, str) else ""
