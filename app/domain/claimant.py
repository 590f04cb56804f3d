"""Whom an identity provider's token speaks of, and by which rules such a person comes in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from app.domain import limits_people
from app.domain.person import Role

# Of `domains`: whoever the provider knows.
ANYBODY: Final = "*"


@dataclass(frozen=True, slots=True)
class Claimant:
    """A person as the provider names it; only `subject` is the same for good, and `address` is a verified one."""

    issuer: str
    subject: str
    name: str = ""
    address: str = ""
    groups: frozenset[str] = frozenset()

    @property
    def domain(self) -> str:
        """The domain of the verified address; empty where there is none."""
        return self.address.rpartition("@")[2].casefold()


@dataclass(frozen=True, slots=True)
class AdmissionRules:
    """Who comes in as what; `groups` are the provider's, each with the group that its members join here."""

    domains: frozenset[str] = frozenset()
    member_groups: frozenset[str] = frozenset()
    admin_groups: frozenset[str] = frozenset()
    groups: Mapping[str, str] = field(default_factory=dict)
    groups_claim: str = "groups"


@dataclass(frozen=True, slots=True)
class Admission:
    """What somebody who comes in is: its role, and the groups here that it belongs to."""

    role: Role
    groups: frozenset[str]


def decide_admission(claimant: Claimant, rules: AdmissionRules) -> Admission | None:
    """Decide as what a person comes in; None is not at all."""
    is_admin = bool(claimant.groups & rules.admin_groups)
    by_domain = ANYBODY in rules.domains or (claimant.domain and claimant.domain in rules.domains)
    if not (is_admin or by_domain or claimant.groups & rules.member_groups):
        return None
    joined = frozenset(ours for theirs, ours in rules.groups.items() if theirs in claimant.groups)
    return Admission(Role.ADMIN if is_admin else Role.MEMBER, joined)


def parse_claims(claims: Mapping[str, object], groups_claim: str) -> Claimant:
    """Read whom claims speak of; an address that the provider has not verified is left out."""
    address = _read_text(claims, "email") if claims.get("email_verified") is True else ""
    name = _read_text(claims, "preferred_username") or address or _read_text(claims, "nickname")
    return Claimant(
        issuer=_read_text(claims, "iss"),
        subject=_read_text(claims, "sub"),
        name=name.partition("@")[0],
        address=address,
        groups=_read_groups(claims.get(groups_claim)),
    )


def _read_text(claims: Mapping[str, object], name: str) -> str:
    value = claims.get(name)
    return value.strip() if isinstance(value, str) else ""


def _read_groups(given: object) -> frozenset[str]:
    """Read a list of names, or one name alone."""
    names = [given] if isinstance(given, str) else given if isinstance(given, list) else []
    return frozenset(name for name in names[: limits_people.PROVIDER_GROUPS_MAX] if isinstance(name, str) and name)
