"""What waits for a person's word, and what lint found: the two pages on which a project is kept in order."""

from collections import Counter
from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.compile import reviewing
from app.compile.parts import CompileParts
from app.domain import limits_web
from app.domain.knowledge_errors import ProposalNotFound
from app.domain.person import Act
from app.domain.proposal import Proposal, ProposalState
from app.entrypoints import reports, visits
from app.entrypoints.web import forms, frame, subject
from app.search import opinions
from app.state import projects, proposals
from app.upkeep import linting

ACTIONS: Final[dict[str, Callable[[CompileParts, str, str], Proposal]]] = {
    "approve": reviewing.approve,
    "reject": reviewing.reject,
}


async def show_proposals(request: Request) -> Response:
    """Show what waits for a person, and what was decided last."""
    site, viewer = frame.find_site(request), await subject.find_viewer(request)
    found = await site.runtime.read(
        proposals.list_proposals, None, limits_web.WEB_SESSION_ROWS, state=None, project_ids=viewer.project_ids
    )
    names = await reports.name_projects(site.runtime, (proposal.project_id for proposal in found))
    waiting = [proposal for proposal in found if proposal.state is ProposalState.WAITING]
    decided = [proposal for proposal in found if proposal.state is not ProposalState.WAITING]
    return frame.answer(
        request, "proposals.html", title="Review", waiting=waiting, decided=decided, names=names,
        token=forms.make_token(request),
    )  # fmt: skip


async def decide_proposal(request: Request) -> Response:
    """Approve or reject a proposal, for a form of ours."""
    site, viewer = frame.find_site(request), await subject.find_viewer(request)
    action, proposal_id = ACTIONS.get(request.path_params["action"]), request.path_params["proposal_id"]
    await forms.check_token(request)
    if action is None:
        raise ProposalNotFound(proposal_id)
    found = await visits.get_proposal(site.runtime, viewer.visitor, proposal_id, Act.WRITE)
    await site.runtime.run(action, site.runtime.compiling, found.id, viewer.person)
    return RedirectResponse(site.url("review"), 303)


async def show_lint(request: Request) -> Response:
    """Show what is wrong in a project's pages, the gravest first."""
    site, scope = frame.find_site(request), await subject.find_scope(request)
    project = await site.runtime.read(projects.find_project, scope)
    said = (
        await site.runtime.run(opinions.list_doubts, site.runtime.index, site.runtime.engine, project)
        if project
        else ()
    )
    found = await site.runtime.run(linting.lint_project, site.runtime.wiki, scope, site.runtime.clock, said)
    codes = Counter(finding.code for finding in found)
    code, skip = request.query_params.get("code", ""), subject.read_number(request, "skip")
    chosen = [finding for finding in found if not code or finding.code == code]
    shown = chosen[skip : skip + limits_web.WEB_SESSION_ROWS]
    return frame.answer(
        request, "lint.html", title=f"What is wrong in {scope}", scope=scope, findings=shown, total=len(found),
        code=code, codes=list(codes.items()), following=skip + len(shown) if len(chosen) > skip + len(shown) else 0,
    )  # fmt: skip
