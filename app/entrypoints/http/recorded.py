"""Leaves a row in the trail for every change that somebody makes, and for every attempt that is refused."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.access.trail import Deed, build_entry
from app.domain import errand, limits, redact
from app.domain.errand import Origin, PageChange
from app.domain.errors import Busy
from app.domain.person import Principal, Rights
from app.entrypoints import principals, request_ids, traces
from app.entrypoints.http import watched
from app.entrypoints.traces import Trace
from app.state import audit
from app.state.audit import AuditEntry
from app.state.engine import WriteConnection
from app.wiring import Runtime

_LOOKING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_DENIED: Final = frozenset({401, 403})
_FAILED: Final = 400
# What stands there says itself who came in, and who did not.
_TOLD_THERE: Final = frozenset({"/sign-in", "/sign-out"})
# What hooks send changes nothing that a trail is of; it comes thousands of times a second.
_HOT_PATHS: Final = frozenset({"/hook", "/hook/batch"})
# The tools of MCP say themselves what they changed.
_AREAS: Final = (("/api/", "api"), ("/mcp", "mcp"), ("/hook", "hook"), ("/metrics", "api"), ("/readyz", "api"))
_QUIET_AREAS: Final = frozenset({"hook", "mcp"})
NOBODY: Final = Principal("-", Rights(uses=frozenset()))


class Recorder:
    """Stands before the guard, so that also those whom it turns away leave a row."""

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self._app = app
        self._runtime = runtime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; a change is noted before its answer goes out, a refusal after it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        work = errand.begin(partial(_find_origin, scope, request_ids.find_current()))
        if scope["path"] in _HOT_PATHS:
            await self._app(scope, receive, send)
            status = watched.find_answer(scope).status
            if status in _DENIED:
                self._note_refusal(scope, "hook", Trace(), status)
            return
        trace, area, status = traces.begin(), _find_area(scope["path"]), 0
        if scope["path"] in _TOLD_THERE:
            await self._app(scope, receive, send)
            if trace.is_denied:
                self._note_refusal(scope, area, trace, status)
            return

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                deeds = [*_list_own(scope, area, trace, status), *_list_pages(trace, work.pages)]
                if deeds:
                    await self._note_changes(scope, deeds)
            await send(message)

        await self._app(scope, receive, watch)
        # Whoever may not know a thing must not know it by the time that noting takes, either.
        if status in _DENIED or trace.is_denied or trace.missed:
            self._note_refusal(scope, area, trace, status)

    async def _note_changes(self, scope: Scope, deeds: Sequence[Deed]) -> None:
        principal, now = _find_principal(scope), self._runtime.clock.now()
        entries = [build_entry(principal, deed, now) for deed in deeds]
        # What was done cannot be undone because the trail is busy; the deed's own row, where it has one, is with it.
        with suppress(Busy):
            await self._runtime.writer.write(partial(_insert_all, entries))

    def _note_refusal(self, scope: Scope, area: str, trace: Trace, status: int) -> None:
        principal, now = _find_principal(scope), self._runtime.clock.now()
        caller = principal.address if principal.person == NOBODY.person else principal.person
        if not self._runtime.denials.admit(caller, now):
            return
        outcome = "denied" if status in _DENIED or trace.is_denied else "hidden" if trace.is_hidden else "absent"
        detail = redact.redact_text(trace.missed)[: limits.PATH_CHARS_MAX] or (str(status) if status else "")
        action, subject = _name_action(scope, area, trace), _find_subject(scope, trace)
        deed = Deed(action, subject, detail, scope=trace.scope, outcome=outcome)
        entry = build_entry(principal, deed, now)
        with suppress(Busy):
            noting: Future[int] = self._runtime.writer.submit(lambda conn: audit.insert_audit(conn, entry))
            noting.add_done_callback(lambda done: done.exception())


def _find_area(path: str) -> str:
    return next((area for prefix, area in _AREAS if path.startswith(prefix)), "web")


def _list_own(scope: Scope, area: str, trace: Trace, status: int) -> Iterator[Deed]:
    """Tell of the request itself, if it changed something."""
    if _is_change(scope, area, trace, status):
        action, subject = _name_action(scope, area, trace), _find_subject(scope, trace)
        yield Deed(action, subject, scope=trace.scope, before=trace.before, after=trace.after, outcome="done")


def _is_change(scope: Scope, area: str, trace: Trace, status: int) -> bool:
    if trace.is_trial or status >= _FAILED:
        return False
    return trace.is_done or (area not in _QUIET_AREAS and scope["method"] not in _LOOKING)


def _list_pages(trace: Trace, pages: Sequence[PageChange]) -> Iterator[Deed]:
    """List the pages that changed beside the one that the request's own row tells of."""
    for page in pages:
        if (str(page.scope), page.path) != (trace.scope, trace.subject):
            verb = "change" if page.before and page.after else "delete" if page.before else "add"
            yield Deed(
                f"page.{verb}", page.path, scope=str(page.scope), before=page.before, after=page.after, outcome="done"
            )


def _insert_all(entries: Sequence[AuditEntry], conn: WriteConnection) -> None:
    for entry in entries:
        audit.insert_audit(conn, entry)


def _name_action(scope: Scope, area: str, trace: Trace) -> str:
    return f"{area}.{trace.tool or scope['method'].lower()}"


def _find_subject(scope: Scope, trace: Trace) -> str:
    return redact.redact_text(trace.subject or scope["path"])[: limits.PATH_CHARS_MAX]


def _find_origin(scope: Scope, request_id: str) -> Origin:
    found = _find_principal(scope)
    return Origin(found.token_id, found.web_session_id, found.address, request_id)


def _find_principal(scope: Scope) -> Principal:
    found = principals.find_known(scope) or NOBODY
    if not found.person:
        found = replace(found, person=NOBODY.person)
    client = scope.get("client")
    address = found.address or (client[0] if client else "")
    return replace(found, address=address, request_id=found.request_id or request_ids.find_current())
