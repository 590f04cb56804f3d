"""Finds the project that a tool call means; most clients of MCP do not say where they stand."""

from app.domain import limits
from app.domain.errors import InvalidValue, ProjectNotFound
from app.domain.person import Act
from app.domain.scope import Project
from app.entrypoints import traces, visits
from app.entrypoints.mcp import callers
from app.entrypoints.mcp.callers import AnyContext
from app.entrypoints.visits import Visitor
from app.state import projects
from app.wiring import Runtime


async def find_project(runtime: Runtime, visitor: Visitor, name: str) -> Project | None:
    """Find the named project; None where no name is given.

    Raises:
        ProjectNotFound: the name is no project's that the caller may read.
    """
    if not name or name == "*":
        return None
    return await visits.get_project(runtime, visitor, name)


async def get_project(runtime: Runtime, name: str, ctx: AnyContext, act: Act = Act.READ) -> Project:
    """Find the named project, else the one that the caller stands in, else the only one, to do something in it.

    Raises:
        InvalidValue: no name is given and there are several projects.
        ProjectNotFound: the name is no project's that the caller may read, or there is none yet.
        ActDenied: the caller may read it, and not do this.
    """
    visitor = await callers.meet(runtime)
    found = await find_project(runtime, visitor, name) or await callers.find_project(runtime, visitor, ctx)
    if found is None:
        found = await _get_only(runtime, visitor, name)
    traces.note_scope(found.scope)
    visitor.check(act, found.id)
    return found


async def _get_only(runtime: Runtime, visitor: Visitor, name: str) -> Project:
    readable = visitor.sight.project_ids
    known = await runtime.read(projects.list_projects, limits.LIST_LIMIT_MAX, readable)
    # What is put away is meant by nobody who names nothing, unless there is nothing else.
    known = [project for project in known if project.archived_at is None] or known
    if not known:
        raise ProjectNotFound(name or "(any)")
    if len(known) > 1:
        names = ", ".join(str(project.scope) for project in known[: limits.NAMES_SHOWN_MAX])
        raise InvalidValue("project", f"name one of: {names}")
    return known[0]
