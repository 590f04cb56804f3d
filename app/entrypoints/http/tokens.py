"""Access tokens: each person's own, and everybody's for administrators."""

from collections.abc import Iterable
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from app.access import issuing
from app.access.accounts import PeopleParts
from app.access.issuing import Issued, NewToken
from app.domain import limits
from app.domain.errors import InvalidValue
from app.domain.person import Act, Right
from app.domain.person_errors import ActDenied
from app.entrypoints import people_shapes, reports, visits
from app.entrypoints.http.dependencies import JsonBody, ThePeople, TheRuntime, TheVisitor
from app.entrypoints.shapes import Shape
from app.entrypoints.visits import Visitor
from app.state import accounts, tokens
from app.wiring import Runtime

router = APIRouter(tags=["people"])


class TokenBody(JsonBody):
    """What a token is for; without projects it is good for all of its person's, without days it does not end."""

    name: str = Field(max_length=limits.TOKEN_NAME_CHARS_MAX)
    rights: list[Right] = Field(default_factory=lambda: [Right.CAPTURE, Right.WRITE])
    projects: list[str] | None = Field(None, max_length=limits.LIST_LIMIT_MAX)
    days: int | None = None
    person: str = Field("", description="For whom; only administrators make others' tokens.")


class RotateBody(JsonBody):
    """How long the old token stays good."""

    overlap_hours: int = Field(limits.TOKEN_OVERLAP_HOURS, ge=0, le=24 * 365)


@router.get("/tokens")
async def list_tokens(
    runtime: TheRuntime,
    visitor: TheVisitor,
    *,
    everybody: Annotated[bool, Query(alias="all", description="Those of everybody.")] = False,
) -> Shape:
    """List one's own access tokens, newest first; what they are is not stored."""
    _check_own(visitor)
    if everybody:
        visitor.check(Act.ADMINISTER)
    whose = None if everybody else visitor.principal.account_id
    found = await runtime.read(tokens.list_tokens, whose, limits.LIST_LIMIT_MAX)
    names, persons = await _name(runtime, {key for token in found for key in token.project_ids or ()})
    return {"tokens": [people_shapes.shape_token(token, names, persons) for token in found]}


@router.post("/tokens", status_code=201)
async def create_token(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, body: TokenBody) -> Shape:
    """Make an access token; the answer is the only place where it ever stands."""
    _check_own(visitor)
    person = body.person or visitor.person
    if person != visitor.person:
        visitor.check(Act.ADMINISTER)
    if not body.person and not visitor.principal.account_id:
        raise InvalidValue("person", "say for whom: you have no account yourself")
    project_ids = None
    if body.projects is not None:
        found = [await visits.get_project(runtime, visitor, name) for name in body.projects]
        project_ids = frozenset(project.id for project in found)
    new = NewToken(body.name, body.rights, project_ids, body.days)
    issued = await runtime.run(issuing.issue_token, people, visitor.principal, person, new)
    return await _shape(runtime, people, issued)


@router.post("/tokens/{token_id}/rotate", status_code=201)
async def rotate_token(
    runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, token_id: str, body: RotateBody
) -> Shape:
    """Make a token like another one, which stays good for some hours more."""
    _check_own(visitor)
    by, hours = visitor.principal, body.overlap_hours
    return await _shape(runtime, people, await runtime.run(issuing.rotate_token, people, by, token_id, hours))


@router.post("/tokens/{token_id}/revoke")
async def revoke_token(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, token_id: str) -> Shape:
    """Make a token worthless from this moment on."""
    _check_own(visitor)
    revoked = await runtime.run(issuing.revoke_token, people, visitor.principal, token_id)
    names, persons = await _name(runtime, revoked.project_ids or ())
    return people_shapes.shape_token(revoked, names, persons)


@router.post("/logout", status_code=204)
async def log_out(runtime: TheRuntime, visitor: TheVisitor) -> None:
    """Make the very token that asks worthless from this moment on."""
    if not visitor.principal.token_id:
        raise InvalidValue("token", "nobody has signed in with a token of this server")
    await runtime.run(issuing.revoke_token, runtime.people, visitor.principal, visitor.principal.token_id)


def _check_own(visitor: Visitor) -> None:
    """Let nobody make a token that can do more than the one that asks for it.

    Raises:
        ActDenied: the token at hand is for less than all that its person may do.
    """
    rights = visitor.principal.rights
    if Right.ADMIN not in rights.uses or rights.only is not None:
        raise ActDenied(Act.ADMINISTER.value)


async def _shape(runtime: Runtime, people: PeopleParts, issued: Issued) -> Shape:
    names, persons = await _name(runtime, issued.token.project_ids or ())
    if people.is_trial:
        return people_shapes.shape_token(issued.token, names, persons)
    return people_shapes.shape_issued(issued, names, persons)


async def _name(runtime: Runtime, project_ids: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    known = await runtime.read(accounts.list_people, limits.LIST_LIMIT_MAX)
    return await reports.name_projects(runtime, project_ids), {person.id: person.name for person in known}
