"""What administrators do to people and projects: trying it first, archiving, and signing browsers out."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.access import signing_in
from app.access.signing_in import Attempt
from tests.entrypoints import rights, rpc, serving
from tests.entrypoints.rights import CANARY, Row, World

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


def test_an_archived_project_is_out_of_menus_and_lists_and_still_found(world: World) -> None:
    admin, server = world.header("admin"), world.server
    read = {"uri": "memwiki://main/hold/notes/secret.md"}
    ask(world, "POST /projects/archive", project="hold")

    menus = [server.client.get(page, headers=admin).text for page in ("/search", "/sessions")]
    status = rpc.send(server, "tools/call", {"name": "memory_status", "arguments": {}}, **admin).text
    listed = rpc.send(server, "resources/list", **admin).text
    chosen = server.client.get("/search?project=main/hold", headers=admin).text

    assert [menu.count("<option>main/") for menu in menus] == [1, 1]
    assert "<option selected>main/hold</option>" in chosen
    assert ("main/hold" in status, "1 in the archive" in status, "main/hold" in listed) == (False, True, False)
    assert CANARY in rpc.send(server, "resources/read", read, **admin).text
    assert ask(world, "GET /search", q=CANARY).json()["hits"]
    recent = rpc.send(server, "tools/call", {"name": "memory_recent", "arguments": {}}, **admin).json()["result"]
    assert not recent.get("isError")
    ask(world, "POST /projects/unarchive", project="hold")
    assert "main/hold" in rpc.send(server, "resources/list", **admin).text


FAULTS = {
    "a name against the grammar": ("people", {"name": "not a name", "role": "admin", "password": "hidden-words"}, 422),
    "a password too short": ("people", {"name": "zoe", "role": "member", "password": "hidden"}, 422),
    "a name that is taken": ("people", {"name": "bob", "password": "hidden-words-of-bob"}, 409),
    "nobody of that name": ("people/nobody/disable", {}, 404),
    "a new password too short": ("people/bob/password", {"password": "hidden"}, 422),
    "a group against the grammar": ("groups", {"name": "not a group"}, 422),
    "no such group": ("groups/none/join", {"person": "bob"}, 404),
    "a grant to nobody": ("projects/main/hold/grant", {"holder": "nobody", "access": "write"}, 404),
    "no such access": ("projects/main/hold/grant", {"holder": "bob", "access": "everything"}, 422),
    "no such token": ("tokens/none/revoke", {}, 404),
    "no such browser": ("sign-ins/none/end", {}, 404),
    "the last administrator": ("people/ann/role", {"role": "member"}, 409),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_form_that_cannot_be_taken_is_shown_again_with_what_was_typed(world: World, case: str) -> None:
    place, fields, status = FAULTS[case]

    answer = world.submit(f"/admin/{place}", Row("admin", body=fields), "admin")

    assert answer.status_code == status, answer.text
    assert answer.text.count('role="alert"') == 1
    assert f'action="/admin/{place.partition("/")[0]}' in answer.text or "tokens" in place or "sign-ins" in place
    assert 'aria-label="Administration"' in answer.text
    if place in {"people", "groups"}:
        assert f'name="name" value="{fields["name"]}"' in answer.text
        assert 'aria-invalid="true"' in answer.text
    assert "hidden-words" not in answer.text
    assert 'value="hidden"' not in answer.text


def test_what_was_chosen_stays_chosen(world: World) -> None:
    role = world.submit("/admin/people", Row("admin", body={"name": "no good", "role": "admin"}), "admin").text
    grant = Row("admin", body={"holder": "bob", "access": "everything"})
    holder = world.submit("/admin/projects/main/hold/grant", grant, "admin").text

    assert '<option value="admin" selected>' in role
    assert holder.count("<option selected>bob</option>") == 1


def test_a_name_stays_in_the_form_of_a_failed_sign_in_and_the_password_does_not(world: World) -> None:
    answer = world.submit("/sign-in", Row("public", body={"name": "bob", "password": "hidden-words"}), "anonymous")

    assert answer.status_code == 401
    assert 'value="bob"' in answer.text
    assert "hidden-words" not in answer.text
