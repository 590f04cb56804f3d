"""A whole server in this process: the runtime that `memwiki serve` builds, behind the same application."""

import itertools
import json
import re
import shutil
import subprocess
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import httpx2
import zstandard
from starlette.testclient import TestClient
from starlette.types import Message

from app import config, wiring
from app.domain.clock import Clock
from app.entrypoints.http import app as http_app
from app.wiring import Runtime

WAIT_SECONDS = 20
PAYLOADS = Path(__file__).parents[1] / "data" / "hook-payloads"
RECORDINGS = Path(__file__).parents[2] / "app" / "entrypoints" / "cli" / "recordings"
SHOP = {"cwd": "/home/dev/shop", "root": "/home/dev/shop", "remote": "https://github.com/example/shop.git"}
API = "/api/v1"

_numbers = itertools.count(1)


def read_payload(agent: str, name: str, **changes: object) -> dict[str, Any]:
    """Read a golden payload with some fields changed; a field changed to None is left out."""
    payload = json.loads((PAYLOADS / agent / f"{name}.json").read_text(encoding="utf-8")) | changes
    return {key: value for key, value in payload.items() if value is not None}


def new_name(prefix: str = "s") -> str:
    """Make a name that no other test uses."""
    return f"{prefix}-{next(_numbers):06d}"


def wait_for(is_so: Callable[[], object], what: str) -> None:
    """Wait, within a bound, until something is so."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, f"not within {WAIT_SECONDS} s: {what}"
        time.sleep(0.01)


@dataclass
class Server:
    """A running server and what tests ask of it."""

    client: TestClient
    runtime: Runtime
    folder: Path
    token: str = ""

    def hook(
        self,
        event: str,
        payload: object,
        *,
        agent: str = "claude-code",
        key: str = "",
        checkout: Mapping[str, object] | None = None,
        **headers: str,
    ) -> httpx2.Response:
        """Send one event as a hook does."""
        sent = {"memwiki-checkout": quote(json.dumps(SHOP if checkout is None else checkout))}
        if key:
            sent["idempotency-key"] = key
        return self.client.post(f"/hook?agent={agent}&event={event}", json=payload, headers=sent | headers)

    def tell(self, session: str, name: str, *, agent: str = "claude-code", **changes: object) -> httpx2.Response:
        """Send a golden payload under another session's id; it must be taken."""
        payload = read_payload(agent, name, session_id=session, **changes)
        answer = self.hook(str(payload["hook_event_name"]), payload, agent=agent)
        assert answer.status_code == 202, answer.text
        return answer

    def start(self, session: str, *, agent: str = "claude-code") -> str:
        """Start a session; gives the brief."""
        return self.tell(session, "SessionStart.startup", agent=agent).text

    def ask(self, session: str, text: str, *, agent: str = "claude-code") -> None:
        """Have a person say something in a session."""
        self.tell(session, "UserPromptSubmit", agent=agent, prompt=text, prompt_id=new_name("p"))

    def run(self, session: str, command: str, output: str, *, agent: str = "claude-code") -> None:
        """Have a session run a command."""
        self.tell(
            session,
            "PostToolUse.shell",
            agent=agent,
            tool_use_id=new_name("t"),
            tool_input={"command": command},
            tool_response={"stdout": output, "stderr": "", "interrupted": False},
        )

    def end(self, session: str, *, agent: str = "claude-code") -> None:
        """End a session and wait until what follows from it is done."""
        self.tell(session, "SessionEnd", agent=agent)
        self.settle()

    def batch(self, *items: object, **headers: str) -> httpx2.Response:
        """Send a batch as the spool does."""
        return self.client.post("/hook/batch", json={"events": list(items)}, headers=headers)

    def get(self, path: str, **query: object) -> httpx2.Response:
        """Ask the API."""
        return self.client.get(f"{API}{path}", params={name: str(value) for name, value in query.items()})

    def read(self, path: str, **query: object) -> dict[str, Any]:
        """Ask the API for something that is there."""
        answer = self.get(path, **query)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def post(self, path: str, body: object = None, **query: object) -> httpx2.Response:
        """Send a command to the API."""
        return self.client.post(f"{API}{path}", json={} if body is None else body, params=query)

    def put(self, path: str, body: object, **query: object) -> httpx2.Response:
        """Save a page."""
        return self.client.put(f"{API}/pages/{path}", json=body, params=query)

    def send_raw(self, method: str, target: str, query: str = "") -> tuple[int, bytes]:
        """Send a request whose address no client has tidied up, as an attacker does."""
        answer: list[Message] = []
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(target),
            "raw_path": target.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(b"host", b"127.0.0.1:7470"), (b"authorization", f"Bearer {self.token}".encode())],
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 7470),
        }

        async def receive() -> Message:
            return {"type": "http.request", "body": b""}

        async def send(message: Message) -> None:
            answer.append(message)

        assert self.client.portal is not None
        self.client.portal.call(self.client.app, scope, receive, send)
        return answer[0]["status"], b"".join(message.get("body", b"") for message in answer[1:])

    def session(self, session: str) -> dict[str, Any]:
        """Look at a session and its observations."""
        return self.read(f"/sessions/{session}")

    def observations(self, session: str) -> list[dict[str, Any]]:
        """List what was stored of a session; empty if there is no such session."""
        answer = self.get(f"/sessions/{session}", limit=500)
        found: list[dict[str, Any]] = answer.json()["observations"] if answer.status_code == 200 else []
        return found

    def offer(self, summary: str = "Half of the parser is done.", **fields: object) -> dict[str, Any]:
        """Offer work by hand."""
        answer = self.post("/handoffs", {"summary": summary, **fields}, project="shop")
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    def settle(self) -> None:
        """Wait until sessions that ended have their pages, and git has them too."""
        wait_for(lambda: not any(self.read("/status")["jobs"].values()), "jobs are done")
        assert self.runtime.committer.flush(WAIT_SECONDS)

    def count_commits(self) -> int:
        """Count the commits made since the start."""
        assert self.runtime.committer.flush(WAIT_SECONDS)
        return self.runtime.committer.stats.commits

    def pages(self) -> list[str]:
        """List the session pages in the wiki."""
        return sorted(
            str(path.relative_to(self.folder / "wiki")) for path in self.folder.glob("wiki/*/*/sessions/**/*.md")
        )


