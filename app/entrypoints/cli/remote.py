"""Calls our HTTP API for the command line, from the folder that the person stands in."""

import contextlib
import json
import os
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import quote

import httpx2

from app.capture import client_checkout, client_drain, client_files, client_http, client_notes, policy
from app.capture.client_spool import Spool
from app.domain import errors, pagepath
from app.domain.errors import AppError, RemoteRejected, ServerUnreachable
from app.domain.limits_faces import REQUEST_SECONDS_MAX
from app.entrypoints.cli import kept_token
from app.entrypoints.cli.options import DEFAULT_URL

TOKEN_VARIABLE = "MEMWIKI_ACCESS_TOKEN"  # noqa: S105 - the name of a variable
_DRAIN_SECONDS = 0.2

_FAMILIES: dict[int, type[AppError]] = {
    400: errors.InvalidInput,
    401: errors.Unauthenticated,
    403: errors.Forbidden,
    404: errors.NotFound,
    409: errors.Conflict,
    413: errors.LimitExceeded,
    415: errors.InvalidInput,
    422: errors.InvalidInput,
    429: errors.Busy,
    500: errors.Corrupt,
    502: errors.UpstreamFailed,
    503: errors.Busy,
    507: errors.Corrupt,
}


def find_server_url(given: str | None) -> str:
    """Choose the server's address: the option, the environment, or the default."""
    return (given or os.environ.get("MEMWIKI_URL") or DEFAULT_URL).rstrip("/")


def build_trust(url: str) -> ssl.SSLContext:
    """Say whose certificates are believed: this machine's, or those of `SSL_CERT_FILE`, as by the hooks.

    An address without TLS meets no certificate, and reading all that are trusted takes as long as the request.
    """
    if url.lower().startswith("http:"):
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx2.create_ssl_context(trust_env=True)


class Remote:
    """A server at an address; every call carries the checkout of the present folder, so projects need no name.

    `facts` are what a command has seen of the folder besides.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        cwd: str | None = None,
        token: str | None = None,
        facts: Mapping[str, object] | None = None,
        seconds_max: float = REQUEST_SECONDS_MAX,
    ) -> None:
        self.url = find_server_url(url)
        checkout = client_checkout.read_checkout(cwd or os.getcwd(), os.environ)  # noqa: PTH109 - text is wanted
        checkout |= facts or {}
        headers = {"Memwiki-Checkout": quote(json.dumps(checkout))}
        secret = token or kept_token.find_token()
        if secret:
            headers["Authorization"] = f"Bearer {secret}"
        if client_notes.list_unreadable(client_files.find_spool_folder(os.environ)):
            headers["Memwiki-Policy"] = policy.UNREADABLE
        self._headers = headers
        self._secret = secret
        self._seconds_max = seconds_max
        self.send_waiting()

    def get(self, path: str, **query: object) -> Any:  # noqa: ANN401 - JSON off the wire
        """Ask for a resource; absent query values are None."""
        return self._call("GET", path, query, None)

    def post(self, path: str, body: object = None, **query: object) -> Any:  # noqa: ANN401 - JSON off the wire
        """Send a command."""
        return self._call("POST", path, query, {} if body is None else body)

    def put(self, path: str, body: object, **query: object) -> Any:  # noqa: ANN401 - JSON off the wire
        """Replace a resource."""
        return self._call("PUT", path, query, body)

    def delete(self, path: str, **query: object) -> Any:  # noqa: ANN401 - JSON off the wire
        """Remove a resource."""
        return self._call("DELETE", path, query, None)

    def stream(self, path: str) -> Iterator[str]:
        """Ask for a resource that may be long, and give its lines as they come."""
        try:
            with self._open_client() as client, client.stream("GET", path) as answer:
                if not answer.is_success:
                    answer.read()
                    raise _build_error(f"{self.url}{path}", answer)
                yield from answer.iter_lines()
        except httpx2.HTTPError as error:
            raise ServerUnreachable(self.url, type(error).__name__) from error

    def fetch(self, path: str) -> Iterator[bytes]:
        """Ask for a file, and give its bytes as they come."""
        try:
            with self._open_client() as client, client.stream("GET", path) as answer:
                if not answer.is_success:
                    answer.read()
                    raise _build_error(f"{self.url}{path}", answer)
                yield from answer.iter_bytes()
        except httpx2.HTTPError as error:
            raise ServerUnreachable(self.url, type(error).__name__) from error

    def send_waiting(self) -> None:
        """Send what hooks kept for this server, for a moment that nobody notices."""
        _send_waiting(self.url, self._secret)

    def _call(self, method: str, path: str, query: dict[str, object], body: object) -> Any:  # noqa: ANN401
        chosen = {name: _to_text(value) for name, value in query.items() if value is not None}
        try:
            with self._open_client() as client:
                answer = client.request(method, path, params=chosen, json=body if method in {"POST", "PUT"} else None)
        except httpx2.HTTPError as error:
            raise ServerUnreachable(self.url, type(error).__name__) from error
        if answer.is_success:
            return answer.json() if answer.content else None
        raise _build_error(f"{self.url}{path}", answer)

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        return build_trust(self.url)

    def _open_client(self) -> httpx2.Client:
        return httpx2.Client(
            base_url=self.url,
            headers=self._headers,
            timeout=self._seconds_max,
            trust_env=False,
            verify=self._trust,
        )


def _send_waiting(url: str, token: str) -> None:
    """Send what hooks kept for this server, for a moment that nobody notices."""
    spool = Spool(client_files.find_spool_folder(os.environ))
    if spool.is_empty() or spool.read_server() != url:
        return
    until = time.monotonic() + _DRAIN_SECONDS
    server = client_http.Server(url, token, _DRAIN_SECONDS)
    sending = threading.Thread(target=_drain, args=(spool, server, until), daemon=True)
    sending.start()
    sending.join(_DRAIN_SECONDS)


def _drain(spool: Spool, server: client_http.Server, until: float) -> None:
    # What cannot be sent now is sent by the next hook, and the command is about something else.
    with contextlib.suppress(OSError):
        client_drain.drain(spool, server, until, is_asked=True)


def _to_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _build_error(url: str, answer: httpx2.Response) -> AppError:
    """Rebuild the family of a problem document, so that the exit code is what it would have been here."""
    try:
        problem = answer.json()
        code, detail = str(problem["code"]), str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        return RemoteRejected(url, answer.status_code, answer.text)
    family = _FAMILIES.get(answer.status_code, RemoteRejected)
    if family is RemoteRejected:
        return RemoteRejected(url, answer.status_code, detail)
    error = family(detail)
    error.code = code  # type: ignore[misc]
    return error


def quote_path(path: str) -> str:
    """Escape a page's path for an address, keeping its separators.

    Raises:
        UnsafePath: the path leaves its project, and would be tidied into another address on the way.
    """
    return quote(pagepath.parse_page_path(path), safe="/")


def quote_id(text: str) -> str:
    """Escape an id for an address, so that it stays one part of it."""
    return quote(text, safe="") if text.strip(".") else "-"
