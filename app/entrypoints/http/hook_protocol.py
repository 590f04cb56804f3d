"""uvicorn's HTTP protocol with a way out for single events, for which its tasks and messages cost more than storing.

Connections, timeouts, pipelining and faults stay uvicorn's. Only a complete and plain `POST /hook` is offered to the
lane; what that does not take becomes the request that it would have been without it.
"""

import asyncio
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from app.domain import limits
from app.entrypoints.http import events, watched
from app.entrypoints.http.events import Settled
from app.entrypoints.http.hook_lane import HookLane
from app.entrypoints.http.hook_passing import Passing

_TARGET: Final = b"/hook?"
_ACCEPTED: Final = b"HTTP/1.1 202 Accepted\r\n"
_HEADERS: Final = b"content-type: text/plain; charset=utf-8\r\ncontent-length: 0\r\nx-request-id: "
_LENGTH_DIGITS_MAX: Final = len(str(limits.INLINE_BODY_BYTES_MAX))


class HookProtocol(HttpToolsProtocol):
    """One connection."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        lane = getattr(config.app, "lane", None)
        assert isinstance(lane, HookLane), "the application is served that has one"
        self._lane = lane
        self._offer: dict[bytes, bytes] | None = None
        self._chunks: list[bytes] = []

    def on_headers_complete(self) -> None:
        """Choose by the headers whether a request may be one for the lane."""
        self._offer = self._find_offer() if self.url.startswith(_TARGET) else None
        if self._offer is None:
            super().on_headers_complete()
        else:
            self._chunks = []

    def on_body(self, body: bytes) -> None:
        """Gather the body; its length was told, and is bounded."""
        if self._offer is None:
            super().on_body(body)
        else:
            self._chunks.append(body)

    def on_message_complete(self) -> None:
        """Offer a request to the lane."""
        headers, self._offer = self._offer, None
        if headers is None:
            super().on_message_complete()
            return
        body = self._chunks[0] if len(self._chunks) == 1 else b"".join(self._chunks)
        self._chunks = []
        scope: dict[str, Any] = self.scope  # type: ignore[assignment]  # parts of it are ours
        passing = Passing(scope, headers, self.url[len(_TARGET) :], self.accept, self.begin)
        passing.body = body
        # A request that comes before this one is answered must wait for it.
        self.cycle = passing  # type: ignore[assignment]  # it is what a cycle is to this class
        if not self._lane.take(passing):
            self.begin(passing, "", None)

    def begin(self, passing: Passing, request_id: str, settled: Settled | None) -> None:
        """Have the application answer a request, for which something may have been done already."""
        scope = passing.scope
        scope.update(method="POST", path="/hook", raw_path=b"/hook", query_string=passing.query)
        if request_id:
            watched.place_id(scope, request_id)
        if settled is not None:
            events.place_settled(scope, settled)
        cycle = RequestResponseCycle(
            scope=scope,  # type: ignore[arg-type]  # parts of it are ours
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=self.access_log,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=False,
            keep_alive=passing.keep_alive,
            on_response=self.on_response_complete,
        )
        cycle.body, cycle.more_body, cycle.disconnected = bytearray(passing.body), False, passing.disconnected
        cycle.message_event.set()
        last: object = self.cycle
        if last is passing:
            self.cycle = cycle
        self._start_asgi_task(cycle, self.app)

    def accept(self, passing: Passing, request_id: str) -> None:
        """Answer 202 with nothing to say."""
        passing.response_complete = True
        if passing.disconnected or self.transport.is_closing():
            return
        own = b"".join([b"%b: %b\r\n" % header for header in self.server_state.default_headers])
        close = b"" if passing.keep_alive else b"\r\nconnection: close"
        self.transport.write(b"%b%b%b%b%b\r\n\r\n" % (_ACCEPTED, own, _HEADERS, request_id.encode(), close))
        if not passing.keep_alive:
            self.transport.close()
        self.on_response_complete()

    def _find_offer(self) -> dict[bytes, bytes] | None:
        """Take the headers of a request that the lane may take; None of one that waits, is large, or is odd."""
        parser = self.parser
        if parser.get_method() != b"POST" or parser.get_http_version() != "1.1" or not parser.should_keep_alive():
            return None
        if self.expect_100_continue or parser.should_upgrade() or self.flow.write_paused or self.limit_concurrency:
            return None
        if self.cycle is not None and not self.cycle.response_complete:
            return None
        headers = dict(self.headers)
        length = headers.get(b"content-length", b"")
        if not length.isdigit() or len(length) > _LENGTH_DIGITS_MAX or b"transfer-encoding" in headers:
            return None
        return headers if int(length) <= limits.INLINE_BODY_BYTES_MAX and len(headers) == len(self.headers) else None
