"""A project's first pages, made of what the command line read in its repository."""

from functools import partial
from typing import Any

import msgspec
from fastapi import APIRouter
from pydantic import Field

from app.capture import locate
from app.compile import bootstrap
from app.compile.repository_facts import RepositoryFacts
from app.domain import limits_past
from app.domain.checkout import Checkout
from app.domain.errors import InvalidValue
from app.domain.person import Act
from app.domain.scope import Project
from app.entrypoints import traces
from app.entrypoints.http.dependencies import (
    CheckoutHeader,
    JsonBody,
    MaybeProject,
    TheRuntime,
    TheVisitor,
    parse_checkout,
)
from app.entrypoints.shapes import Shape
from app.state import projects
from app.state.engine import WriteConnection
from app.wiki.pages import Byline
from app.wiring import Runtime

router = APIRouter(tags=["pages"])

_NOWHERE = Checkout()


class Bootstrap(JsonBody):
    """What was read, and whether to write; without it the answer only tells what would be written."""

    facts: dict[str, Any] = Field(description="documents, folders and history, as `memwiki bootstrap` reads them")
    apply: bool = False


@router.post("/bootstrap")
async def bootstrap_project(
    runtime: TheRuntime,
    visitor: TheVisitor,
    project: MaybeProject,
    body: Bootstrap,
    memwiki_checkout: CheckoutHeader = "",
) -> Shape:
    """Make or renew the first pages of the named project, or of the caller's folder, which becomes one if need be."""
    known = _read_facts(body.facts)
    checkout = parse_checkout(memwiki_checkout)
    # The folder's project may be one that the visitor may not even know of.
    found = project or (await runtime.read(locate.locate_project, checkout, runtime.workspace)).project
    visitor.check(Act.WRITE, found.id if found else "")
    place = project or await _find_place(runtime, checkout, apply=body.apply)
    traces.note_scope(place.scope)
    if not body.apply:
        traces.note_trial()
    byline = Byline(visitor.person, "Bootstrap from the repository")
    make = partial(bootstrap.bootstrap_project, runtime.compiling, place, known, byline, apply=body.apply)
    done = await runtime.run(make)
    pages = [{"path": each.path, "title": each.title, "effect": each.effect.value} for each in done]
    return {"project": str(place.scope), "applied": body.apply, "pages": pages}


def _read_facts(given: dict[str, Any]) -> RepositoryFacts:
    try:
        known = msgspec.convert(given, RepositoryFacts)
    except msgspec.ValidationError as error:
        raise InvalidValue("facts", str(error)) from error
    if len(known.documents) > limits_past.BOOTSTRAP_DOCUMENTS_MAX:
        raise InvalidValue("facts", f"at most {limits_past.BOOTSTRAP_DOCUMENTS_MAX} documents are taken")
    return known


async def _find_place(runtime: Runtime, checkout: Checkout, *, apply: bool) -> Project:
    """Find the project of a folder as capture would, and make it where pages are to be written."""
    if checkout == _NOWHERE:
        raise InvalidValue("project", "name the project, or call from its folder")
    now = runtime.clock.now()
    if not apply:
        location = await runtime.read(locate.locate_project, checkout, runtime.workspace)
        return location.project or Project(id=runtime.ids.new_id(), scope=location.scope, created_at=now)

    def settle(conn: WriteConnection) -> Project:
        found = locate.locate_project(conn, checkout, runtime.workspace)
        made = locate.find_or_insert_project(
            runtime.ids, conn, checkout, location=found, workspace=runtime.workspace, now=now
        )
        # With all the keys that lead to it by now.
        return projects.get_project(conn, made.id)

    return await runtime.writer.write(settle)
