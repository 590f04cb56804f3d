"""The door to MCP: loads the SDK after the server listens, since importing it costs more than all the rest."""

import asyncio
import importlib
from contextlib import suppress

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.entrypoints import principals
from app.wiring import Runtime


class McpDoor:
    """An ASGI application that opens on first use or soon after the start, whichever comes first."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._task: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[ASGIApp] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one MCP request, waiting for the SDK where it is still being loaded."""
        if scope["method"] != "POST":
            # A stateless server has nothing to push; a stream that stays open would only hold up its end.
            await PlainTextResponse("send JSON-RPC by POST\n", 405, {"Allow": "POST"})(scope, receive, send)
            return
        self.open_soon()
        assert self._ready is not None, "open_soon made it"
        app = await asyncio.shield(self._ready)
        principals.enter(scope)
        await app(scope, receive, send)

    def open_soon(self) -> None:
        """Begin to load in the background."""
        if self._task is None:
            self._ready = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._run(self._ready))

    async def close(self) -> None:
        """End the SDK's own tasks."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self, ready: "asyncio.Future[ASGIApp]") -> None:
        """Hold the SDK's session manager open in one task, as its task group demands."""
        try:
            module = await asyncio.to_thread(importlib.import_module, "app.entrypoints.mcp.server")
            server = module.build_server(self._runtime)
            app = module.build_asgi(server)
            async with server.session_manager.run():
                ready.set_result(app)
                await asyncio.Event().wait()
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)
