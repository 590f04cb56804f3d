"""Who may do what, on every route, tool and page: a row that is missing fails, and so does a check that is gone."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.routing import APIRoute

from app.access import grants
from app.entrypoints.http import app as http_app
from app.entrypoints.http import guard
from app.entrypoints.mcp import server as mcp_server
from app.entrypoints.web import routes as web_routes
from tests.entrypoints import rights, rpc, serving
from tests.entrypoints.rights import (
    ALLOWED,
    CANARY,
    FORMS,
    HIDING,
    ONCE,
    PAGES,
    REFUSING,
    ROLES,
    ROUTES,
    SIGNED_OUT,
    TOOLS,
    Row,
    World,
)
from tests.entrypoints.serving import read_payload

# Whoever must not know of the restricted project.
STRANGERS = ("member", "wrong-project", "capture-only")
CHECKED = frozenset({"read", "write", "manage", "admin"})
# What a page says to whoever may not open it: nobody is signed in, the token is for something else, nothing is there.
CLOSED = frozenset({303, 401, 403, 404})
CLOSED_TO = re.compile(r": Not Found|no (handoff|proposal) ")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[World]:
    with serving.serve(tmp_path_factory.mktemp("rights") / "memwiki", template=template) as server:
        yield rights.build_world(server)


def read_code(answer: httpx2.Response) -> str:
    if not answer.headers.get("content-type", "").endswith(("/json", "+json")):
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


def list_roles(row: Row) -> tuple[str, ...]:
    """List who asks: those who may not first, since what is had once is gone then."""
    refused = tuple(role for role in ROLES if role not in ALLOWED[row.kind])
    allowed = tuple(role for role in ROLES if role in ALLOWED[row.kind])
    return refused + ((ONCE,) if row.is_once else allowed)


def find_leaks(role: str, text: str) -> list[str]:
    """Find what somebody must not read who may not know of the restricted project."""
    return [f"{role} reads {text[:300]}"] if CANARY in text and role in {*SIGNED_OUT, *STRANGERS} else []


def find_names(role: str, text: str) -> list[str]:
    """Find also names and ids of what is in there; what an open page itself says in its text is no secret."""
    told = text.replace("main/hold:notes/secret.md", "").replace('"project":"main/hold","path":""', "").lower()
    return [f"{role} reads {name}" for name in (CANARY, "main/hold", "vault", "/hold/") if name in told]


def test_every_route_stands_in_the_table() -> None:
    closed = ((router, http_app.API_PREFIX) for router in http_app.list_routers())
    routers = [*http_app.list_open_routers(), *closed]
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


@pytest.mark.parametrize(("method", "table"), [("GET", PAGES), ("POST", FORMS)])
def test_every_page_and_form_stands_in_the_table(method: str, table: dict[str, Row]) -> None:
    found = {route.path for route in web_routes.list_routes() if route.methods and method in route.methods}

    assert found == set(table)


def test_nothing_else_is_served() -> None:
    """Whoever adds a door of another kind must come by here, and walk it with every role."""
    assert set(guard.API_PATHS) == {"/api/", "/healthz", "/readyz", "/metrics", "/hook", "/mcp", "/.well-known/"}
    assert {row.kind for table in (ROUTES, TOOLS, PAGES, FORMS) for row in table.values()} <= set(ALLOWED)


@pytest.mark.parametrize("key", ROUTES)
def test_a_route_answers_those_who_may(world: World, key: str) -> None:
    row, faults = ROUTES[key], []

    for role in list_roles(row):
        answer = world.ask(key, row, role)
        may = role in ALLOWED[row.kind]
        if answer.status_code >= 500 or is_refused(answer) == may:
            faults.append(f"{role}: {answer.status_code} {answer.text[:300]}")
        elif role in SIGNED_OUT and row.kind != "public":
            assert (answer.status_code, answer.headers["www-authenticate"][:6]) == (401, "Bearer")
        faults += find_leaks(role, answer.text)

    assert faults == []


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_answers_those_who_may(world: World, tool: str) -> None:
    faults = []

    for role in list_roles(TOOLS[tool]):
        text, refused = call(world, role, tool)
        if refused == (role in ALLOWED[TOOLS[tool].kind]):
            faults.append(f"{role}: {text[:300]}")
        faults += find_leaks(role, text)

    assert faults == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_shown_to_those_who_may(world: World, page: str) -> None:
    row, faults = PAGES[page], []

    for role in list_roles(row):
        place, query = world.fill(page), dict(row.query)
        answer = world.server.client.get(place, params=query, headers=world.header(role), follow_redirects=False)
        may = role in ALLOWED[row.kind]
        if (answer.status_code == 200) != may or (not may and answer.status_code not in CLOSED):
            faults.append(f"{role}: {answer.status_code}")
        # A search shows the words that were asked for.
        faults += find_leaks(role, answer.text) if "Nothing found" not in answer.text else []

    assert faults == []


@pytest.mark.parametrize("place", FORMS)
def test_a_form_is_taken_from_those_who_may(world: World, place: str) -> None:
    row, faults = FORMS[place], []

    for role in list_roles(row):
        answer = world.submit(place, row, role)
        is_closed = answer.status_code in {401, 403} or CLOSED_TO.search(answer.text) is not None
        if answer.status_code >= 500 or (row.kind != "public" and is_closed == (role in ALLOWED[row.kind])):
            faults.append(f"{role}: {answer.status_code} {answer.text[-600:]}")
        faults += find_leaks(role, answer.text)

    assert faults == []


def test_no_form_is_taken_without_the_token_of_our_own_pages(world: World) -> None:
    unsigned = {place: replace(row, body={"form_token": "0" * 64}) for place, row in FORMS.items()}

    statuses = {place: world.submit(place, row, "admin").status_code for place, row in unsigned.items()}

    assert set(statuses.values()) == {403}


@pytest.mark.parametrize("role", ["member", "wrong-project"])
@pytest.mark.parametrize("key", [key for key, row in ROUTES.items() if "project" in row.query])
def test_what_may_not_be_known_looks_like_what_is_not_there(world: World, key: str, role: str) -> None:
    hidden, absent = (world.ask(key, ROUTES[key], role, project=name) for name in ("hold", "none"))

    assert hidden.status_code == absent.status_code == 404
    told, expected = hidden.json(), absent.json()
    assert told.pop("request_id", None) != expected.pop("request_id", "")
    assert {key: str(value).replace("hold", "none") for key, value in told.items()} == {
        key: str(value) for key, value in expected.items()
    }


@pytest.mark.parametrize("key", [key for key, row in ROUTES.items() if row.kind in CHECKED])
def test_no_refusal_of_a_route_is_by_chance(world: World, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_refused(world.ask(key, ROUTES[key], "member"))

    for decision in ("decide", "sees_all"):
        monkeypatch.setattr(grants, decision, lambda *_: True)

    assert read_code(world.ask(key, ROUTES[key], "member")) not in REFUSING | {"project_not_found"}


@pytest.mark.parametrize("tool", [tool for tool, row in TOOLS.items() if row.kind in CHECKED])
def test_no_refusal_of_a_tool_is_by_chance(world: World, tool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert call(world, "member", tool)[1]

    monkeypatch.setattr(grants, "decide", lambda *_: True)

    assert call(world, "member", tool)[0].partition(":")[0] not in REFUSING | {"project_not_found"}


@pytest.mark.parametrize("page", [page for page, row in PAGES.items() if row.kind in CHECKED])
def test_no_closed_page_is_closed_by_chance(world: World, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, header = world.fill(page), world.header("member")
    assert world.server.client.get(place, headers=header).status_code == 404

    monkeypatch.setattr(grants, "decide", lambda *_: True)

    assert world.server.client.get(place, headers=header).status_code == 200


@pytest.mark.parametrize("place", [place for place, row in FORMS.items() if row.kind in CHECKED])
def test_no_form_is_refused_by_chance(world: World, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = world.submit(place, FORMS[place], "member")
    assert refused.status_code == 404

    monkeypatch.setattr(grants, "decide", lambda *_: True)

    assert world.submit(place, FORMS[place], "member").text != refused.text


def test_whatever_a_stranger_asks_nothing_tells_of_what_is_hidden(world: World) -> None:
    queries = ({"project": "*"}, {"project": "shop"}, {})
    gets = [key for key, row in ROUTES.items() if key.startswith("GET ") and row.kind not in {"admin", "public"}]
    faults = []

    for role in STRANGERS:
        for key in gets:
            words = {name: value.replace(CANARY, "open") for name, value in ROUTES[key].query.items()}
            for query in queries:
                place = world.fill(key.removeprefix("GET ")).replace("secret", "open")
                asked = {name: value for name, value in words.items() if name != "project"} | query
                answer = world.server.client.get(place, params=asked, headers=world.header(role))
                faults += [f"{key} {query}: {fault}" for fault in find_names(role, answer.text)]
                assert answer.status_code < 500
        for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
            faults += find_names(role, rpc.send(world.server, method, **world.header(role)).text)
        for page in (page for page in PAGES if "{" not in page):
            faults += find_names(role, world.server.client.get(page, headers=world.header(role)).text)

    assert faults == []


def test_those_who_may_read_find_what_strangers_do_not(world: World) -> None:
    found = world.ask("GET /api/v1/pages/{path:path}", ROUTES["GET /api/v1/pages/{path:path}"], "reader")
    everywhere = [
        world.server.client.get("/api/v1/search", params={"q": CANARY, "grain": grain}, headers=world.header(role))
        for role in ("member", "wrong-project")
        for grain in ("pages", "observations")
    ]

    assert CANARY in found.text
    assert all(answer.json()["hits"] == [] and answer.json()["omitted"] == 0 for answer in everywhere)


@pytest.mark.parametrize("asked", [{"q": "since:2000"}, {"q": "", "since": "2000-01-01"}, {"q": "since:2000 -zebra"}])
def test_filters_alone_list_and_count_only_what_may_be_read(world: World, asked: dict[str, str]) -> None:
    def list_projects(role: str) -> tuple[set[str], int]:
        query = {"project": "*", "limit": "1", **asked}
        answer = world.server.client.get("/api/v1/search", params=query, headers=world.header(role)).json()
        names = {hit["project"] for hit in answer["hits"]}
        while cursor := answer["next_cursor"]:
            query["cursor"] = cursor
            answer = world.server.client.get("/api/v1/search", params=query, headers=world.header(role)).json()
            names |= {hit["project"] for hit in answer["hits"]}
        return names, answer["omitted"]

    assert list_projects("reader") == ({"main/hold", "main/shop"}, 0)
    assert list_projects("member") == list_projects("wrong-project") == ({"main/shop"}, 0)
    first = world.server.client.get("/api/v1/search", params={"limit": 1, **asked}, headers=world.header("member"))
    assert first.json()["omitted"] == 0


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


@pytest.mark.parametrize(("method", "decision"), [("resources/list", "sees_all"), ("resources/read", "decide")])
def test_no_resource_is_hidden_by_chance(
    world: World, method: str, decision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    params = {"uri": "memwiki://main/hold/notes/secret.md"} if method.endswith("read") else {}
    header = world.header("member")
    assert CANARY not in rpc.send(world.server, method, params, **header).text

    monkeypatch.setattr(grants, decision, lambda *_: True)

    assert CANARY in rpc.send(world.server, method, params, **header).text


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
