"""Who may do what, on every route, tool and page: a row that is missing fails, and so does a check that is gone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.routing import APIRoute

from app.access import grants
from app.entrypoints.http import app as http_app
from app.entrypoints.http import health
from app.entrypoints.mcp import server as mcp_server
from app.entrypoints.web import routes as web_routes
from tests.entrypoints import rights, rpc, serving
from tests.entrypoints.rights import ALLOWED, CANARY, HIDING, PAGES, REFUSING, ROLES, ROUTES, SIGNED_OUT, TOOLS, World
from tests.entrypoints.serving import read_payload

# Whoever must not know of the restricted project.
STRANGERS = ("member", "wrong-project", "capture-only")
CHECKED = frozenset({"read", "write", "manage", "admin"})
ROWS = {key: row for key, row in ROUTES.items() if row.kind in ALLOWED}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[World]:
    with serving.serve(tmp_path_factory.mktemp("rights") / "memwiki", template=template) as server:
        yield rights.build_world(server)


def read_code(answer: httpx2.Response) -> str:
    if "json" not in answer.headers.get("content-type", ""):
        return ""
    found: Any = answer.json()
    return str(found.get("code", "")) if isinstance(found, dict) else ""


def is_refused(answer: httpx2.Response) -> bool:
    return read_code(answer) in HIDING | REFUSING


def call(world: World, role: str, tool: str) -> tuple[str, bool]:
    """Call a tool as somebody; gives its text and whether it was refused."""
    arguments = {name: world.fill(str(value)) for name, value in (TOOLS[tool].body or {}).items()}
    params = {"name": tool, "arguments": arguments}
    answer = rpc.send(world.server, "tools/call", params, **world.header(role))
    if answer.status_code == 401:
        return answer.text, True
    result = answer.json()["result"]
    text = "\n".join(part["text"] for part in result["content"])
    return text, bool(result.get("isError")) and text.partition(":")[0] in HIDING | REFUSING


def test_every_route_stands_in_the_table() -> None:
    routers = [(health.probes, ""), *((router, http_app.API_PREFIX) for router in http_app.list_routers())]
    found = {
        f"{method} {prefix}{route.path}"
        for router, prefix in routers
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in route.methods
    }

    assert found - set(ROUTES) == set()


def test_every_tool_stands_in_the_table() -> None:
    assert {name for _, name, _ in mcp_server.TOOLS} - set(TOOLS) == set()


def test_every_page_stands_in_the_table() -> None:
    found = {route.path for route in web_routes.list_routes() if route.methods and "GET" in route.methods}

    assert found - set(PAGES) == set()


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("key", ROWS)
def test_a_route_answers_those_who_may(world: World, key: str, role: str) -> None:
    row = ROUTES[key]

    answer = world.ask(key, row, role)

    assert answer.status_code < 500, answer.text
    assert is_refused(answer) == (role not in ALLOWED[row.kind]), f"{answer.status_code} {answer.text}"
    if role in SIGNED_OUT and row.kind != "public":
        assert (answer.status_code, answer.headers["www-authenticate"][:6]) == (401, "Bearer")
    if role in SIGNED_OUT or role in STRANGERS:
        assert CANARY not in answer.text


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("tool", [tool for tool, row in TOOLS.items() if row.kind in ALLOWED])
def test_a_tool_answers_those_who_may(world: World, tool: str, role: str) -> None:
    text, refused = call(world, role, tool)

    assert refused == (role not in ALLOWED[TOOLS[tool].kind]), text
    if role in SIGNED_OUT or role in STRANGERS:
        assert CANARY not in text


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_shown_to_those_who_may(world: World, page: str, role: str) -> None:
    row = PAGES[page]

    answer = world.server.client.get(
        world.fill(page), params=dict(row.query), headers=world.header(role), follow_redirects=False
    )

    may = role in ALLOWED[row.kind]
    hiding = 401 if role in SIGNED_OUT else 403 if role == "capture-only" else 404
    assert (answer.status_code == 200) == may, answer.text
    assert may or answer.status_code in {hiding, 303}
    if role in SIGNED_OUT or role in STRANGERS:
        # A search shows the words that were asked for.
        assert CANARY not in answer.text or (page == "/search" and "Nothing found" in answer.text)


@pytest.mark.parametrize("role", ["member", "wrong-project"])
@pytest.mark.parametrize("key", [key for key, row in ROWS.items() if "project" in row.query])
def test_what_may_not_be_known_looks_like_what_is_not_there(world: World, key: str, role: str) -> None:
    hidden, absent = (world.ask(key, ROUTES[key], role, project=name) for name in ("hold", "none"))

    assert hidden.status_code == absent.status_code == 404
    told, expected = hidden.json(), absent.json()
    assert told.pop("request_id", None) != expected.pop("request_id", "")
    assert {key: str(value).replace("hold", "none") for key, value in told.items()} == {
        key: str(value) for key, value in expected.items()
    }


@pytest.mark.parametrize("key", [key for key, row in ROWS.items() if row.kind in CHECKED])
def test_no_refusal_of_a_route_is_by_chance(world: World, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_refused(world.ask(key, ROUTES[key], "member"))

    monkeypatch.setattr(grants, "decide", lambda *_: True)

    assert read_code(world.ask(key, ROUTES[key], "member")) not in REFUSING | {"project_not_found"}


def test_those_who_may_read_find_what_strangers_do_not(world: World) -> None:
    found = world.ask("GET /api/v1/pages/{path:path}", ROUTES["GET /api/v1/pages/{path:path}"], "reader")
    everywhere = [
        world.server.client.get("/api/v1/search", params={"q": CANARY, "grain": grain}, headers=world.header(role))
        for role in ("member", "wrong-project")
        for grain in ("pages", "observations")
    ]

    assert CANARY in found.text
    assert all(answer.json()["hits"] == [] and answer.json()["omitted"] == 0 for answer in everywhere)


def test_only_an_administrator_looks_after_other_peoples_handoffs(world: World) -> None:
    made = world.server.client.post(
        f"{serving.API}/handoffs?project=hold", json={"summary": "A reader's own"}, headers=world.header("writer")
    ).json()

    def ask(role: str, method: str, path: str) -> httpx2.Response:
        return world.server.client.request(method, f"{serving.API}{path}", headers=world.header(role))

    assert ask("manager", "GET", f"/handoffs/{made['id']}").json()["code"] == "handoff_not_found"
    assert ask("manager", "GET", "/handoffs?everyone=true").json()["code"] == "act_denied"
    listed = ask("admin", "GET", "/handoffs?everyone=true").json()["handoffs"]
    assert made["id"] in [each["id"] for each in listed]
    mine = ask("admin", "GET", "/handoffs").json()["handoffs"]
    assert made["id"] not in [each["id"] for each in mine]
    cancelled = world.server.client.post(
        f"{serving.API}/handoffs/{made['id']}/cancel", json={}, headers=world.header("admin")
    )
    assert cancelled.json()["state"] == "cancelled"


def test_resources_are_those_that_may_be_read(world: World) -> None:
    uri = "memwiki://main/hold/notes/secret.md"

    for role, may in (("member", False), ("reader", True)):
        listed = rpc.send(world.server, "resources/list", **world.header(role)).text
        read = rpc.send(world.server, "resources/read", {"uri": uri}, **world.header(role)).text
        assert (CANARY in listed, CANARY in read) == (may, may)


def test_a_link_to_what_may_not_be_read_leads_nowhere(world: World) -> None:
    place = "/p/main/shop/page/notes/open.md"

    for role, may in (("reader", True), ("member", False), ("reader", True)):
        shown = world.server.client.get(place, headers=world.header(role)).text
        assert ("/p/main/hold/page/notes/secret.md" in shown) == may


@pytest.mark.parametrize(("role", "is_kept"), [("member", False), ("reader", False), ("writer", True)])
def test_events_of_a_project_are_kept_from_those_who_may_write(world: World, role: str, *, is_kept: bool) -> None:
    name = serving.new_name("captured")
    payload = read_payload("claude-code", "SessionStart.startup", session_id=name)

    answer = world.server.hook("SessionStart", payload, checkout=rights.VAULT, **world.header(role))

    assert answer.status_code == 202
    assert is_kept or answer.text == ""
    found = world.server.client.get(f"/api/v1/sessions/{name}", headers=world.header("admin"))
    assert found.status_code == (200 if is_kept else 404)


def test_nobody_goes_on_with_another_persons_session(world: World) -> None:
    name = serving.new_name("own")
    payload = read_payload("claude-code", "UserPromptSubmit", session_id=name, prompt="Mine.")
    world.server.hook("UserPromptSubmit", payload, **world.header("writer"))

    foreign = read_payload("claude-code", "UserPromptSubmit", session_id=name, prompt="Not mine.", prompt_id="other")
    assert world.server.hook("UserPromptSubmit", foreign, **world.header("member")).status_code == 202

    seen = world.server.client.get(f"/api/v1/sessions/{name}", headers=world.header("admin")).json()
    assert [observation["text"] for observation in seen["observations"]] == ["Mine."]
    assert seen["owner"] == "wri"


def test_a_token_that_is_not_for_capture_sends_nothing(world: World) -> None:
    payload = read_payload("claude-code", "Stop", session_id="anybodys")

    answers = [world.server.hook("Stop", payload, **world.header(role)) for role in ("read-only", "capture-only")]

    assert [answer.status_code for answer in answers] == [403, 202]