@contextmanager
def serve(
    folder: Path, *, template: Path | None = None, clock: Clock | None = None, **settings: object
) -> Iterator[Server]:
    """Run a server on a folder, maybe on a clock of its own; a template with a migrated state saves the migration."""
    if template is not None and not folder.exists():
        shutil.copytree(template, folder)
    # Where a model is installed, it would find hits for words that nothing has, sooner or later.
    loaded = config.load_settings(data_dir=folder, **{"vectors": False, **settings})
    runtime = wiring.build_runtime(loaded, partial(Runtime, clock=clock))
    token = loaded.access_token.get_secret_value() if loaded.access_token else ""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    try:
        app = http_app.build_app(runtime)
        with TestClient(app, base_url="http://127.0.0.1:7470", headers=headers) as client:
            runtime.announce("http://127.0.0.1:7470")
            yield Server(client, runtime, folder, token)
    finally:
        runtime.close()


def copy_as_killed(folder: Path, copy: Path) -> None:
    """Copy a running server's folder as a kill would leave it: no file torn, and git with all that its heads name."""

    def is_copied() -> bool:
        shutil.rmtree(copy, ignore_errors=True)
        with suppress(shutil.Error):  # a file went while it was copied
            shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("server.lock", "index.lock"))
            return _is_whole(copy / "wiki")
        return False

    wait_for(is_copied, f"a copy of {folder}")


def _is_whole(repository: Path) -> bool:
    look = ["git", "-C", str(repository), "fsck", "--connectivity-only"]
    return subprocess.run(look, capture_output=True, timeout=WAIT_SECONDS, check=False).returncode == 0


def find_bytes(folder: Path, needle: str) -> list[str]:
    """List the files under a folder that hold a text: as it is, or inside a zstd frame, an object or a pack of git."""
    wanted = needle.encode()
    found = [str(path) for path in folder.rglob("*") if path.is_file() and wanted in _read_whole(path)]
    return found + [str(path) for path in folder.rglob("*.pack") if wanted in b"".join(_inflate_pack(path))]


def _read_whole(path: Path) -> bytes:
    content = path.read_bytes()
    if len(path.parent.name) == 2 and path.parent.parent.name == "objects":
        return zlib.decompress(content)
    return content + b"".join(_inflate_frames(content))


def _inflate_frames(content: bytes) -> Iterator[bytes]:
    """Inflate each zstd frame as far as it goes: sealed files are some, and the index keeps what was said in them."""
    for match in re.finditer(re.escape(zstandard.FRAME_HEADER), content):
        with suppress(zstandard.ZstdError):
            yield zstandard.ZstdDecompressor().decompressobj().decompress(content[match.start() :])


def _inflate_pack(path: Path) -> Iterator[bytes]:
    """Inflate whatever in a pack can be; an object's stream begins after a header of a few bytes."""
    content = path.read_bytes()
    position = 12
    while position < len(content) - 20:
        engine = zlib.decompressobj()
        try:
            inflated = engine.decompress(content[position:])
        except zlib.error:
            position += 1
            continue
        if engine.eof:
            yield inflated
            position = len(content) - len(engine.unused_data)
        else:
            position += 1
