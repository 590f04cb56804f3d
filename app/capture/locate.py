"""Finds the project that a checkout belongs to, makes it where capture needs one, and explains either."""

from dataclasses import dataclass
from datetime import datetime

from app.capture import route
from app.domain import limits
from app.domain.checkout import Checkout
from app.domain.clock import IdSource
from app.domain.scope import Project, Scope
from app.state import projects
from app.state.engine import ReadConnection, WriteConnection


@dataclass(frozen=True, slots=True)
class Location:
    """Where a checkout belongs: its project and by which rule, else the scope that a first capture would make.

    `identity` is the key that led there, empty where it was the project's name or nothing; `contradicted` are
    projects that a weaker key led to and a stronger one told apart.
    """

    scope: Scope
    project: Project | None = None
    rule: str = ""
    identity: str = ""
    contradicted: tuple[Project, ...] = ()


def locate_project(conn: ReadConnection, checkout: Checkout, workspace: str) -> Location:
    """Find the project that a checkout belongs to, without making one."""
    identities = route.list_identities(checkout, workspace)
    wrong: list[Project] = []
    for at, identity in enumerate((*identities, *route.list_former_identities(checkout))):
        project = projects.find_project_by_identity(conn, identity)
        if project and route.is_contradicted(project, identity, identities[:at]):
            wrong.append(project)
        elif project:
            return Location(project.scope, project, route.find_rule(identity), identity, tuple(wrong))
    marked = route.read_marker(checkout, workspace)
    if marked:
        named = _find_named(conn, marked, route.list_aliases(checkout, workspace))
        return Location(named.scope if named else marked, named, route.Rule.MARKER)
    place = route.choose_workspace(checkout, workspace)
    scope = route.name_project(checkout, place, projects.list_names(conn, place))
    return Location(scope, contradicted=tuple(wrong))


def find_or_insert_project(
    ids: IdSource, conn: WriteConnection, checkout: Checkout, *, location: Location, workspace: str, now: datetime
) -> Project:
    """Take the located project or make it, and let every key of the checkout that is nobody's yet lead to it."""
    project = location.project
    if project is None:
        project = Project(id=ids.new_id(), scope=location.scope, created_at=now)
        projects.insert_project(conn, project)
    for identity in route.list_identities(checkout, workspace):
        if identity not in project.identities and projects.find_project_by_identity(conn, identity) is None:
            projects.insert_identity(conn, project.id, identity)
    _insert_aliases(conn, project, checkout, workspace)
    return project


def _find_named(conn: ReadConnection, marked: Scope, aliases: tuple[Scope, ...]) -> Project | None:
    """Find a project by the marker's name, else by one of the names that it says it had before."""
    for scope in (marked, *aliases):
        found = projects.find_project(conn, scope) or _find_folded(conn, scope)
        if found:
            return found
    return None


def _find_folded(conn: ReadConnection, wanted: Scope) -> Project | None:
    """Find a project whose name differs in the case of letters only: many file systems have one folder for both."""
    names = sorted(projects.list_names(conn, wanted.workspace))
    folded = next((name for name in names if name.casefold() == wanted.project.casefold()), "")
    return projects.find_project(conn, Scope(wanted.workspace, folded)) if folded else None


def _insert_aliases(conn: WriteConnection, project: Project, checkout: Checkout, workspace: str) -> None:
    """Let the marker's name and its aliases lead to the project too, unless they are another's."""
    marked = route.read_marker(checkout, workspace)
    if marked is None:
        return
    for scope in (marked, *route.list_aliases(checkout, workspace))[: limits.MARKER_ALIASES_MAX + 1]:
        if scope != project.scope and projects.find_project(conn, scope) is None and _find_folded(conn, scope) is None:
            projects.insert_alias(conn, project.id, scope)
