"""Offers and claims."""

from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import AfterValidator, Field

from app.agents import registry
from app.domain import limits, redact
from app.domain.checkout import Checkout
from app.domain.handoff import Handoff, HandoffContent, HandoffState, find_place
from app.domain.person import Act
from app.entrypoints import reports, shapes, visits
from app.entrypoints.http.dependencies import (
    CheckoutHeader,
    JsonBody,
    MaybeProject,
    TheRuntime,
    TheVisitor,
    WritableProject,
    parse_checkout,
)
from app.entrypoints.shapes import Shape
from app.entrypoints.visits import Visitor
from app.handoff import claims, offers
from app.handoff.offers import Caller, NewOffer
from app.state import handoffs
from app.wiring import Runtime

# Short texts that are stored as they come, beside the content that `offers` cleans.
Label = Annotated[str, Field(max_length=limits.NATIVE_ID_CHARS_MAX), AfterValidator(redact.redact_text)]
Folder = Annotated[str, Field(max_length=limits.NATIVE_PATH_CHARS_MAX), AfterValidator(redact.redact_text)]

router = APIRouter(tags=["handoffs"])


class OfferBody(JsonBody):
    """What one session leaves for the next; what is left out of the last four is taken from the caller's checkout.

    Without one it is taken from what the session that makes it saw last.
    """

    summary: str = Field(description="Where the work stands, in a few lines.")
    goal: str = ""
    done: list[str] = Field(default_factory=list)
    next_steps: list[str] = Field(default_factory=list)
    open_questions: list[str] = Field(default_factory=list)
    files: list[str] = Field(default_factory=list)
    failing_commands: list[str] = Field(default_factory=list)
    decisions: list[str] = Field(default_factory=list)
    rejected: list[str] = Field(default_factory=list, description="What was tried and dropped, and why.")
    page: Label = Field("", description="The page to read for more.")
    to_agent: Label = ""
    to_user: Label = Field("", description="The person it is for; `*` means whoever may read the project.")
    cwd: Folder = Field("", description="The folder it is meant for; empty means the whole project.")
    session_id: Label = Field("", description="The session that makes it.")
    branch: Label = ""
    revision: Label = ""
    dirty: list[str] = Field(default_factory=list)
    dirty_count: Annotated[int | None, Field(ge=0)] = None

    def to_offer(self, project_id: str, seen: Checkout) -> NewOffer:
        """Build the offer as it was sent; `offers` redacts and bounds it."""
        content = HandoffContent(
            summary=self.summary,
            goal=self.goal,
            done=tuple(self.done),
            open_questions=tuple(self.open_questions),
            next_steps=tuple(self.next_steps),
            files=tuple(self.files),
            failing_commands=tuple(self.failing_commands),
            decisions=tuple(self.decisions),
            rejected=tuple(self.rejected),
            page=self.page,
            branch=self.branch,
            revision=self.revision,
            dirty=tuple(self.dirty),
            dirty_count=self.dirty_count,
        )
        return NewOffer(
            project_id,
            offers.fill_in(content, seen),
            cwd=self.cwd,
            to_agent=self.to_agent,
            to_user=self.to_user,
            machine=seen.machine if self.cwd else "",
            place=find_place(seen.root, self.cwd) if self.cwd else None,
        )


class ClaimBody(JsonBody):
    """Who takes a handoff; without a session it is the person at the terminal."""

    session_id: Label = ""
    agent: Label = ""


class TokenBody(ClaimBody):
    """Who gives a handoff back or finishes it: a session by the token of its claim, a person without one."""

    token: str = Field("", max_length=limits.NATIVE_ID_CHARS_MAX)


@router.get("/handoffs")
async def list_handoffs(
    runtime: TheRuntime,
    visitor: TheVisitor,
    project: MaybeProject,
    *,
    state: Literal["open", "all"] = "open",
    everyone: Annotated[bool, Query(description="other people's too, for administrators")] = False,
    limit: Annotated[int, Query(ge=1, le=limits.LIST_LIMIT_MAX)] = 50,
) -> Shape:
    """List handoffs, newest first; looking changes nothing."""
    if everyone:
        visitor.check(Act.ADMINISTER)
    states = offers.OPEN_STATES if state == "open" else frozenset(HandoffState)
    project_id = project.id if project else None
    found = await runtime.read(
        handoffs.list_handoffs,
        project_id=project_id,
        states=states,
        owner=None if everyone else visitor.person,
        limit=limit,
        project_ids=visitor.sight.project_ids,
    )
    names = await reports.name_projects(runtime, (handoff.project_id for handoff in found))
    return {"handoffs": [shapes.shape_handoff(handoff, names) for handoff in found]}


