"""Captured sessions: a list, and one as a conversation to read, with what its tools did folded away."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from starlette.requests import Request
from starlette.responses import Response

from app.domain import limits, limits_web
from app.domain import scope as scopes
from app.domain.errors import InvalidName, ProjectNotFound
from app.domain.event import Actor, EventKind
from app.domain.page import PagePath
from app.domain.scope import Project
from app.domain.session import Observation, Session, SessionState
from app.entrypoints import reports, shapes, visits
from app.entrypoints.web import diagrams, frame, render, searching, subject
from app.entrypoints.web.frame import Site, Viewer
from app.entrypoints.web.render import Surroundings
from app.index import catalog
from app.index.database import Connection
from app.state import sessions as session_rows
from app.state import verbatim
from app.state.sessions import SessionFilter
from app.wiki.kept import Kept

_FILTERS = ("project", "agent", "person", "state", "since", "until")
_QUIET = frozenset({EventKind.TOOL_START})
_TALK = frozenset({EventKind.PROMPT, EventKind.TURN_END, EventKind.SUBAGENT_END})
# What agents said as HTML, by its text.
_REPLIES: Kept[str] = Kept(limits_web.REPLY_CACHE_TEXTS)


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session in a list: its project's name, and its page's title; empty where it has none."""

    session: Session
    project: str
    title: str


async def show_sessions(request: Request) -> Response:
    """List sessions, the latest first; of one project, agent, person, state or stretch of days where asked."""
    site = frame.find_site(request)
    project, viewer = await _find_project(site, request), await subject.find_viewer(request)
    chosen = {name: request.query_params.get(name, "")[: limits.NAME_CHARS_MAX * 2] for name in _FILTERS}
    wanted = build_filter(chosen, project, viewer)
    found = await site.runtime.read(session_rows.list_sessions, wanted, limits.LIST_LIMIT_MAX)
    names = await reports.name_projects(site.runtime, (session.project_id for session in found))
    rows = await name_sessions(site, found[: limits_web.WEB_SESSION_ROWS], names)
    named = str(project.scope) if project else ""
    agents, people = await site.runtime.read(session_rows.list_agents_and_owners, viewer.project_ids)
    return frame.answer(
        request, "sessions.html", title="Sessions", rows=rows, agents=agents, people=people,
        states=[state.value for state in SessionState], omitted=len(found) - len(rows),
        names=await subject.list_names(site, viewer, named), chosen={**chosen, "project": named},
        is_filtered=any(chosen.values()),
    )  # fmt: skip


async def name_sessions(site: Site, found: Sequence[Session], names: Mapping[str, str]) -> list[SessionRow]:
    """Name sessions by the titles of their pages; `names` are those of their projects, looked up where missing."""
    names = names or await reports.name_projects(site.runtime, (session.project_id for session in found))
    places = {session.id: (scopes.parse_scope(names[session.project_id]), session.page_path) for session in found}

    def find_titles(index: Connection) -> dict[str, str]:
        rows = {key: catalog.find_page(index, scope, PagePath(path)) for key, (scope, path) in places.items() if path}
        return {key: row.title for key, row in rows.items() if row}

    titles = await subject.ask_index(site, find_titles)
    return [SessionRow(session, names[session.project_id], titles.get(session.id, "")) for session in found]


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
    at = subject.read_number(request, "at")
    after = max(0, at - 1) if at else subject.read_number(request, "after")
    found = await site.runtime.run(
        lambda: verbatim.read_session_observations(
            site.runtime.verbatim, session.id, after_id=after, limit=limits_web.WEB_SESSION_ROWS + 1
        )
    )
    total = await site.runtime.read(verbatim.count_session_observations, session.id)
    (row,) = await name_sessions(site, [session], {})
    shown = found[: limits_web.WEB_SESSION_ROWS]
    turns = await site.runtime.run(lambda: [turn for turn in map(_shape_turn, shown) if turn is not None])
    return frame.answer(
        request, "session.html", title=row.title or f"Session of {session.agent}", session=session, at=at,
        heading=row.title, scope=scopes.parse_scope(row.project), total=total, is_first=after == 0, turns=turns,
        following=shown[-1].id if len(found) > len(shown) else 0,
        sandbox=diagrams.find_sandbox(site, [str(turn["said"]) for turn in turns]),
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
    shape, voice = shapes.shape_observation(seen), _find_voice(seen)
    output = str(shape["output"])
    shown = output[: limits_web.WEB_OUTPUT_CHARS_MAX]
    said = _render_reply(event.text) if voice == "agent" and event.text else ""
    # What waited on a machine, or was taken in later, was said when it was said.
    at = event.occurred_at or seen.received_at
    told = {"at": at, "voice": voice, "output": shown, "omitted": len(output) - len(shown), "said": said}
    return {**shape, **told}


def _find_voice(seen: Observation) -> str:
    if seen.event.tool:
        return "tool"
    if seen.event.kind not in _TALK:
        return "note"
    return "person" if seen.event.actor is Actor.PERSON else "agent"


def _render_reply(text: str) -> str:
    """Render what an agent said, which is markdown; its links lead nowhere of ours."""
    known = _REPLIES.find(text)
    if known is None:
        known = render.render_body(text, Surroundings(lambda _: "", has_anchors=False)).body
        _REPLIES.keep(text, known)
    return known
