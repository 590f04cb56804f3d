"""`GET /api/v1/where`: which project a folder is, by which rule, and what a first capture would make."""

import json
from typing import Any
from urllib.parse import quote

import pytest

from tests.entrypoints.serving import SHOP, Server, new_name, read_payload

HERE = {"cwd": "/w/api", "root": "/w/api", "common_dir": "/w/api/.git", "machine": "desk"}


def ask(server: Server, **checkout: object) -> dict[str, Any]:
    answer = server.client.get("/api/v1/where", headers={"memwiki-checkout": quote(json.dumps(checkout))})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def capture(server: Server, **checkout: object) -> str:
    """Capture one prompt from a folder; tells its project."""
    session = new_name()
    payload = read_payload("claude-code", "UserPromptSubmit", session_id=session, cwd=checkout["cwd"])
    assert server.hook("UserPromptSubmit", payload, checkout=checkout).status_code == 202
    return str(server.session(session)["project"])


@pytest.mark.parametrize(
    ("seen", "rule"),
    [
        ({**HERE, "remote": "git@h.org:anna/api"}, "remote"),
        (HERE, "git"),
        ({"cwd": "/w/api", "machine": "desk"}, "folder"),
        ({"cwd": "/w/api", "marker_project": "api"}, "marker"),
    ],
)
def test_the_rule_that_leads_to_a_project_is_told(server: Server, seen: dict[str, object], rule: str) -> None:
    before = ask(server, **seen)
    made = capture(server, **seen)
    after = ask(server, **seen)

    assert (before["project"], before["would_create"]) == (None, made)
    assert (after["project"]["name"], after["rule"], after["would_create"]) == (made, rule, None)
    assert after["identity"] in after["identities"]
    assert after["checkout"]["cwd"] == "/w/api"


def test_looking_makes_no_project(server: Server) -> None:
    for _ in range(3):
        ask(server, **HERE)
        server.client.get("/api/v1/search?q=x", headers={"memwiki-checkout": quote(json.dumps(HERE))})

    assert server.read("/projects")["projects"] == []


def test_a_repository_that_lies_where_another_lay_is_told_apart(server: Server) -> None:
    capture(server, **HERE, remote="git@h.org:anna/api")

    answer = ask(server, **HERE, remote="git@h.org:bert/api")

    assert (answer["project"], answer["would_create"]) == (None, "main/bert-api")
    assert answer["told_apart"] == ["main/api"]


def test_a_request_that_names_a_project_is_told_so(server: Server) -> None:
    server.ask(new_name(), "Look around.")

    answer = server.read("/where", project="shop")

    assert (answer["project"]["name"], answer["rule"]) == ("main/shop", "name")
    assert server.get("/where", project="nobody").status_code == 404


def test_without_a_folder_nothing_is_known(server: Server) -> None:
    assert server.read("/where") == {"project": None, "rule": ""}


def test_aliases_of_a_marker_resolve_for_readers(server: Server) -> None:
    capture(server, cwd="/b", marker_project="billing", marker_aliases=["invoices"])

    assert server.read("/where", project="invoices")["project"]["name"] == "main/billing"


def test_an_agent_that_names_no_folder_but_its_workspace_is_routed_by_it(server: Server) -> None:
    session = new_name()
    payload = read_payload("claude-code", "UserPromptSubmit", session_id=session, cwd=None)

    server.hook("UserPromptSubmit", payload | {"workspace_roots": ["/w/notes", "/w/other"]}, checkout={})

    assert server.session(session)["project"] == "main/notes"


def test_two_machines_with_one_path_are_two_projects(server: Server) -> None:
    assert capture(server, **HERE) != capture(server, **{**HERE, "machine": "lap"})


@pytest.mark.parametrize(
    "spelling",
    [
        {"cwd": "C:\\Code\\Api", "machine": "DESK"},
        {"cwd": "c:/code/api/", "machine": "desk"},
        {"cwd": "/mnt/c/Code/Api", "machine": "desk+Ubuntu"},
        {"cwd": "\\\\wsl$\\Ubuntu\\mnt\\c\\Code\\Api", "machine": "desk"},
    ],
)
def test_a_folder_of_windows_is_one_project_from_every_side(server: Server, spelling: dict[str, object]) -> None:
    made = capture(server, cwd="C:/code/api", machine="desk")

    assert capture(server, **spelling) == made


def test_the_present_folder_is_told_also_for_an_old_client(server: Server) -> None:
    server.ask(new_name(), "Look around.")

    assert ask(server, **SHOP)["project"]["name"] == "main/shop"