@router.post("/handoffs", status_code=201)
async def offer_handoff(
    runtime: TheRuntime,
    visitor: TheVisitor,
    project: WritableProject,
    body: OfferBody,
    memwiki_checkout: CheckoutHeader = "",
) -> Shape:
    """Leave work for exactly one later session; the same offer made again is the first one."""
    if body.to_agent:
        registry.find_agent(body.to_agent)
    caller = await reports.find_caller(runtime, visitor.person, body.session_id)
    seen = parse_checkout(memwiki_checkout) if memwiki_checkout else await reports.find_checkout(runtime, caller)
    new = body.to_offer(project.id, seen)
    return await _shape(runtime, await runtime.run(offers.offer, runtime.offers, caller, new))


@router.get("/handoffs/{handoff_id}")
async def show_handoff(runtime: TheRuntime, visitor: TheVisitor, handoff_id: str) -> Shape:
    """Show one handoff; looking changes nothing."""
    await visits.check_handoff(runtime, visitor, handoff_id)
    caller = Caller(visitor.person, is_admin=visitor.is_admin)
    return await _shape(runtime, await runtime.run(offers.show, runtime.offers, caller, handoff_id))


@router.post("/handoffs/{handoff_id}/claim")
async def claim_handoff(runtime: TheRuntime, visitor: TheVisitor, handoff_id: str, body: ClaimBody) -> Shape:
    """Take a handoff; repeating it from the same session returns the same claim and token."""
    await visits.check_handoff(runtime, visitor, handoff_id, Act.WRITE)
    caller = await reports.find_caller(runtime, visitor.person, body.session_id, body.agent)
    claimed = await runtime.run(claims.claim, runtime.offers, caller, handoff_id)
    return {**await _shape(runtime, claimed), "claim_token": claimed.claim_token}


@router.post("/handoffs/{handoff_id}/release")
async def release_handoff(runtime: TheRuntime, visitor: TheVisitor, handoff_id: str, body: TokenBody) -> Shape:
    """Give a claimed handoff back; without a session it is a person who frees it."""
    caller = await _find_changer(runtime, visitor, handoff_id, body)
    return await _shape(runtime, await runtime.run(offers.release, runtime.offers, caller, handoff_id, body.token))


@router.post("/handoffs/{handoff_id}/done")
async def finish_handoff(runtime: TheRuntime, visitor: TheVisitor, handoff_id: str, body: TokenBody) -> Shape:
    """Close a handoff whose work is done."""
    caller = await _find_changer(runtime, visitor, handoff_id, body)
    return await _shape(runtime, await runtime.run(claims.finish, runtime.offers, caller, handoff_id, body.token))


@router.post("/handoffs/{handoff_id}/cancel")
async def cancel_handoff(runtime: TheRuntime, visitor: TheVisitor, handoff_id: str, body: ClaimBody) -> Shape:
    """Withdraw a handoff: for who made it, and for administrators."""
    caller = await _find_changer(runtime, visitor, handoff_id, body)
    return await _shape(runtime, await runtime.run(offers.cancel, runtime.offers, caller, handoff_id))


async def _find_changer(runtime: Runtime, visitor: Visitor, handoff_id: str, body: ClaimBody) -> Caller:
    """Tell who wants to change a handoff; an administrator looks after other people's too."""
    await visits.check_handoff(runtime, visitor, handoff_id, Act.WRITE)
    caller = await reports.find_caller(runtime, visitor.person, body.session_id, body.agent)
    return replace(caller, is_admin=visitor.is_admin)


async def _shape(runtime: Runtime, handoff: Handoff) -> Shape:
    return shapes.shape_handoff(handoff, await reports.name_projects(runtime, [handoff.project_id]))
