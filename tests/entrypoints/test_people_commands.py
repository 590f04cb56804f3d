"""People by the command line on a stopped server's folder, and over HTTP as the command line asks."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app import config, wiring
from app.access import accounts
from app.domain.person_errors import LastAdministrator
from app.entrypoints.cli.main import app
from tests.entrypoints.rights import ROOT
from tests.entrypoints.serving import Server, find_bytes

PASSWORD = "correct horse battery"


def run(folder: Path, *arguments: str, given: str = "") -> dict[str, Any]:
    """Run a command on a folder; gives its JSON."""
    done = CliRunner().invoke(app, [*arguments, "--data-dir", str(folder), "--json"], input=given)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_first_administrator_is_made_before_the_server_runs(tmp_path: Path) -> None:
    folder = tmp_path / "memwiki"

    added = run(folder, "user", "add", "Ann", "--admin", "--password-stdin", given=f"{PASSWORD}\n")

    assert (added["name"], added["role"], added["token"][:3]) == ("ann", "admin", "mw_")
    assert run(folder, "user", "list")["people"][0]["has_password"]
    assert find_bytes(folder, PASSWORD) == []
    assert find_bytes(folder, added["token"]) == []
    runtime = wiring.build_runtime(config.load_settings(data_dir=folder))
    assert runtime.gate.look_up(f"Bearer {added['token']}".encode()).person == "ann"
    runtime.close()


def test_a_password_is_reset_on_the_servers_machine(tmp_path: Path) -> None:
    folder = tmp_path / "memwiki"
    run(folder, "user", "add", "ann", "--admin")

    assert not run(folder, "user", "list")["people"][0]["has_password"]
    assert run(folder, "user", "reset-password", "ann", "--password-stdin", given=f"{PASSWORD}\n")["has_password"]


def ask(server: Server, secret: str, method: str, path: str, body: object = None, **query: str) -> Any:  # noqa: ANN401 - JSON
    """Ask as the bearer of a token; it must be let through."""
    header = {"authorization": f"Bearer {secret}"}
    sent = None if method in {"GET", "DELETE"} else body or {}
    answer = server.client.request(method, f"/api/v1{path}", json=sent, params=query, headers=header)
    assert answer.status_code < 300, answer.text
    return answer.json() if answer.content else None


def test_a_team_is_made_over_http(server: Server) -> None:
    server.ask("s-1", "Look around.")
    first = server.post("/people", {"name": "ann", "role": "admin", "with_token": True}).json()
    ann = first["token"]
    bob = ask(server, ann, "POST", "/people", {"name": "bob", "with_token": True})["token"]

    ask(server, ann, "POST", "/projects/restrict", project="shop")
    assert ask(server, bob, "GET", "/projects")["projects"] == []

    ask(server, ann, "POST", "/groups", {"name": "devs"})
    ask(server, ann, "POST", "/groups/devs/members/bob")
    ask(server, ann, "POST", "/grants", {"holder": "@devs", "access": "read"}, project="shop")
    assert [each["name"] for each in ask(server, bob, "GET", "/projects")["projects"]] == ["main/shop"]

    ask(server, ann, "DELETE", "/groups/devs/members/bob")
    assert ask(server, bob, "GET", "/projects")["projects"] == []
    assert ask(server, ann, "GET", "/audit/verify")["is_whole"]
    assert {row["actor"] for row in ask(server, ann, "GET", "/audit")["entries"]} == {"local", "ann"}


def test_the_first_account_takes_over_what_was_done_before(server: Server) -> None:
    server.ask("s-1", "Look around.")
    offered = server.offer()

    ann = server.post("/people", {"name": "ann", "role": "admin", "with_token": True}).json()["token"]

    assert ask(server, ann, "GET", f"/handoffs/{offered['id']}")["owner"] == "ann"
    assert ask(server, ann, "GET", "/sessions/s-1")["owner"] == "ann"


def test_nobody_makes_a_token_that_can_do_more_than_the_one_at_hand(server: Server) -> None:
    ann = server.post("/people", {"name": "ann", "role": "admin", "with_token": True}).json()["token"]
    hook = ask(server, ann, "POST", "/tokens", {"name": "hook", "rights": ["capture", "write"]})["token"]

    header = {"authorization": f"Bearer {hook}"}
    refused = server.client.post("/api/v1/tokens", json={"name": "more", "rights": ["admin"]}, headers=header)

    assert (refused.status_code, refused.json()["code"]) == (403, "act_denied")
    assert ask(server, hook, "GET", "/whoami")["rights"] == ["capture", "read", "write"]


def test_a_refused_change_leaves_nothing_behind(server: Server) -> None:
    server.post("/people", {"name": "ann", "role": "admin"})

    with pytest.raises(LastAdministrator):
        accounts.remove_person(server.runtime.people, ROOT, "ann")

    assert server.runtime.engine.read(accounts.list_people)[0].is_active


def test_changes_and_refusals_over_the_api_are_in_the_trail(server: Server) -> None:
    server.ask("s-1", "Look around.")
    ann = server.post("/people", {"name": "ann", "role": "admin", "with_token": True}).json()["token"]
    bob = ask(server, ann, "POST", "/people", {"name": "bob", "with_token": True})["token"]
    ask(server, bob, "PUT", "/pages/notes/x.md", {"body": "Text."}, project="shop")

    header = {"authorization": f"Bearer {bob}"}
    assert server.client.get("/api/v1/people", headers=header).status_code == 403

    # What is refused is written down once the answer is out.
    server.runtime.writer.submit(lambda _: None).result(20)
    denied, saved = ask(server, ann, "GET", "/audit", limit="2")["entries"]
    assert (denied["actor"], denied["subject"], denied["outcome"]) == ("bob", "/api/v1/people", "denied")
    assert (saved["actor"], saved["action"], saved["outcome"]) == ("bob", "api.put", "done")
    assert denied["token"] == saved["token"]
    assert denied["request"] != saved["request"]
    assert ask(server, ann, "GET", "/audit/verify")["is_whole"]
