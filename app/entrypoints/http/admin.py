"""What operators do to all of it: deleting for good, and bringing back from history."""

from functools import partial
from typing import Literal

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from pydantic import Field

from app.domain.limits import PATH_CHARS_MAX
from app.domain.pagepath import parse_page_path
from app.domain.person import Act, Principal
from app.entrypoints import traces
from app.entrypoints.http.dependencies import JsonBody, OneProject, TheRuntime, TheVisitor
from app.entrypoints.shapes import Shape
from app.state import projects
from app.upkeep import bring_back, person_export, purging
from app.upkeep.purge import Purge
from app.upkeep.purging import Wish
from app.wiring import Runtime

router = APIRouter(tags=["admin"])


class Purging(JsonBody):
    """What to delete; without `apply` the answer only tells what would go."""

    kind: Literal["session", "project", "page", "person"]
    name: str = Field(max_length=2 * PATH_CHARS_MAX)
    apply: bool = False
    rewrite_history: bool = False


@router.post("/purge")
async def purge_for_good(runtime: TheRuntime, visitor: TheVisitor, body: Purging) -> Shape:
    """Delete a session, a project, a page (`workspace/project:path`) or a person for good, and tell what remains."""
    visitor.check(Act.ADMINISTER)
    if not body.apply:
        traces.note_trial()
    return _shape_purge(await runtime.run(_purge, runtime, body, visitor.principal))


class Restoring(JsonBody):
    """What to bring back: a page by its path, or the whole project without one; `apply` is for a project."""

    path: str = Field("", max_length=PATH_CHARS_MAX)
    revision: str = Field(max_length=64)
    apply: bool = False


@router.post("/restore")
async def restore_from_history(runtime: TheRuntime, visitor: TheVisitor, project: OneProject, body: Restoring) -> Shape:
    """Give a page, or all pages of a project, the text of a revision, as a new revision."""
    visitor.check(Act.WRITE, project.id)
    back, scope = runtime.wiki, project.scope
    if body.path:
        path = parse_page_path(body.path)
        before = await runtime.run(back.find_page, scope, path)
        found = await runtime.run(bring_back.restore_page, back, scope, path, body.revision, visitor.person)
        after = await runtime.run(back.find_page, scope, path)
        traces.note_page(scope, path, before.content_hash if before else "", after.content_hash if after else "")
    else:
        if not body.apply:
            traces.note_trial()
        put = partial(bring_back.restore_project, is_dry=not body.apply)
        names = (scope, *projects.list_former_scopes(project))
        found = await runtime.run(put, back, names, body.revision, visitor.person)
    is_done = bool(body.path) or body.apply
    told = {"changed": list(found.changed), "unchanged": found.unchanged, "later": list(found.later)}
    return {"project": str(scope), "revision": body.revision, "applied": is_done, **told}


@router.get("/people/{name}/export", response_class=StreamingResponse)
async def export_person(runtime: TheRuntime, visitor: TheVisitor, name: str) -> StreamingResponse:
    """Give all that one person authored, as a zip of JSON lines with a manifest; secrets are left out."""
    visitor.check(Act.ADMINISTER)
    whose = await runtime.run(person_export.find_person, runtime.compiling, name)
    return StreamingResponse(person_export.stream_export(runtime.compiling, whose), media_type="application/zip")


def _purge(runtime: Runtime, body: Purging, by: Principal) -> Purge:
    wish = Wish(body.kind, body.name, runtime.workspace, is_rewriting=body.rewrite_history)
    return purging.apply(runtime.purging, wish, by) if body.apply else purging.plan(runtime.purging, wish)


def _shape_purge(purged: Purge) -> Shape:
    done = purged.rewritten
    return {
        "kind": purged.kind,
        "name": purged.name,
        "applied": purged.is_done,
        "gone": purged.gone,
        "files": list(purged.places),
        "remains": list(purged.remains),
        "rewritten": {"removed_commits": done.removed_commits, "replaced_texts": done.replaced_texts} if done else None,
    }
