"""Sends events to a server by hand-written HTTP: one request on a connection of its own, answered whole or not at all.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone;
an HTTP library would take longer to import than the request takes.
"""

from __future__ import annotations

import _socket
import _thread
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence

from app.domain import limits

TAKEN, BATCH_TAKEN, TOO_LARGE = 202, 200, 413
# Any other 4xx means that the event itself will never be taken; these are about the way to the server.
_NOT_THE_EVENT = {401, 403, 404, 407, 408, 421, 425, 429}
_CLIENT_FAULTS = range(400, 500)


class Answer:
    """What the server said; a status of 0 is no complete answer."""

    def __init__(self, status: int, body: bytes = b"", retry_seconds: int = 0) -> None:
        self.status, self.body, self.retry_seconds = status, body, retry_seconds
        # A proxy or another server may refuse what ours would take, so that a refusal has to be in our words.
        is_ours = status == TOO_LARGE or b'"code"' in body
        self.is_refusal = status in _CLIENT_FAULTS and status not in _NOT_THE_EVENT and is_ours


class Task:
    """A call on a thread of its own, since neither a name look-up nor a connection can be cut short."""

    def __init__(self, work: Callable[[], Answer]) -> None:
        self.is_done, self._answer = False, Answer(0)
        self._running = _thread.allocate_lock()
        self._running.acquire()
        _thread.start_new_thread(self._run, (work,))

    def wait(self, until: float) -> Answer:
        """Wait for the answer until a moment of the monotonic clock, and take silence for none."""
        if self._running.acquire(timeout=max(0.0, until - time.monotonic())):
            self._running.release()
        return self._answer

    def _run(self, work: Callable[[], Answer]) -> None:
        try:
            self._answer = work()
        except Exception:
            pass  # The server counts as away, whatever the fault is.
        self.is_done = True
        self._running.release()


class Server:
    """A server at an address."""

    def __init__(self, url: str, token: str, seconds_max: float) -> None:
        self._url, self._token, self._seconds_max = url, token, seconds_max

    def send_live(
        self, facts: Mapping[str, object], checkout: Mapping[str, object], body: bytes, waiting: tuple[int, int, int]
    ) -> Answer:
        """Send one event as the agent gave it; what is known of it travels in the headers."""
        agent, event, key, origin, moment = (str(facts[name]) for name in ("agent", "event", "key", "origin", "at"))
        seen = quote(json.dumps(checkout, separators=(",", ":")))
        if len(seen) > limits.CHECKOUT_HEADER_BYTES_MAX:
            seen = quote(json.dumps({"cwd": str(checkout["cwd"])[:2000]}))
        headers = ["Idempotency-Key: " + key, "Memwiki-Checkout: " + seen]
        headers.append("Memwiki-Origin: %s;%s" % (quote(origin), moment))
        headers += ["Memwiki-Policy: " + quote(str(facts["policy"]))] if facts.get("policy") else []
        return self._post("/hook?agent=%s&event=%s" % (quote(agent), quote(event)), headers, body, waiting)

    def send_batch(self, lines: Sequence[bytes], waiting: tuple[int, int, int]) -> Answer:
        """Send spooled events; an answer that does not speak of each of them counts as none."""
        answer = self._post("/hook/batch", [], b'{"events":[' + b",".join(lines) + b"]}", waiting)
        is_whole = answer.status != BATCH_TAKEN or len(list_results(answer)) == len(lines)
        return answer if is_whole else Answer(0)

    def _post(self, path: str, headers: Sequence[str], body: bytes, waiting: tuple[int, int, int]) -> Answer:
        parts = re.match(r"(https?)://(?:[^/@]*@)?(\[[^\]]+\]|[^:/?#]+)(?::(\d+))?([^?#\s]*)", self._url)
        if not parts:
            return Answer(0)
        scheme, host, port, prefix = parts.groups()
        head = ["POST %s%s HTTP/1.1" % (prefix.rstrip("/"), path), "Host: " + host + (":" + port if port else "")]
        head += ["Connection: close", "Content-Type: application/json", "Content-Length: %d" % len(body), *headers]
        head += ["Authorization: Bearer " + self._token] if self._token else []
        head += ["Memwiki-Spool: %d;%d;%d" % waiting] if any(waiting) else []
        address = (host.strip("[]"), int(port or (443 if scheme == "https" else 80)))
        connect = _connect_safely if scheme == "https" else _connect
        connection = connect(address, self._seconds_max)
        try:
            connection.sendall("\r\n".join([*head, "", ""]).encode("latin-1", "replace") + body)
            return _receive(connection)
        finally:
            connection.close()


def _connect(address: tuple[str, int], seconds_max: float) -> _socket.socket:
    """Open a plain connection; the full `socket` module takes as long to import as all the rest of a request."""
    fault = OSError("no address")
    for family, kind, protocol, _, place in _socket.getaddrinfo(*address, 0, _socket.SOCK_STREAM):
        connection = _socket.socket(family, kind, protocol)
        connection.settimeout(seconds_max)
        try:
            connection.connect(place)
        except OSError as error:
            connection.close()
            fault = error
        else:
            return connection
    raise fault


def _connect_safely(address: tuple[str, int], seconds_max: float) -> _socket.socket:
    import socket
    import ssl

    connection = socket.create_connection(address, timeout=seconds_max)
    return ssl.create_default_context().wrap_socket(connection, server_hostname=address[0])


def _receive(connection: _socket.socket) -> Answer:
    received = b""
    while len(received) <= limits.HOOK_ANSWER_BYTES_MAX:
        chunk = connection.recv(65536)
        received += chunk
        answer = parse_answer(received)
        if answer.status or not chunk:
            return answer
    return Answer(0)


def list_results(answer: Answer) -> list[Mapping[str, object]]:
    """List what a batch's answer says of each event; one that says something else is empty."""
    try:
        results = json.loads(answer.body)["results"]
        return [result for result in results if isinstance(result.get("status"), str)]
    except Exception:
        return []


def parse_answer(received: bytes) -> Answer:
    """Read an answer that is complete, which its length or its last chunk proves."""
    head, blank, body = received.partition(b"\r\n\r\n")
    status = re.match(rb"HTTP/1\.[01] (\d{3})", head)
    if not blank or not status:
        return Answer(0)
    if status.group(1).startswith(b"1"):
        return parse_answer(body)
    length = re.search(rb"(?i)\r\ncontent-length:[ \t]*(\d+)", head)
    pieces: list[bytes] = []
    while not length:
        size, line_end, body = body.partition(b"\r\n")
        if not line_end or not re.match(rb"[0-9a-fA-F]{1,6}$", size) or len(body) < int(size, 16):
            return Answer(0)
        if not int(size, 16):
            body = b"".join(pieces)
            break
        pieces.append(body[: int(size, 16)])
        body = body[int(size, 16) + 2 :]
    if length and len(body) < int(length.group(1)):
        return Answer(0)
    retry = re.search(rb"(?i)\r\nretry-after:[ \t]*(\d{1,9})", head)
    return Answer(int(status.group(1)), body, int(retry.group(1)) if retry else 0)


def quote(text: str) -> str:
    """Escape a text for a header or an address."""
    raw = text.encode("utf-8", "replace")
    return "".join(chr(byte) if re.match(rb"[\w.-]", b"%c" % byte) else "%%%02X" % byte for byte in raw)
