"""Leaves a row in the trail for every change that somebody makes over the API, and for every one that is refused."""

from contextlib import suppress
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.access.trail import Deed, build_entry
from app.domain import limits, redact
from app.domain.errors import Busy
from app.domain.person import Principal
from app.entrypoints import principals
from app.state import audit
from app.wiring import Runtime

_PREFIX: Final = "/api/"
_LOOKING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_DENIED: Final = 403
_FAILED: Final = 400


class Recorder:
    """Stands behind the guard, so that who asks is known."""

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self._app = app
        self._runtime = runtime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and note how it went before that is told."""
        if scope["type"] != "http" or not scope["path"].startswith(_PREFIX):
            await self._app(scope, receive, send)
            return

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start":
                status = message["status"]
                is_change = scope["method"] not in _LOOKING and status < _FAILED
                if is_change or status == _DENIED:
                    await self._note(scope, principals.find(scope), status)
            await send(message)

        await self._app(scope, receive, watch)

    async def _note(self, scope: Scope, principal: Principal, status: int) -> None:
        place = redact.redact_text(scope["path"])[: limits.PATH_CHARS_MAX]
        outcome = "denied" if status == _DENIED else "done"
        deed = Deed(f"api.{scope['method'].lower()}", place, outcome=outcome)
        entry = build_entry(principal, deed, self._runtime.clock.now())
        # What was done cannot be undone because the trail is busy; the deed's own row, where it has one, is with it.
        with suppress(Busy):
            await self._runtime.writer.write(lambda conn: audit.insert_audit(conn, entry))
