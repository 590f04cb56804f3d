"""What every request passes before anything else: Host, Origin, the type of its body, and who makes it."""

import ipaddress
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import lru_cache
from typing import Protocol
from urllib.parse import urlsplit

from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.access.gate import Gate
from app.access.renewing import Renewed
from app.domain import limits
from app.domain.errors import AppError, BodyTooLarge, HostRefused, OriginRefused, Unauthenticated, UnsupportedBody
from app.domain.person import Principal, Rights
from app.domain.person_errors import ForwardedOpen
from app.entrypoints import cookies, principals, request_ids
from app.entrypoints.http import errors, proxied

_HTML = b"text/html"


class LookUp(Protocol):
    """Asks state who sent a header, or a browser's cookie."""

    async def __call__(self, given: bytes, *, is_browser: bool = False) -> Principal:
        """Tell who it is; raises what the gate does."""
        ...


class RenewSecret(Protocol):
    """Makes the next secret of a browser's session."""

    async def __call__(self, secret: bytes) -> Renewed | None:
        """Make it; None where that was just done."""
        ...


_SIGN_IN_PATHS = frozenset({"/sign-in", "/sign-in/first", "/sign-in/oidc", "/sign-in/oidc/back"})
_LOGIN_PATHS = frozenset(f"/api/v1/login{path}" for path in ("", "/first", "/device", "/device/poll", "/password"))
_OPEN_PATHS = frozenset({"/healthz", "/favicon.ico"}) | _SIGN_IN_PATHS | _LOGIN_PATHS
# What is stored there says itself where it came from.
_HOT_PATHS = frozenset({"/hook", "/hook/batch"})
# Clients that were refused look here for a sign-in of another kind. A 404 tells them that there is none, where a 401
# would have them begin one; with an identity provider they learn which one it is.
_OPEN_PREFIXES = ("/.well-known/", "/static/")
# Everything else than these is a page, to which a browser may sign in.
API_PATHS = ("/api/", "/healthz", "/readyz", "/metrics", "/hook", "/mcp", "/.well-known/")
_JSON, _FORM = b"application/json", b"application/x-www-form-urlencoded"
# What browsers send from our own pages; each such form also carries a token.
_FORM_PATHS = ("/account/", "/admin/", "/handoffs/", "/review/", "/sign-in", "/sign-out")
_READING = frozenset({"GET", "HEAD", "OPTIONS", "DELETE"})


# Who asks for what is open to everybody: nobody, with no right to anything.
_NOBODY = Principal("", Rights(uses=frozenset()))


