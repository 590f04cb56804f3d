"""Whatever changes something leaves a row that is whole, by whichever door it came: none can be added without one."""

import hashlib
import hmac
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.routing import APIRoute

from app.domain import limits
from app.entrypoints import people_shapes
from app.entrypoints.http import app as http_app
from app.entrypoints.mcp import server as mcp_server
from app.entrypoints.web import admin_forms, board, rules
from app.entrypoints.web import routes as web_routes
from app.state import audit
from app.state.audit import AuditEntry, TrailFilter
from tests.entrypoints import rights, rpc, serving
from tests.entrypoints.deeds import FORMS, OTHER_FORMS, OTHERS, PASSWORD, ROUTES, TOOLS, Doing, Maker
from tests.entrypoints.rights import PEOPLE, VAULT, Row, World

Send = Callable[[Mapping[str, str], dict[str, str]], httpx2.Response]

LOOKING = frozenset({"GET", "HEAD", "OPTIONS"})
CLIENT = "testclient"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[World]:
    with serving.serve(tmp_path_factory.mktemp("deeds") / "memwiki", template=template) as server:
        yield rights.build_world(server)


@dataclass
class Told:
    """The rows that one request left, and who had made it."""

    rows: list[dict[str, Any]]
    token_id: str


def read_rows(world: World, after: int) -> list[dict[str, Any]]:
    """Read what somebody asked for, and not what the server does by itself, after a row."""
    world.server.runtime.writer.submit(lambda _: None).result(20)
    rows: list[AuditEntry] = world.server.runtime.engine.read(audit.list_audit_after, after)
    return [row for row in map(people_shapes.shape_entry, rows) if row["address"] != "this server"]


def find_last(world: World) -> int:
    end = world.server.runtime.engine.read(audit.find_end)
    return end.id if end else 0


def fill(text: str, names: Mapping[str, str]) -> str:
    """Put what was made into the braces of a text."""
    return re.sub(r"\{([^{}]+)\}", lambda found: names.get(found[1], found[0]), text)


def fill_all(values: Mapping[str, object], names: Mapping[str, str]) -> dict[str, object]:
    """Put what was made into the braces of all texts in something."""
    return {key: fill(value, names) if isinstance(value, str) else value for key, value in values.items()}


def find_faults(told: Told, request: str, person: str, doing: Doing, scope: str) -> list[str]:
    """Find what the rows of a request do not say of it."""
    faults = [] if told.rows else ["no row at all"]
    for row in told.rows:
        known = {"request": request, "address": CLIENT, "token": told.token_id}
        faults += [f"{row['action']}: {name}" for name, value in known.items() if row.get(name) != value]
        faults += [] if row["actor"].removesuffix(" (agent)") == person else [f"{row['action']}: {row['actor']}"]
        faults += [] if row["action"] and row["subject"] else [f"{row}"]
    if scope and all(row.get("scope") != scope for row in told.rows):
        faults.append(f"no row is about {scope}")
    if doing.is_moving and not any(row.get("before") or row.get("after") for row in told.rows):
        faults.append("no row says what it was before or is after")
    return faults


def judge(world: World, doing: Doing, send: Send) -> list[str]:
    """Do a deed, and find what the trail does not say of it."""
    names = world.names | doing.make(Maker(world))
    header = world.header(doing.role)
    token_id = world.server.client.get("/api/v1/whoami", headers=header).json()["token_id"]
    before, request = find_last(world), serving.new_name("request")
    answer = send(names, header | {"x-request-id": request})
    assert answer.status_code < 400, answer.text
    told = Told(read_rows(world, before), token_id)
    return find_faults(told, request, PEOPLE[doing.role], doing, fill(doing.scope, names))


def test_every_route_that_changes_something_stands_in_the_table() -> None:
    closed = ((router, http_app.API_PREFIX) for router in http_app.list_routers())
    found = {
        f"{method} {prefix}{route.path}"
        for router, prefix in [*http_app.list_open_routers(), *closed]
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in route.methods - LOOKING
    }

    assert found == {*ROUTES, *OTHERS}


def test_every_tool_that_changes_something_stands_in_the_table() -> None:
    assert {name for _, name, behaviour in mcp_server.TOOLS if not behaviour.read_only_hint} == set(TOOLS)


def test_every_form_and_what_it_does_stands_in_the_table() -> None:
    does = {
        "/handoffs/{handoff_id}/{action}": board.ACTIONS,
        "/review/{proposal_id}/{action}": rules.ACTIONS,
        "/admin/people/{name}/{action}": admin_forms.PEOPLE,
        "/admin/groups/{name}/{action}": admin_forms.GROUPS,
        "/admin/projects/{workspace}/{project}/{action}": admin_forms.PROJECTS,
    }
    places = {route.path for route in web_routes.list_routes() if route.methods and "POST" in route.methods}

    assert {place for place in places if "{action}" in place} == set(does)
    assert {(place, action) for place in places - set(OTHER_FORMS) for action in does.get(place, [""])} == set(FORMS)


@pytest.mark.parametrize("key", ROUTES)
def test_a_route_leaves_a_whole_row(world: World, key: str) -> None:
    doing = ROUTES[key]

    def send(names: Mapping[str, str], header: dict[str, str]) -> httpx2.Response:
        method, _, path = key.partition(" ")
        query, body = fill_all(doing.query, names), None if method == "DELETE" else fill_all(doing.body, names)
        return world.server.client.request(method, fill(path, names), params=query, json=body, headers=header)

    assert judge(world, doing, send) == []


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_leaves_a_whole_row(world: World, tool: str) -> None:
    doing = TOOLS[tool]

    def send(names: Mapping[str, str], header: dict[str, str]) -> httpx2.Response:
        params = {"name": tool, "arguments": fill_all(doing.body, names)}
        answer = rpc.send(world.server, "tools/call", params, **header)
        assert not answer.json()["result"].get("isError"), answer.text
        return answer

    assert judge(world, doing, send) == []


