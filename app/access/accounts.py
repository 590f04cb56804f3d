"""People as they are administered: made, disabled, removed, given a role or password; the trail tells of each."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeVar
from unicodedata import normalize

from app.access.passwords import Passwords
from app.access.trail import Deed, build_entry
from app.domain import limits
from app.domain import scope as scopes
from app.domain.clock import Clock, IdSource
from app.domain.errors import InvalidValue
from app.domain.person import LOCAL_PERSON, Person, Principal, Role
from app.domain.person_errors import LastAdministrator, PersonExists, SetupOver
from app.state import accounts, audit, grants, tokens
from app.state.engine import ReadConnection, StateEngine, WriteConnection
from app.state.writer import Writer

T = TypeVar("T")


class _TakenBackError(Exception):
    """Ends a trial, so that the writer undoes it."""


@dataclass(frozen=True, slots=True)
class PeopleParts:
    """What administration works with; `changed` is called once a change is on the disk.

    In a trial every change is made and checked as it would be, and then taken back.
    """

    engine: StateEngine
    writer: Writer
    clock: Clock
    ids: IdSource
    key: bytes = field(repr=False)
    changed: Callable[[], None]
    passwords: Passwords
    is_trial: bool = False


@dataclass(frozen=True, slots=True)
class NewPerson:
    """Who is to have an account; without a password it can only use access tokens.

    With `is_first` it is only made if there is no administrator.
    """

    name: str
    role: Role = Role.MEMBER
    password: str = field(default="", repr=False)
    is_first: bool = False


def add_person(parts: PeopleParts, by: Principal, new: NewPerson) -> Person:
    """Make an account; the first one takes over what was done before there were any.

    Raises:
        InvalidName: the name breaks the grammar.
        InvalidValue: the name is reserved, the password is no good, or the first account is no administrator.
        PersonExists: the name is taken.
        SetupOver: it was to be the first administrator, and is not.
    """
    name = parse_person_name(new.name)
    password_hash = parts.passwords.hash_new(new.password) if new.password else ""
    person = Person(parts.ids.new_id(), name, new.role, parts.clock.now(), has_password=bool(new.password))

    def insert(conn: WriteConnection) -> None:
        if accounts.find_credentials(conn, name) is not None:
            raise PersonExists(name)
        is_first = accounts.count_active_admins(conn) == 0
        if new.is_first and not is_first:
            raise SetupOver
        if is_first and new.role is not Role.ADMIN:
            raise InvalidValue("role", "the first account must be an administrator's (--admin)")
        if is_first:
            accounts.hand_over_local(conn, name)
        accounts.insert_person(conn, person, password_hash)
        note(conn, parts, by, Deed("person.add", name, after=new.role.value))

    write(parts, insert)
    return person


def has_admin(conn: ReadConnection) -> bool:
    """Tell whether somebody can administer the server."""
    return accounts.count_active_admins(conn) > 0


def list_people(conn: ReadConnection) -> list[Person]:
    """List the accounts by name."""
    return accounts.list_people(conn, limits.LIST_LIMIT_MAX)


def switch_person(parts: PeopleParts, by: Principal, name: str, *, is_enabled: bool) -> Person:
    """Let a person sign in again, or no longer: browsers are signed out and tokens refused at once.

    Raises:
        PersonNotFound: there is no such account.
        LastAdministrator: nobody else could administer the server.
    """
    disabled_at = None if is_enabled else parts.clock.now()
    action = "person.enable" if is_enabled else "person.disable"
    return _change(parts, by, name, action, lambda person: replace(person, disabled_at=disabled_at))


def remove_person(parts: PeopleParts, by: Principal, name: str) -> Person:
    """Remove an account with its tokens and grants; what the person wrote stays, under a name that nobody gets again.

    Raises:
        PersonNotFound: there is no such account.
        LastAdministrator: nobody else could administer the server.
    """
    now = parts.clock.now()
    return _change(parts, by, name, "person.remove", lambda person: replace(person, removed_at=now))


def change_role(parts: PeopleParts, by: Principal, name: str, role: Role) -> Person:
    """Make a person an administrator or a member.

    Raises:
        PersonNotFound: there is no such account.
        LastAdministrator: nobody else could administer the server.
    """
    return _change(parts, by, name, "person.role", lambda person: replace(person, role=role))


def reset_password(parts: PeopleParts, by: Principal, name: str, password: str) -> Person:
    """Give a person a new password; every browser is signed out, access tokens stay.

    Raises:
        PersonNotFound: there is no such account.
        InvalidValue: the password is too short or too long.
    """
    password_hash = parts.passwords.hash_new(password)

    def store(conn: WriteConnection) -> Person:
        person = accounts.get_person(conn, name)
        accounts.update_password(conn, person.id, password_hash)
        tokens.delete_web_sessions(conn, person.id)
        note(conn, parts, by, Deed("person.password", name))
        return replace(person, has_password=True)

    return write(parts, store)


def parse_person_name(text: str) -> str:
    """Check a person's name, which is written in one way only.

    Raises:
        InvalidName: it breaks the grammar of names.
        InvalidValue: it is reserved.
    """
    name = scopes.parse_name(normalize("NFKC", text).casefold().strip(), what="person")
    if name == LOCAL_PERSON:
        raise InvalidValue("name", f"{LOCAL_PERSON!r} is who acts where there are no accounts; choose another")
    return name


def write(parts: PeopleParts, job: Callable[[WriteConnection], T]) -> T:
    """Run a job in the writer's next transaction, and tell when it is on the disk; in a trial nothing stays."""
    if parts.is_trial:
        return _try(parts, job)
    result = parts.writer.submit(job).result(timeout=limits.STATE_WRITE_SECONDS_MAX)
    parts.changed()
    return result


def note(conn: WriteConnection, parts: PeopleParts, by: Principal, deed: Deed) -> None:
    """Leave a row in the trail, in the transaction of the change itself."""
    audit.insert_audit(conn, build_entry(by, deed, parts.clock.now()))


def _try(parts: PeopleParts, job: Callable[[WriteConnection], T]) -> T:
    found: list[T] = []

    def attempt(conn: WriteConnection) -> None:
        found.append(job(conn))
        raise _TakenBackError

    # What a job of the writer raises takes all back that it did, and nothing of its neighbours.
    with suppress(_TakenBackError):
        parts.writer.submit(attempt).result(timeout=limits.STATE_WRITE_SECONDS_MAX)
    return found[-1]


def _change(parts: PeopleParts, by: Principal, name: str, action: str, alter: Callable[[Person], Person]) -> Person:
    def store(conn: WriteConnection) -> Person:
        person = accounts.get_person(conn, name)
        altered = alter(person)
        accounts.update_person(conn, altered)
        if _is_admin(person) and accounts.count_active_admins(conn) == 0:
            # Raising takes the change back, since each job is a transaction's own part.
            raise LastAdministrator(name)
        if not altered.is_active:
            tokens.delete_web_sessions(conn, person.id)
        if altered.removed_at is not None:
            tokens.revoke_tokens(conn, person.id, parts.clock.now())
            grants.delete_grants(conn, person.id)
            accounts.delete_memberships(conn, person.id)
        note(conn, parts, by, Deed(action, name, before=_tell_standing(person), after=_tell_standing(altered)))
        return altered

    return write(parts, store)


def _tell_standing(person: Person) -> str:
    """Say in a word or two what an account is."""
    state = " removed" if person.removed_at else " disabled" if person.disabled_at else ""
    return f"{person.role.value}{state}"


def _is_admin(person: Person) -> bool:
    return person.role is Role.ADMIN and person.is_active
