"""Finds the project that a tool call means; clients of MCP do not say where they stand."""

from app.domain import limits
from app.domain import scope as scopes
from app.domain.errors import InvalidValue, ProjectNotFound
from app.domain.scope import Project
from app.state import projects
from app.wiring import Runtime


async def find_project(runtime: Runtime, name: str) -> Project | None:
    """Find the named project; None where no name is given.

    Raises:
        ProjectNotFound: the name is no project's.
    """
    if not name or name == "*":
        return None
    found = await runtime.read(projects.find_project, scopes.parse_scope(name))
    if found is None:
        raise ProjectNotFound(name)
    return found


async def get_project(runtime: Runtime, name: str) -> Project:
    """Find the named project, or the only one there is.

    Raises:
        InvalidValue: no name is given and there are several projects.
        ProjectNotFound: the name is no project's, or there is none yet.
    """
    found = await find_project(runtime, name)
    if found is not None:
        return found
    known = await runtime.read(projects.list_projects, limits.LIST_LIMIT_MAX)
    if not known:
        raise ProjectNotFound(name or "(any)")
    if len(known) > 1:
        names = ", ".join(str(project.scope) for project in known[: limits.NAMES_SHOWN_MAX])
        raise InvalidValue("project", f"name one of: {names}")
    return known[0]
