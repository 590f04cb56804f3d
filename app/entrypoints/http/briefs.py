"""What a session would be told if it started here and now."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.agents import registry
from app.domain import limits, model_tokens
from app.domain.session import Session, SessionState
from app.entrypoints.http.dependencies import CheckoutHeader, OneProject, TheRuntime, TheVisitor, parse_checkout
from app.entrypoints.shapes import Shape
from app.handoff import start

router = APIRouter(tags=["handoffs"])


@router.get("/brief")
async def show_brief(
    runtime: TheRuntime,
    visitor: TheVisitor,
    project: OneProject,
    agent: Annotated[str, Query(description="the agent's name, as for `POST /hook`")] = "claude-code",
    memwiki_checkout: CheckoutHeader = "",
) -> Shape:
    """Tell what an agent that starts here would be told, and what that costs; nothing is taken.

    The token of a claim is not there yet: a text of its length stands in its place.
    """
    found = registry.find_agent(agent)
    checkout = parse_checkout(memwiki_checkout)
    now = runtime.clock.now()
    session = Session(
        id="",
        project_id=project.id,
        agent=found.name,
        agent_session_id="",
        owner=visitor.person,
        cwd=checkout.root or checkout.cwd,
        state=SessionState.OPEN,
        started_at=now,
        last_event_at=now,
        checkout=checkout,
    )
    way = found.traits.brief
    is_off = checkout.brief == start.BRIEF_OFF
    text = "" if is_off else await runtime.run(start.preview_brief, runtime.starts, session, way)
    return {
        "agent": str(found.name),
        "project": str(project.scope),
        "point": str(way.point),
        "is_off": is_off,
        "text": text,
        "characters": len(text),
        "bytes": len(text.encode()),
        "tokens": model_tokens.estimate_tokens(text),
        "size_max": way.size_max,
        "unit": str(way.unit),
        "tokens_max": limits.BRIEF_TOKENS_MAX,
    }
