"""Finds who calls a tool, and where they stand: by what a tool is told, else by what its client says."""

import json
from collections.abc import Mapping
from typing import Any

from mcp.server.mcpserver import Context
from starlette.requests import Request

from app.domain import limits, redact
from app.domain.scope import Project
from app.domain.session import Session
from app.entrypoints import principals, reports, visits
from app.entrypoints.visits import Visitor
from app.handoff.offers import Caller
from app.state import observations, projects, sessions
from app.state.engine import ReadConnection
from app.wiring import Runtime

AnyContext = Context[Any, Any]
Meta = Mapping[str, Any]

# Where clients name the session: Codex by the first two, Droid and OpenCode by the others.
_SESSION_KEYS = ("sessionId", "x-codex-turn-metadata", "assemblySessionId", "ai.opencode/sessionID")
# Claude Code names the use of the tool alone, by the id that its hook gave to the same use a moment before.
_TOOL_USE_KEY = "claudecode/toolUseId"


async def find_caller(runtime: Runtime, ctx: AnyContext, named: str = "") -> Caller:
    """Tell who calls: the session that the tool was told, else the one that the client names.

    Two callers that say nothing of themselves are two, so that they cannot both hold one handoff.
    """
    known = _bound(named) or find_session_id(ctx.request_context.meta)
    if not known:
        session = await _find_session(runtime, ctx)
        known = session.id if session else f"mcp:{runtime.ids.new_id()}"
    return await reports.find_caller(runtime, principals.find_current().person, known)


async def meet(runtime: Runtime) -> Visitor:
    """Tell who calls, and what this person may see."""
    return await visits.meet(runtime, principals.find_current())


async def find_project(runtime: Runtime, visitor: Visitor, ctx: AnyContext) -> Project | None:
    """Find the project that a caller stands in: its session's, else the one named in the address it connects to.

    Raises:
        ProjectNotFound: the address names a project that there is not, or that the caller may not read.
    """
    session = await _find_session(runtime, ctx)
    if session is not None and session.owner == visitor.person and visitor.sight.has_project(session.project_id):
        return await runtime.read(projects.get_project, session.project_id)
    request = ctx.request_context.request
    name = request.query_params.get("project", "") if isinstance(request, Request) else ""
    if not name:
        return None
    return await visits.get_project(runtime, visitor, name)


def find_session_id(meta: Meta | None) -> str:
    """Find the agent's session id in a request's metadata; empty where the client does not say."""
    for key in _SESSION_KEYS:
        value = (meta or {}).get(key)
        if isinstance(value, str) and value.startswith("{"):
            value = _read_object(value)
        if isinstance(value, Mapping):
            value = value.get("session_id")
        if isinstance(value, str) and value:
            return _bound(value)
    return ""


async def _find_session(runtime: Runtime, ctx: AnyContext) -> Session | None:
    meta = ctx.request_context.meta or {}
    return await runtime.read(_read_session, find_session_id(meta), meta.get(_TOOL_USE_KEY))


def _read_session(conn: ReadConnection, session_id: str, tool_use_id: object) -> Session | None:
    if session_id:
        return sessions.find_session_by_any_id(conn, session_id)
    if not isinstance(tool_use_id, str) or not tool_use_id:
        return None
    found = observations.find_recent_session(conn, _bound(tool_use_id), limits.TOOL_USES_READ_MAX)
    return sessions.find_session(conn, found) if found else None


def _bound(text: str) -> str:
    return redact.redact_text(text[: limits.NATIVE_ID_CHARS_MAX])


def _read_object(text: str) -> Meta:
    """Read metadata that a client passes on as it has it in a header: JSON in a text."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
