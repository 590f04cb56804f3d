"""Accounts and groups: rows of people, their roles and password hashes, and who belongs together."""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from app.domain.limits import LIST_LIMIT_MAX
from app.domain.limits_trail import PEOPLE_NAMED_MAX
from app.domain.person import LOCAL_PERSON, Group, Person, Role
from app.domain.person_errors import GroupNotFound, PersonNotFound
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import agent_activity, handoffs, sessions
from app.state.tables_messages import messages
from app.state.tables_people import accounts, group_grants, group_members, groups

_ALL = sa.select(accounts)
_BY_NAME = _ALL.where(accounts.c.name == sa.bindparam("wanted"))
_BY_ID = _ALL.where(accounts.c.id == sa.bindparam("account_id"))
_PRESENT = _ALL.where(accounts.c.removed_at.is_(None)).order_by(accounts.c.name).limit(sa.bindparam("row_limit"))
_NAMES = sa.select(accounts.c.id, accounts.c.name).order_by(accounts.c.id).limit(PEOPLE_NAMED_MAX)
_COUNT = sa.select(sa.func.count()).select_from(accounts).where(accounts.c.removed_at.is_(None))
_ACTIVE_ADMINS = (
    sa.select(sa.func.count())
    .select_from(accounts)
    .where(accounts.c.role == Role.ADMIN.value, accounts.c.disabled_at.is_(None), accounts.c.removed_at.is_(None))
)
_GROUP_BY_NAME = sa.select(groups).where(groups.c.name == sa.bindparam("wanted"))
_GROUPS = sa.select(groups).order_by(groups.c.name).limit(sa.bindparam("row_limit"))
_MEMBERS = (
    sa.select(accounts.c.name)
    .join(group_members, group_members.c.account_id == accounts.c.id)
    .where(group_members.c.group_id == sa.bindparam("group_id"))
    .order_by(accounts.c.name)
    .limit(LIST_LIMIT_MAX)
)
# Whose name stands in these belongs to whoever administers the server first.
_OWNED = (sessions, handoffs, messages, agent_activity)


@dataclass(frozen=True, slots=True)
class Credentials:
    """A person with the hash of the password, empty for none."""

    person: Person
    password_hash: str


def find_credentials(conn: ReadConnection, name: str) -> Credentials | None:
    """Find an account by its name, also a disabled or removed one."""
    row = conn.execute(_BY_NAME, {"wanted": name}).one_or_none()
    return None if row is None else Credentials(_to_person(row), row.password_hash)


def get_person(conn: ReadConnection, name: str) -> Person:
    """Get an account that was not removed.

    Raises:
        PersonNotFound: there is none of this name.
    """
    found = find_credentials(conn, name)
    if found is None or found.person.removed_at is not None:
        raise PersonNotFound(name)
    return found.person


def find_person_by_id(conn: ReadConnection, account_id: str) -> Person | None:
    """Find an account by its id."""
    row = conn.execute(_BY_ID, {"account_id": account_id}).one_or_none()
    return None if row is None else _to_person(row)


def list_people(conn: ReadConnection, limit: int) -> list[Person]:
    """List the accounts by name, without removed ones."""
    return [_to_person(row) for row in conn.execute(_PRESENT, {"row_limit": limit})]


def name_people(conn: ReadConnection) -> dict[str, str]:
    """Tell the names of all accounts by their ids, also of removed ones."""
    return {row.id: row.name for row in conn.execute(_NAMES)}


def count_people(conn: ReadConnection) -> int:
    """Count the accounts, without removed ones."""
    return conn.execute(_COUNT).scalar_one()


def count_active_admins(conn: ReadConnection) -> int:
    """Count the administrators who can sign in."""
    return conn.execute(_ACTIVE_ADMINS).scalar_one()


