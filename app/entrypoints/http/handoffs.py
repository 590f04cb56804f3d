"""Offers and claims."""

from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import AfterValidator, Field

from app.agents import registry
from app.domain import limits, redact
from app.domain.handoff import Handoff, HandoffContent, HandoffState
from app.entrypoints import reports, shapes
from app.entrypoints.http.dependencies import JsonBody, MaybeProject, OneProject, TheRuntime
from app.entrypoints.shapes import Shape
from app.handoff import offers
from app.handoff.offers import Caller, NewOffer, OfferParts
from app.state import handoffs
from app.wiring import Runtime

Action = Callable[[OfferParts, Caller, str], Handoff]

# Short texts that are stored as they come, beside the content that `offers` cleans.
Label = Annotated[str, Field(max_length=limits.NATIVE_ID_CHARS_MAX), AfterValidator(redact.redact_text)]
Folder = Annotated[str, Field(max_length=limits.NATIVE_PATH_CHARS_MAX), AfterValidator(redact.redact_text)]

router = APIRouter(tags=["handoffs"])


class OfferBody(JsonBody):
    """What one session leaves for the next."""

    summary: str = Field(description="Where the work stands, in a few lines.")
    goal: str = ""
    done: list[str] = Field(default_factory=list)
    next_steps: list[str] = Field(default_factory=list)
    open_questions: list[str] = Field(default_factory=list)
    files: list[str] = Field(default_factory=list)
    failing_commands: list[str] = Field(default_factory=list)
    branch: Label = ""
    to_agent: Label = ""
    to_user: Label = ""
    cwd: Folder = Field("", description="The folder it is meant for; empty means the whole project.")
    session_id: Label = Field("", description="The session that makes it.")

    def to_content(self) -> HandoffContent:
        """Build the content as it was sent; `offers` redacts and bounds it."""
        return HandoffContent(
            summary=self.summary,
            goal=self.goal,
            done=tuple(self.done),
            open_questions=tuple(self.open_questions),
            next_steps=tuple(self.next_steps),
            files=tuple(self.files),
            failing_commands=tuple(self.failing_commands),
            branch=self.branch,
        )


class ClaimBody(JsonBody):
    """Who takes a handoff; without a session it is the person at the terminal."""

    session_id: Label = ""
    agent: Label = ""


@router.get("/handoffs")
async def list_handoffs(
    runtime: TheRuntime,
    project: MaybeProject,
    state: Literal["open", "all"] = "open",
    limit: Annotated[int, Query(ge=1, le=limits.LIST_LIMIT_MAX)] = 50,
) -> Shape:
    """List handoffs, newest first; looking changes nothing."""
    states = offers.OPEN_STATES if state == "open" else frozenset(HandoffState)
    project_id = project.id if project else None
    found = await runtime.read(
        handoffs.list_handoffs, project_id=project_id, states=states, owner=runtime.owner, limit=limit
    )
    names = await reports.name_projects(runtime, (handoff.project_id for handoff in found))
    return {"handoffs": [shapes.shape_handoff(handoff, names) for handoff in found]}


@router.post("/handoffs", status_code=201)
async def offer_handoff(runtime: TheRuntime, project: OneProject, body: OfferBody) -> Shape:
    """Leave work for exactly one later session."""
    if body.to_agent:
        registry.find_agent(body.to_agent)
    new = NewOffer(project.id, body.to_content(), cwd=body.cwd, to_agent=body.to_agent, to_user=body.to_user)
    caller = await reports.find_caller(runtime, body.session_id)
    return await _shape(runtime, await runtime.run(offers.offer, runtime.offers, caller, new))


@router.get("/handoffs/{handoff_id}")
async def show_handoff(runtime: TheRuntime, handoff_id: str) -> Shape:
    """Show one handoff; looking changes nothing."""
    return await _shape(runtime, await runtime.run(offers.show, runtime.offers, Caller(runtime.owner), handoff_id))


@router.post("/handoffs/{handoff_id}/claim")
async def claim_handoff(runtime: TheRuntime, handoff_id: str, body: ClaimBody) -> Shape:
    """Take a handoff; repeating it from the same session returns the same claim."""
    return await _change(runtime, offers.claim, handoff_id, body)


@router.post("/handoffs/{handoff_id}/release")
async def release_handoff(runtime: TheRuntime, handoff_id: str, body: ClaimBody) -> Shape:
    """Give a claimed handoff back; without a session it is a person who frees it."""
    return await _change(runtime, offers.release, handoff_id, body)


@router.post("/handoffs/{handoff_id}/done")
async def finish_handoff(runtime: TheRuntime, handoff_id: str, body: ClaimBody) -> Shape:
    """Close a handoff whose work is done."""
    return await _change(runtime, offers.finish, handoff_id, body)


@router.post("/handoffs/{handoff_id}/cancel")
async def cancel_handoff(runtime: TheRuntime, handoff_id: str, body: ClaimBody) -> Shape:
    """Withdraw a handoff."""
    return await _change(runtime, offers.cancel, handoff_id, body)


async def _change(runtime: Runtime, action: Action, handoff_id: str, body: ClaimBody) -> Shape:
    caller = await reports.find_caller(runtime, body.session_id, body.agent)
    return await _shape(runtime, await runtime.run(action, runtime.offers, caller, handoff_id))


async def _shape(runtime: Runtime, handoff: Handoff) -> Shape:
    return shapes.shape_handoff(handoff, await reports.name_projects(runtime, [handoff.project_id]))
