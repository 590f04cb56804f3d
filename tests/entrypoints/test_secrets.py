"""A secret that is sent in is in no file afterwards, wherever in a request it stood."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.entrypoints import rpc
from tests.entrypoints.serving import Server, find_bytes, new_name, read_payload

# Put together from parts, so that no scanner takes them for real ones.
GITHUB = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
PASSWORD = "Tr0ub4dor" + "-horse-" + "staple9"


def tell(server: Server, **changes: object) -> None:
    server.tell(new_name(), "PostToolUse.shell", **{"tool_use_id": new_name("t")} | changes)


EVENTS: dict[str, Callable[[Server], object]] = {
    "prompt": lambda server: server.ask(new_name(), f"Use the token {GITHUB} for it."),
    "command": lambda server: tell(server, tool_input={"command": f"curl -H 'Authorization: token {GITHUB}' x"}),
    "output": lambda server: tell(server, tool_response={"stdout": f"token={GITHUB}", "stderr": ""}),
    "tool's name": lambda server: tell(server, tool_name=GITHUB),
    "file's name": lambda server: server.tell(
        new_name(),
        "PostToolUse.write",
        tool_use_id=new_name("t"),
        tool_input={"file_path": f"/home/dev/shop/{GITHUB}.txt", "content": "x"},
    ),
    "unknown field": lambda server: tell(server, odd={"deep": [GITHUB]}),
    "unknown field's name": lambda server: tell(server, **{GITHUB: 1}),
    "unknown event's name": lambda server: server.hook(GITHUB, {"session_id": new_name()}),
    "tool's id": lambda server: tell(server, tool_use_id=GITHUB),
    "folder": lambda server: server.hook(
        "Stop", read_payload("claude-code", "Stop", session_id=new_name(), cwd=f"/home/dev/{GITHUB}"), checkout={}
    ),
    "session's id": lambda server: server.tell(GITHUB, "Stop"),
    "client's key": lambda server: server.hook("Stop", {"session_id": new_name()}, key=GITHUB),
}


@pytest.mark.parametrize("place", EVENTS)
def test_a_secret_in_an_event_is_in_no_file(server: Server, place: str) -> None:
    EVENTS[place](server)

    assert server.read("/status")["counts"]["observations"] == 1
    assert find_bytes(server.folder, GITHUB) == []


@pytest.mark.parametrize(
    "name", ["cwd", "root", "common_dir", "remote", "branch", "revision", "marker_project", "machine", "origin"]
)
def test_a_secret_in_what_was_seen_of_a_folder_is_in_no_file(server: Server, name: str) -> None:
    seen = {"cwd": "/home/dev/shop", name: f"/home/dev/{GITHUB}"}

    server.hook("Stop", read_payload("claude-code", "Stop", session_id=new_name()), checkout=seen)

    assert server.read("/status")["counts"]["observations"] == 1
    assert find_bytes(server.folder, GITHUB) == []


def test_the_password_in_a_remotes_address_is_in_no_file(server: Server) -> None:
    seen = {
        "cwd": "/home/dev/shop",
        "root": "/home/dev/shop",
        "remote": f"https://anna:{PASSWORD}@git.example/anna/shop.git",
        "dirty": [f"notes-{GITHUB}.md"],
    }

    server.hook("Stop", read_payload("claude-code", "Stop", session_id=new_name()), checkout=seen)

    assert "remote:git.example/anna/shop" in server.read("/projects")["projects"][0]["identities"]
    assert find_bytes(server.folder, PASSWORD) == []
    assert find_bytes(server.folder, GITHUB) == []


def test_a_secret_of_a_session_is_on_none_of_its_pages(server: Server) -> None:
    session = new_name()
    server.ask(session, f"Deploy with {GITHUB} and stop.")
    server.run(session, f"export DB_PASSWORD={PASSWORD}; ./deploy.sh", f"using {GITHUB}\nError: no route")
    server.tell(session, "Stop", last_assistant_message=f"I used {GITHUB}. Next: rotate it.")

    server.end(session)

    page = server.read(f"/pages/{server.session(session)['page_path']}", project="shop")
    assert "[redacted:" in page["text"]
    assert find_bytes(server.folder, GITHUB) == []
    assert find_bytes(server.folder, PASSWORD) == []


WRITES: dict[str, dict[str, object]] = {
    "body": {"body": f"The token is {GITHUB}."},
    "title": {"body": "x", "title": f"About {GITHUB}"},
    "tags": {"body": "x", "tags": [GITHUB]},
    "field": {"body": "x", "fields": {"note": GITHUB}},
    "field in a field": {"body": "x", "fields": {"note": {"deep": [{"er": GITHUB}]}}},
}


@pytest.mark.parametrize("place", WRITES)
def test_a_secret_in_a_page_is_in_no_file(server: Server, place: str) -> None:
    server.ask(new_name(), "Look around.")

    answer = server.put("notes/keys.md", WRITES[place], project="shop")
    server.settle()

    assert answer.status_code == 200, answer.text
    assert find_bytes(server.folder / "wiki", "notes/keys.md") != []
    assert find_bytes(server.folder, GITHUB) == []


def test_a_changed_page_keeps_no_secret_in_its_history(server: Server) -> None:
    server.ask(new_name(), "Look around.")
    first = server.put("notes/keys.md", {"body": f"Old: {GITHUB}"}, project="shop").json()

    server.put("notes/keys.md", {"body": f"New: {GITHUB}", "expected_hash": first["content_hash"]}, project="shop")
    server.settle()

    assert len(server.read("/history/notes/keys.md", project="shop")["revisions"]) == 2
    assert find_bytes(server.folder, GITHUB) == []


@pytest.mark.parametrize("name", ["summary", "goal", "branch", "to_user", "cwd", "session_id"])
def test_a_secret_in_a_handoff_is_in_no_file(server: Server, name: str) -> None:
    server.ask(new_name(), "Look around.")
    body = {"summary": "Half done.", name: f"/home/{GITHUB}"}

    answer = server.post("/handoffs", body, project="shop")

    assert answer.status_code == 201, answer.text
    assert GITHUB not in answer.text
    assert find_bytes(server.folder, GITHUB) == []


@pytest.mark.parametrize("name", ["done", "next_steps", "open_questions", "files", "failing_commands"])
def test_a_secret_in_a_handoffs_list_is_in_no_file(server: Server, name: str) -> None:
    server.ask(new_name(), "Look around.")

    server.offer("Half done.", **{name: [f"see {GITHUB}"]})

    assert find_bytes(server.folder, GITHUB) == []


def test_a_secret_in_a_claimers_name_is_in_no_file(server: Server) -> None:
    server.ask(new_name(), "Look around.")
    offered = server.offer()

    answer = server.post(f"/handoffs/{offered['id']}/claim", {"session_id": GITHUB, "agent": GITHUB})

    assert answer.status_code == 200
    assert find_bytes(server.folder, GITHUB) == []


MCP_CALLS: dict[str, tuple[str, dict[str, object]]] = {
    "body": ("memory_write", {"path": "notes/keys.md", "body": f"The token is {GITHUB}."}),
    "title": ("memory_write", {"path": "notes/keys.md", "body": "x", "title": f"About {GITHUB}"}),
    "tags": ("memory_write", {"path": "notes/keys.md", "body": "x", "tags": [GITHUB]}),
    "summary": ("memory_handoff_offer", {"summary": f"Half done with {GITHUB}."}),
    "next steps": ("memory_handoff_offer", {"summary": "x", "next_steps": [f"Use {GITHUB}."]}),
    "session": ("memory_handoff_offer", {"summary": "x", "session_id": GITHUB}),
    "query": ("memory_search", {"query": GITHUB}),
}


@pytest.mark.parametrize("place", MCP_CALLS)
def test_a_secret_in_a_tool_call_is_in_no_file(server: Server, place: str) -> None:
    server.ask(new_name(), "Look around.")
    name, arguments = MCP_CALLS[place]

    text, is_error = rpc.call_tool(server, name, **arguments)
    server.settle()

    assert not is_error, text
    assert find_bytes(server.folder, GITHUB) == []


def test_a_secret_in_a_query_or_a_refusal_is_in_no_file(server: Server) -> None:
    server.ask(new_name(), "Look around.")

    server.read("/search", q=f"where is {GITHUB}")
    server.get(f"/pages/{GITHUB}", project="shop")
    server.get("/pages/notes/x", project=GITHUB)
    server.post("/handoffs", {"summary": "x", GITHUB: 1}, project="shop")

    assert find_bytes(server.folder, GITHUB) == []


def test_the_search_for_planted_text_would_find_it(server: Server, tmp_path: Path) -> None:
    """The proof that the other tests can fail: an ordinary word is found in state, in the tree and in git."""
    session = new_name()
    server.ask(session, "Count the zyxgrannies.")
    server.end(session)

    found = json.dumps(find_bytes(server.folder, "zyxgrannies"))

    assert "state.db" in found
    assert ".md" in found
    assert "/.git/objects/" in found
    assert str(tmp_path) in found
