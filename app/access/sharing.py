"""Who shares which project: restricting it, opening it, and granting people and groups access."""

from dataclasses import replace

from app.access.accounts import PeopleParts, note, write
from app.access.trail import Deed
from app.domain import limits
from app.domain import scope as scopes
from app.domain.person import Access, Grant, Group, Principal
from app.domain.person_errors import GrantNotFound, GroupExists
from app.domain.scope import Project
from app.state import accounts, grants, projects
from app.state.engine import ReadConnection, WriteConnection

_GROUP_MARK = "@"


def restrict_project(parts: PeopleParts, by: Principal, project: Project, *, is_restricted: bool) -> None:
    """Hide a project from everybody without a grant, or open it to all who sign in."""

    def store(conn: WriteConnection) -> None:
        grants.update_restricted(conn, project.id, is_restricted=is_restricted)
        action = "project.restrict" if is_restricted else "project.open"
        before, after = (_tell_sight(is_hidden=hidden) for hidden in (project.is_restricted, is_restricted))
        note(conn, parts, by, Deed(action, project.id, scope=str(project.scope), before=before, after=after))

    write(parts, store)


def archive_project(parts: PeopleParts, by: Principal, project: Project, *, is_archived: bool) -> Project:
    """Let a project only be read and leave it out of lists, or take that back; what is captured there is kept."""
    archived_at = (project.archived_at or parts.clock.now()) if is_archived else None

    def store(conn: WriteConnection) -> None:
        projects.update_archived(conn, project.id, archived_at)
        action = "project.archive" if is_archived else "project.unarchive"
        before, after = (_tell_use(is_archived=done) for done in (project.archived_at is not None, is_archived))
        note(conn, parts, by, Deed(action, project.id, scope=str(project.scope), before=before, after=after))

    write(parts, store)
    return replace(project, archived_at=archived_at)


def add_grant(parts: PeopleParts, by: Principal, project: Project, holder: str, access: Access) -> Grant:
    """Give a person, or a group as `@name`, access to a project, in place of what it had there.

    Raises:
        PersonNotFound: there is no such account.
        GroupNotFound: there is no such group.
    """
    grant = Grant(holder, project.id, access, parts.clock.now())

    def store(conn: WriteConnection) -> None:
        former = _find_access(conn, project, holder)
        if holder.startswith(_GROUP_MARK):
            grants.insert_group_grant(conn, accounts.get_group(conn, holder[1:]).id, grant)
        else:
            grants.insert_grant(conn, accounts.get_person(conn, holder).id, grant)
        note(conn, parts, by, Deed("grant.add", holder, scope=str(project.scope), before=former, after=access.value))

    write(parts, store)
    return grant


def remove_grant(parts: PeopleParts, by: Principal, project: Project, holder: str) -> None:
    """Take a person's or group's access to a project.

    Raises:
        PersonNotFound: there is no such account.
        GroupNotFound: there is no such group.
        GrantNotFound: it has none there.
    """

    def store(conn: WriteConnection) -> None:
        former = _find_access(conn, project, holder)
        if holder.startswith(_GROUP_MARK):
            is_gone = grants.delete_group_grant(conn, accounts.get_group(conn, holder[1:]).id, project.id)
        else:
            is_gone = grants.delete_grant(conn, accounts.get_person(conn, holder).id, project.id)
        if not is_gone:
            raise GrantNotFound(holder, str(project.scope))
        note(conn, parts, by, Deed("grant.remove", holder, scope=str(project.scope), before=former))

    write(parts, store)


def add_group(parts: PeopleParts, by: Principal, name: str) -> Group:
    """Make a group without members.

    Raises:
        InvalidName: the name breaks the grammar of names.
        GroupExists: there is one of this name.
    """
    group = Group(parts.ids.new_id(), scopes.parse_name(name, what="group"), parts.clock.now())

    def store(conn: WriteConnection) -> None:
        if accounts.find_group(conn, name) is not None:
            raise GroupExists(name)
        accounts.insert_group(conn, group)
        note(conn, parts, by, Deed("group.add", name))

    write(parts, store)
    return group


def remove_group(parts: PeopleParts, by: Principal, name: str) -> None:
    """Remove a group and what it was granted.

    Raises:
        GroupNotFound: there is none of this name.
    """

    def store(conn: WriteConnection) -> None:
        accounts.delete_group(conn, accounts.get_group(conn, name).id)
        note(conn, parts, by, Deed("group.remove", name))

    write(parts, store)


def change_member(parts: PeopleParts, by: Principal, name: str, person: str, *, is_member: bool) -> Group:
    """Put a person into a group, or take one out; repeating it changes nothing.

    Raises:
        GroupNotFound: there is no such group.
        PersonNotFound: there is no such account.
    """

    def store(conn: WriteConnection) -> Group:
        group, account = accounts.get_group(conn, name), accounts.get_person(conn, person)
        if is_member:
            accounts.insert_member(conn, group.id, account.id)
        else:
            accounts.delete_member(conn, group.id, account.id)
        note(conn, parts, by, Deed("group.join" if is_member else "group.leave", name, person))
        return accounts.get_group(conn, name)

    return write(parts, store)


def list_groups(conn: ReadConnection) -> list[Group]:
    """List the groups with their members."""
    return accounts.list_groups(conn, limits.LIST_LIMIT_MAX)


def _tell_sight(*, is_hidden: bool) -> str:
    return "restricted" if is_hidden else "open"


def _tell_use(*, is_archived: bool) -> str:
    return "archived" if is_archived else "in use"


def _find_access(conn: ReadConnection, project: Project, holder: str) -> str:
    """Find what somebody was granted in a project until now; empty for nothing."""
    held = (grant for grant in grants.list_grants(conn, project.id) if grant.holder == holder)
    return next((grant.access.value for grant in held), "")
