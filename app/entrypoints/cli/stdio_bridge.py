"""Carries MCP between a client that starts a program and speaks with its standard streams, and the server's `/mcp`.

It keeps nothing: each request is a POST of its own, so that the server may be started again at any time. The access
token comes from the environment or from a file, never from the client's settings.
"""

import base64
import http.client
import json
import threading
import time
from collections.abc import Mapping
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from app.domain import limits

_PAUSE_SECONDS = 0.1
_UNAVAILABLE, _PARSE_ERROR, _INVALID_REQUEST = -32000, -32700, -32600
_REFUSED_HINT = "set MEMWIKI_ACCESS_TOKEN, or MEMWIKI_ACCESS_TOKEN_FILE to the file that has the token"
_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"

Message = Mapping[str, Any]


class _Away(Exception):
    """The server cannot be reached, or did not answer whole."""


class Bridge:
    """One client's conversation: requests are carried several at a time, answers as they come."""

    def __init__(self, url: str, token: str, answers: BinaryIO) -> None:
        self._url = url
        self._token = token
        self._answers = answers
        self._writing = threading.Lock()
        self._room = threading.BoundedSemaphore(limits.BRIDGE_REQUESTS_AT_ONCE_MAX)
        self._running: list[threading.Thread] = []
        self._cancelled: set[str] = set()
        # What `initialize` agreed on, which later requests of that era name in a header.
        self._agreed = ""

    def run(self, requests: BinaryIO) -> None:
        """Carry messages until the client closes its end, then let the last answers come."""
        while line := requests.readline(limits.API_BODY_BYTES_MAX):
            if line.strip():
                self._take(line)
        for thread in self._running:
            thread.join(limits.BRIDGE_REQUEST_SECONDS_MAX)

    def _take(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self._fail(None, _PARSE_ERROR, "a line is one JSON-RPC message")
            return
        if not isinstance(message, dict):
            self._fail(None, _INVALID_REQUEST, "a line is one JSON-RPC message, not a list of them")
        elif message.get("method") == "notifications/cancelled":
            self._cancelled.add(_name(_read_object(message.get("params")).get("requestId")))
        elif "method" in message and "id" in message:
            self._room.acquire()
            thread = threading.Thread(target=self._carry, args=(message,), daemon=True)
            self._running = [*(old for old in self._running if old.is_alive()), thread]
            thread.start()
        # A server that keeps nothing has no use for what wants no answer.

    def _carry(self, message: Message) -> None:
        try:
            status, body = self._post(message)
            self._answer(message, status, body)
        except _Away as error:
            self._fail(message["id"], _UNAVAILABLE, str(error))
        finally:
            self._room.release()

    def _answer(self, message: Message, status: int, body: bytes) -> None:
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            answer = {}
        if not isinstance(answer, dict) or not answer.keys() & {"result", "error"}:
            told = _read_object(answer).get("detail") or http.client.responses.get(status, "no answer")
            hint = f"; {_REFUSED_HINT}" if status == http.HTTPStatus.UNAUTHORIZED else ""
            self._fail(message["id"], _UNAVAILABLE, f"{self._url} answered {status}: {told}{hint}")
            return
        if message["method"] == "initialize":
            self._agreed = str(_read_object(answer.get("result")).get("protocolVersion", ""))
        self._say({**answer, "id": message["id"]})

    def _fail(self, request_id: object, code: int, text: str) -> None:
        self._say({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": f"memwiki: {text}"}})

    def _say(self, message: Message) -> None:
        if _name(message["id"]) in self._cancelled:
            return
        with self._writing:
            self._answers.write(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
            self._answers.flush()

    def _post(self, message: Message) -> tuple[int, bytes]:
        """Send a request, again for a while where it cannot have arrived."""
        until = time.monotonic() + limits.BRIDGE_AWAY_SECONDS_MAX
        pause = _PAUSE_SECONDS
        body, headers = json.dumps(message).encode(), self._build_headers(message)
        while True:
            address = urlsplit(self._url)
            connect = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
            connection = connect(address.netloc, timeout=limits.BRIDGE_REQUEST_SECONDS_MAX)
            try:
                connection.connect()
            except OSError as error:
                connection.close()
                if time.monotonic() + pause > until:
                    raise _Away(f"no server at {self._url} ({error}); start it with: memwiki serve") from error
                time.sleep(pause)
                pause *= 2
                continue
            return _exchange(connection, f"{address.path}?{address.query}".rstrip("?"), body, headers)

    def _build_headers(self, message: Message) -> dict[str, str]:
        params = _read_object(message.get("params"))
        modern = _read_object(params.get("_meta")).get(_VERSION_KEY)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if isinstance(modern, str):
            named = params.get("name") or params.get("uri")
            headers |= {"MCP-Protocol-Version": _spell(modern), "Mcp-Method": _spell(str(message["method"]))}
            headers |= {"Mcp-Name": _spell(str(named))} if named else {}
        elif self._agreed:
            headers["MCP-Protocol-Version"] = _spell(self._agreed)
        return headers


def _exchange(
    connection: http.client.HTTPConnection, path: str, body: bytes, headers: Mapping[str, str]
) -> tuple[int, bytes]:
    """Send a request on an open connection; whether a lost answer was for something done cannot be known."""
    try:
        connection.request("POST", path, body, dict(headers))
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException) as error:
        told = f"{type(error).__name__}: the answer was lost, and it may have been done; look before asking again"
        raise _Away(told) from error
    finally:
        connection.close()


def _spell(text: str) -> str:
    """Spell a value for a header, in the protocol's own way where it is not plain ASCII."""
    if text.isascii() and text.isprintable():
        return text
    return f"=?base64?{base64.b64encode(text.encode('utf-8', 'replace')).decode()}?="


def _name(request_id: object) -> str:
    return json.dumps(request_id)


def _read_object(value: object) -> Message:
    return value if isinstance(value, dict) else {}
