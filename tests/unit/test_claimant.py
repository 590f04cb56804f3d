"""Whom claims speak of, and as what such a person comes in."""

import pytest

from app.domain import claimant
from app.domain.claimant import Admission, AdmissionRules, Claimant
from app.domain.person import Role

RULES = AdmissionRules(
    domains=frozenset({"example.org"}),
    member_groups=frozenset({"staff"}),
    admin_groups=frozenset({"wheel"}),
    groups={"devs": "builders", "ops": "builders", "qa": "testers"},
)
ANN = {"iss": "https://id.example.org", "sub": "1", "preferred_username": "ann", "email": "ann@example.org"}


@pytest.mark.parametrize(
    ("claims", "role"),
    [
        ({"email_verified": True}, Role.MEMBER),
        ({"email": "ann@Example.ORG", "email_verified": True}, Role.MEMBER),
        ({"email_verified": False}, None),
        ({"email_verified": "true"}, None),
        ({}, None),
        ({"email": "ann@example.org.evil.example", "email_verified": True}, None),
        ({"email": "example.org", "email_verified": True}, Role.MEMBER),
        ({"groups": ["staff"]}, Role.MEMBER),
        ({"groups": ["wheel", "staff"]}, Role.ADMIN),
        ({"groups": "wheel"}, Role.ADMIN),
        ({"groups": ["Wheel", 5, None]}, None),
        ({"groups": {"wheel": True}}, None),
    ],
)
def test_a_rule_lets_in_or_none_does(claims: dict[str, object], role: Role | None) -> None:
    found = claimant.decide_admission(claimant.parse_claims(ANN | claims, "groups"), RULES)

    assert (found.role if found else None) == role


def test_groups_there_lead_to_groups_here() -> None:
    who = Claimant("i", "s", groups=frozenset({"staff", "ops", "devs", "elsewhere"}))

    assert claimant.decide_admission(who, RULES) == Admission(Role.MEMBER, frozenset({"builders"}))


def test_whoever_the_provider_knows_may_be_let_in() -> None:
    assert claimant.decide_admission(Claimant("i", "s"), AdmissionRules(domains=frozenset({"*"}))) is not None
    assert claimant.decide_admission(Claimant("i", "s"), AdmissionRules(domains=frozenset({""}))) is None


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({}, "ann"),
        ({"preferred_username": "ann@corp.example"}, "ann"),
        ({"preferred_username": None, "email_verified": True}, "ann"),
        ({"preferred_username": None, "nickname": "annie"}, "annie"),
        ({"preferred_username": 5, "email": []}, ""),
    ],
)
def test_a_person_is_called_as_the_provider_does(claims: dict[str, object], name: str) -> None:
    assert claimant.parse_claims(ANN | claims, "groups").name == name
