"""The tools that change something; their docstrings are what agents read."""

from typing import Annotated

from pydantic import Field

from app.agents import registry
from app.domain import pagepath
from app.domain.errors import InvalidValue
from app.domain.handoff import HandoffContent
from app.domain.page import ContentHash
from app.entrypoints import reports
from app.entrypoints.mcp import callers, texts
from app.entrypoints.mcp.callers import AnyContext
from app.entrypoints.mcp.projects import get_project
from app.handoff import offers
from app.handoff.offers import NewOffer
from app.wiki import notes
from app.wiki.notes import NewText
from app.wiring import Runtime

Project = Annotated[str, Field(description="Project name as shown by memory_status; needed if there are several.")]
Lines = Annotated[list[str], Field(description="One item each, short.")]
SessionId = Annotated[str, Field(description="Your session's id or any name that stays the same for you.")]


class WriteTools:
    """Pages and handoffs."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def memory_write(
        self,
        path: Annotated[str, Field(description="Where it goes, such as notes/deploy.md or decisions/use-decimal.md.")],
        body: Annotated[str, Field(description="Markdown. Links: [[notes/other.md]].")],
        ctx: AnyContext,
        *,
        title: str = "",
        tags: Annotated[list[str], Field(description="Short tags.")] = [],  # noqa: B006 - pydantic copies it
        project: Project = "",
        expected_hash: Annotated[
            str, Field(description="The content_hash shown by memory_read; empty for a new page.")
        ] = "",
    ) -> str:
        """Save a page of lasting knowledge: a decision, a gotcha, a procedure, a note. Sessions save themselves.

        To change a page, read it first and give its content_hash, so that nobody's text is lost.
        """
        if not body.strip():
            raise InvalidValue("body", "a page without text says nothing")
        found = await get_project(self._runtime, project, ctx)
        given = NewText(found.scope, pagepath.parse_page_path(path), body, title, tuple(tags))
        caller = await callers.find_caller(self._runtime, ctx)
        expected = ContentHash(expected_hash)
        page = await self._runtime.run(
            notes.save_text,
            self._runtime.wiki,
            given,
            expected=expected,
            author=caller.agent or caller.owner,
            session_id=caller.session_id,
        )
        return f"saved {page.scope}:{page.path} (content_hash {page.content_hash})"

    async def memory_handoff_offer(
        self,
        summary: Annotated[str, Field(description="Where the work stands, in a few lines.")],
        ctx: AnyContext,
        *,
        next_steps: Lines = [],  # noqa: B006 - pydantic copies it
        open_questions: Lines = [],  # noqa: B006 - pydantic copies it
        files: Lines = [],  # noqa: B006 - pydantic copies it
        failing_commands: Lines = [],  # noqa: B006 - pydantic copies it
        to_agent: Annotated[str, Field(description="Only for this agent, such as codex; empty for any.")] = "",
        project: Project = "",
        session_id: SessionId = "",
    ) -> str:
        """Leave unfinished work for exactly one later session, which is told of it when it starts.

        A session's end does this by itself; use it to say more than a machine can tell, or to hand over now.
        """
        if to_agent:
            registry.find_agent(to_agent)
        found = await get_project(self._runtime, project, ctx)
        content = HandoffContent(
            summary=summary,
            next_steps=tuple(next_steps),
            open_questions=tuple(open_questions),
            files=tuple(files),
            failing_commands=tuple(failing_commands),
        )
        caller = await callers.find_caller(self._runtime, ctx, session_id)
        new = NewOffer(found.id, content, to_agent=to_agent)
        handoff = await self._runtime.run(offers.offer, self._runtime.offers, caller, new)
        return f"offered {handoff.id}; the next session in {found.scope} will be told"

    async def memory_handoff_claim(
        self,
        handoff_id: Annotated[str, Field(description="The id that memory_handoff_list showed.")],
        ctx: AnyContext,
        session_id: SessionId = "",
    ) -> str:
        """Take an open handoff, so that no other session works on it, and read all of it.

        Repeating it from the same session returns the same claim. If another session holds it, you are told who.
        """
        caller = await callers.find_caller(self._runtime, ctx, session_id)
        handoff = await self._runtime.run(offers.claim, self._runtime.offers, caller, handoff_id)
        names = await reports.name_projects(self._runtime, [handoff.project_id])
        return texts.render_handoff(handoff, names[handoff.project_id])

    async def memory_handoff_cancel(
        self,
        handoff_id: Annotated[str, Field(description="The id that memory_handoff_list showed.")],
        ctx: AnyContext,
    ) -> str:
        """Withdraw a handoff that nobody should take any more, for example one made by mistake."""
        caller = await callers.find_caller(self._runtime, ctx)
        handoff = await self._runtime.run(offers.cancel, self._runtime.offers, caller, handoff_id)
        return f"{handoff.id} is {handoff.state}"
