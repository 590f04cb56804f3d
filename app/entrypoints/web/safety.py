"""What every answer says to browsers so that they run and load nothing but ours."""

from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# The headers that some answers word differently.
CONTENT: Final = "content-security-policy"
FRAMES: Final = "x-frame-options"
RESOURCES: Final = "cross-origin-resource-policy"

_HEADERS: Final = {
    CONTENT.encode(): POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    FRAMES.encode(): b"DENY",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    RESOURCES.encode(): b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=()",
}


class SafeHeaders:
    """Adds these to every answer that does not have its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower() for name, _ in message["headers"]}
                added = [(name, value) for name, value in _HEADERS.items() if name not in own]
                message["headers"] = [*message["headers"], *added]
            await send(message)

        await self._app(scope, receive, send_safely)
