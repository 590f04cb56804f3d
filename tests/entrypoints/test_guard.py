"""What every request passes first: Host, Origin, the access token, and the type of its body."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.websockets import WebSocketDisconnect

from tests.entrypoints import rpc, serving
from tests.entrypoints.serving import Server, find_bytes, new_name, read_payload

HOST = "127.0.0.1:7470"
TOKEN = "mw_" + "t0ken-of-this-test-" + "0123456789"
HOOK = "/hook?agent=claude-code&event=Stop"
ROUTES = ["/healthz", "/readyz", "/api/v1/status", "/api/openapi.json", "/nowhere", HOOK, "/hook/batch", "/mcp"]


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[Server]:
    """A server behind a proxy, with a token."""
    folder = tmp_path_factory.mktemp("proxied") / "memwiki"
    settings = {"allowed_hosts": ["Memory.Example"], "access_token": TOKEN}
    with serving.serve(folder, template=template, **settings) as running:
        yield running


def send(server: Server, path: str, **headers: str) -> httpx2.Response:
    """Send what the route takes."""
    if path == "/mcp":
        return rpc.send(server, "ping", **headers)
    if path.startswith("/hook"):
        payload = read_payload("claude-code", "Stop", session_id=new_name())
        return server.client.post(path, json={"events": []} if path == "/hook/batch" else payload, headers=headers)
    return server.client.get(path, headers=headers)


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:7470",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "0x7f.1",
        "",
        "[::1",
        "@",
    ],
)
def test_a_foreign_host_is_refused(shared: Server, path: str, host: str) -> None:
    answer = send(shared, path, host=host)

    assert answer.status_code == 403
    assert answer.json()["code"] == "host_refused"


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:7470", "localhost", "LOCALHOST:7470", "[::1]:7470", "[::1]", "192.168.7.9:80"]
)
def test_literal_addresses_and_localhost_are_served(shared: Server, host: str) -> None:
    assert send(shared, "/readyz", host=host).status_code == 200


@pytest.mark.parametrize("host", ["memory.example", "MEMORY.example:443"])
def test_a_host_on_the_list_is_served(proxied: Server, host: str) -> None:
    assert send(proxied, "/readyz", host=host).status_code == 200


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://127.0.0.1:7471", "http://127.0.0.1", "null", "", "http://[", "file://"]
)
def test_a_foreign_origin_is_refused(shared: Server, path: str, origin: str) -> None:
    answer = send(shared, path, host=HOST, origin=origin)

    assert answer.status_code == 403
    assert answer.json()["code"] == "origin_refused"


@pytest.mark.parametrize("path", [HOOK, "/hook/batch", "/mcp", "/api/v1/status"])
def test_the_own_origin_is_served(shared: Server, path: str) -> None:
    assert send(shared, path, host=HOST, origin=f"http://{HOST}").status_code < 300


@pytest.mark.parametrize("path", [HOOK, "/hook/batch", "/mcp", "/api/v1/handoffs", "/api/v1/reindex"])
@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain; json", ""],
)
def test_a_body_that_a_foreign_page_can_send_unasked_is_refused(shared: Server, path: str, kind: str) -> None:
    answer = shared.client.post(path, content=b'{"session_id": "s"}', headers={"content-type": kind})

    assert answer.status_code == 415
    assert answer.json()["code"] == "unsupported_body"


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8", "application/problem+json"])
def test_json_of_any_spelling_is_taken(shared: Server, kind: str) -> None:
    body = json.dumps(read_payload("claude-code", "Stop", session_id=new_name()))

    assert shared.client.post(HOOK, content=body, headers={"content-type": kind}).status_code == 202


@pytest.mark.parametrize("path", [route for route in ROUTES if route != "/healthz"])
@pytest.mark.parametrize(
    "given",
    ["", "Bearer", "Bearer ", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", TOKEN, f"Bearer x {TOKEN}"],
    ids=["none", "bare", "blank", "longer", "shorter", "basic", "naked", "two"],
)
def test_without_the_token_nothing_is_told(proxied: Server, path: str, given: str) -> None:
    answer = send(proxied, path, authorization=given)

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert answer.json()["code"] == "token_rejected"


def test_only_the_sign_of_life_needs_no_token(proxied: Server) -> None:
    answer = send(proxied, "/healthz", authorization="")

    assert (answer.status_code, answer.text) == (200, "ok\n")


@pytest.mark.parametrize("word", ["Bearer", "bearer", "BEARER"])
@pytest.mark.parametrize("path", [HOOK, "/hook/batch", "/mcp", "/api/v1/status"])
def test_the_token_opens_in_any_spelling_of_its_word(proxied: Server, path: str, word: str) -> None:
    assert send(proxied, path, authorization=f"{word} {TOKEN}").status_code < 300


def test_the_token_is_in_no_answer_and_in_no_file(proxied: Server) -> None:
    answers = [send(proxied, path, authorization=f"Bearer {TOKEN}") for path in ROUTES]
    answers += [send(proxied, path, authorization=f"Bearer {TOKEN}x") for path in ROUTES]

    assert all(TOKEN not in answer.text + str(answer.headers) for answer in answers)
    assert find_bytes(proxied.folder, TOKEN) == []


@pytest.mark.parametrize("path", ["/", "/mcp", "/hook"])
def test_a_websocket_is_closed(shared: Server, path: str) -> None:
    with pytest.raises(WebSocketDisconnect) as closed, shared.client.websocket_connect(path):
        pass

    assert closed.value.code == 1008


@pytest.mark.parametrize("path", ["/api/v1/nowhere", "/hook/", "/hooks", "/api/docs", "/mcp/more"])
def test_an_unknown_address_is_a_problem_document(shared: Server, path: str) -> None:
    answer = shared.client.get(path)

    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "no_such_route"


@pytest.mark.parametrize("path", ["/api/v1/status", "/api/v1/search", "/healthz"])
def test_a_method_that_a_route_does_not_have_is_a_problem_document(shared: Server, path: str) -> None:
    answer = shared.client.delete(path)

    assert answer.status_code == 405
    assert answer.json()["code"] == "method_not_allowed"
    assert "GET" in answer.headers["allow"]


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", "/api/v1/pages/notes/x.md?project=shop"), ("POST", "/api/v1/handoffs?project=shop")]
)
def test_a_body_over_the_bound_of_the_api_is_too_large(shared: Server, method: str, path: str) -> None:
    body = json.dumps({"body": "x" * (16 * 1024 * 1024), "summary": "x"})

    answer = shared.client.request(method, path, content=body, headers={"content-type": "application/json"})

    assert answer.status_code == 413
    assert answer.json()["code"] == "body_too_large"


def test_a_body_over_the_bound_is_refused_also_where_no_length_was_stated(shared: Server) -> None:
    def read_on() -> Iterator[bytes]:
        yield b'{"body": "'
        for _ in range(17):
            yield b"x" * 1024 * 1024
        yield b'"}'

    headers = {"content-type": "application/json"}
    answer = shared.client.put("/api/v1/pages/notes/x.md?project=shop", content=read_on(), headers=headers)

    assert answer.status_code == 413


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000, b"5", b'{"summary": "\\ud800"}'])
def test_a_body_that_is_no_json_of_the_route_is_the_callers_fault(shared: Server, body: bytes) -> None:
    headers = {"content-type": "application/json"}

    answer = shared.client.post("/api/v1/handoffs?project=shop", content=body, headers=headers)

    assert answer.status_code in {400, 422}
    found: dict[str, Any] = answer.json()
    assert found["code"] in {"invalid_value", "malformed_payload"}
