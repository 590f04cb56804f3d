"""The tool for what waits for a person: an agent may show it and pass on the person's word, and decides nothing."""

from typing import Annotated

from pydantic import Field

from app.compile import prompts, reviewing
from app.domain.errors import InvalidValue
from app.domain.event import Actor
from app.domain.knowledge_errors import PersonsWordMissing
from app.domain.limits_knowledge import PERSONS_PROMPTS_READ_MAX, PERSONS_WORDS_MIN, PROPOSALS_SHOWN_MAX
from app.domain.person import Act
from app.domain.proposal import Proposal, ProposalState
from app.domain.redact import redact_text
from app.entrypoints import visits
from app.entrypoints.mcp import callers, texts
from app.entrypoints.mcp.callers import AnyContext
from app.entrypoints.mcp.tools_handoffs import SessionId
from app.entrypoints.visits import Visitor
from app.state import observations, proposals
from app.state.engine import ReadConnection
from app.wiring import Runtime


class ReviewTools:
    """Proposals."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def memory_review(
        self,
        ctx: AnyContext,
        *,
        proposal_id: Annotated[str, Field(description="Empty to list.")] = "",
        answer: Annotated[str, Field(description="approve or reject.")] = "",
        words: Annotated[str, Field(description="Your person's, as typed.")] = "",
        session_id: SessionId = "",
    ) -> str:
        """List rules and changes that wait for a person, or pass on the answer that your person typed."""
        visitor = await callers.meet(self._runtime)
        if not proposal_id:
            return await self._list(visitor)
        found = await visits.get_proposal(self._runtime, visitor, proposal_id, Act.WRITE)
        decide = {"approve": reviewing.approve, "reject": reviewing.reject}.get(answer.strip().lower())
        if decide is None:
            raise InvalidValue("answer", "say approve or reject")
        caller = await callers.find_caller(self._runtime, ctx, session_id)
        if not await self._runtime.read(_has_said, caller.session_id, words):
            raise PersonsWordMissing(found.id)
        by = f"{visitor.person} (agent)"
        done = await self._runtime.run(decide, self._runtime.compiling, found.id, by)
        return f"{done.id} is {done.state}{f': {done.path}' if done.path else ''}"

    async def _list(self, visitor: Visitor) -> str:
        waiting = await self._runtime.read(
            proposals.list_proposals,
            None,
            PROPOSALS_SHOWN_MAX,
            kind=None,
            state=ProposalState.WAITING,
            project_ids=visitor.sight.project_ids,
        )
        if not waiting:
            return "Nothing waits for a person."
        return texts.fence_recalled("\n".join(map(_render, waiting)))


def _has_said(conn: ReadConnection, session_id: str, words: str) -> bool:
    """Tell whether a person wrote these words in a session; who only says so has not."""
    wanted = _plain(redact_text(words))
    if len(wanted.split()) < PERSONS_WORDS_MIN:
        return False
    said = observations.list_prompts(conn, session_id, PERSONS_PROMPTS_READ_MAX)
    return any(
        wanted in _plain(prompts.clean_prompt(each.event.text)) for each in said if each.event.actor is Actor.PERSON
    )


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _render(proposal: Proposal) -> str:
    pages = ", ".join(dict.fromkeys(ground.page_path for ground in proposal.grounds if ground.page_path))
    seen = f" [{pages}]" if pages else ""
    return f"{proposal.id} {proposal.kind}: {proposal.title} ({proposal.reason}){seen}"
