"""The tools that give work away and take it; their docstrings are what agents read."""

from typing import Annotated

from pydantic import Field

from app.agents import registry
from app.domain import limits, redact
from app.domain.handoff import Handoff, HandoffContent, find_place
from app.domain.person import Act
from app.entrypoints import reports, visits
from app.entrypoints.mcp import callers, texts
from app.entrypoints.mcp.callers import AnyContext
from app.entrypoints.mcp.projects import get_project
from app.handoff import claims, offers
from app.handoff.offers import NewOffer
from app.wiring import Runtime

Project = Annotated[str, Field(description="If there are several.")]
Lines = Annotated[list[str], Field(description="Items.")]
Page = Annotated[str, Field(description="Where to read more.")]
SessionId = Annotated[str, Field(description="Your session's id, or any name.")]
HandoffId = Annotated[str, Field(description="Its id.")]
Token = Annotated[str, Field(description="The claim token.")]


class HandoffTools:
    """Work that one session leaves for exactly one other."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def memory_handoff_offer(
        self,
        summary: Annotated[str, Field(description="Where the work stands.")],
        ctx: AnyContext,
        *,
        goal: Annotated[str, Field(description="What the person wanted, in those words.")] = "",
        done: Lines = [],  # noqa: B006 - pydantic copies it
        next_steps: Lines = [],  # noqa: B006 - pydantic copies it
        open_questions: Lines = [],  # noqa: B006 - pydantic copies it
        files: Lines = [],  # noqa: B006 - pydantic copies it
        failing_commands: Lines = [],  # noqa: B006 - pydantic copies it
        decisions: Lines = [],  # noqa: B006 - pydantic copies it
        rejected: Annotated[Lines, Field(description="Tried and dropped, and why.")] = [],  # noqa: B006
        branch: Annotated[str, Field(description="Git's.")] = "",
        dirty: Lines = [],  # noqa: B006 - pydantic copies it
        page: Page = "",
        cwd: Annotated[str, Field(description="Only this folder.")] = "",
        to_agent: Annotated[str, Field(description="Only this agent, such as codex.")] = "",
        to_user: Annotated[str, Field(description="Only this person; * for all who may read.")] = "",
        project: Project = "",
        session_id: SessionId = "",
    ) -> str:
        """GIVE your own unfinished work AWAY, at your end: exactly one later session is told of it when it starts.

        To TAKE work that somebody else left, use memory_handoff_claim. A session's end gives its work away by itself;
        use this to say more, or to hand over now.
        """
        if to_agent:
            registry.find_agent(to_agent)
        found = await get_project(self._runtime, project, ctx, Act.WRITE)
        content = HandoffContent(
            summary=summary,
            goal=goal,
            done=tuple(done),
            next_steps=tuple(next_steps),
            open_questions=tuple(open_questions),
            files=tuple(files),
            failing_commands=tuple(failing_commands),
            decisions=tuple(decisions),
            rejected=tuple(rejected),
            page=page,
            branch=branch,
            dirty=tuple(dirty),
        )
        caller = await callers.find_caller(self._runtime, ctx, session_id)
        seen = await reports.find_checkout(self._runtime, caller)
        new = NewOffer(
            found.id,
            offers.fill_in(content, seen),
            cwd=_clean(cwd),
            to_agent=to_agent,
            to_user=to_user,
            machine=seen.machine if cwd else "",
            place=find_place(seen.root, cwd) if cwd else None,
        )
        handoff = await self._runtime.run(offers.offer, self._runtime.offers, caller, new)
        return (
            f"offered {handoff.id}; the next session in {found.scope} will be told. If you meant to take work, undo "
            "this by memory_handoff_cancel and use memory_handoff_claim"
        )

    async def memory_handoff_claim(self, handoff_id: HandoffId, ctx: AnyContext, session_id: SessionId = "") -> str:
        """TAKE open work that an earlier session left, so that no other session works on it, and read all of it.

        Repeating it returns the same claim. If another session holds it, you are told who. What the brief at your start
        gave you is yours already.
        """
        await self._check(handoff_id)
        caller = await callers.find_caller(self._runtime, ctx, session_id)
        handoff = await self._runtime.run(claims.claim, self._runtime.offers, caller, handoff_id)
        names = await reports.name_projects(self._runtime, [handoff.project_id])
        return texts.render_handoff(handoff, names[handoff.project_id])

    async def memory_handoff_done(
        self, handoff_id: HandoffId, token: Token, ctx: AnyContext, session_id: SessionId = ""
    ) -> str:
        """FINISH work that you hold: nobody will be told of it again.

        Your session's end does this by itself after work; use it to say so at once.
        """
        await self._check(handoff_id)
        caller = await callers.find_caller(self._runtime, ctx, session_id)
        handoff = await self._runtime.run(claims.finish, self._runtime.offers, caller, handoff_id, token)
        return _tell_state(handoff)

    async def memory_handoff_release(
        self, handoff_id: HandoffId, token: Token, ctx: AnyContext, session_id: SessionId = ""
    ) -> str:
        """GIVE BACK work that you hold and will not do, so that the next session is told of it."""
        await self._check(handoff_id)
        caller = await callers.find_caller(self._runtime, ctx, session_id)
        handoff = await self._runtime.run(offers.release, self._runtime.offers, caller, handoff_id, token)
        return _tell_state(handoff)

    async def memory_handoff_cancel(self, handoff_id: HandoffId, ctx: AnyContext) -> str:
        """WITHDRAW a handoff that nobody should take any more, for example one made by mistake."""
        await self._check(handoff_id)
        caller = await callers.find_caller(self._runtime, ctx)
        handoff = await self._runtime.run(offers.cancel, self._runtime.offers, caller, handoff_id)
        return _tell_state(handoff)

    async def _check(self, handoff_id: str) -> None:
        """Let a change of a handoff through whose project the caller may write to."""
        await visits.check_handoff(self._runtime, await callers.meet(self._runtime), handoff_id, Act.WRITE)


def _clean(folder: str) -> str:
    return redact.redact_text(folder[: limits.NATIVE_PATH_CHARS_MAX])


def _tell_state(handoff: Handoff) -> str:
    return f"{handoff.id} is {handoff.state}"
