"""Runs a real server as a process of its own on loopback, for tests that stop, kill and start it again.

Unless a test names a program, it is a fork of a process that has imported the server already.
"""

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar
from urllib.parse import quote, urlsplit

import httpx2

from tests import forking
from tests.forking import Forked

T = TypeVar("T")

START_SECONDS_MAX = 60.0
STOP_SECONDS_MAX = 25.0
WAIT_SECONDS_MAX = 30.0
_POLL_S = 0.02
SERVE = (sys.executable, "-m", "app.entrypoints.cli.main")


class Server:
    """A server process on one data directory and, from its first start on, one port."""

    def __init__(self, data_dir: Path, env: Mapping[str, str], program: Sequence[str] | None, said: IO[bytes]) -> None:
        self.data_dir = data_dir
        self.url = ""
        self._program = program
        self._env = clean_environment() | env
        self.port = 0
        self._process: subprocess.Popen[bytes] | Forked | None = None
        self._client: httpx2.Client | None = None
        self._said = said

    def start(self) -> None:
        """Start the process and wait until it answers."""
        options = ("serve", "--data-dir", str(self.data_dir), "--port", str(self.port), "--json")
        if self._program is None:
            cwd = self.data_dir.parent
            self._process = forking.start(options, cwd=cwd, env=self._env, stderr=self._said.fileno())
        else:
            self._process = subprocess.Popen(
                [*self._program, *options],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=self._said,
                env=self._env,
                cwd=self.data_dir.parent,
            )
        line = read_line(self._process.stdout, START_SECONDS_MAX)
        assert line, f"the server did not start: {self.read_log()}"
        self.url = json.loads(line)["url"]
        self.port = urlsplit(self.url).port or 0
        token = self._env.get("MEMWIKI_ACCESS_TOKEN", "")
        if token_file := self._env.get("MEMWIKI_ACCESS_TOKEN_FILE", ""):
            token = Path(token_file).read_text(encoding="utf-8").strip()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        # A connection that rested is not used again: the server may close it at that very moment.
        resting = httpx2.Limits(keepalive_expiry=1.0)
        self._client = httpx2.Client(
            base_url=self.url, headers=headers, timeout=WAIT_SECONDS_MAX, trust_env=False, limits=resting
        )

    def kill(self) -> None:
        """End the process by SIGKILL, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask the process to end, and give back its exit code."""
        return self._end(number)

    def restart(self) -> None:
        """Stop in order and start again at the same address."""
        assert self.stop() == 0, self.read_log()
        self.start()

    @property
    def is_running(self) -> bool:
        """Tell whether the process lives."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """Name the process."""
        assert self._process is not None, "started before"
        return self._process.pid

    @property
    def client(self) -> httpx2.Client:
        """The client of the running process."""
        assert self._client is not None, "started before"
        return self._client

    @property
    def wiki(self) -> Path:
        """The folder of the pages."""
        return self.data_dir / "wiki"

    def read_log(self) -> str:
        """Read what all processes on this directory wrote to standard error."""
        return os.pread(self._said.fileno(), 64 * 1024, 0).decode("utf-8", "replace")

    def get(self, path: str, **query: object) -> dict[str, Any]:
        """Ask the interface and give back its JSON."""
        given = {name: str(value) for name, value in query.items()}
        answer = self.client.get(path, params=given)
        assert answer.status_code == httpx2.codes.OK, f"{path}: {answer.status_code} {answer.text}"
        found: dict[str, Any] = answer.json()
        return found

    def post_event(
        self,
        agent: str,
        event: str,
        payload: Mapping[str, Any],
        *,
        key: str = "",
        checkout: Mapping[str, Any] | None = None,
    ) -> str:
        """Send one event as the hook client does; gives back what the hook prints."""
        answer = self.client.post(
            "/hook", params={"agent": agent, "event": event}, json=payload, headers=build_headers(key, checkout)
        )
        assert answer.status_code == httpx2.codes.ACCEPTED, f"{event}: {answer.status_code} {answer.text}"
        return answer.text

    def wait_for_page(self, session_id: str) -> dict[str, Any]:
        """Wait until a session, by either of its ids, has ended and has its page."""

        def look() -> dict[str, Any] | None:
            session: dict[str, Any] = self.get(f"/api/v1/sessions/{session_id}")
            return session if session["page_path"] and not sum(self.get("/api/v1/status")["jobs"].values()) else None

        return wait_for(look, f"page of {session_id}")

    def wait_until_indexed(self) -> dict[str, Any]:
        """Wait until the index has every page."""

        def look() -> dict[str, Any] | None:
            found: dict[str, Any] = self.get("/readyz")["index"]
            return found if found["state"] == "ready" else None

        return wait_for(look, "a complete index")

    def wait_until_committed(self) -> None:
        """Wait until nothing of the wiki differs from git and no commit is due."""

        def is_done() -> bool:
            changed = run_git(self.wiki, "--no-optional-locks", "status", "--porcelain", "--untracked-files=all")
            return not changed and self.get("/readyz")["git"]["pending"] == 0

        wait_for(is_done, "commits")

    def _end(self, number: signal.Signals) -> int:
        assert self._process is not None, "started before"
        if self._client is not None:
            self._client.close()
        self._process.send_signal(number)
        try:
            return self._process.wait(STOP_SECONDS_MAX)
        finally:
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()


@contextmanager
def run_server(data_dir: Path, *, program: Sequence[str] | None = None, **env: str) -> Iterator[Server]:
    """Run a server with settings from `env`; at the end it must stop in order and have had no fault of its own."""
    with tempfile.TemporaryFile() as said:
        server = Server(data_dir, env, program, said)
        try:
            server.start()
            yield server
            if server.is_running:
                assert server.stop() == 0, server.read_log()
            assert "Traceback" not in server.read_log(), server.read_log()
        finally:
            if server.is_running:
                server.kill()


def build_headers(key: str = "", checkout: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Build the headers that the hook client sends with an event."""
    headers = {"Idempotency-Key": key} if key else {}
    return headers | ({"Memwiki-Checkout": quote(json.dumps(checkout))} if checkout else {})


def clean_environment() -> dict[str, str]:
    """Take the environment without settings of ours, so that a test says all of them."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MEMWIKI_")}


def wait_for(look: Callable[[], T | None], what: str, seconds: float = WAIT_SECONDS_MAX) -> T:
    """Look again until there is something to see, at most so long."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < deadline, f"not within {seconds:.0f} s: {what}"
        time.sleep(_POLL_S)


def read_line(stream: IO[bytes] | None, seconds: float) -> bytes:
    """Read one line with a bound on the wait, which a pipe alone does not have."""
    assert stream is not None, "a pipe was asked for"
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=lambda: lines.put(stream.readline()), daemon=True).start()
    try:
        return lines.get(timeout=seconds)
    except queue.Empty:
        return b""


def run_git(folder: Path, *arguments: str) -> str:
    """Ask git about a folder, bounded and without its locks where it can."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=60, check=True
    )
    return done.stdout
