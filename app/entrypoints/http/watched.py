"""Gives each request an id, counts it, and notes slow ones; the outermost part of the application."""

import itertools
import logging
import re
import time
from functools import lru_cache
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.domain.clock import IdSource
from app.domain.limits import SLOW_REQUEST_MS
from app.entrypoints import request_ids
from app.entrypoints.http.tally import Tally

_LOG = logging.getLogger(__name__)
HEADER: Final = b"x-request-id"
_PREFIX_CHARS: Final = 16
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
        self._app, self._tally = app, tally
        # The time of this start with something random, and then a number: an id of its own for each request is dear.
        self._prefix, self._numbers = ids.new_id()[:_PREFIX_CHARS], itertools.count()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = self._choose_id(scope)
        token = request_ids.enter(request_id)
        begun, status = time.perf_counter(), 500

        async def send_marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (HEADER, request_id.encode())]
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

    def _choose_id(self, scope: Scope) -> str:
        given = next((value for name, value in scope["headers"] if name == HEADER), b"")
        if given and _GIVEN.fullmatch(given):
            return given.decode("ascii")
        return f"{self._prefix}{next(self._numbers):010x}"


@lru_cache(maxsize=256)
def find_area(path: str) -> str:
    """Find what a path is counted as, in few words, so that nobody's project is named."""
    return next((area for prefix, area in _AREAS if path.startswith(prefix)), "web")
