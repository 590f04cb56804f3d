"""Grants: what people and groups may do in projects, and which projects are restricted."""

from typing import Any

import sqlalchemy as sa

from app.domain.limits import LIST_LIMIT_MAX, PROJECT_NAMES_MAX
from app.domain.person import Access, Grant
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import projects
from app.state.tables_people import accounts, grants, group_grants, group_members, groups

_RANKS = {access: rank for rank, access in enumerate(Access)}
_RESTRICTED = sa.select(projects.c.id).where(projects.c.is_restricted).order_by(projects.c.id).limit(PROJECT_NAMES_MAX)
_OF_PERSON = sa.union_all(
    sa.select(grants.c.project_id, grants.c.access).where(grants.c.account_id == sa.bindparam("account_id")),
    sa.select(group_grants.c.project_id, group_grants.c.access)
    .join(group_members, group_members.c.group_id == group_grants.c.group_id)
    .where(group_members.c.account_id == sa.bindparam("account_id")),
).limit(PROJECT_NAMES_MAX)
_LISTED = sa.union_all(
    sa.select(accounts.c.name.label("holder"), grants.c.project_id, grants.c.access, grants.c.created_at).join(
        accounts, accounts.c.id == grants.c.account_id
    ),
    sa.select(
        (sa.literal("@") + groups.c.name).label("holder"),
        group_grants.c.project_id,
        group_grants.c.access,
        group_grants.c.created_at,
    ).join(groups, groups.c.id == group_grants.c.group_id),
).subquery("listed")
_ALL = sa.select(_LISTED).order_by(_LISTED.c.project_id, _LISTED.c.holder).limit(LIST_LIMIT_MAX)


def list_restricted(conn: ReadConnection) -> frozenset[str]:
    """List the ids of projects that show nothing without a grant."""
    return frozenset(conn.execute(_RESTRICTED).scalars())


def find_granted(conn: ReadConnection, account_id: str) -> dict[str, Access]:
    """Find what a person was granted, itself or by its groups; the most in each project counts."""
    found: dict[str, Access] = {}
    for project_id, word in conn.execute(_OF_PERSON, {"account_id": account_id}):
        access = Access(word)
        if project_id not in found or _RANKS[access] > _RANKS[found[project_id]]:
            found[project_id] = access
    return found


def list_grants(conn: ReadConnection, project_id: str | None = None) -> list[Grant]:
    """List the grants of one project or of all; groups are written as `@name`."""
    statement = _ALL if project_id is None else _ALL.where(_LISTED.c.project_id == project_id)
    return [_to_grant(row) for row in conn.execute(statement)]


def insert_grant(conn: WriteConnection, account_id: str, grant: Grant) -> None:
    """Give a person access to a project, in place of what it had there."""
    delete_grant(conn, account_id, grant.project_id)
    row = {"account_id": account_id, "project_id": grant.project_id}
    conn.execute(sa.insert(grants), {**row, "access": grant.access.value, "created_at": grant.created_at})


def delete_grant(conn: WriteConnection, account_id: str, project_id: str) -> bool:
    """Take a person's access to a project; False if there was none."""
    found = sa.and_(grants.c.account_id == account_id, grants.c.project_id == project_id)
    return conn.execute(sa.delete(grants).where(found)).rowcount > 0


def delete_grants(conn: WriteConnection, account_id: str) -> None:
    """Take all that a person itself was granted."""
    conn.execute(sa.delete(grants).where(grants.c.account_id == account_id))


def insert_group_grant(conn: WriteConnection, group_id: str, grant: Grant) -> None:
    """Give a group access to a project, in place of what it had there."""
    delete_group_grant(conn, group_id, grant.project_id)
    row = {"group_id": group_id, "project_id": grant.project_id}
    conn.execute(sa.insert(group_grants), {**row, "access": grant.access.value, "created_at": grant.created_at})


def delete_group_grant(conn: WriteConnection, group_id: str, project_id: str) -> bool:
    """Take a group's access to a project; False if there was none."""
    found = sa.and_(group_grants.c.group_id == group_id, group_grants.c.project_id == project_id)
    return conn.execute(sa.delete(group_grants).where(found)).rowcount > 0


def update_restricted(conn: WriteConnection, project_id: str, *, is_restricted: bool) -> None:
    """Restrict a project to those who were granted access, or open it to everybody who signs in."""
    conn.execute(sa.update(projects).where(projects.c.id == project_id), {"is_restricted": is_restricted})


def _to_grant(row: sa.Row[*tuple[Any, ...]]) -> Grant:
    return Grant(row.holder, row.project_id, Access(row.access), row.created_at)
