"""The pages of administrators: people, groups, tokens, who may do what in a project, who is signed in, and the trail.

For everybody else there is no such page, and the answer is the one that a page which does not exist has.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.access import accounts as people
from app.access import grants, sharing, signing_in
from app.domain import limits, limits_web
from app.domain.errors import Busy, Conflict, InvalidInput, NotFound, WikiUnreadable
from app.domain.limits_trail import TRAIL_FILTER_CHARS_MAX, TRAIL_ROWS_ON_A_PAGE
from app.domain.person import Access, Act, Role
from app.domain.scope import Project
from app.entrypoints import people_shapes, principals, reports, traces
from app.entrypoints.web import admin_forms, forms, frame
from app.entrypoints.web.frame import Site
from app.state import accounts, audit, projects, tokens
from app.state import grants as grant_rows
from app.state.audit import TrailFilter
from app.state.engine import ReadConnection

View = Callable[[Request], Awaitable[Response]]

_OUTCOMES = ("done", "denied", "hidden", "absent", "refused")


@dataclass(frozen=True, slots=True)
class ShownGrants:
    """A project with those who were granted something in it."""

    project: Project
    holders: tuple[tuple[str, str], ...]


def list_routes() -> list[Route]:
    """List the pages of administrators, and what their forms change."""
    views: tuple[tuple[str, View], ...] = (
        ("/admin/people", show_people),
        ("/admin/groups", show_groups),
        ("/admin/tokens", show_tokens),
        ("/admin/projects", show_projects),
        ("/admin/sign-ins", show_sign_ins),
        ("/admin/audit", show_audit),
    )
    pages = dict(views)
    return [
        *(Route(place, _for_admins(view), methods=["GET"]) for place, view in views),
        *(
            Route(place, _for_admins(_answer_faults(action, pages["/".join(place.split("/")[:3])])), methods=["POST"])
            for place, action in admin_forms.list_actions()
        ),
    ]


async def show_people(request: Request) -> Response:
    """Show the accounts, with what can be done to each."""
    site = frame.find_site(request)
    found = await site.runtime.read(people.list_people)
    return _answer(
        request, "admin_people.html", "People", people=found, roles=list(Role),
        shortest=limits.PASSWORD_CHARS_MIN, longest=limits.PASSWORD_CHARS_MAX,
    )  # fmt: skip


async def show_groups(request: Request) -> Response:
    """Show the groups with their members."""
    site = frame.find_site(request)
    found = await site.runtime.read(sharing.list_groups)
    known = await site.runtime.read(people.list_people)
    return _answer(request, "admin_groups.html", "Groups", groups=found, names=[person.name for person in known])


async def show_tokens(request: Request) -> Response:
    """Show everybody's access tokens by how they begin."""
    site = frame.find_site(request)
    found = await site.runtime.read(tokens.list_tokens, None, limits.LIST_LIMIT_MAX)
    names = await reports.name_projects(site.runtime, {key for token in found for key in token.project_ids or ()})
    persons = await site.runtime.read(accounts.name_people)
    listed = [people_shapes.shape_token(token, names, persons) for token in found]
    good = [token for token in listed if not token["revoked_at"]]
    return _answer(request, "admin_tokens.html", "Access tokens", tokens=good, revoked=len(listed) - len(good))


async def show_projects(request: Request) -> Response:
    """Show who may do what in which project, a stretch of projects at a time."""
    site, after = frame.find_site(request), request.query_params.get("after", "")
    found, more = await site.runtime.read(_list_shared, after)
    known = await site.runtime.read(people.list_people)
    groups = await site.runtime.read(sharing.list_groups)
    holders = [person.name for person in known] + [f"@{group.name}" for group in groups]
    return _answer(
        request, "admin_projects.html", "Who sees what", shared=found, accesses=list(Access), holders=holders,
        next_after=str(found[-1].project.scope) if more else "",
    )  # fmt: skip


async def show_sign_ins(request: Request) -> Response:
    """Show who is signed in with a browser."""
    site = frame.find_site(request)
    found = await site.runtime.read(signing_in.list_sign_ins, site.runtime.clock.now())
    names = await site.runtime.read(accounts.name_people)
    own = principals.find(request.scope).web_session_id
    return _answer(request, "admin_sign_ins.html", "Signed in", sign_ins=found, names=names, own=own)


async def show_audit(request: Request) -> Response:
    """Show who did what, and whether the trail is as it was written."""
    site, wanted = frame.find_site(request), _read_filter(request)
    await site.runtime.run(site.runtime.trail.take_left)
    rows = await site.runtime.read(audit.list_audit, TRAIL_ROWS_ON_A_PAGE + 1, wanted)
    shown = rows[:TRAIL_ROWS_ON_A_PAGE]
    check = await _check_trail(site) if not wanted.before_id else None
    return _answer(
        request, "admin_audit.html", "Audit trail", entries=[people_shapes.shape_entry(row) for row in shown],
        wanted=wanted, check=check, outcomes=_OUTCOMES,
        next_before=shown[-1].id if len(rows) > TRAIL_ROWS_ON_A_PAGE else 0,
    )  # fmt: skip


def _for_admins(view: View) -> View:
    """Let only administrators to a page; to others it is not there."""

    async def show(request: Request) -> Response:
        if not grants.decide(principals.find(request.scope).rights, Act.ADMINISTER):
            traces.find_current().is_denied = True
            raise HTTPException(404)
        return await view(request)

    return show


def _answer_faults(action: View, page: View) -> View:
    """Show the page of a form again, with what was typed, where the form cannot be taken."""

    async def act(request: Request) -> Response:
        try:
            return await action(request)
        except (InvalidInput, NotFound, Conflict, Busy) as error:
            forms.note_fault(request, error)
            return await page(request)

    return act


def _answer(request: Request, template: str, title: str, **facts: object) -> Response:
    told, fault = request.query_params.get("told", ""), forms.find_fault(request)
    return frame.answer(
        request, template, fault.status, title=title, token=forms.make_token(request),
        told=admin_forms.TOLD.get(told, ""), fault=fault, **facts,
    )  # fmt: skip


def _list_shared(conn: ReadConnection, after: str) -> tuple[list[ShownGrants], bool]:
    known = projects.list_projects(conn, limits.PROJECT_NAMES_MAX)
    later = [project for project in known if str(project.scope) > after]
    shown = later[: limits_web.WEB_LIST_ROWS]
    found = [
        ShownGrants(
            project, tuple((grant.holder, str(grant.access)) for grant in grant_rows.list_grants(conn, project.id))
        )
        for project in shown
    ]
    return found, len(later) > len(shown)


def _read_filter(request: Request) -> TrailFilter:
    given = {
        name: request.query_params.get(name, "").strip()[:TRAIL_FILTER_CHARS_MAX]
        for name in ("actor", "action", "outcome", "scope")
    }
    before = request.query_params.get("before", "")
    is_number = before.isascii() and before.isdigit() and len(before) <= limits.LENGTH_DIGITS_MAX
    return TrailFilter(**given, before_id=int(before) if is_number else 0)


async def _check_trail(site: Site) -> dict[str, object]:
    try:
        return people_shapes.shape_check(await site.runtime.run(site.runtime.trail.verify))
    except WikiUnreadable as error:
        return {"is_whole": False, "broken_at": None, "reason": str(error), "rows": 0, "first_id": 0, "checkpoints": 0}
