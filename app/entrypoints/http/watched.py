"""Gives each request an id, counts it, and notes slow ones; the outermost part of the application."""

import logging
import re
import time
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.domain.clock import IdSource
from app.domain.limits import SLOW_REQUEST_MS
from app.entrypoints import request_ids
from app.entrypoints.http.tally import Tally

_LOG = logging.getLogger(__name__)
HEADER: Final = b"x-request-id"
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


class Watched:
    """Passes requests on, with an id that the answer and the log carry."""

    def __init__(self, app: ASGIApp, ids: IdSource, tally: Tally) -> None:
        self._app, self._ids, self._tally = app, ids, tally

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _choose_id(scope, self._ids)
        token = request_ids.enter(request_id)
        begun, status = time.perf_counter(), 500

        async def send_marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message.get("headers", ()), (HEADER, request_id.encode())]}
            await send(message)

        try:
            await self._app(scope, receive, send_marked)
        finally:
            seconds = time.perf_counter() - begun
            area = find_area(scope["path"])
            self._tally.note(area, status, seconds)
            if seconds * 1000 >= SLOW_REQUEST_MS and area != "mcp":
                # The path alone: what was asked for may be somebody's secret.
                _LOG.warning("slow request: %s %s took %d ms", scope["method"], area, seconds * 1000)
            request_ids.leave(token)


def find_area(path: str) -> str:
    """Find what a path is counted as, in few words, so that nobody's project is named."""
    return next((area for prefix, area in _AREAS if path.startswith(prefix)), "web")


def _choose_id(scope: Scope, ids: IdSource) -> str:
    given = next((value for name, value in scope["headers"] if name == HEADER), b"")
    return given.decode("ascii") if _GIVEN.fullmatch(given) else ids.new_id()
