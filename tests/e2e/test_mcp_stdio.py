"""The stdio bridge as clients start it: a real process, a real server, restarts in between."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.server import SERVE, Server, clean_environment, read_line, run_server

TOKEN = "mw_" + "t0ken-of-this-test-" + "5551234567"
ANSWER_SECONDS_MAX = 20.0
MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Client:
    """A client that writes lines and reads lines."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process

    def write(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, method: str, params: Mapping[str, Any] | None = None, request_id: object = 1) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params or {}}).encode())

    def read(self) -> dict[str, Any]:
        line = read_line(self.process.stdout, ANSWER_SECONDS_MAX)
        assert line, "no answer"
        found: dict[str, Any] = json.loads(line)
        return found

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        self.send(method, params)
        return self.read()

    def close(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(ANSWER_SECONDS_MAX)


@contextmanager
def run_bridge(url: str, *options: str, **env: str) -> Iterator[Client]:
    """Start a bridge, which must end by itself when its client has gone."""
    process = subprocess.Popen(
        [*SERVE, "mcp-stdio", "--url", url, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=clean_environment() | env,
    )
    client = Client(process)
    try:
        yield client
        assert client.close() == 0
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that no test stops."""
    with run_server(tmp_path_factory.mktemp("shared") / "memory") as running:
        yield running


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a token."""
    with run_server(tmp_path_factory.mktemp("guarded") / "memory", MEMWIKI_ACCESS_TOKEN=TOKEN) as running:
        yield running


def test_the_official_client_works_through_the_bridge(shared: Server) -> None:
    command = StdioServerParameters(
        command=sys.executable, args=[*SERVE[1:], "mcp-stdio", "--url", shared.url], env=clean_environment()
    )

    async def converse() -> tuple[set[str], str]:
        async with stdio_client(command) as (reading, writing), ClientSession(reading, writing) as session:
            await session.initialize()
            names = {tool.name for tool in (await session.list_tools()).tools}
            answer = await session.call_tool("memory_status", {})
            return names, str(answer.content[0])

    names, status = anyio.run(converse)

    assert {"memory_search", "memory_handoff_claim"} <= names
    assert "memwiki" in status


def test_both_eras_are_carried(shared: Server) -> None:
    with run_bridge(shared.url) as client:
        found = client.ask("server/discover", {"_meta": META})["result"]
        assert MODERN in found["supportedVersions"]
        listed = client.ask("tools/list", {"_meta": META})["result"]["tools"]
        params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        assert client.ask("initialize", params)["result"]["protocolVersion"] == "2025-06-18"
        assert client.ask("tools/list")["result"]["tools"] == listed


def test_a_name_in_any_script_reaches_the_server(shared: Server) -> None:
    with run_bridge(shared.url) as client:
        error = client.ask("resources/read", {"uri": "memwiki://main/bär/ß.md", "_meta": META})["error"]

    assert "project_not_found" in error["message"]


def test_a_restart_of_the_server_is_not_noticed(server: Server) -> None:
    with run_bridge(server.url) as client:
        before = client.ask("tools/list")["result"]
        assert server.stop() == 0
        client.send("tools/list")
        server.start()
        assert client.read()["result"] == before


def test_a_server_that_is_away_is_told_with_what_to_do(tmp_path: Path) -> None:
    with run_server(tmp_path / "memory") as server:
        url = server.url
    with run_bridge(url) as client:
        error = client.ask("tools/list")["error"]

    assert error["code"] == -32000
    assert url in error["message"]
    assert "memwiki serve" in error["message"]


@pytest.mark.parametrize("way", ["variable", "file-variable", "file-option"])
def test_the_token_comes_from_the_environment_or_a_file(guarded: Server, tmp_path: Path, way: str) -> None:
    kept = tmp_path / "token"
    kept.write_text(f"{TOKEN}\n", encoding="utf-8")
    env = {"variable": {"MEMWIKI_ACCESS_TOKEN": TOKEN}, "file-variable": {"MEMWIKI_ACCESS_TOKEN_FILE": str(kept)}}
    options = ["--token-file", str(kept)] if way == "file-option" else []

    with run_bridge(guarded.url, *options, **env.get(way, {})) as client:
        assert "result" in client.ask("tools/list")


@pytest.mark.parametrize("method", ["initialize", "server/discover", "tools/list"])
def test_a_refused_token_is_told_and_not_shown(guarded: Server, method: str) -> None:
    with run_bridge(guarded.url, MEMWIKI_ACCESS_TOKEN=f"{TOKEN}x") as client:
        error = client.ask(method, {"_meta": META})["error"]

    assert "401" in error["message"]
    assert "MEMWIKI_ACCESS_TOKEN" in error["message"]
    assert TOKEN not in error["message"]


def test_several_requests_are_answered_each_under_its_own_id(shared: Server) -> None:
    ids: list[object] = [*range(20), "a", "b-1"]
    with run_bridge(shared.url) as client:
        for request_id in ids:
            client.send("tools/call", {"name": "memory_status", "arguments": {}}, request_id)
        answers = [client.read() for _ in ids]

    assert sorted(map(str, (answer["id"] for answer in answers))) == sorted(map(str, ids))
    assert all("result" in answer for answer in answers)


def test_what_wants_no_answer_gets_none(shared: Server) -> None:
    with run_bridge(shared.url) as client:
        for method in ("notifications/initialized", "notifications/cancelled", "notifications/whatever"):
            client.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": {"requestId": "gone"}}).encode())
        client.write(b"")
        client.write(b'{"jsonrpc": "2.0", "id": 9, "result": {}}')
        client.send("ping", request_id="gone")
        assert client.ask("ping")["id"] == 1


@pytest.mark.parametrize(
    ("line", "code"), [(b"{", -32700), (b"\xff", -32700), (b"[]", -32600), (b"5", -32600), (b"[" * 50_000, -32700)]
)
def test_a_line_that_is_no_message_ends_nothing(shared: Server, line: bytes, code: int) -> None:
    with run_bridge(shared.url) as client:
        client.write(line)
        assert client.read() == {"jsonrpc": "2.0", "id": None, "error": {"code": code} | client_error(code)}
        assert "result" in client.ask("ping")


def client_error(code: int) -> dict[str, str]:
    return {"message": f"memwiki: a line is one JSON-RPC message{', not a list of them' if code == -32600 else ''}"}


def test_a_project_option_says_what_calls_are_about(server: Server) -> None:
    for name in ("shop", "api"):
        checkout = {"cwd": f"/home/dev/{name}", "root": f"/home/dev/{name}"}
        payload = {"session_id": name, "hook_event_name": "UserPromptSubmit", "prompt": "Hi.", "cwd": checkout["cwd"]}
        server.post_event("claude-code", "UserPromptSubmit", payload, checkout=checkout)

    with run_bridge(server.url, "--project", "main/api") as client:
        arguments = {"path": "notes/x.md", "body": "Ours."}
        saved = client.ask("tools/call", {"name": "memory_write", "arguments": arguments})["result"]

    assert saved["content"][0]["text"].startswith("saved main/api:notes/x.md")


def test_an_address_of_another_kind_is_refused() -> None:
    done = subprocess.run(
        [*SERVE, "mcp-stdio", "--url", "ftp://x"], stdin=subprocess.DEVNULL, capture_output=True,
        check=False, timeout=ANSWER_SECONDS_MAX, env=clean_environment(),
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (2, b"")
    assert b"url" in done.stderr
