"""Lets in whom an identity provider names: makes the account, and keeps role and groups as the rules say."""

import re
from datetime import datetime
from typing import Final
from unicodedata import normalize

from app.access.accounts import PeopleParts, note, write
from app.access.trail import Deed
from app.domain import limits, limits_people
from app.domain.claimant import Admission, AdmissionRules, Claimant, decide_admission
from app.domain.person import LOCAL_PERSON, Group, Person, Principal, Rights, Role
from app.domain.person_errors import AccountDisabled, PersonExists
from app.domain.provider_errors import NotAdmitted
from app.state import accounts, provider_subjects, tokens
from app.state.engine import ReadConnection, WriteConnection
from app.state.provider_subjects import ProviderSubject

# Who changes what here: a rule, on behalf of nobody who is signed in.
_RULES: Final = Principal("identity-provider", Rights(uses=frozenset()))
_NO_NAME: Final = "person"


def find_known(conn: ReadConnection, claimant: Claimant) -> Person | None:
    """Find the account of somebody who came in before, also one that is disabled."""
    account_id = provider_subjects.find_account_id(conn, claimant.issuer, claimant.subject)
    return None if account_id is None else accounts.find_person_by_id(conn, account_id)


def admit(parts: PeopleParts, rules: AdmissionRules, claimant: Claimant) -> Person:
    """Let somebody in: at first by making an account, then by bringing role and groups up to date.

    An account that was linked keeps the role that it was given here.

    Raises:
        NotAdmitted: no rule lets the person in; what it had here until now is gone with that.
        AccountDisabled: an administrator has disabled or removed the account.
    """
    admission, now = decide_admission(claimant, rules), parts.clock.now()
    if admission is None:
        write(parts, lambda conn: _turn_away(conn, parts, rules, claimant))
        raise NotAdmitted

    def store(conn: WriteConnection) -> Person:
        person = find_known(conn, claimant)
        if person is None:
            person = _insert(conn, parts, claimant, admission.role)
        elif not person.is_active:
            raise AccountDisabled
        else:
            provider_subjects.update_seen(conn, claimant.issuer, claimant.subject, now)
            if not provider_subjects.is_linked(conn, claimant.issuer, claimant.subject):
                person = _bring_role(conn, parts, person, admission.role)
        _bring_groups(conn, parts, person, _list_ours(rules), admission)
        return person

    return write(parts, store)


def is_current(
    conn: ReadConnection, rules: AdmissionRules, claimant: Claimant, person: Person, admission: Admission
) -> bool:
    """Tell whether an account is already what a rule makes of it, so that nothing need be written."""
    joined = {name for name in _list_ours(rules) if _is_member(conn, name, person)}
    keeps_role = provider_subjects.is_linked(conn, claimant.issuer, claimant.subject)
    return (keeps_role or person.role is admission.role) and joined == admission.groups


def build_name(wanted: str) -> str:
    """Make a person's name of what a provider calls somebody."""
    name = re.sub(r"[^\w.\-]+", "-", normalize("NFKC", wanted).casefold()).strip("._-")
    name = name[: limits.NAME_CHARS_MAX - 4].strip("._-") or _NO_NAME
    return _NO_NAME if name == LOCAL_PERSON else name


def _insert(conn: WriteConnection, parts: PeopleParts, claimant: Claimant, role: Role) -> Person:
    name, now = _find_free_name(conn, build_name(claimant.name)), parts.clock.now()
    person = Person(parts.ids.new_id(), name, role, now)
    if role is Role.ADMIN and accounts.count_active_admins(conn) == 0:
        accounts.hand_over_local(conn, name)
    accounts.insert_person(conn, person, "")
    provider_subjects.insert_subject(conn, ProviderSubject(person.id, claimant.issuer, claimant.subject), now)
    note(conn, parts, _RULES, Deed("person.add", name, f"by {claimant.issuer}", after=role.value))
    return person


def _find_free_name(conn: ReadConnection, wanted: str) -> str:
    """Find a name that nobody has or had: who has it already is somebody else, whatever the provider says."""
    for number in range(1, limits_people.NAME_TRIES_MAX):
        name = wanted if number == 1 else f"{wanted}-{number}"
        if accounts.find_credentials(conn, name) is None:
            return name
    raise PersonExists(wanted)


def _bring_role(conn: WriteConnection, parts: PeopleParts, person: Person, role: Role) -> Person:
    """Give a person the role that the rules say; the last administrator keeps its own."""
    if person.role is role:
        return person
    deed = Deed("person.role", person.name, before=person.role.value, after=role.value)
    if role is not Role.ADMIN and accounts.count_active_admins(conn) == 1:
        note(conn, parts, _RULES, Deed("person.role", person.name, "the last administrator", outcome="refused"))
        return person
    altered = Person(
        person.id, person.name, role, person.created_at, person.disabled_at, person.removed_at, person.has_password
    )
    accounts.update_person(conn, altered)
    note(conn, parts, _RULES, deed)
    return altered


def _bring_groups(
    conn: WriteConnection, parts: PeopleParts, person: Person, ours: frozenset[str], admission: Admission
) -> None:
    """Put a person into the groups that its own there lead to, and out of the others of them."""
    for name in sorted(ours):
        is_member, wanted = _is_member(conn, name, person), name in admission.groups
        if is_member == wanted:
            continue
        group = accounts.find_group(conn, name) or _insert_group(conn, parts, name)
        if wanted:
            accounts.insert_member(conn, group.id, person.id)
        else:
            accounts.delete_member(conn, group.id, person.id)
        note(conn, parts, _RULES, Deed("group.join" if wanted else "group.leave", name, person.name))


def _insert_group(conn: WriteConnection, parts: PeopleParts, name: str) -> Group:
    group = Group(parts.ids.new_id(), name, parts.clock.now())
    accounts.insert_group(conn, group)
    note(conn, parts, _RULES, Deed("group.add", name))
    return group


def _turn_away(conn: WriteConnection, parts: PeopleParts, rules: AdmissionRules, claimant: Claimant) -> None:
    """Take from somebody who may come in no longer what it came in with; its name and pages stay.

    Whose account was here before, and linked, only comes in by its own password from then on.
    """
    person = find_known(conn, claimant)
    who = person.name if person else build_name(claimant.name)
    note(conn, parts, _RULES, Deed("person.sign-in", who, "no rule lets the person in", outcome="refused"))
    if person is None or provider_subjects.is_linked(conn, claimant.issuer, claimant.subject):
        return
    now: datetime = parts.clock.now()
    tokens.delete_web_sessions(conn, person.id)
    tokens.revoke_tokens(conn, person.id, now)
    nothing = Admission(Role.MEMBER, frozenset())
    _bring_role(conn, parts, person, Role.MEMBER)
    _bring_groups(conn, parts, person, _list_ours(rules), nothing)


def _list_ours(rules: AdmissionRules) -> frozenset[str]:
    return frozenset(rules.groups.values())


def _is_member(conn: ReadConnection, name: str, person: Person) -> bool:
    group = accounts.find_group(conn, name)
    return group is not None and person.name in group.members
