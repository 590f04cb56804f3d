"""Captured sessions: a list, and one as a conversation to read, with what its tools did folded away."""

from collections.abc import Mapping
from datetime import timedelta

from starlette.requests import Request
from starlette.responses import Response

from app.domain import limits, limits_web
from app.domain import scope as scopes
from app.domain.errors import InvalidName, ProjectNotFound
from app.domain.event import Actor, EventKind
from app.domain.scope import Project
from app.domain.session import Observation, SessionState
from app.entrypoints import reports, shapes, visits
from app.entrypoints.web import frame, searching, subject
from app.entrypoints.web.frame import Site, Viewer
from app.state import projects, verbatim
from app.state import sessions as session_rows
from app.state.sessions import SessionFilter

_FILTERS = ("project", "agent", "person", "state", "since", "until")
_QUIET = frozenset({EventKind.TOOL_START})


async def show_sessions(request: Request) -> Response:
    """List sessions, the latest first; of one project, agent, person, state or stretch of days where asked."""
    site = frame.find_site(request)
    project, viewer = await _find_project(site, request), await subject.find_viewer(request)
    chosen = {name: request.query_params.get(name, "")[: limits.NAME_CHARS_MAX * 2] for name in _FILTERS}
    wanted = build_filter(chosen, project, viewer)
    found = await site.runtime.read(session_rows.list_sessions, wanted, limits.LIST_LIMIT_MAX)
    names = await reports.name_projects(site.runtime, (session.project_id for session in found))
    rows = [(session, names[session.project_id]) for session in found]
    known = await site.runtime.read(projects.list_projects, limits.LIST_LIMIT_MAX, viewer.project_ids)
    agents, people = await site.runtime.read(session_rows.list_agents_and_owners, viewer.project_ids)
    return frame.answer(
        request, "sessions.html", title="Sessions", rows=rows[: limits_web.WEB_SESSION_ROWS], agents=agents,
        people=people, states=[state.value for state in SessionState],
        omitted=max(0, len(rows) - limits_web.WEB_SESSION_ROWS),
        names=[str(p.scope) for p in known], chosen={**chosen, "project": str(project.scope) if project else ""},
        is_filtered=any(chosen.values()),
    )  # fmt: skip


def build_filter(chosen: Mapping[str, str], project: Project | None, viewer: Viewer) -> SessionFilter:
    """Read the filters of an address; one that cannot be understood is not applied, and the page shows it as empty."""
    until, state = searching.parse_day(chosen["until"]), chosen["state"]
    return SessionFilter(
        project_id=project.id if project else None,
        project_ids=viewer.project_ids,
        agent=chosen["agent"],
        owner=chosen["person"],
        state=SessionState(state) if state in frozenset(SessionState) else None,
        since=searching.parse_day(chosen["since"]),
        until=until + timedelta(days=1) if until else None,
    )


async def show_session(request: Request) -> Response:
    """Show one session, a stretch at a time; `at` opens the stretch with that observation."""
    site = frame.find_site(request)
    viewer = await subject.find_viewer(request)
    session = await visits.get_session(site.runtime, viewer.visitor, request.path_params["session_id"])
    at = _read_number(request.query_params.get("at", ""))
    after = max(0, at - 1) if at else _read_number(request.query_params.get("after", ""))
    found = await site.runtime.run(
        lambda: verbatim.read_session_observations(
            site.runtime.verbatim, session.id, after_id=after, limit=limits_web.WEB_SESSION_ROWS + 1
        )
    )
    total = await site.runtime.read(verbatim.count_session_observations, session.id)
    names = await reports.name_projects(site.runtime, [session.project_id])
    shown = found[: limits_web.WEB_SESSION_ROWS]
    return frame.answer(
        request, "session.html", title=f"Session of {session.agent}", session=session, at=at,
        scope=scopes.parse_scope(names[session.project_id]), total=total, is_first=after == 0,
        turns=[turn for turn in (_shape_turn(seen) for seen in shown) if turn is not None],
        following=shown[-1].id if len(found) > len(shown) else 0,
    )  # fmt: skip


async def _find_project(site: Site, request: Request) -> Project | None:
    name = request.query_params.get("project", "")
    if not name:
        return None
    try:
        viewer = await subject.find_viewer(request)
        return await visits.get_project(site.runtime, viewer.visitor, name)
    except (InvalidName, ProjectNotFound):
        return None


def _shape_turn(seen: Observation) -> dict[str, object] | None:
    event = seen.event
    if event.kind in _QUIET:
        return None
    shape = shapes.shape_observation(seen)
    is_talk = event.kind in {EventKind.PROMPT, EventKind.TURN_END, EventKind.SUBAGENT_END}
    voice = (
        "tool"
        if event.tool
        else "person"
        if event.actor is Actor.PERSON and is_talk
        else "agent"
        if is_talk
        else "note"
    )
    output = str(shape["output"])
    shown = output[: limits_web.WEB_OUTPUT_CHARS_MAX]
    told = {"at": seen.received_at, "voice": voice, "output": shown, "omitted": len(output) - len(shown)}
    return {**shape, **told}


def _read_number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) <= 18 else 0  # noqa: PLR2004 - what 64 bits hold
