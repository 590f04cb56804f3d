"""The projects, and the home of one: its index page, what changed last, open handoffs, and whether it is recorded."""

from collections import Counter

from starlette.requests import Request
from starlette.responses import Response

from app.domain import limits, limits_web
from app.domain.handoff import Handoff
from app.domain.page import PageKind, PagePath
from app.domain.scope import Scope
from app.domain.session import Session
from app.entrypoints import own_view
from app.entrypoints.web import frame, pages, sessions, status, subject
from app.entrypoints.web.frame import Site
from app.handoff import offers
from app.index import catalog
from app.index.filters import PageFilter
from app.state import handoffs
from app.state import projects as project_rows
from app.state import sessions as session_rows
from app.state.sessions import SessionFilter

_INDEX = PagePath("index.md")
_RECENT = 12
_SESSIONS = 6
# What memwiki writes anew after each session says nothing new by itself.
_TOLD = tuple(kind for kind in PageKind if kind not in {PageKind.INDEX, PageKind.PROJECT})


async def show_projects(request: Request) -> Response:
    """Show all projects, the one that changed last first."""
    site, viewer = frame.find_site(request), await subject.find_viewer(request)
    readable, is_archived = viewer.project_ids, "archived" in request.query_params
    known = await site.runtime.read(
        project_rows.list_projects, limits.LIST_LIMIT_MAX, readable, is_archived=is_archived
    )
    away = await site.runtime.read(project_rows.list_projects, 1, readable, is_archived=not is_archived)
    scopes = [project.scope for project in known]
    wanted = PageFilter(viewer.scopes, _TOLD)
    recent = await subject.ask_index(site, lambda index: catalog.list_recent(index, wanted, limits.LIST_LIMIT_MAX))
    counts = await subject.ask_index(
        site, lambda index: {scope: sum(catalog.count_pages_by_kind(index, {scope}).values()) for scope in scopes}
    )
    latest = {row.scope: row.updated_at for row in reversed(recent)}
    rows = sorted(((scope, counts[scope], latest.get(scope)) for scope in scopes), key=_by_age)
    health = await site.runtime.run(own_view.report_health, site.runtime, viewer.visitor)
    waiting = await site.runtime.read(
        handoffs.list_handoffs, project_id=None, states=offers.OPEN_STATES, owner=viewer.person,
        limit=limits.LIST_LIMIT_MAX, project_ids=readable,
    )  # fmt: skip
    names = {project.id: project.scope for project in known}
    return frame.answer(
        request, "home.html", title="Archived projects" if is_archived else "Projects", rows=rows, health=health,
        recent=[] if is_archived else recent[:_RECENT], is_archived=is_archived, has_others=bool(away),
        latest=status.find_latest(health), waiting=Counter(names.get(handoff.project_id) for handoff in waiting),
    )  # fmt: skip


async def show_project(request: Request) -> Response:
    """Show one project."""
    site, scope = frame.find_site(request), await subject.find_scope(request)
    wanted = PageFilter({scope}, _TOLD)
    recent = await subject.ask_index(site, lambda index: catalog.list_recent(index, wanted, _RECENT))
    counts = await subject.ask_index(site, lambda index: catalog.count_pages_by_kind(index, {scope}))
    raw = await site.runtime.run(subject.read_raw, site, scope, _INDEX)
    viewer = await subject.find_viewer(request)
    page = subject.parse_raw(site, scope, _INDEX, raw) if raw else None
    rendered = await site.runtime.run(pages.render_page, site, page, viewer) if page else None
    open_work, latest = await _find_work(site, scope, viewer.person)
    health = await site.runtime.run(own_view.report_health, site.runtime, viewer.visitor)
    return frame.answer(
        request, "project.html", title=str(scope), scope=scope, recent=recent, counts=counts, rendered=rendered,
        handoffs=open_work, sessions=await sessions.name_sessions(site, latest, {}), health=health,
    )  # fmt: skip


async def show_pages(request: Request) -> Response:
    """List a project's pages by path, a stretch at a time, of one kind where asked."""
    site, scope = frame.find_site(request), await subject.find_scope(request)
    after, kind = request.query_params.get("after", ""), request.query_params.get("kind", "")
    kinds = (PageKind(kind),) if kind in frozenset(PageKind) else None
    wanted = PageFilter({scope}, kinds)
    rows = await subject.ask_index(
        site, lambda index: catalog.list_pages(index, wanted, limits_web.WEB_LIST_ROWS + 1, after=after)
    )
    shown, has_more = rows[: limits_web.WEB_LIST_ROWS], len(rows) > limits_web.WEB_LIST_ROWS
    counts = await subject.ask_index(site, lambda index: catalog.count_pages_by_kind(index, {scope}))
    return frame.answer(
        request, "pages.html", title=f"Pages of {scope}", scope=scope, rows=shown, kind=kind, counts=counts,
        next_after=shown[-1].path if has_more else "",
    )  # fmt: skip


async def _find_work(site: Site, scope: Scope, person: str) -> tuple[list[Handoff], list[Session]]:
    project = await site.runtime.read(project_rows.find_project, scope)
    if project is None:
        return [], []
    found = await site.runtime.read(
        handoffs.list_handoffs, project_id=project.id, states=offers.OPEN_STATES, owner=person, limit=_RECENT
    )
    latest = await site.runtime.read(session_rows.list_sessions, SessionFilter(project_id=project.id), _SESSIONS)
    return found, latest


def _by_age(row: tuple[Scope, int, object]) -> tuple[float, str]:
    moment = row[2]
    return (-moment.timestamp() if hasattr(moment, "timestamp") else 0.0, str(row[0]))
