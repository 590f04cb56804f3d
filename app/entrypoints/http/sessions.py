"""Captured sessions and the projects that they belong to."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Query

from app.capture import consent
from app.compile import forget
from app.compile.session_end import CompileReport
from app.domain import limits
from app.domain.errors import SessionNotFound
from app.domain.person import Act
from app.domain.session import SessionState
from app.entrypoints import reports, shapes, traces, visits
from app.entrypoints.http.dependencies import JsonBody, MaybeProject, TheRuntime, TheVisitor
from app.entrypoints.http.search import read_moment
from app.entrypoints.mcp.stretches import parse_stretch
from app.entrypoints.shapes import Shape
from app.entrypoints.visits import Visitor
from app.state import projects, sessions, verbatim
from app.state.sessions import SessionFilter
from app.wiring import Runtime

router = APIRouter(tags=["sessions"])

Name = Annotated[str, Query(max_length=limits.NAME_CHARS_MAX)]

Limit = Annotated[int, Query(ge=1, le=limits.LIST_LIMIT_MAX)]
After = Annotated[int, Query(ge=0, lt=1 << 63)]


async def read_filter(
    *,
    agent: Name = "",
    person: Name = "",
    state: SessionState | None = None,
    since: Annotated[datetime | None, Query(description="Whose last event was then or later.")] = None,
    until: Annotated[datetime | None, Query(description="Whose last event was before.")] = None,
) -> SessionFilter:
    """Read which sessions are wanted.

    Raises:
        InvalidValue: a moment does not exist in UTC.
    """
    return SessionFilter(
        agent=agent, owner=person, state=state, since=read_moment("since", since), until=read_moment("until", until)
    )


Wanted = Annotated[SessionFilter, Depends(read_filter)]


@router.get("/projects")
async def list_projects(
    runtime: TheRuntime,
    visitor: TheVisitor,
    *,
    archived: Annotated[bool, Query(description="Those in the archive, instead of all others.")] = False,
) -> Shape:
    """List the projects by name."""
    readable = visitor.sight.project_ids
    found = await runtime.read(projects.list_projects, limits.LIST_LIMIT_MAX, readable, is_archived=archived)
    return {"projects": [shapes.shape_project(project) for project in found]}


@router.get("/sessions")
async def list_sessions(
    runtime: TheRuntime, visitor: TheVisitor, project: MaybeProject, wanted: Wanted, limit: Limit = 50
) -> Shape:
    """List sessions, the latest first."""
    asked = replace(wanted, project_id=project.id if project else None, project_ids=visitor.sight.project_ids)
    found = await runtime.read(sessions.list_sessions, asked, limit)
    names = await reports.name_projects(runtime, (session.project_id for session in found))
    return {"sessions": [shapes.shape_session(session, names) for session in found]}


@router.get("/sessions/{session_id}")
async def show_session(
    runtime: TheRuntime,
    visitor: TheVisitor,
    session_id: str,
    after: After = 0,
    limit: Limit = 200,
    *,
    observations: Annotated[str, Query(description="Only these, as footnotes name them: o12, o12-15, o12-.")] = "",
) -> Shape:
    """Show a session and its observations; either id of a session finds it, `after` pages on."""
    wanted = parse_stretch(observations)
    session = await visits.get_session(runtime, visitor, session_id)
    after_id = max(after, wanted.first - 1)
    read = await runtime.run(
        verbatim.read_session_observations, runtime.verbatim, session.id, after_id=after_id, limit=limit
    )
    found = [each for each in read if each.id <= wanted.last]
    total = await runtime.read(verbatim.count_session_observations, session.id)
    names = await reports.name_projects(runtime, [session.project_id])
    shaped = [shapes.shape_observation(observation) for observation in found]
    omitted = max(0, total - len(shaped)) if after == 0 and not observations else 0
    return {**shapes.shape_session(session, names), "observations": shaped, "total": total, "omitted": omitted}


@router.post("/sessions/{session_id}/end")
async def end_session(runtime: TheRuntime, visitor: TheVisitor, session_id: str) -> Shape:
    """End a session now and compile its page, for agents that never say that they ended."""
    session = await visits.get_session(runtime, visitor, session_id, Act.WRITE)
    ended = await runtime.run(runtime.worker.end_session, session.id)
    traces.note_change(f"session {session.id}", session.state.value, ended.state.value)
    return shapes.shape_session(ended, await reports.name_projects(runtime, [ended.project_id]))


@router.post("/sessions/{session_id}/compile")
async def compile_session(runtime: TheRuntime, visitor: TheVisitor, session_id: str) -> Shape:
    """Bring a session's page up to date now, also while the session goes on; nothing new writes nothing."""
    session = await visits.get_session(runtime, visitor, session_id, Act.WRITE)
    return _shape_compiling(session.id, await runtime.run(runtime.worker.compile_session, session.id))