class Guard:
    """Refuses requests of foreign hosts and origins, with a body of the wrong type, or by nobody it knows."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        allowed_hosts: Collection[str],
        gate: Gate,
        look_up: LookUp,
        renew: RenewSecret,
        prefix: str = "",
        find_metadata_url: Callable[[], str] = lambda: "",
    ) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in allowed_hosts) | {"localhost"}
        self._gate = gate
        self._look_up = look_up
        self._renew_secret = renew
        self._prefix = prefix
        self._find_metadata_url = find_metadata_url

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it here."""
        if scope["type"] == "http":
            try:
                headers = dict(scope["headers"])
                self._check(scope["method"], scope["path"], headers)
                principals.place(scope, await self._find_principal(scope, headers))
                send = await self._renew(scope, headers, send)
            except AppError as error:
                await self._build_answer(error, scope)(scope, receive, send)
                return
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        await self._app(scope, receive, send)

    def recall_sender(self, headers: dict[bytes, bytes]) -> Principal | None:
        """Tell who sends events, None where only state knows; raises what else would be answered."""
        self._check("POST", "/hook", headers)
        return self._gate.recall(headers.get(b"authorization", b""))

    def _check(self, method: str, path: str, headers: dict[bytes, bytes]) -> None:
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._is_served(_strip_port(host)):
            raise HostRefused(host)
        if self._gate.is_open and not proxied.MARKS.isdisjoint(headers):
            raise ForwardedOpen
        origin = headers.get(b"origin")
        # The sandboxed frame of a diagram has an origin that has no name; our files are in every copy of memwiki.
        is_ours = origin == b"null" and path.startswith("/static/")
        if origin is not None and not is_ours and not self._is_own(origin.decode("latin-1"), host):
            raise OriginRefused(origin.decode("latin-1"))
        if method not in _READING:
            _check_body(headers, _FORM if path.startswith(_FORM_PATHS) else _JSON)

    async def _find_principal(self, scope: Scope, headers: dict[bytes, bytes]) -> Principal:
        if _is_open(scope["path"]):
            return _NOBODY
        given = headers.get(b"authorization", b"")
        secret = b"" if given or not _is_page(scope["path"]) else _find_cookie(headers)
        if secret and not self._gate.is_open:
            found = self._gate.recall_browser(secret) or await self._look_up(secret, is_browser=True)
        else:
            found = self._gate.recall(given) or await self._look_up(given)
        client = scope.get("client")
        if client is None or scope["path"] in _HOT_PATHS:
            return found
        return replace(found, address=client[0], request_id=request_ids.find_current())

    async def _renew(self, scope: Scope, headers: dict[bytes, bytes], send: Send) -> Send:
        """Have the answer to a browser that has used its cookie for long give it another one."""
        secret = _find_cookie(headers) if principals.find(scope).web_session_id else b""
        renewed = await self._renew_secret(secret) if secret and self._gate.is_renewal_due(secret) else None
        if renewed is None:
            return send
        host = _strip_port(headers.get(b"host", b"").decode("latin-1"))
        told = cookies.build_header(
            renewed.secret,
            seconds_max=renewed.seconds_max,
            path=self._prefix or "/",
            is_secure=cookies.is_secure(scope["scheme"], host),
        )

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and not _gives_cookie(message):
                message["headers"] = [*message.get("headers", ()), (b"set-cookie", told.encode())]
            await send(message)

        return send_with_cookie

    def _build_answer(self, error: AppError, scope: Scope) -> Response:
        """Lead a person who is not signed in to where that can be done; programs are told what is wrong."""
        headers = dict(scope["headers"])
        is_person = scope["method"] == "GET" and _HTML in headers.get(b"accept", b"") and _is_page(scope["path"])
        if isinstance(error, Unauthenticated) and is_person:
            return RedirectResponse(f"{self._prefix}/sign-in", 303, headers={"Cache-Control": "no-store"})
        answer = errors.build_answer(error)
        url = self._find_metadata_url() if isinstance(error, Unauthenticated) else ""
        if url:
            # By this a client finds whom to ask for a token (RFC 9728).
            answer.headers["WWW-Authenticate"] += f', resource_metadata="{url}"'
        return answer

    def _is_served(self, name: str) -> bool:
        """Serve names on the list and literal addresses: a web page cannot rebind those to another machine."""
        return name in self._hosts or _is_address(name)

    def _is_own(self, origin: str, host: str) -> bool:
        try:
            return urlsplit(origin).netloc.lower() == host.lower()
        except ValueError:
            return False


def _is_page(path: str) -> bool:
    return not path.startswith(API_PATHS)


def _find_cookie(headers: dict[bytes, bytes]) -> bytes:
    """Find the secret of a browser's session; empty where there is none."""
    given = cookie_parser(headers.get(b"cookie", b"").decode("latin-1"))
    return given.get(cookies.SESSION, "").encode("latin-1", "replace")[: limits.TOKEN_CHARS_MAX]


def _gives_cookie(message: Message) -> bool:
    """Tell whether an answer says something of the cookie itself, as when somebody signs out."""
    beginning = f"{cookies.SESSION}=".encode()
    return any(name == b"set-cookie" and value.startswith(beginning) for name, value in message.get("headers", ()))


def _is_open(path: str) -> bool:
    return path in _OPEN_PATHS or path.startswith(_OPEN_PREFIXES)


@lru_cache(maxsize=256)
def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name[1:-1] if name.startswith("[") and name.endswith("]") else name)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=256)
def _strip_port(host: str) -> str:
    name = host.lower()
    if name.startswith("["):
        return "".join(name.partition("]")[:2])
    return name.rpartition(":")[0] if name.count(":") == 1 else name


def _check_body(headers: dict[bytes, bytes], wanted: bytes) -> None:
    """Check a body by what is said of it; each route also counts what comes."""
    length = headers.get(b"content-length", b"0")
    if length.isdigit() and int(length[: limits.LENGTH_DIGITS_MAX]) > limits.API_BODY_BYTES_MAX:
        raise BodyTooLarge(limits.API_BODY_BYTES_MAX)
    has_body = length != b"0" or b"transfer-encoding" in headers
    given = headers.get(b"content-type", b"")
    if given == wanted:
        return
    kind = given.partition(b";")[0].strip().lower()
    if has_body and kind != wanted and not (wanted == _JSON and kind.endswith(b"+json")):
        raise UnsupportedBody(kind.decode("latin-1"))
