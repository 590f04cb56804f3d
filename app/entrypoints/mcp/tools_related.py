"""The tools that lead on from a hit, and the one that says what it was worth."""

from typing import Annotated

from pydantic import Field

from app.domain import limits, pagepath
from app.domain.errors import InvalidValue
from app.domain.feedback import Verdict
from app.domain.person import Act
from app.entrypoints.mcp import callers, related_texts, texts
from app.entrypoints.mcp.callers import AnyContext
from app.entrypoints.mcp.projects import find_project, get_project
from app.search import connected, opinions
from app.search.clauses import parse_moment
from app.search.opinions import Word
from app.wiring import Runtime

Project = Annotated[str, Field(description="If there are several.")]


class RelatedTools:
    """What belongs to a page or subject, and feedback."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def memory_related(
        self,
        ctx: AnyContext,
        path: Annotated[str, Field(description="A page, for its links, neighbours in time and evidence; or:")] = "",
        subject: Annotated[str, Field(description="a file, function or name, for when it came up.")] = "",
        project: Project = "",
        until: Annotated[str, Field(description="Only what is older than this moment.")] = "",
    ) -> str:
        """Show what belongs to a page, or the timeline of a subject; the step between search and read."""
        visitor = await callers.meet(self._runtime)
        if bool(path) == bool(subject):
            raise InvalidValue("path", "give a path or a subject")
        if path:
            name, page_path = texts.split_path(path, project)
            found = await get_project(self._runtime, name, ctx)
            parsed = pagepath.parse_page_path(page_path)
            told = await self._runtime.run(
                connected.find_connected, self._runtime.index, found.scope, parsed, visitor.sight.scopes
            )
            return related_texts.render_connected(told)
        named = await find_project(self._runtime, visitor, project)
        scopes = frozenset({named.scope}) if named else visitor.sight.scopes
        moment = parse_moment(until, self._runtime.clock.now()) if until else None
        if until and moment is None:
            raise InvalidValue("until", "give a day or a moment, such as 2026-05-01")
        story = await self._runtime.run(
            connected.tell_story, self._runtime.index, subject, scopes, limits.TIMELINE_LIMIT_MAX, moment
        )
        return related_texts.render_story(story)

    async def memory_feedback(
        self,
        ctx: AnyContext,
        path: Annotated[str, Field(description="The page's path.")],
        verdict: Annotated[str, Field(description="helpful, not_helpful, wrong or stale.")],
        note: Annotated[str, Field(description="What is wrong.")] = "",
        project: Project = "",
    ) -> str:
        """Say what a page was worth; it counts until the page changes, and people see what is wrong."""
        name, page_path = texts.split_path(path, project)
        found = await get_project(self._runtime, name, ctx, Act.WRITE)
        visitor = await callers.meet(self._runtime)
        place = (found, pagepath.parse_page_path(page_path))
        word = Word(f"{visitor.person} (agent)", _parse_verdict(verdict), note)
        opinion = await opinions.say(self._runtime.index, self._runtime.writer, self._runtime.clock, place, word)
        return f"noted: {opinion.path} is {opinion.verdict}"


def _parse_verdict(text: str) -> Verdict:
    try:
        return Verdict(text.strip().lower().replace(" ", "_").replace("-", "_"))
    except ValueError as error:
        raise InvalidValue("verdict", "say helpful, not_helpful, wrong or stale") from error
