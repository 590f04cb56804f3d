"""Proposals that wait for a person, confirming a page, curation, what lint finds, and bundles of a whole project."""

import base64
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from app.compile import curate, knowledge, reviewing, settling
from app.domain import limits, limits_knowledge, pagepath
from app.domain import scope as scopes
from app.domain.knowledge_errors import BundleRefused
from app.domain.person import Act
from app.domain.proposal import Ground, Proposal, ProposalKind, ProposalState
from app.domain.scope import Project
from app.entrypoints import reports, shapes, traces, visits
from app.entrypoints.http.dependencies import (
    JsonBody,
    MaybeProject,
    OneProject,
    TheRuntime,
    TheVisitor,
    WritableProject,
)
from app.entrypoints.shapes import Shape
from app.entrypoints.visits import Visitor
from app.search import opinions
from app.state import projects, proposals
from app.upkeep import bundles, linting
from app.upkeep.lint import LintFinding, Severity
from app.wiring import Runtime

router = APIRouter(tags=["knowledge"])

Limit = Annotated[int, Query(ge=1, le=limits.LIST_LIMIT_MAX)]


class Wanted(StrEnum):
    """Which proposals: those that wait, those of one answer, or all."""

    WAITING = "waiting"
    APPROVED = "approved"
    REJECTED = "rejected"
    ALL = "all"


class Confirmed(JsonBody):
    """A page that a person says still holds."""

    path: str


class Bundle(JsonBody):
    """Files of a bundle: each by its path, its bytes in base64."""

    files: dict[str, str] = Field(max_length=limits.LIST_LIMIT_MAX)


@router.get("/proposals")
async def list_proposals(
    runtime: TheRuntime,
    visitor: TheVisitor,
    project: MaybeProject,
    *,
    kind: ProposalKind | None = None,
    state: Wanted = Wanted.WAITING,
    limit: Limit = 100,
) -> Shape:
    """List what waits for a person's word, the newest first: rules, changes of pages, merges."""
    project_id = project.id if project else None
    told = None if state is Wanted.ALL else ProposalState(state.value)
    readable = visitor.sight.project_ids
    found = await runtime.read(proposals.list_proposals, project_id, limit, kind=kind, state=told, project_ids=readable)
    return {"proposals": await _shape_all(runtime, found)}


@router.get("/proposals/{proposal_id}")
async def show_proposal(runtime: TheRuntime, visitor: TheVisitor, proposal_id: str) -> Shape:
    """Show one proposal with its evidence."""
    found = await visits.get_proposal(runtime, visitor, proposal_id)
    return (await _shape_all(runtime, [found]))[0]


@router.post("/proposals/{proposal_id}/approve")
async def approve_proposal(runtime: TheRuntime, visitor: TheVisitor, proposal_id: str) -> Shape:
    """Carry a proposal out: write the rule, change the page, or merge the two."""
    found = await visits.get_proposal(runtime, visitor, proposal_id, Act.WRITE)
    done = await runtime.run(reviewing.approve, runtime.compiling, found.id, visitor.person)
    return (await _shape_all(runtime, [done]))[0]


@router.post("/proposals/{proposal_id}/reject")
async def reject_proposal(runtime: TheRuntime, visitor: TheVisitor, proposal_id: str) -> Shape:
    """Say no to a proposal; it never comes back."""
    found = await visits.get_proposal(runtime, visitor, proposal_id, Act.WRITE)
    done = await runtime.run(reviewing.reject, runtime.compiling, found.id, visitor.person)
    return (await _shape_all(runtime, [done]))[0]


@router.post("/confirm")
async def confirm_page(runtime: TheRuntime, visitor: TheVisitor, project: WritableProject, body: Confirmed) -> Shape:
    """Note that a page holds, as of now; nothing else than this and its command's passing says so."""
    path = pagepath.parse_page_path(body.path)
    before = await runtime.run(runtime.wiki.find_page, project.scope, path)
    page = await runtime.run(settling.confirm_page, runtime.compiling, project.scope, path, visitor.person)
    traces.note_page(project.scope, page.path, before.content_hash if before else "", page.content_hash)
    return {"project": str(project.scope), "path": page.path, "verified_at": page.fields.get("verified_at")}


