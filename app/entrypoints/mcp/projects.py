"""Finds the project that a tool call means; most clients of MCP do not say where they stand."""

from app.domain import limits
from app.domain import scope as scopes
from app.domain.errors import InvalidValue, ProjectNotFound
from app.domain.scope import Project
from app.entrypoints.mcp import callers
from app.entrypoints.mcp.callers import AnyContext
from app.state import projects
from app.wiring import Runtime


async def find_project(runtime: Runtime, name: str) -> Project | None:
    """Find the named project; None where no name is given.

    Raises:
        ProjectNotFound: the name is no project's.
    """
    if not name or name == "*":
        return None
    found = await runtime.read(projects.find_project, scopes.parse_scope(name, runtime.workspace))
    if found is None:
        raise ProjectNotFound(name)
    return found


async def get_project(runtime: Runtime, name: str, ctx: AnyContext | None = None) -> Project:
    """Find the named project, else the one that the caller stands in, else the only one there is.

    Raises:
        InvalidValue: no name is given and there are several projects.
        ProjectNotFound: the name is no project's, or there is none yet.
    """
    found = await find_project(runtime, name)
    if found is None and ctx is not None:
        found = await callers.find_project(runtime, ctx)
    if found is not None:
        return found
    known = await runtime.read(projects.list_projects, limits.LIST_LIMIT_MAX)
    if not known:
        raise ProjectNotFound(name or "(any)")
    if len(known) > 1:
        names = ", ".join(str(project.scope) for project in known[: limits.NAMES_SHOWN_MAX])
        raise InvalidValue("project", f"name one of: {names}")
    return known[0]
