"""Projects that get another name, go into another workspace, or become part of another project."""

from functools import partial

from fastapi import APIRouter
from pydantic import Field

from app.domain import scope as scopes
from app.domain.limits import NAME_CHARS_MAX
from app.domain.limits_projects import CONFLICTS_SHOWN_MAX, PAGES_SHOWN_MAX
from app.domain.person import Act
from app.domain.scope import Scope
from app.entrypoints import traces
from app.entrypoints.http.dependencies import JsonBody, ThePeople, TheRuntime, TheVisitor
from app.entrypoints.shapes import Shape
from app.upkeep import moving, moving_look
from app.upkeep.moving_plan import MovePlan
from app.wiring import Runtime

router = APIRouter(tags=["projects"])

_APPLY = Field(default=False, description="Do it; without it, or with `dry_run`, only what would be done is told.")
_SEEN = Field("", max_length=64, description="The `plan` of a dry run; with another one by now nothing is moved.")


class Renaming(JsonBody):
    """Which project is to have which name; its workspace stays."""

    project: str = Field(max_length=2 * NAME_CHARS_MAX)
    name: str = Field(max_length=NAME_CHARS_MAX)
    plan: str = _SEEN
    apply: bool = _APPLY


class Moving(JsonBody):
    """Which project goes into which workspace; its name stays."""

    project: str = Field(max_length=2 * NAME_CHARS_MAX)
    workspace: str = Field(max_length=NAME_CHARS_MAX)
    plan: str = _SEEN
    apply: bool = _APPLY


class Merging(JsonBody):
    """Which project becomes part of which other, whose name and rights stay."""

    project: str = Field(max_length=2 * NAME_CHARS_MAX)
    into: str = Field(max_length=2 * NAME_CHARS_MAX)
    plan: str = _SEEN
    apply: bool = _APPLY


@router.post("/projects/rename")
async def rename_project(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, body: Renaming) -> Shape:
    """Give a project another name; the former one goes on leading to it, for captures, links and addresses."""
    visitor.check(Act.ADMINISTER)
    source = scopes.parse_scope(body.project, runtime.workspace)
    target = Scope(source.workspace, scopes.parse_name(body.name))
    plan = partial(moving_look.plan_rename, runtime.moving, source, target, visitor.principal)
    return await _answer(runtime, plan, body, is_trial=people.is_trial)


@router.post("/projects/move")
async def move_project(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, body: Moving) -> Shape:
    """Put a project into another workspace; the former name goes on leading to it."""
    visitor.check(Act.ADMINISTER)
    source = scopes.parse_scope(body.project, runtime.workspace)
    target = Scope(scopes.parse_name(body.workspace, what="workspace"), source.project)
    plan = partial(moving_look.plan_rename, runtime.moving, source, target, visitor.principal)
    return await _answer(runtime, plan, body, is_trial=people.is_trial)


@router.post("/projects/merge")
async def merge_projects(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, body: Merging) -> Shape:
    """Make a project part of another; pages of one path both stay, the one that came later with a number."""
    visitor.check(Act.ADMINISTER)
    gone, into = (scopes.parse_scope(name, runtime.workspace) for name in (body.project, body.into))
    plan = partial(moving_look.plan_merge, runtime.moving, gone, into, visitor.principal)
    return await _answer(runtime, plan, body, is_trial=people.is_trial)


async def _answer(
    runtime: Runtime, plan: "partial[MovePlan]", body: Renaming | Moving | Merging, *, is_trial: bool
) -> Shape:
    if is_trial or not body.apply:
        traces.note_trial()
        return shape_plan(await runtime.run(plan))
    done = await runtime.run(moving.apply_move, runtime.moving, plan, body.plan)
    trace = traces.find_current()
    trace.scope, trace.subject = str(done.move.target), done.move.project_id
    trace.before, trace.after = str(done.move.source), str(done.move.target)
    return shape_plan(done)


def shape_plan(plan: MovePlan) -> Shape:
    """Shape what a move does or would do."""
    move = plan.move
    return {
        "kind": move.kind.value,
        "project": str(move.source),
        "to": str(move.target),
        "applied": plan.is_done,
        "moves": dict(plan.counts),
        "renamed": dict(list(plan.renamed.items())[:PAGES_SHOWN_MAX]),
        "dropped": plan.dropped[:PAGES_SHOWN_MAX],
        "rewritten": list(plan.rewritten[:PAGES_SHOWN_MAX]),
        "conflicts": [
            {"kind": each.kind.value, "subject": each.subject, "advice": each.advice}
            for each in plan.conflicts[:CONFLICTS_SHOWN_MAX]
        ],
        "notes": list(plan.notes),
        "plan": plan.digest,
    }
