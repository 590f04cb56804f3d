"""The hook client as its agents run it, and loopback servers that answer well, badly or never."""

import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

SCRIPT = Path(__file__).parents[2] / "hooks" / "send_event.py"
SHELL_SCRIPT = SCRIPT.with_suffix(".sh")
PAYLOADS = Path(__file__).parents[1] / "data" / "hook-payloads" / "claude-code"
PAYLOAD: dict[str, Any] = {
    "session_id": "4be4285e-8c20-497b-a310-2993376c3413",
    "hook_event_name": "PostToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "make test"},
    "tool_response": {"stdout": "12 passed"},
}


@dataclass
class Request:
    """What a server was sent."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def payload(self) -> dict[str, Any]:
        return json.loads(self.body)


@dataclass
class Loopback:
    """A server on a port of its own; `answer` writes whatever it likes to the connection."""

    answer: Callable[[socket.socket, Request], None]
    url: str = ""
    requests: list[Request] = field(default_factory=list)

    def list_keys(self) -> list[str]:
        """List the keys of the events that were taken, in order."""
        return [
            key
            for request in self.requests
            for key in (
                [event["key"] for event in request.payload["events"]]
                if request.path == "/hook/batch"
                else [request.headers["idempotency-key"]]
            )
        ]

    def list_events(self) -> list[dict[str, Any]]:
        """List the events that were taken in the form in which they wait."""
        events = []
        for request in list(self.requests):
            if request.path == "/hook/batch":
                events += request.payload["events"]
            else:
                told = {name: unquote(request.headers.get(f"memwiki-{name}", "")) for name in ("origin", "policy")}
                checkout = json.loads(unquote(request.headers["memwiki-checkout"]))
                key = request.headers["idempotency-key"]
                origin = told["origin"].partition(";")[0]
                event = {"key": key, "payload": request.payload, "checkout": checkout, **told, "origin": origin}
                events.append(event)
        return events


def render_answer(status: int, body: bytes = b"", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def answer_well(connection: socket.socket, request: Request) -> None:
    if request.path == "/hook/batch":
        results = [{"status": "stored"} for _ in request.payload["events"]]
        connection.sendall(render_answer(200, json.dumps({"results": results}).encode()))
    else:
        connection.sendall(render_answer(202, "the brief: é\n".encode()))


def read_request(connection: socket.socket) -> Request:
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in rest)}
    while len(body) < int(headers["content-length"]):
        body += connection.recv(65536)
    return Request(first.split()[1], headers, body)


@pytest.fixture
def serve() -> Iterator[Callable[[Callable[[socket.socket, Request], None]], Loopback]]:
    with contextlib.ExitStack() as stack:

        def start(answer: Callable[[socket.socket, Request], None] = answer_well, *, port: int = 0) -> Loopback:
            listener = stack.enter_context(socket.create_server(("127.0.0.1", port)))
            # Shutting a listener down wakes the thread that waits in accept.
            stack.callback(listener.shutdown, socket.SHUT_RDWR)
            server = Loopback(answer, f"http://127.0.0.1:{listener.getsockname()[1]}")
            threading.Thread(target=run, args=(listener, server), daemon=True).start()
            return server

        def run(listener: socket.socket, server: Loopback) -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=take, args=(connection, server), daemon=True).start()

        def take(connection: socket.socket, server: Loopback) -> None:
            with connection, contextlib.suppress(OSError):
                request = read_request(connection)
                server.requests.append(request)
                server.answer(connection, request)

        yield start


@pytest.fixture
def closed_url() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}"


def read_bytes(path: Path) -> bytes:
    """Read a file that another process may have removed by now."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


@dataclass
class Run:
    """How one run of the client went."""

    stdout: bytes
    stderr: bytes
    code: int
    seconds: float


@dataclass
class Client:
    """Runs the real script with a spool of its own; `shell` runs that of the shell, with `python` behind it.

    It may take its time, since the machine is busy with other tests, unless a test is about time.
    """

    spool: Path
    cwd: Path
    environ: dict[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ("-I", "-S")
    shell: str = ""
    python: str = sys.executable
    patience: int = 20
    more: tuple[str, ...] = ()

    def start(self, url: str, event: str = "PostToolUse") -> subprocess.Popen[bytes]:
        program = [self.shell, str(SHELL_SCRIPT)] if self.shell else [self.python, *self.flags, str(SCRIPT)]
        more = [*(["--python", self.python] if self.shell else []), *self.more]
        return subprocess.Popen(
            [*program, "--agent", "claude-code", "--event", event, "--url", url, *more],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.cwd,
            env={"MEMWIKI_SPOOL_DIR": str(self.spool), "MEMWIKI_HOOK_PATIENCE": str(self.patience), **self.environ},
        )

    def send(self, url: str, event: str = "PostToolUse", payload: object = PAYLOAD) -> Run:
        body = payload if isinstance(payload, bytes) else json.dumps(payload, ensure_ascii=False).encode()
        began = time.monotonic()
        with self.start(url, event) as process:
            stdout, stderr = process.communicate(body, timeout=20)
        return Run(stdout, stderr, process.returncode, time.monotonic() - began)

    def wait_for_entries(self, count: int) -> list[dict[str, Any]]:
        """Read the spool once it has this many entries; on a busy machine a copy of the client stores the last one."""
        until = time.monotonic() + 15
        while len(entries := self.list_waiting()) < count and time.monotonic() < until:
            time.sleep(0.02)
        assert len(entries) == count
        return entries

    def wait_for_events(self, server: Loopback, count: int) -> list[dict[str, Any]]:
        """Find the events that were sent, once there are this many; on a busy machine some of them wait yet."""
        until = time.monotonic() + 15
        while True:
            events = {event["key"]: event for event in [*self.list_waiting(), *server.list_events()]}
            if len(events) >= count or time.monotonic() > until:
                assert len(events) == count
                return sorted(events.values(), key=lambda event: str(event["payload"].get("rank", "")))
            time.sleep(0.02)

    def drain(self, url: str) -> None:
        """Send starts of sessions, each of which has a process send what waits, until nothing waits any more."""
        until = time.monotonic() + 20
        while time.monotonic() < until:
            self.send(url, "SessionStart")
            if self.wait_until_empty(2):
                return

    def wait_until_empty(self, seconds: float = 15) -> bool:
        """Wait until nothing waits."""
        until = time.monotonic() + seconds
        while self.list_waiting() and time.monotonic() < until:
            time.sleep(0.02)
        return not self.list_waiting()

    def list_waiting(self) -> list[dict[str, Any]]:
        """Read the entries of the spool in the order in which they will be sent."""
        paths = [*sorted(self.spool.glob("events-*.jsonl")), self.spool / "events.jsonl"]
        lines = [line for path in paths for line in read_bytes(path).splitlines()]
        entries = [json.loads(line) for line in lines if line.startswith(b'{"at": ')]
        # On a busy machine an event may be stored twice, under one key.
        return list({entry.get("key") or entry["sealed"]: entry for entry in entries}.values())

    def count_lost(self) -> int:
        path = self.spool / "lost"
        return sum(map(int, path.read_text(encoding="utf-8").split())) if path.exists() else 0


@pytest.fixture
def client(tmp_path: Path) -> Client:
    cwd = tmp_path / "shop"
    cwd.mkdir()
    return Client(tmp_path / "state" / "spool", cwd)
