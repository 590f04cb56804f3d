"""JSON-RPC as clients of MCP send it."""

import itertools
import json
from typing import Any

import httpx2

from tests.entrypoints.serving import Server

ACCEPT = {"accept": "application/json, text/event-stream"}
REVISION = "2025-06-18"

_ids = itertools.count(1)


def send(
    server: Server, method: str, params: dict[str, Any] | None = None, *, revision: str = REVISION, **headers: str
) -> httpx2.Response:
    """Send one request; an empty revision sends no version header."""
    version = {"mcp-protocol-version": revision} if revision else {}
    body = {"jsonrpc": "2.0", "id": next(_ids), "method": method, "params": params or {}}
    # As ASCII, so that also half a surrogate pair can be sent.
    sent = ACCEPT | version | headers | {"content-type": "application/json"}
    return server.client.post("/mcp", content=json.dumps(body), headers=sent)


def ask(server: Server, method: str, params: dict[str, Any] | None = None, **options: str) -> dict[str, Any]:
    """Send a request that must have a result."""
    answer = send(server, method, params, **options)
    assert answer.status_code == 200, answer.text
    assert "result" in answer.json(), answer.text
    found: dict[str, Any] = answer.json()["result"]
    return found


def call_tool(server: Server, name: str, /, **arguments: object) -> tuple[str, bool]:
    """Call a tool; gives its text and whether it says that it failed."""
    result = ask(server, "tools/call", {"name": name, "arguments": arguments})
    return "\n".join(part["text"] for part in result["content"]), bool(result.get("isError"))
