"""What an identity provider signed, checked with real keys."""

from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from joserfc import jwk, jwt

from app.access import provider_tokens
from app.access.provider_tokens import Expected, Key
from app.domain import limits_people
from app.domain.provider_errors import ProofRejected

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ISSUER = "https://id.example.org"
RSA = jwk.RSAKey.generate_key(2048, {"kid": "r"})
EC = jwk.ECKey.generate_key("P-256", {"kid": "e"})
ED = jwk.OKPKey.generate_key("Ed25519", {"kid": "o"})
EXPECTED = Expected(ISSUER, frozenset({"us"}), NOW)
LEEWAY = limits_people.PROVIDER_CLOCK_LEEWAY_SECONDS


def sign(key: Key | jwk.OctKey = RSA, algorithm: str = "RS256", **changes: object) -> str:
    now = int(NOW.timestamp())
    claims = {"iss": ISSUER, "sub": "1", "aud": "us", "iat": now, "exp": now + 60} | changes
    return jwt.encode({"alg": algorithm}, claims, key, algorithms=[algorithm])


def write(header: dict[str, object], claims: dict[str, object], signature: bytes = b"") -> str:
    """Put a token together that nobody signed."""
    parts = (msgspec.json.encode(header), msgspec.json.encode(claims), signature)
    return ".".join(urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


@pytest.mark.parametrize(
    ("key", "algorithm"),
    [(RSA, "RS256"), (RSA, "PS256"), (RSA, "RS512"), (EC, "ES256"), (ED, "EdDSA"), (ED, "Ed25519")],
    ids=["RS256", "PS256", "RS512", "ES256", "EdDSA", "Ed25519"],
)
@pytest.mark.filterwarnings("ignore::joserfc.errors.SecurityWarning")
def test_what_the_provider_signed_is_taken(key: Key, algorithm: str) -> None:
    assert provider_tokens.check_id_token(sign(key, algorithm), [key], EXPECTED)["sub"] == "1"
    assert provider_tokens.check_access_token(sign(key, algorithm), [key], EXPECTED)["sub"] == "1"


@pytest.mark.parametrize("algorithm", ["none", "None", "HS256", "HS512", "RS1", ""])
def test_algorithms_that_anybody_can_sign_with_are_refused(algorithm: str) -> None:
    claims: dict[str, object] = {"iss": ISSUER, "sub": "1", "aud": "us", "exp": int(NOW.timestamp()) + 60}

    with pytest.raises(ProofRejected):
        provider_tokens.check_access_token(write({"alg": algorithm}, claims), [RSA], EXPECTED)


def test_a_public_key_is_no_shared_secret() -> None:
    secret = jwk.OctKey.import_key(RSA.as_bytes(private=False).hex())
    forged = sign(secret, "HS256")

    with pytest.raises(ProofRejected):
        provider_tokens.check_access_token(forged, [RSA], EXPECTED)


@pytest.mark.parametrize("other", [jwk.RSAKey.generate_key(2048), EC], ids=["another key", "a key of another kind"])
def test_another_key_is_not_the_providers(other: Key) -> None:
    with pytest.raises(ProofRejected):
        provider_tokens.check_access_token(sign(), [other], EXPECTED)


def test_a_changed_word_breaks_the_signature() -> None:
    header, _, signature = sign().split(".")
    claims = {"iss": ISSUER, "sub": "2", "aud": "us", "exp": int(NOW.timestamp()) + 60}
    body = urlsafe_b64encode(msgspec.json.encode(claims)).rstrip(b"=").decode()

    with pytest.raises(ProofRejected):
        provider_tokens.check_access_token(f"{header}.{body}.{signature}", [RSA], EXPECTED)


@pytest.mark.parametrize(
    "token", ["", ".", "..", "a.b.c", "e30.e30.", "WzFd.e30.x", "eyJhbGciOltdfQ.e30.x", "\u00e9.a.b"]
)
def test_what_is_no_token_is_refused(token: str) -> None:
    with pytest.raises(ProofRejected):
        provider_tokens.parse_header(token)


@pytest.mark.parametrize(
    ("claim", "seconds", "is_good"),
    [("exp", 1 - LEEWAY, True), ("exp", -LEEWAY, False), ("nbf", LEEWAY, True), ("nbf", LEEWAY + 1, False)],
)
def test_clocks_may_differ_by_the_leeway_and_no_more(claim: str, seconds: int, *, is_good: bool) -> None:
    token = sign(**{claim: int((NOW + timedelta(seconds=seconds)).timestamp())})

    try:
        provider_tokens.check_access_token(token, [RSA], EXPECTED)
    except ProofRejected:
        assert not is_good
    else:
        assert is_good


def test_a_token_of_another_kind_opens_nothing() -> None:
    now = int(NOW.timestamp())
    claims = {"iss": ISSUER, "sub": "1", "aud": "us", "iat": now, "exp": now + 60}
    token = jwt.encode({"alg": "RS256", "typ": "logout+jwt"}, claims, RSA)

    with pytest.raises(ProofRejected):
        provider_tokens.check_access_token(token, [RSA], EXPECTED)


def test_keys_that_do_not_sign_are_left_out() -> None:
    document = {
        "keys": [
            RSA.as_dict(private=False),
            EC.as_dict(private=False) | {"use": "enc"},
            {"kty": "oct", "k": "c2VjcmV0", "kid": "s"},
            {"kty": "RSA", "n": "AQAB", "e": "AQAB", "kid": "weak"},
            {"kty": "EC", "crv": "P-0", "kid": "odd"},
            {"kty": "PQC", "kid": "new"},
            5,
        ]
    }

    assert list(provider_tokens.parse_keys(document)) == ["r"]
    assert provider_tokens.parse_keys({"keys": 5}) == provider_tokens.parse_keys({}) == {}
