"""`Passing`: a request for the lane of single events, between the connection that it came by and its answer."""

from collections.abc import Callable
from typing import Any, Final

from app.entrypoints.http.events import Settled


class _Unheard:
    """An event of asyncio that nobody waits for."""

    def set(self) -> None:
        """Do nothing."""


_UNHEARD: Final = _Unheard()


class Passing:
    """A request that the lane takes; to its connection it is what uvicorn's own cycle is.

    `accept` answers 202 under the request's id, `begin` has the application answer, which is told what was done.
    """

    __slots__ = (
        "_accept",
        "_begin",
        "address",
        "body",
        "disconnected",
        "headers",
        "keep_alive",
        "query",
        "response_complete",
        "scope",
    )

    message_event = _UNHEARD

    def __init__(
        self,
        scope: dict[str, Any],
        headers: dict[bytes, bytes],
        query: bytes,
        accept: Callable[["Passing", str], None],
        begin: Callable[["Passing", str, Settled | None], None],
    ) -> None:
        self.scope, self.headers, self.query = scope, headers, query
        self._accept, self._begin = accept, begin
        self.body, self.address = b"", scope["client"][0] if scope["client"] else ""
        self.keep_alive, self.response_complete, self.disconnected = True, False, False

    def accept(self, request_id: str) -> None:
        """Answer that the event is kept."""
        self._accept(self, request_id)

    def pass_on(self, request_id: str, settled: Settled | None) -> None:
        """Have the application answer; without anything settled it does all of it."""
        self._begin(self, request_id, settled)
