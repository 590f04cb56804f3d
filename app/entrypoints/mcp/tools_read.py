"""The tools that only look; their docstrings are what agents read."""

from typing import Annotated

from pydantic import Field

from app.agents import guidance, registry
from app.domain import limits, pagepath
from app.domain.errors import InvalidValue, PageNotFound
from app.domain.limits import BUDGET_TOKENS_DEFAULT
from app.entrypoints import own_view, reports, visits
from app.entrypoints.mcp import callers, stretches, texts
from app.entrypoints.mcp.callers import AnyContext
from app.entrypoints.mcp.projects import find_project, get_project
from app.handoff import offers
from app.index import catalog
from app.index.filters import PageFilter
from app.search import pages
from app.search.answer import Budget, Grain, SearchRequest, fit_budget
from app.state import handoffs, projects, verbatim
from app.wiring import Runtime

Project = Annotated[str, Field(description="Project name; empty for all.")]
Limit = Annotated[int, Field(description="1 to 100.")]


class ReadTools:
    """Search, pages, sessions word for word, status and open handoffs."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def memory_search(
        self,
        query: Annotated[
            str,
            Field(
                description='What to find: words, identifiers, error texts; "quotes" keep words together. '
                "May hold path: kind: tag: agent: by: since: until: as-of: and -word; such filters alone list "
                "pages, newest first."
            ),
        ],
        project: Project = "",
        limit: Limit = limits.SEARCH_LIMIT_DEFAULT,
        grain: Annotated[
            str, Field(description="pages, or observations: single prompts, answers and commands.")
        ] = Grain.PAGES.value,
        *,
        cursor: Annotated[str, Field(description="Where an earlier answer says to go on.")] = "",
        budget_tokens: Annotated[int, Field(description="What the whole answer may take.")] = BUDGET_TOKENS_DEFAULT,
    ) -> str:
        """Search what earlier sessions did, learned and decided; returns titles, paths and matching lines.

        Use it before assuming anything about past work; then memory_related, memory_read, or memory_session for o12.
        """
        visitor = await callers.meet(self._runtime)
        found = await find_project(self._runtime, visitor, project)
        request = SearchRequest(
            text=query,
            scopes=frozenset({found.scope}) if found else visitor.sight.scopes,
            limit=_check_limit(limit),
            cursor=cursor,
            grain=_parse_grain(grain),
            now=self._runtime.clock.now(),
        )
        answer = await self._runtime.run(pages.search, self._runtime.index, request, self._runtime.aids)
        budget = Budget(tokens=max(limits.BUDGET_TOKENS_MIN, budget_tokens))
        return fit_budget(answer, budget, texts.render_found).text

    async def memory_read(
        self,
        path: Annotated[str, Field(description="The path that search shows.")],
        ctx: AnyContext,
        project: Project = "",
        part: Annotated[str, Field(description="A heading, or lines: 12-40.")] = "",
        *,
        start: Annotated[int, Field(description="Characters to skip.")] = 0,
    ) -> str:
        """Read a page, or a part of it, by the path that memory_search showed."""
        name, page_path = texts.split_path(path, project)
        found = await get_project(self._runtime, name, ctx)
        place = await visits.follow_page(self._runtime, name, found, pagepath.parse_page_path(page_path))
        page = await self._runtime.run(self._runtime.wiki.find_page, found.scope, place)
        if page is None:
            raise PageNotFound(page_path)
        return texts.render_page(page, part, max(0, start))

    async def memory_recent(self, project: Project = "", limit: Limit = limits.SEARCH_LIMIT_DEFAULT) -> str:
        """List the pages that changed last: what has been going on in a project."""
        visitor = await callers.meet(self._runtime)
        found = await find_project(self._runtime, visitor, project)
        wanted = PageFilter(scopes=frozenset({found.scope}) if found else visitor.sight.scopes)
        count = _check_limit(limit)
        rows = await self._runtime.run(
            self._runtime.index.read, lambda connection: catalog.list_recent(connection, wanted, count)
        )
        return texts.render_rows(rows)

    async def memory_session(
        self,
        session: Annotated[str, Field(description="Its id, as pages show it.")],
        observations: Annotated[str, Field(description="As footnotes name them: o12, o12-15, o12-.")] = "",
        start: Annotated[int, Field(description="Characters to skip.")] = 0,
    ) -> str:
        """Read word for word what a session said and did; a footnote such as o12-15 of its page leads here."""
        wanted = stretches.parse_stretch(observations)
        found = await visits.get_session(self._runtime, await callers.meet(self._runtime), session)
        listed = await self._runtime.run(
            verbatim.read_session_observations,
            self._runtime.verbatim,
            found.id,
            after_id=wanted.first - 1,
            limit=limits.SESSION_STRETCH_MAX,
        )
        names = await reports.name_projects(self._runtime, [found.project_id])
        return stretches.render_stretch(found, names[found.project_id], listed, wanted, max(0, start))

    async def memory_status(self) -> str:
        """Tell whether work is being recorded, which projects there are, and what is wrong."""
        visitor = await callers.meet(self._runtime)
        report = await self._runtime.run(own_view.report_status, self._runtime, visitor)
        readable = visitor.sight.project_ids
        known = await self._runtime.read(projects.list_projects, limits.LIST_LIMIT_MAX, readable)
        listed = [str(project.scope) for project in known if project.archived_at is None]
        return texts.render_status(report, listed, archived=len(known) - len(listed))

    async def memory_setup(self) -> str:
        """Tell how an agent wires itself to this memory, and what its instructions should say."""
        return guidance.render_setup(registry.AGENTS)

    async def memory_handoff_list(self, project: Project = "") -> str:
        """List open handoffs without taking one: work that earlier sessions left for exactly one successor."""
        visitor = await callers.meet(self._runtime)
        found = await find_project(self._runtime, visitor, project)
        listed = await self._runtime.read(
            handoffs.list_handoffs,
            project_id=found.id if found else None,
            states=offers.OPEN_STATES,
            owner=visitor.person,
            limit=limits.LIST_LIMIT_MAX,
            project_ids=visitor.sight.project_ids,
        )
        names = await reports.name_projects(self._runtime, (handoff.project_id for handoff in listed))
        return texts.render_handoffs(listed, names)


def _parse_grain(text: str) -> Grain:
    try:
        return Grain(text.strip().lower() or Grain.PAGES.value)
    except ValueError as error:
        raise InvalidValue("grain", "give pages or observations") from error


def _check_limit(limit: int) -> int:
    if not 1 <= limit <= limits.SEARCH_LIMIT_MAX:
        raise InvalidValue("limit", f"give a number from 1 to {limits.SEARCH_LIMIT_MAX}")
    return limit