@router.post("/sessions/{session_id}/finalize")
async def finalize_session(runtime: TheRuntime, visitor: TheVisitor, session_id: str) -> Shape:
    """End a session now and wait for its page and what it hands on."""
    session = await visits.get_session(runtime, visitor, session_id, Act.WRITE)
    return _shape_compiling(session.id, await runtime.run(runtime.worker.finalize_session, session.id))


@router.post("/sessions/{session_id}/reopen")
async def reopen_session(runtime: TheRuntime, visitor: TheVisitor, session_id: str) -> Shape:
    """Take an ended session up again; it ends by its next end event or by silence, and its page grows."""
    session = await visits.get_session(runtime, visitor, session_id, Act.WRITE)
    reopened = await runtime.run(runtime.worker.reopen_session, session.id)
    traces.note_change(f"session {session.id}", session.state.value, reopened.state.value)
    return shapes.shape_session(reopened, await reports.name_projects(runtime, [reopened.project_id]))


class Forget(JsonBody):
    """Whether to delete; without it the answer only tells what would go."""

    apply: bool = False


@router.post("/sessions/{session_id}/forget")
async def forget_session(runtime: TheRuntime, visitor: TheVisitor, session_id: str, body: Forget) -> Shape:
    """Delete what was captured of a session, its page and what it handed on; late events are then refused."""
    session = await visits.get_session(runtime, visitor, session_id, Act.WRITE)
    if session.owner != visitor.person:
        # What others did is theirs to delete, and that of whoever manages the project.
        visitor.check(Act.MANAGE, session.project_id)
    if body.apply:
        found = await runtime.run(runtime.worker.forget_session, session_id, visitor.person)
    else:
        traces.note_trial()
        found = await runtime.run(forget.plan_forgetting, runtime.compiling, session_id)
    return shapes.shape_forgetting(found)


class CaptureSwitch(JsonBody):
    """Whether events of the session are taken."""

    enabled: bool


@router.post("/sessions/{session_id}/capture")
async def switch_capture(runtime: TheRuntime, visitor: TheVisitor, session_id: str, body: CaptureSwitch) -> Shape:
    """Opt a session out of capture from now on, or in again; what was captured before stays."""
    await _check_switch(runtime, visitor, session_id)
    now = runtime.clock.now()
    await runtime.writer.write(partial(consent.switch_session, name=session_id, enabled=body.enabled, now=now))
    traces.note_change(f"session {session_id}", "", "captured" if body.enabled else "not captured")
    return {"session": session_id, "enabled": body.enabled}


async def _check_switch(runtime: Runtime, visitor: Visitor, session_id: str) -> None:
    """Let a person opt out of its own sessions, also those that have not begun; others' look as if they had not."""
    session = await runtime.read(sessions.find_session_by_any_id, session_id)
    if session is None:
        return
    if session.owner == visitor.person:
        await visits.note_project(runtime, session.project_id, Act.WRITE)
        return
    if not visitor.sight.has_project(session.project_id):
        raise SessionNotFound(session_id)
    await visits.note_project(runtime, session.project_id, Act.MANAGE)
    visitor.check(Act.MANAGE, session.project_id)


def _shape_compiling(session_id: str, report: CompileReport) -> Shape:
    return {
        "id": session_id,
        "outcome": report.outcome.value,
        "page_path": report.path,
        "handoff_id": report.handoff_id,
    }
