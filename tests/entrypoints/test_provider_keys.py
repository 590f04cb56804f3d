"""The keys of an identity provider: fetched once, looked for again when they are new, and never too often."""

from collections.abc import Iterator

import pytest

from app.access.provider import Provider
from app.access.provider_values import ProviderSettings
from app.domain import limits_people
from app.domain.provider_errors import NoProvider, ProofRejected, ProviderUnavailable
from app.system import SystemClock
from tests import idp
from tests.fakes import FakeClock
from tests.idp import IdentityProvider

US = "https://memory.example.org"


@pytest.fixture
def provider() -> Iterator[IdentityProvider]:
    with idp.serve() as running:
        yield running


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(SystemClock().now())


@pytest.fixture
def asking(provider: IdentityProvider, clock: FakeClock) -> Provider:
    made = Provider(ProviderSettings(provider.issuer, idp.CLIENT_ID, idp.CLIENT_SECRET), clock)
    made.serve_at(US)
    return made


def check(provider: IdentityProvider, asking: Provider, **lies: object) -> str:
    token = provider.make_access_token(US, exp=4_000_000_000, **lies)
    return str(asking.check_access_token(token)["sub"])


def test_keys_are_fetched_once(provider: IdentityProvider, asking: Provider) -> None:
    assert [check(provider, asking) for _ in range(3)] == ["u-1"] * 3
    assert (provider.asked.count("/keys"), provider.asked.count("/.well-known/openid-configuration")) == (1, 1)


@pytest.mark.parametrize("kind", ["RSA", "EC"])
def test_a_new_key_is_looked_for(provider: IdentityProvider, asking: Provider, clock: FakeClock, kind: str) -> None:
    check(provider, asking)
    old = provider.make_access_token(US, exp=4_000_000_000)
    provider.rotate("k2", kind=kind)
    clock.advance(limits_people.PROVIDER_KEYS_PAUSE_SECONDS)

    assert check(provider, asking) == "u-1"
    with pytest.raises(ProofRejected):
        asking.check_access_token(old)


def test_unknown_keys_do_not_have_us_ask_all_the_time(
    provider: IdentityProvider, asking: Provider, clock: FakeClock
) -> None:
    check(provider, asking)
    clock.advance(limits_people.PROVIDER_KEYS_PAUSE_SECONDS)
    for number in range(5):
        token = provider.sign({"iss": provider.issuer}, kid=f"unknown-{number}")
        with pytest.raises(ProofRejected):
            asking.check_access_token(token)

    assert provider.asked.count("/keys") == 2


def test_a_token_that_names_no_key_may_be_signed_by_any(provider: IdentityProvider, asking: Provider) -> None:
    provider.rotate("k2", keeps=True)
    claims = {"iss": provider.issuer, "sub": "u-1", "aud": US, "exp": 4_000_000_000}

    assert asking.check_access_token(provider.sign(claims, kid=None))["sub"] == "u-1"


def test_a_key_that_is_taken_back_is_forgotten_in_time(
    provider: IdentityProvider, asking: Provider, clock: FakeClock
) -> None:
    old = provider.make_access_token(US, exp=4_000_000_000)
    asking.check_access_token(old)
    provider.rotate("k2")
    clock.advance(limits_people.PROVIDER_KEYS_SECONDS)

    with pytest.raises(ProofRejected):
        asking.check_access_token(old)


def test_known_keys_go_on_counting_while_the_provider_is_away(
    provider: IdentityProvider, asking: Provider, clock: FakeClock
) -> None:
    check(provider, asking)
    provider.is_down = True
    clock.advance(limits_people.PROVIDER_KEYS_SECONDS * 2)

    assert check(provider, asking) == "u-1"
    provider.rotate("k2")
    clock.advance(limits_people.PROVIDER_KEYS_PAUSE_SECONDS)
    with pytest.raises(ProviderUnavailable):
        check(provider, asking)


def test_a_provider_that_calls_itself_another_is_not_believed(provider: IdentityProvider, clock: FakeClock) -> None:
    asking = Provider(ProviderSettings(f"{provider.issuer}/", idp.CLIENT_ID), clock)

    with pytest.raises(ProviderUnavailable):
        asking.build_sign_in_url(US, state="s", nonce="n", challenge="c")


def test_a_provider_without_a_device_flow_is_told(provider: IdentityProvider, asking: Provider) -> None:
    provider.has_devices = False

    with pytest.raises(NoProvider):
        asking.begin_device()
