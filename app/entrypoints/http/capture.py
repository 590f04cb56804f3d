"""Explains capture without capturing: where a folder belongs, and what would become of an event."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request

from app.agents import registry
from app.capture import admission, arrival, hook_request, locate, policy, route
from app.capture.admission import Refusal
from app.capture.arrival import Arrival, Dropped
from app.capture.hook_request import Caller
from app.capture.locate import Location
from app.domain import limits
from app.domain.checkout import Checkout
from app.domain.session import Observation
from app.entrypoints import shapes, traces
from app.entrypoints.http.dependencies import MaybeProject, TheRuntime, TheVisitor
from app.entrypoints.shapes import Shape
from app.entrypoints.visits import Visitor

router = APIRouter(tags=["capture"])

_NOWHERE = Checkout()
_ANY_BODY = {"requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}, "required": True}}


@router.get("/where")
async def find_where(
    runtime: TheRuntime,
    visitor: TheVisitor,
    project: MaybeProject,
    named: Annotated[str, Query(alias="project", include_in_schema=False)] = "",
    memwiki_checkout: Annotated[str, Header(include_in_schema=False)] = "",
) -> Shape:
    """Tell which project the caller's folder, or the named one, is, by which rule, and what a capture would make."""
    shaped = shapes.shape_project(project) if project else None
    if named:
        return {"project": shaped, "rule": "name" if project else ""}
    checkout = hook_request.parse_checkout_header(memwiki_checkout.encode("latin-1", "replace"))
    if checkout == _NOWHERE:
        return {"project": None, "rule": ""}
    checkout = arrival.clean_checkout(checkout)
    location = _hide(await runtime.read(locate.locate_project, checkout, runtime.workspace), visitor)
    return {"project": shaped, **_shape_location(location, checkout, runtime.workspace)}


@router.post("/capture/check", openapi_extra=_ANY_BODY)
async def check_event(
    request: Request,
    runtime: TheRuntime,
    visitor: TheVisitor,
    agent: Annotated[str, Query(description="the agent's name, as for `POST /hook`")],
    event: Annotated[str, Query(description="the event's name")] = "",
) -> Shape:
    """Tell what would become of an event sent to `POST /hook` like this, and why; nothing is stored."""
    traces.note_trial()
    principal, headers = visitor.principal, dict(request.scope["headers"])
    caller = Caller(headers, principal.person, principal.reach, runtime.clock.now())
    sender = hook_request.build_sender(caller, runtime.workspace)
    payload = arrival.parse_body(await request.body())
    name = event[: limits.NATIVE_ID_CHARS_MAX]
    item = arrival.receive_event(registry.find_agent(agent), name, payload, sender, runtime.rules)
    if isinstance(item, Dropped):
        return {"action": policy.DROP, "reason": item.reason, "stored": None}
    location, refusal = await runtime.read(admission.look_up, runtime.rules, item)
    return _shape_decision(item, _hide(location, visitor), refusal)


def _hide(location: Location, visitor: Visitor) -> Location:
    """Show a folder of a project that may not be read like one that was never captured."""
    told = tuple(project for project in location.contradicted if visitor.sight.has_project(project.id))
    if location.project is None or visitor.sight.has_project(location.project.id):
        return replace(location, contradicted=told)
    return Location(location.scope, contradicted=told)


def _shape_decision(item: Arrival, location: Location, refusal: Refusal | None) -> Shape:
    name = str(location.scope)
    if refusal:
        return {"action": policy.DROP, "reason": refusal.reason, "project": name, "stored": None}
    stored = shapes.shape_observation(Observation(0, "", item.received_at, item.event))
    return {
        "action": policy.STRIP if item.is_stripped else policy.KEEP,
        "reason": item.reason,
        "project": name,
        "is_new_project": location.project is None,
        "stored": {field: value for field, value in stored.items() if field not in {"id", "received_at"}},
    }


def _shape_location(location: Location, checkout: Checkout, workspace: str) -> Shape:
    identities = (*route.list_identities(checkout, workspace), *route.list_former_identities(checkout))
    return {
        "rule": location.rule,
        "identity": location.identity,
        "identities": list(identities),
        "would_create": str(location.scope) if location.project is None else None,
        "told_apart": [str(project.scope) for project in location.contradicted],
        "checkout": {name: value for name, value in shapes.list_facts(checkout) if value},
    }