def insert_person(conn: WriteConnection, person: Person, password_hash: str) -> None:
    """Insert an account whose name nobody has or had."""
    row = {
        "id": person.id,
        "name": person.name,
        "role": person.role.value,
        "password_hash": password_hash,
        "created_at": person.created_at,
    }
    conn.execute(sa.insert(accounts), row)


def update_person(conn: WriteConnection, person: Person) -> None:
    """Store an account's role, and since when it is disabled or removed; a removed one has no password any more."""
    values: dict[str, object] = {
        "role": person.role.value,
        "disabled_at": person.disabled_at,
        "removed_at": person.removed_at,
    }
    if person.removed_at is not None:
        values["password_hash"] = ""
    conn.execute(sa.update(accounts).where(accounts.c.id == person.id), values)


def update_password(conn: WriteConnection, account_id: str, password_hash: str) -> None:
    """Store the hash of a new password."""
    conn.execute(sa.update(accounts).where(accounts.c.id == account_id), {"password_hash": password_hash})


def hand_over_local(conn: WriteConnection, name: str) -> int:
    """Give what was done while there were no accounts to the first of them; tells how many rows that were."""
    return sum(
        conn.execute(sa.update(table).where(table.c.owner == LOCAL_PERSON).values(owner=name)).rowcount
        for table in _OWNED
    )


def get_group(conn: ReadConnection, name: str) -> Group:
    """Get a group with its members.

    Raises:
        GroupNotFound: there is none of this name.
    """
    row = conn.execute(_GROUP_BY_NAME, {"wanted": name}).one_or_none()
    if row is None:
        raise GroupNotFound(name)
    return _to_group(conn, row)


def find_group(conn: ReadConnection, name: str) -> Group | None:
    """Find a group with its members."""
    row = conn.execute(_GROUP_BY_NAME, {"wanted": name}).one_or_none()
    return None if row is None else _to_group(conn, row)


def list_groups(conn: ReadConnection, limit: int) -> list[Group]:
    """List the groups by name."""
    return [_to_group(conn, row) for row in conn.execute(_GROUPS, {"row_limit": limit}).all()]


def insert_group(conn: WriteConnection, group: Group) -> None:
    """Insert a group without members."""
    conn.execute(sa.insert(groups), {"id": group.id, "name": group.name, "created_at": group.created_at})


def delete_group(conn: WriteConnection, group_id: str) -> None:
    """Delete a group and what it was granted."""
    conn.execute(sa.delete(group_grants).where(group_grants.c.group_id == group_id))
    conn.execute(sa.delete(group_members).where(group_members.c.group_id == group_id))
    conn.execute(sa.delete(groups).where(groups.c.id == group_id))


def insert_member(conn: WriteConnection, group_id: str, account_id: str) -> None:
    """Put a person into a group; doing it again changes nothing."""
    delete_member(conn, group_id, account_id)
    conn.execute(sa.insert(group_members), {"group_id": group_id, "account_id": account_id})


def delete_member(conn: WriteConnection, group_id: str, account_id: str) -> bool:
    """Take a person out of a group; False if it was not in it."""
    is_member = sa.and_(group_members.c.group_id == group_id, group_members.c.account_id == account_id)
    return conn.execute(sa.delete(group_members).where(is_member)).rowcount > 0


def delete_memberships(conn: WriteConnection, account_id: str) -> None:
    """Take a person out of every group."""
    conn.execute(sa.delete(group_members).where(group_members.c.account_id == account_id))


def _to_person(row: sa.Row[*tuple[Any, ...]]) -> Person:
    return Person(
        id=row.id,
        name=row.name,
        role=Role(row.role),
        created_at=row.created_at,
        disabled_at=row.disabled_at,
        removed_at=row.removed_at,
        has_password=bool(row.password_hash),
    )


def _to_group(conn: ReadConnection, row: sa.Row[*tuple[Any, ...]]) -> Group:
    members = conn.execute(_MEMBERS, {"group_id": row.id}).scalars()
    return Group(row.id, row.name, row.created_at, tuple(members))
