"""Gives each request an id, counts it, and notes slow ones; the outermost part of the application."""

import re
import time
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.entrypoints import request_ids
from app.entrypoints.http.tally import Tally
from app.wiring import Runtime

if TYPE_CHECKING:
    from app.state.spans import Spans

HEADER: Final = b"x-request-id"
_KEY: Final = "memwiki.answer"
_ID_KEY: Final = "memwiki.request_id"
_REFUSED: Final = 400
_GIVEN = re.compile(rb"[A-Za-z0-9._:-]{1,64}")
# What is counted apart; everything else is a page for people.
_AREAS: Final = (
    ("/hook/batch", "batch"),
    ("/hook", "hook"),
    ("/mcp", "mcp"),
    ("/api/v1/search", "search"),
    ("/api/", "api"),
    ("/healthz", "probe"),
    ("/readyz", "probe"),
    ("/metrics", "probe"),
)
_API: Final = "/api/v1"
_CONSTANT: Final = {"hook": "/hook", "batch": "/hook/batch", "mcp": "/mcp"}


class Answer:
    """Sends an answer on, marked with its request's id; the parts inside learn from it what became of a request.

    `status` is 500 until an answer begins, and `problem` the last part of the body of a refusal.
    """

    __slots__ = ("_mark", "_send", "problem", "status")

    def __init__(self, send: Send, request_id: str) -> None:
        self._send, self._mark = send, (HEADER, request_id.encode())
        self.status, self.problem = 500, b""

    async def __call__(self, message: Message) -> None:
        """Send one part."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message.get("headers", ()), self._mark]
        elif self.status >= _REFUSED:
            self.problem = message.get("body", b"")
        await self._send(message)


class Watched:
    """Passes requests on, with an id that the answer and the log carry."""

    def __init__(self, app: ASGIApp, runtime: Runtime, tally: Tally, numbers: request_ids.Numbers) -> None:
        self._app, self._tally, self._numbers = app, tally, numbers
        self._pulse, self._meter = runtime.pulse, runtime.meter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = self._choose_id(scope)
        token = request_ids.enter(request_id)
        begun, area = time.perf_counter(), find_area(scope["path"])
        scope[_KEY] = answer = Answer(send, request_id)
        # A probe is no work: idle work need not wait for those who only look.
        is_work = area != "probe"
        if is_work:
            self._pulse.enter()
        spans = self._meter.spans if is_work else None
        try:
            if spans is None:
                await self._app(scope, receive, answer)
            else:
                await self._trace(spans, scope, receive, answer)
        finally:
            seconds = time.perf_counter() - begun
            if is_work:
                self._pulse.leave()
            self._tally.note(area, answer.status, seconds)
            if area != "mcp":
                # The area alone: what was asked for may be somebody's secret.
                self._meter.tell_slow(f"request {scope['method']} {area}", seconds)
            request_ids.leave(token)

    async def _trace(self, spans: "Spans", scope: Scope, receive: Receive, answer: Answer) -> None:
        """Pass a request on, and tell of it by its route: its address may name what is nobody else's business."""
        with spans.cover("request"):
            try:
                await self._app(scope, receive, answer)
            finally:
                spans.name_request(scope["method"], _name_route(scope), answer.status, request_ids.find_current())

    def _choose_id(self, scope: Scope) -> str:
        given = b""
        for name, value in scope["headers"]:
            if name == HEADER:
                given = value
                break
        if given and _GIVEN.fullmatch(given):
            return given.decode("ascii")
        return scope.get(_ID_KEY) or self._numbers.take()


def place_id(scope: Scope, request_id: str) -> None:
    """Say which id a request has that was begun before it came here."""
    scope[_ID_KEY] = request_id


def _name_route(scope: Scope) -> str:
    """Name what answered by its route, with blanks for names; by its area alone where none did."""
    path, area = str(getattr(scope.get("route"), "path", "")), find_area(scope["path"])
    # A router does not know below which address it is.
    if path and scope["path"].startswith(_API) and not path.startswith(_API):
        return _API + path
    return path or _CONSTANT.get(area, area)


def find_answer(scope: Scope) -> Answer:
    """Tell what became of a request that has been answered."""
    answer = scope[_KEY]
    assert isinstance(answer, Answer), "placed above"
    return answer


@lru_cache(maxsize=256)
def find_area(path: str) -> str:
    """Find what a path is counted as, in few words, so that nobody's project is named."""
    return next((area for prefix, area in _AREAS if path.startswith(prefix)), "web")
