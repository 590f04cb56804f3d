"""Links an account that is there with somebody whom an identity provider names, so that one person has one account.

Only whoever is signed in to the account, or an administrator, says that the two are one. That a name or an address is
the same proves nothing.
"""

from app.access.accounts import PeopleParts, note, write
from app.access.trail import Deed
from app.domain.errors import InvalidValue
from app.domain.limits_people import PROVIDER_SUBJECT_CHARS_MAX
from app.domain.person import Person, Principal
from app.domain.provider_errors import LinkNotFound, OnlyWay, SubjectTaken
from app.state import accounts, provider_subjects, tokens
from app.state.engine import WriteConnection
from app.state.provider_subjects import ProviderSubject


def link(parts: PeopleParts, by: Principal, name: str, *, issuer: str, subject: str) -> Person:
    """Have somebody whom a provider names come in as a person from now on; repeating it changes nothing.

    Raises:
        PersonNotFound: there is no such account.
        SubjectTaken: it is another account's.
        InvalidValue: it is no name that a provider has for anybody.
    """
    if not 0 < len(subject) <= PROVIDER_SUBJECT_CHARS_MAX or not subject.isprintable():
        raise InvalidValue("subject", "give it as the provider shows it (the claim `sub`)")

    def store(conn: WriteConnection) -> Person:
        person = accounts.get_person(conn, name)
        held = provider_subjects.find_account_id(conn, issuer, subject)
        if held == person.id:
            return person
        if held is not None:
            raise SubjectTaken(accounts.name_people(conn).get(held, ""))
        provider_subjects.insert_subject(
            conn, ProviderSubject(person.id, issuer, subject, by.person), parts.clock.now()
        )
        note(conn, parts, by, Deed("person.link", name, issuer, after=f"subject {subject}"))
        return person

    return write(parts, store)


def unlink(parts: PeopleParts, by: Principal, name: str, *, keeps_way: bool = False) -> Person:
    """Have nobody come in as a person by a provider any more; every browser is signed out, access tokens stay.

    With `keeps_way` it is refused to whoever has no password to come in by afterwards.

    Raises:
        PersonNotFound: there is no such account.
        LinkNotFound: it is linked with nobody.
        OnlyWay: it has no password.
    """

    def remove(conn: WriteConnection) -> Person:
        person = accounts.get_person(conn, name)
        links = provider_subjects.list_subjects(conn, person.id)
        if not links:
            raise LinkNotFound(name)
        if keeps_way and not person.has_password:
            raise OnlyWay
        provider_subjects.delete_subjects(conn, person.id)
        tokens.delete_web_sessions(conn, person.id)
        told = ", ".join(f"subject {each.subject}" for each in links)
        note(conn, parts, by, Deed("person.unlink", name, links[0].issuer, before=told))
        return person

    return write(parts, remove)
