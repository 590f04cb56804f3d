"""What administrators do to people and projects: trying it first, archiving, and signing browsers out."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.access import signing_in
from app.access.signing_in import Attempt
from tests.entrypoints import rights, serving
from tests.entrypoints.rights import World

TRIED = {
    "POST /people": {"name": "eve"},
    "POST /people/bob/disable": {},
    "POST /people/bob/role": {"role": "admin"},
    "POST /people/bob/password": {"password": "long enough it is"},
    "DELETE /people/bob": None,
    "POST /groups": {"name": "devs"},
    "POST /grants": {"holder": "bob", "access": "read"},
    "POST /projects/open": {},
    "POST /projects/archive": {},
    "POST /tokens": {"name": "t", "person": "bob"},
}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[World]:
    with serving.serve(tmp_path_factory.mktemp("admin") / "memwiki", template=template) as server:
        yield rights.build_world(server)


def ask(world: World, call: str, body: object = None, role: str = "admin", **query: str) -> httpx2.Response:
    method, _, path = call.partition(" ")
    sent = None if method in {"GET", "DELETE"} else body or {}
    header = world.header(role)
    return world.server.client.request(method, f"/api/v1{path}", json=sent, params=query, headers=header)


def look(world: World) -> list[Any]:
    places = ("/people", "/groups", "/grants", "/projects", "/audit", "/tokens?all=true")
    return [world.server.client.get(f"/api/v1{place}", headers=world.header("admin")).json() for place in places]


@pytest.mark.parametrize("call", TRIED)
def test_a_dry_run_answers_and_changes_nothing(world: World, call: str) -> None:
    before = look(world)
    query = {"project": "hold"} if "grants" in call or "projects" in call else {}

    answer = ask(world, call, TRIED[call], dry_run="true", **query)

    assert answer.status_code < 300, answer.text
    assert "mw_" not in answer.text.replace(str(answer.json().get("hint", "")), "")
    assert look(world) == before


def test_a_dry_run_is_refused_as_the_change_would_be(world: World) -> None:
    answers = [
        ask(world, "DELETE /people/ann", dry_run="true"),
        ask(world, "POST /people", {"name": "bob"}, dry_run="true"),
        ask(world, "POST /people/nobody/disable", dry_run="true"),
    ]

    assert [answer.json()["code"] for answer in answers] == ["last_administrator", "person_exists", "person_not_found"]


def test_an_archived_project_is_read_and_captured_and_not_changed(world: World) -> None:
    assert ask(world, "POST /projects/archive", role="manager", project="hold").json()["archived_at"]
    listed = [ask(world, "GET /projects", archived=chosen).json()["projects"] for chosen in ("false", "true")]
    names = [{each["name"] for each in projects} & {"main/shop", "main/hold"} for projects in listed]
    assert names == [{"main/shop"}, {"main/hold"}]

    homes = [world.server.client.get(f"/{query}", headers=world.header("admin")).text for query in ("", "?archived=1")]
    assert ["/p/main/hold/" in home.partition("Changed last")[0] for home in homes] == [False, True]

    page = {"body": "# New"}
    saved = ask(world, "PUT /pages/notes/new.md", page, project="hold")
    read = ask(world, "GET /pages/notes/secret.md", project="hold")
    payload = serving.read_payload("claude-code", "UserPromptSubmit", session_id="late", prompt="Still at work.")
    heard = world.server.hook("UserPromptSubmit", payload, checkout=rights.VAULT, **world.header("writer"))

    assert (saved.status_code, saved.json()["code"]) == (409, "project_archived")
    assert (read.status_code, heard.status_code) == (200, 202)
    assert ask(world, "GET /sessions/late").json()["observations"]
    assert ask(world, "POST /projects/unarchive", project="hold").json()["archived_at"] is None
    assert ask(world, "PUT /pages/notes/new.md", page, project="hold").status_code == 200


def test_a_browser_is_signed_out_from_afar(world: World) -> None:
    runtime = world.server.runtime
    attempt = Attempt("203.0.113.7", token=world.secrets["admin"])
    secret = signing_in.sign_in(runtime.people, runtime.gate, runtime.throttle, attempt)
    found = ask(world, "GET /sign-ins").json()["sign_ins"]
    assert [(each["person"], each["address"]) for each in found] == [("ann", "203.0.113.7")]
    cookie = {"cookie": f"memwiki_session={secret}"}
    assert world.server.client.get("/status", headers=cookie).status_code == 200

    assert ask(world, f"POST /sign-ins/{found[0]['id']}/end").status_code == 200

    assert world.server.client.get("/status", headers=cookie).status_code == 401
    assert ask(world, f"POST /sign-ins/{found[0]['id']}/end").json()["code"] == "sign_in_not_found"


def test_figures_are_for_administrators(world: World) -> None:
    issued = ask(world, "POST /tokens", {"name": "prometheus", "rights": ["read"], "person": "ann"}).json()["token"]
    get = world.server.client.get

    assert get("/metrics", headers={"authorization": f"Bearer {issued}"}).status_code == 200
    assert [get("/metrics", headers=world.header(role)).status_code for role in ("manager", "wrong-project")] == [
        403
    ] * 2
