"""The door to the web pages: loads templates and renderer at the first look, since most servers start without one."""

import asyncio
import importlib

from starlette.types import ASGIApp, Receive, Scope, Send

from app.wiring import Runtime


class WebDoor:
    """An ASGI application that is built when somebody first opens a page."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._app: ASGIApp | None = None
        self._lock = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request of a browser."""
        if self._app is None:
            async with self._lock:
                if self._app is None:
                    module = await asyncio.to_thread(importlib.import_module, "app.entrypoints.web.routes")
                    self._app = module.build_web(self._runtime)
        assert self._app is not None, "built above"
        await self._app(scope, receive, send)