@pytest.mark.parametrize(("place", "action"), FORMS)
def test_a_form_leaves_a_whole_row(world: World, place: str, action: str) -> None:
    doing = FORMS[place, action]

    def send(names: Mapping[str, str], header: dict[str, str]) -> httpx2.Response:
        whose = f"{PEOPLE[doing.role]}\n"
        token = hmac.new(world.server.runtime.form_key, whose.encode(), hashlib.sha256).hexdigest()
        sent = {"form_token": token, **fill_all(doing.body, names)}
        address = fill(place, {**names, "action": action})
        return world.server.client.post(address, data=sent, headers=header, follow_redirects=False)

    assert judge(world, doing, send) == []


def test_who_signs_in_and_out_leaves_whole_rows(world: World) -> None:
    name = Maker(world).person()["name"]
    client, before = world.server.client, find_last(world)

    made = client.post("/api/v1/login/password", json={"name": name, "password": PASSWORD})
    client.post("/api/v1/logout", json={}, headers={"authorization": f"Bearer {made.json()['token']}"})

    rows = [row for row in read_rows(world, before) if row["actor"] == name]
    assert [row["action"] for row in rows] == ["token.create", "token.revoke", "api.post"]
    assert all(row["request"] and row["address"] == CLIENT for row in rows)
    assert [row.get("token", "") for row in rows] == ["", made.json()["id"], made.json()["id"]]


def test_a_denied_attempt_says_what_it_was_about(world: World) -> None:
    header = world.header("reader") | {"x-request-id": "denied-1"}
    body = {"body": "# No"}

    world.server.client.put("/api/v1/pages/notes/no.md", json=body, params={"project": "hold"}, headers=header)

    world.server.runtime.writer.submit(lambda _: None).result(20)
    row = world.server.runtime.engine.read(audit.list_audit, 1, TrailFilter(outcome="denied"))[0]
    assert row.actor == "rea"
    assert '"scope":"main/hold"' in row.context
    assert '"request":"denied-1"' in row.context


def test_what_is_only_tried_leaves_no_row_of_a_change(world: World) -> None:
    header, before = world.header("admin"), find_last(world)
    tried = {
        "/api/v1/purge": {"kind": "project", "name": "hold"},
        "/api/v1/people?dry_run=true": {"name": "nobody-new"},
        "/api/v1/bootstrap?project=hold": {"facts": {}},
        f"/api/v1/sessions/{world.names['session_id']}/forget": {"apply": False},
    }

    answers = [world.server.client.post(place, json=body, headers=header) for place, body in tried.items()]

    assert [answer.status_code for answer in answers] == [200, 201, 200, 200]
    assert read_rows(world, before) == []


def test_a_handoff_that_a_sessions_own_events_move_names_their_token(world: World) -> None:
    header, name = world.header("writer"), serving.new_name("taker")
    Maker(world).handoff()
    before = find_last(world)

    for event, more in (("SessionStart", {"source": "startup"}), ("UserPromptSubmit", {"prompt": "Go on with it."})):
        payload = {"session_id": name, "hook_event_name": event, "cwd": VAULT["cwd"], **more}
        answer = world.server.hook(event, payload, checkout=VAULT, **header, **{"x-request-id": f"hook-{event}"})
        assert answer.status_code == 202, answer.text

    rows = read_rows(world, before)
    assert [(row["action"], row["request"]) for row in rows] == [
        ("handoff.claim", "hook-SessionStart"),
        ("handoff.confirm", "hook-UserPromptSubmit"),
    ]
    assert all(row["actor"] == "wri" and row["token"] and row["address"] == CLIENT for row in rows)


@pytest.mark.parametrize("place", ["/api/v1/login/password", "/sign-in"])
def test_an_attempt_that_is_turned_away_unchecked_stands_there_too(world: World, place: str) -> None:
    name, throttle = serving.new_name("guessed"), world.server.runtime.throttle
    for _ in range(limits.SIGN_IN_FAILURES_MAX):
        throttle.note_failure(name, CLIENT, world.server.runtime.clock.now())
    before = find_last(world)

    if place == "/sign-in":
        world.submit(place, Row("public", body={"name": name, "password": PASSWORD}), "anonymous")
    else:
        world.server.client.post(place, json={"name": name, "password": PASSWORD})

    rows = [row for row in read_rows(world, before) if row["subject"] == place]
    assert [(row["actor"], row["outcome"], row["address"]) for row in rows] == [("-", "denied", CLIENT)]


def test_a_handoff_that_a_spools_events_move_names_their_token(world: World) -> None:
    header, name = world.header("writer"), serving.new_name("taker")
    Maker(world).handoff()
    begun = {"session_id": name, "hook_event_name": "SessionStart", "cwd": VAULT["cwd"], "source": "startup"}
    assert world.server.hook("SessionStart", begun, checkout=VAULT, **header).status_code == 202
    before = find_last(world)
    payload = {"session_id": name, "cwd": VAULT["cwd"], "prompt": "Go on with it."}
    item = {"agent": "claude-code", "event": "UserPromptSubmit", "payload": payload, "checkout": VAULT}

    answer = world.server.batch(item, **header, **{"x-request-id": "the-spool"})

    assert answer.status_code == 200, answer.text
    [row] = read_rows(world, before)
    assert (row["action"], row["request"], row["actor"]) == ("handoff.confirm", "the-spool", "wri")
    assert row["token"]
