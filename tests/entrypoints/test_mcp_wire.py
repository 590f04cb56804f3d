"""MCP as each kind of client speaks it on the wire: both eras, who is let in, what is asked beside it, who calls."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.entrypoints import rpc, serving
from tests.entrypoints.rpc import call_tool
from tests.entrypoints.serving import Server, new_name

TOKEN = "mw_" + "t0ken-of-this-test-" + "9876543210"
MODERN = "2026-07-28"
META: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
METHODS = [
    "server/discover", "initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read",
    "resources/templates/list", "prompts/list", "prompts/get", "subscriptions/listen", "notifications/initialized",
]  # fmt: skip
LOOKED_FOR = [
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/openid-configuration",
    "/.well-known/anything/else",
]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[Server]:
    """A server with a token."""
    folder = tmp_path_factory.mktemp("guarded") / "memwiki"
    with serving.serve(folder, template=template, access_token=TOKEN) as running:
        running.ask(new_name(), "Look around.")
        yield running


@pytest.fixture
def towns(server: Server) -> Server:
    """A server with two projects, `shop` and `api`, each with a session of its project's name."""
    for project in ("shop", "api"):
        seen = {"cwd": f"/home/dev/{project}", "root": f"/home/dev/{project}"}
        prompt = serving.read_payload("claude-code", "UserPromptSubmit", session_id=project, cwd=seen["cwd"])
        assert server.hook("UserPromptSubmit", prompt, checkout=seen).status_code == 202
    return server


def ask_modern(server: Server, method: str, params: dict[str, Any] | None = None, **headers: str) -> dict[str, Any]:
    named = {"mcp-name": str((params or {}).get("name") or (params or {})["uri"])} if params else {}
    sent = {"mcp-method": method} | named | headers
    return rpc.ask(server, method, {**(params or {}), "_meta": META}, revision=MODERN, **sent)


def call_with(server: Server, tool: str, meta: dict[str, Any], at: str = "/mcp", /, **arguments: object) -> str:
    params = {"name": tool, "arguments": arguments, "_meta": meta}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = server.client.post(at, json=body, headers=rpc.ACCEPT)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["result"]["content"][0]["text"])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("revision", ["", "2025-06-18", MODERN])
@pytest.mark.parametrize("given", ["", "Bearer wrong"])
def test_every_method_wants_the_token(guarded: Server, method: str, revision: str, given: str) -> None:
    headers = {"authorization": given, "mcp-method": method}

    answer = rpc.send(guarded, method, {"_meta": META}, revision=revision, **headers)

    assert (answer.status_code, answer.json()["code"]) == (401, "token_rejected")


