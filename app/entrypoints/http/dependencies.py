"""Finds what a request is about: the runtime, and the project that it names or comes from.

All of these are coroutines, also those that wait for nothing: plain functions the framework calls on another thread.
"""

from dataclasses import replace
from typing import Annotated

import msgspec
from fastapi import Depends, Header, Query, Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, model_validator

from app.access.accounts import PeopleParts
from app.capture import arrival, hook_request, locate
from app.domain import limits
from app.domain.checkout import Checkout
from app.domain.errors import InvalidValue
from app.domain.person import Act, Right
from app.domain.person_errors import ActDenied
from app.domain.scope import Project
from app.entrypoints import principals, traces, visits
from app.entrypoints.visits import Visitor
from app.wiring import Runtime

_NOWHERE = Checkout()
_LOOKING = frozenset({"GET", "HEAD"})
# What explains capture to whoever may capture.
_HOOKS_OWN = "/capture/check"


class JsonBody(BaseModel):
    """A body whose fields are all known and whose texts every store can hold."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _check_texts(cls, given: object) -> object:
        """Refuse half a surrogate pair, which JSON can spell and no file can hold."""
        try:
            msgspec.json.encode(given)
        except (UnicodeEncodeError, RecursionError, OverflowError) as error:
            raise ValueError("it has a character or number that cannot be stored") from error
        return given


async def refuse_unknown_parameters(request: Request) -> None:
    """Refuse query parameters that the route does not have, so that a misspelt filter is not an ignored one.

    Raises:
        InvalidValue: there is one; the message names it and those that are known.
    """
    route = request.scope["route"]
    assert isinstance(route, APIRoute), "the routers have no other kind"
    known = _list_parameters(route.dependant)
    for name in request.query_params:
        if name not in known:
            raise InvalidValue(
                name[: limits.NAME_CHARS_MAX], f"unknown parameter; known are {', '.join(sorted(known))}"
            )


async def find_runtime(request: Request) -> Runtime:
    """Find the runtime that the application was built with."""
    runtime = request.app.state.runtime
    assert isinstance(runtime, Runtime), "build_app put it there"
    return runtime


TheRuntime = Annotated[Runtime, Depends(find_runtime)]


async def find_visitor(request: Request, runtime: TheRuntime) -> Visitor:
    """Find who asks, and what this person may see.

    Raises:
        ActDenied: the proof that came along is not good for this kind of request.
    """
    principal = principals.find(request.scope)
    act, needed = (Act.READ, Right.READ) if request.method in _LOOKING else (Act.WRITE, Right.WRITE)
    if request.url.path.endswith(_HOOKS_OWN):
        act, needed = Act.CAPTURE, Right.CAPTURE
    if needed not in principal.rights.uses:
        raise ActDenied(act.value)
    return await visits.meet(runtime, principal)


TheVisitor = Annotated[Visitor, Depends(find_visitor)]


async def find_people(
    runtime: TheRuntime,
    *,
    dry_run: Annotated[bool, Query(description="Check and tell as if it were done, and change nothing.")] = False,
) -> PeopleParts:
    """Find what administration works with; in a dry run it takes back all that it does."""
    if not dry_run:
        return runtime.people
    traces.note_trial()
    return replace(runtime.people, is_trial=True)


ThePeople = Annotated[PeopleParts, Depends(find_people)]


CheckoutHeader = Annotated[str, Header(description="where the caller stands, as the hooks send it")]


def parse_checkout(header: str) -> Checkout:
    """Read where a caller stands, without what is secret in it."""
    return arrival.clean_checkout(hook_request.parse_checkout_header(header.encode("latin-1", "replace")))


async def find_project(
    runtime: TheRuntime,
    visitor: TheVisitor,
    project: Annotated[str, Query(description="`project` or `workspace/project`; `*` means all")] = "",
    memwiki_checkout: CheckoutHeader = "",
) -> Project | None:
    """Find the project that a request names, else the one its checkout belongs to; None means all that may be read.

    Raises:
        ProjectNotFound: the name that was given belongs to no project that may be read.
    """
    if project == "*":
        return None
    if project:
        return await visits.get_project(runtime, visitor, project)
    checkout = parse_checkout(memwiki_checkout)
    if checkout == _NOWHERE:
        return None
    location = await runtime.read(locate.locate_project, checkout, runtime.workspace)
    found = location.project
    if found is None or not visitor.sight.has_project(found.id):
        return None
    traces.note_scope(found.scope)
    return found


MaybeProject = Annotated[Project | None, Depends(find_project)]


async def get_project(project: MaybeProject) -> Project:
    """Find the one project that a request is about.

    Raises:
        InvalidValue: the request names none and comes from no known checkout.
    """
    if project is None:
        raise InvalidValue("project", "name the project, or call from a folder that has been captured")
    return project


OneProject = Annotated[Project, Depends(get_project)]


async def get_writable_project(project: OneProject, visitor: TheVisitor) -> Project:
    """Get the one project that a request is to change.

    Raises:
        ActDenied: the visitor may read it and not write.
    """
    visitor.check(Act.WRITE, project.id)
    return project


WritableProject = Annotated[Project, Depends(get_writable_project)]


def _list_parameters(dependant: Dependant) -> set[str]:
    own = {field.alias for field in dependant.query_params}
    return own.union(*(_list_parameters(below) for below in dependant.dependencies))