@router.post("/curate")
async def curate_project(runtime: TheRuntime, project: WritableProject) -> Shape:
    """Look for pages that say nearly the same, and propose to make one of two."""
    found = await runtime.run(curate.curate_project, runtime.compiling, project.id)
    return {"proposals": await _shape_all(runtime, found)}


@router.get("/lint")
async def lint_project(runtime: TheRuntime, project: OneProject) -> Shape:
    """Look for what is wrong in a project's pages, the gravest first."""
    said = await runtime.run(opinions.list_doubts, runtime.index, runtime.engine, project)
    found = await runtime.run(linting.lint_project, runtime.wiki, project.scope, runtime.clock, said)
    counts = {severity.value: sum(each.severity is severity for each in found) for severity in Severity}
    return {"project": str(project.scope), "counts": counts, "findings": [_shape_finding(each) for each in found]}


@router.get("/okf")
async def export_bundle(runtime: TheRuntime, project: OneProject, after: str = "") -> Shape:
    """Give a stretch of a project's pages as files of an Open Knowledge Format bundle; `next` leads on."""
    files, last = await runtime.run(
        bundles.export_files, runtime.wiki, project.scope, after=after, bytes_max=limits_knowledge.BUNDLE_PART_BYTES_MAX
    )
    shown = {file.path: base64.b64encode(file.content).decode() for file in files}
    typed = [file.path for file in files if file.is_changed]
    return {"project": str(project.scope), "files": shown, "typed": typed, "next": last}


@router.post("/okf")
async def import_bundle(
    runtime: TheRuntime,
    visitor: TheVisitor,
    body: Bundle,
    project: Annotated[str, Query(description="`project` or `workspace/project`")],
    *,
    create: bool = False,
) -> Shape:
    """Take files of a bundle into a project, a new one if `create`; pages that differ stay and are named."""
    try:
        files = {path: base64.b64decode(text, validate=True) for path, text in body.files.items()}
    except ValueError as error:
        raise BundleRefused("a file is not in base64") from error
    into = await _find_or_create(runtime, visitor, project, create=create)
    done = await runtime.run(bundles.import_files, runtime.wiki, into.scope, files, visitor.person)
    return {"added": list(done.added), "same": list(done.same), "conflicts": list(done.conflicts)}


async def _find_or_create(runtime: Runtime, visitor: Visitor, name: str, *, create: bool) -> Project:
    scope = scopes.parse_scope(name, runtime.workspace)
    if not create or await runtime.read(projects.find_project, scope) is not None:
        return await visits.get_project(runtime, visitor, name, Act.WRITE)
    visitor.check(Act.ADMINISTER)
    made = Project(id=runtime.ids.new_id(), scope=scope, created_at=runtime.clock.now())
    traces.note_scope(scope)
    await runtime.writer.write(lambda conn: projects.insert_project(conn, made))
    return made


async def _shape_all(runtime: Runtime, found: list[Proposal]) -> list[Shape]:
    names = await reports.name_projects(runtime, (proposal.project_id for proposal in found))
    return [_shape(proposal, names.get(proposal.project_id, "")) for proposal in found]


def _shape(proposal: Proposal, project: str) -> Shape:
    return {
        "id": proposal.id,
        "project": project,
        "kind": proposal.kind.value,
        "state": proposal.state.value,
        "title": proposal.title,
        "text": proposal.text,
        "reason": proposal.reason,
        "path": proposal.path,
        "evidence": [_shape_ground(ground) for ground in proposal.grounds],
        "created_at": shapes.shape_moment(proposal.created_at),
        "decided_by": proposal.decided_by,
        "decided_at": shapes.shape_moment(proposal.decided_at),
    }


def _shape_ground(ground: Ground) -> Shape:
    stretch = knowledge.render_range(ground.observations) if ground.observations else ""
    return {
        "session_id": ground.session_id,
        "page": ground.page_path,
        "observations": stretch,
        "said_by": ground.said_by,
    }


def _shape_finding(finding: LintFinding) -> Shape:
    return {
        "severity": finding.severity.value,
        "code": finding.code,
        "path": finding.path,
        "detail": finding.detail,
    }