@pytest.mark.parametrize("verb", ["GET", "DELETE", "HEAD", "OPTIONS", "PUT", "PATCH"])
def test_every_verb_wants_the_token(guarded: Server, verb: str) -> None:
    headers = rpc.ACCEPT | {"mcp-session-id": "x"}

    refused = guarded.client.request(verb, "/mcp", headers=headers | {"authorization": ""})
    answered = guarded.client.request(verb, "/mcp", headers=headers)

    assert refused.status_code == 401
    assert (answered.status_code, answered.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("path", LOOKED_FOR)
@pytest.mark.parametrize("given", ["", f"Bearer {TOKEN}"], ids=["bare", "known"])
def test_a_client_that_looks_for_a_sign_in_finds_none(guarded: Server, path: str, given: str) -> None:
    answer = guarded.client.get(path, headers={"authorization": given})

    assert answer.status_code == 404
    assert answer.json()["code"] in {"no_such_route", "no_provider"}
    assert "www-authenticate" not in answer.headers


def test_a_refusal_leads_to_no_other_sign_in(guarded: Server) -> None:
    answer = rpc.send(guarded, "tools/list", authorization="")

    assert answer.headers["www-authenticate"] == 'Bearer realm="memwiki"'
    assert "well-known" not in str(answer.headers) + answer.text


def test_the_modern_era_lists_calls_and_reads_without_a_handshake(guarded: Server) -> None:
    guarded.put("notes/zebra.md", {"body": "A zebra has stripes."}, project="shop")

    assert MODERN in ask_modern(guarded, "server/discover")["supportedVersions"]
    assert len(ask_modern(guarded, "tools/list")["tools"]) >= 10
    called = ask_modern(guarded, "tools/call", {"name": "memory_search", "arguments": {"query": "zebra"}})
    assert "notes/zebra.md" in called["content"][0]["text"]
    read = ask_modern(guarded, "resources/read", {"uri": "memwiki://main/shop/notes/zebra.md"})
    assert "stripes" in read["contents"][0]["text"]


def test_both_eras_offer_the_same(guarded: Server) -> None:
    for method, field in (("tools/list", "tools"), ("prompts/list", "prompts"), ("resources/list", "resources")):
        assert rpc.ask(guarded, method, revision="")[field] == ask_modern(guarded, method)[field]


def test_nothing_is_promised_that_a_stateless_server_cannot_push(guarded: Server) -> None:
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    for found in (rpc.ask(guarded, "initialize", params, revision=""), ask_modern(guarded, "server/discover")):
        offered = found["capabilities"]
        assert offered.keys() >= {"tools", "resources", "prompts"}
        assert not [kind for kind in offered.values() if kind.get("listChanged") or kind.get("subscribe")]


def test_a_stream_to_listen_on_is_refused_at_once(guarded: Server) -> None:
    sent = {"mcp-method": "subscriptions/listen"}

    params = {"_meta": META, "notifications": {"toolsListChanged": True}}
    answer = rpc.send(guarded, "subscriptions/listen", params, revision=MODERN, **sent)

    assert answer.json()["error"]["code"] == -32601


@pytest.mark.parametrize("revision", ["", "2024-11-05", "2025-11-25", MODERN])
@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/cancelled", "notifications/whatever"])
def test_a_notification_is_taken_and_not_answered(guarded: Server, revision: str, method: str) -> None:
    version = {"mcp-protocol-version": revision} if revision else {}
    body = {"jsonrpc": "2.0", "method": method, "params": {"requestId": 7, "reason": "quit"}}

    answer = guarded.client.post("/mcp", json=body, headers=rpc.ACCEPT | version | {"mcp-method": method})

    assert (answer.status_code, answer.content) == (202, b"")


def test_a_client_that_leaves_without_a_session_disturbs_nothing(guarded: Server) -> None:
    assert guarded.client.delete("/mcp").status_code == 405
    assert not call_tool(guarded, "memory_status")[1]


@pytest.mark.parametrize(
    "meta",
    [
        {"sessionId": "api"},
        {"x-codex-turn-metadata": '{"session_id": "api", "turn_id": "1"}'},
        {"assemblySessionId": "api"},
        {"ai.opencode/sessionID": "api"},
    ],
    ids=["codex", "codex-turn", "droid", "opencode"],
)
def test_a_session_that_the_client_names_says_where_it_stands(towns: Server, meta: dict[str, Any]) -> None:
    saved = call_with(towns, "memory_write", meta, path="notes/x.md", body="Ours.")

    assert saved.startswith("saved main/api:notes/x.md")
    assert "Ours." in call_with(towns, "memory_read", meta, path="notes/x.md")
    assert "author: claude-code" in towns.read("/pages/notes/x.md", project="api")["text"]


def test_a_tool_use_that_the_hook_told_of_leads_to_its_session(towns: Server) -> None:
    use = f"toolu_{new_name()}"
    towns.tell("api", "PreToolUse.shell", tool_use_id=use, tool_name="mcp__memwiki__memory_write", tool_input={})

    saved = call_with(towns, "memory_write", {"claudecode/toolUseId": use}, path="notes/y.md", body="Ours.")

    assert saved.startswith("saved main/api:notes/y.md")


@pytest.mark.parametrize(
    "meta", [{"sessionId": "nobody"}, {"claudecode/toolUseId": "toolu_nobody"}, {"claudecode/toolUseId": 5}, {}]
)
def test_a_caller_whom_nobody_knows_must_name_the_project(towns: Server, meta: dict[str, Any]) -> None:
    assert call_with(towns, "memory_write", meta, path="notes/x.md", body="x").startswith("invalid_value: project")


def test_a_project_in_the_address_is_the_callers_own(towns: Server) -> None:
    saved = call_with(towns, "memory_write", {}, "/mcp?project=api", path="notes/z.md", body="Ours.")

    assert saved.startswith("saved main/api:")
    elsewhere = call_with(towns, "memory_write", {}, "/mcp?project=api", path="notes/z.md", body="x", project="shop")
    assert elsewhere.startswith("saved main/shop:")
    assert call_with(towns, "memory_write", {}, "/mcp?project=nowhere", path="notes/z.md", body="x").startswith(
        "project_not_found"
    )


@pytest.mark.parametrize("meta", [{"sessionId": 5}, {"x-codex-turn-metadata": "{"}, {"sessionId": "x" * 10_000}])
def test_odd_metadata_is_no_fault(towns: Server, meta: dict[str, Any]) -> None:
    assert "main/api" in call_with(towns, "memory_status", meta)
    assert "invalid_value" in call_with(towns, "memory_write", meta, path="notes/x.md", body="x")
