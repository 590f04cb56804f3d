"""Builds the whole server: the hook endpoints and MCP beside the FastAPI application, behind the guard."""

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from app.access import renewing
from app.access.renewing import Renewed
from app.domain import limits
from app.domain.errors import AppError, BodyTooLarge, MalformedPayload
from app.domain.person import Principal
from app.entrypoints import request_ids
from app.entrypoints.http import (
    admin,
    bootstrap,
    briefs,
    capture,
    errors,
    handoffs,
    health,
    knowledge,
    login,
    messages,
    moving,
    pages,
    people,
    rehearsals,
    related,
    search,
    sessions,
    tokens,
    trail,
)
from app.entrypoints.http.dependencies import find_visitor, refuse_unknown_parameters
from app.entrypoints.http.events import HookEndpoints
from app.entrypoints.http.guard import API_PATHS, Guard
from app.entrypoints.http.hook_lane import HookLane
from app.entrypoints.http.proxied import Proxied
from app.entrypoints.http.recorded import Recorder
from app.entrypoints.http.refused import RefusalCounter
from app.entrypoints.http.tally import Tally
from app.entrypoints.http.watched import Watched
from app.entrypoints.mcp.door import McpDoor
from app.entrypoints.web.door import WebDoor
from app.wiring import Runtime

API_PREFIX = "/api/v1"

# What the framework itself refuses, in the words that our own errors have for it.
_FRAMEWORK_CODES = {
    400: MalformedPayload.code,
    404: "no_such_route",
    405: "method_not_allowed",
    413: BodyTooLarge.code,
}


class Dispatcher:
    """Sends each request to the part that answers it; the two hot routes never enter FastAPI."""

    def __init__(self, runtime: Runtime, api: ASGIApp) -> None:
        self._runtime = runtime
        self._api = api
        self._hooks = HookEndpoints(runtime)
        self._door = McpDoor(runtime)
        self._pages = WebDoor(runtime)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or run the server's lifespan."""
        if scope["type"] == "lifespan":
            await _run_lifespan(receive, send, self._start, self._stop)
            return
        path = scope["path"]
        if path in {"/hook", "/hook/batch"}:
            await self._hooks(scope, receive, send)
        elif path in {"/mcp", "/mcp/"}:
            await self._door(scope, receive, send)
        elif path.startswith(API_PATHS):
            await self._api(scope, receive, send)
        else:
            await self._pages(scope, receive, send)

    async def _start(self) -> None:
        await self._runtime.start()
        self._door.open_soon()

    async def _stop(self) -> None:
        await self._door.close()
        await self._runtime.stop()


class BelowPath:
    """Takes the path below which a proxy serves us off each address, where the proxy has not done so."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        path = scope.get("path", "")
        if path == self._prefix or path.startswith(f"{self._prefix}/"):
            scope = {**scope, "path": path[len(self._prefix) :] or "/", "raw_path": None}
        await self._app(scope, receive, send)


class Served:
    """The application that a server runs, and the lane that single events take past it."""

    def __init__(self, app: ASGIApp, lane: HookLane) -> None:
        self._app, self.lane = app, lane

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything else on."""
        await self._app(scope, receive, send)


def build_app(runtime: Runtime) -> Served:
    """Build the application that a server runs."""
    api = FastAPI(
        title="memwiki",
        version=runtime.version,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        max_body_size=limits.API_BODY_BYTES_MAX,
    )
    api.state.runtime = runtime
    for router, prefix in list_open_routers():
        api.include_router(router, prefix=prefix)
    for router in list_routers():
        api.include_router(
            router, prefix=API_PREFIX, dependencies=[Depends(refuse_unknown_parameters), Depends(find_visitor)]
        )
    api.add_exception_handler(AppError, _answer_app_error)
    api.add_exception_handler(RequestValidationError, _answer_validation)
    api.add_exception_handler(HTTPException, _answer_http)
    api.add_exception_handler(Exception, _answer_crash)

    async def look_up(given: bytes, *, is_browser: bool = False) -> Principal:
        return await runtime.run(runtime.gate.look_up_browser if is_browser else runtime.gate.look_up, given)

    async def renew(secret: bytes) -> Renewed | None:
        return await runtime.run(renewing.renew, runtime.people, secret)

    guard = Guard(
        Dispatcher(runtime, api),
        allowed_hosts=runtime.allowed_hosts,
        gate=runtime.gate,
        look_up=look_up,
        renew=renew,
        prefix=runtime.url_prefix,
        find_metadata_url=lambda: login.find_metadata_url(runtime),
    )
    tally = Tally()
    api.state.tally = tally
    numbers = request_ids.Numbers(runtime.ids.new_id())
    watched: ASGIApp = Watched(RefusalCounter(Recorder(guard, runtime), runtime), runtime, tally, numbers)
    if runtime.url_prefix:
        watched = BelowPath(watched, runtime.url_prefix)
    if runtime.trusted_proxies:
        watched = Proxied(watched, runtime.trusted_proxies)
    return Served(watched, HookLane(runtime, guard, tally, numbers))


def list_open_routers() -> tuple[tuple[APIRouter, str], ...]:
    """List what answers before it is known who asks, each with what its addresses begin with."""
    return ((health.probes, ""), (login.metadata, ""), (login.router, API_PREFIX))


def list_routers() -> tuple[APIRouter, ...]:
    """List the resources below `API_PREFIX`."""
    return (
        search.router,
        related.router,
        pages.router,
        bootstrap.router,
        capture.router,
        sessions.router,
        handoffs.router,
        briefs.router,
        messages.router,
        knowledge.router,
        health.router,
        rehearsals.router,
        admin.router,
        people.router,
        moving.router,
        tokens.router,
        trail.router,
    )


def _answer_app_error(request: Request, error: Exception) -> Response:
    del request
    assert isinstance(error, AppError), "registered for this family only"
    return errors.build_answer(error)


def _answer_validation(request: Request, error: Exception) -> Response:
    """Name the first field that is wrong, and keep the rest of the framework's list as facts."""
    del request
    assert isinstance(error, RequestValidationError), "registered for this kind only"
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"] if part not in {"body", "query", "path"})
    detail = f"{field or 'body'}: {first['msg']}"
    body = errors.build_problem(422, "invalid_value", detail, field=field)
    return Response(body, status_code=422, media_type=errors.PROBLEM_TYPE)


def _answer_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException), "registered for this kind only"
    code = _FRAMEWORK_CODES.get(error.status_code, "refused")
    detail = f"{request.method} {request.url.path}: {error.detail}"
    body = errors.build_problem(error.status_code, code, detail)
    headers = dict(error.headers or {})
    return Response(body, status_code=error.status_code, media_type=errors.PROBLEM_TYPE, headers=headers)


def _answer_crash(request: Request, error: Exception) -> Response:
    """Answer a fault of our own; the server that called us writes the error itself to the log."""
    del error
    detail = f"{request.method} {request.url.path}: the server made a mistake; see logs/memwiki.log"
    return Response(
        errors.build_problem(500, "internal_error", detail), status_code=500, media_type=errors.PROBLEM_TYPE
    )


async def _run_lifespan(
    receive: Receive, send: Send, start: Callable[[], Awaitable[None]], stop: Callable[[], Awaitable[None]]
) -> None:
    """Speak the lifespan protocol: a failed start is told to the server, which then exits."""
    await receive()
    try:
        await start()
    except BaseException as error:
        await send({"type": "lifespan.startup.failed", "message": str(error)})
        raise
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await stop()
    await send({"type": "lifespan.shutdown.complete"})
