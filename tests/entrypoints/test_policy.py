"""What may be captured: the policy that an event brings along, the server's own exclusions, and explaining both."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx2
import pytest

from app import config, wiring
from app.domain.errors import InvalidValue
from tests.entrypoints import serving
from tests.entrypoints.serving import SHOP, Server, new_name, read_payload

SECRET = "/home/dev/shop/secret/key.pem"


def tell(server: Server, policy: object, name: str = "PostToolUse.shell", **changes: object) -> str:
    """Send one event with a policy under a new session; tells the session's id."""
    session = new_name()
    payload = read_payload("claude-code", name, session_id=session, **({"tool_use_id": new_name("t")} | changes))
    text = policy if isinstance(policy, str) else json.dumps({"root": "/home/dev/shop", **policy})  # type: ignore[dict-item]
    answer = server.hook(str(payload["hook_event_name"]), payload, **{"memwiki-policy": quote(text)})
    assert (answer.status_code, answer.content) == (202, b"")
    return session


def reads(path: str) -> dict[str, object]:
    return {"tool_name": "Read", "tool_input": {"file_path": path}, "tool_response": {"file": {"content": "x"}}}


def runs(command: str) -> dict[str, object]:
    return {"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": {"stdout": "x"}}


@pytest.mark.parametrize(
    ("policy", "name", "changes"),
    [
        ({"enabled": False}, "UserPromptSubmit", {}),
        ({"deny": ["secret/**"]}, "PostToolUse.shell", reads(SECRET)),
        ({"deny": ["*.pem"]}, "PostToolUse.shell", runs(f"cat {SECRET}")),
        ({"deny": ["*.PEM"]}, "PostToolUse.shell", runs("cat secret/key.pem | head")),
        ({"mode": "allow-list", "allow": ["src/**"]}, "PostToolUse.shell", reads(SECRET)),
        ({"mode": "allow-list", "allow": ["src/**"]}, "PostToolUse.shell", runs("cat src/a.py secret/key.pem")),
        ({"kinds": {"prompt": False}}, "UserPromptSubmit", {}),
        ({"subagents": "drop"}, "PostToolUse.shell", {"agent_id": "helper"}),
        ({"subagents": "drop"}, "PostToolUse.shell", {"isSidechain": True}),
        ({"subagents": "drop"}, "SubagentStop", {}),
    ],
    ids=["off", "path", "name", "letters", "not listed", "one not listed", "kind", "subagent", "sidechain", "its end"],
)
def test_what_a_policy_keeps_out_is_dropped(
    server: Server, policy: dict[str, object], name: str, changes: dict[str, object]
) -> None:
    session = tell(server, policy, name, **changes)

    assert server.observations(session) == []
    assert server.read("/projects")["projects"] == []
    assert server.read("/status")["dropped"][0]["by_policy"] == 1


@pytest.mark.parametrize(
    ("policy", "name", "changes"),
    [
        ({}, "PostToolUse.shell", reads(SECRET)),
        ({"deny": ["other/**"]}, "PostToolUse.shell", reads(SECRET)),
        ({"mode": "allow-list", "allow": ["src/**"]}, "PostToolUse.shell", reads("/home/dev/shop/src/a.py")),
        ({"mode": "allow-list", "allow": ["src/**"]}, "UserPromptSubmit", {}),
        ({"kinds": {"tool_end": True, "prompt": False}}, "PostToolUse.shell", {}),
        ({"subagents": "keep"}, "PostToolUse.shell", {"agent_id": "helper"}),
    ],
    ids=["nothing said", "another path", "listed", "words", "another kind", "subagent"],
)
def test_what_a_policy_lets_through_is_stored(
    shared: Server, policy: dict[str, object], name: str, changes: dict[str, object]
) -> None:
    assert len(shared.observations(tell(shared, policy, name, **changes))) == 1


def test_the_models_words_are_left_out_and_the_event_is_kept(shared: Server) -> None:
    kept = tell(shared, {"assistant_text": True}, "Stop", last_assistant_message="Done.")
    stripped = tell(shared, {"assistant_text": False}, "Stop", last_assistant_message="Done.")

    assert [row["text"] for row in shared.observations(kept)] == ["Done."]
    assert [row["text"] for row in shared.observations(stripped)] == [""]


@pytest.mark.parametrize("policy", ["unreadable", "not json", '{"denny": []}', '{"mode": "maybe"}', "x" * 5000, "[1]"])
def test_a_policy_that_cannot_be_read_lets_nothing_through_and_shows(server: Server, policy: str) -> None:
    session = tell(server, policy, "UserPromptSubmit")

    assert server.observations(session) == []
    status = server.read("/status")
    assert status["dropped"][0]["unreadable"] == 1
    assert [fault["kind"] for fault in status["faults"]] == ["policy_unreadable"]


def test_a_dropped_start_is_told_nothing(server: Server) -> None:
    server.ask(new_name(), "Look around.")
    server.offer("Half of the parser is done.")

    tell(server, {"enabled": False}, "SessionStart.startup", tool_use_id=None)

    assert server.read("/handoffs", project="*", state="all")["handoffs"][0]["state"] == "offered"


def test_a_batch_is_decided_item_by_item(shared: Server) -> None:
    session = new_name()
    policies = ["", json.dumps({"enabled": False}), "nonsense", json.dumps({"deny": ["*.pem"]})]
    items = [
        {
            "agent": "claude-code",
            "event": "PostToolUse",
            "policy": policy,
            "payload": read_payload("claude-code", "PostToolUse.shell", session_id=session, tool_use_id=new_name("t")),
        }
        for policy in policies
    ]

    results = shared.batch(*items).json()["results"]

    assert [result["status"] for result in results] == ["stored", "dropped_by_policy", "dropped_by_policy", "stored"]
    assert all(result["reason"] for result in results[1:3])


@pytest.fixture
def excluding(tmp_path: Path, template: Path) -> Iterator[Server]:
    settings = {"exclude_projects": "hidden*,team/web", "exclude_folders": "/home/dev/private,**/vault"}
    with serving.serve(tmp_path / "memwiki", template=template, **settings) as running:
        yield running


@pytest.mark.parametrize(
    "checkout",
    [
        {"cwd": "/home/dev/private/notes"},
        {"cwd": "/x/vault/deep"},
        {"cwd": "/x", "root": "/home/dev/private"},
        {"cwd": "/x", "marker_project": "hidden-plans"},
        {"cwd": "/x", "marker_project": "web", "marker_workspace": "team"},
        {"cwd": "/x", "root": "/x", "remote": "git@h.org:anna/hidden.git"},
    ],
    ids=["folder", "folder by name", "root", "marker", "workspace", "remote"],
)
def test_excluded_folders_and_projects_are_not_captured(excluding: Server, checkout: dict[str, object]) -> None:
    session = new_name()
    payload = read_payload("claude-code", "UserPromptSubmit", session_id=session, cwd=checkout["cwd"])

    answer = excluding.hook("UserPromptSubmit", payload, checkout=checkout)

    assert (answer.status_code, answer.content) == (202, b"")
    assert excluding.observations(session) == []
    assert excluding.read("/projects")["projects"] == []


def test_what_is_not_excluded_is_captured(excluding: Server) -> None:
    session = new_name()
    excluding.ask(session, "Fix the lexer.")
    moved = read_payload("claude-code", "Stop", session_id=session, cwd="/home/dev/private")
    excluding.hook("Stop", moved, checkout={"cwd": "/home/dev/private"})

    assert len(excluding.observations(session)) == 1


def test_a_project_that_is_excluded_later_takes_no_more(tmp_path: Path, template: Path) -> None:
    folder, session = tmp_path / "memwiki", new_name()
    with serving.serve(folder, template=template) as before:
        before.ask(session, "Before.")
    with serving.serve(folder, exclude_projects="shop") as after:
        after.ask(session, "After.")

        assert [row["text"] for row in after.observations(session)] == ["Before."]


@pytest.mark.parametrize("given", ["~/private", "!x", "[ab]"])
def test_a_glob_that_is_not_understood_stops_the_start(tmp_path: Path, given: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        wiring.build_runtime(config.load_settings(data_dir=tmp_path / "memwiki", exclude_folders=json.dumps([given])))

    assert caught.value.field == "setting exclude_folders"


def check(server: Server, event: str, payload: dict[str, object], **headers: str) -> httpx2.Response:
    sent = {"memwiki-checkout": quote(json.dumps(SHOP)), "content-type": "application/json"} | headers
    query = {"agent": "claude-code", "event": event}
    return server.client.post("/api/v1/capture/check", params=query, content=json.dumps(payload), headers=sent)


def test_a_check_tells_what_would_be_stored_and_stores_nothing(server: Server) -> None:
    payload = read_payload(
        "claude-code", "UserPromptSubmit", session_id=new_name(), prompt="My token is sk-ant-api03-x"
    )

    answer = check(server, "UserPromptSubmit", payload).json()

    assert (answer["action"], answer["project"], answer["is_new_project"]) == ("keep", "main/shop", True)
    assert answer["stored"]["kind"] == "prompt"
    assert server.read("/projects")["projects"] == []
    assert server.read("/status")["counts"]["observations"] == 0


def test_a_check_says_why_an_event_would_be_dropped(server: Server) -> None:
    payload = read_payload("claude-code", "PostToolUse.shell", session_id=new_name(), **reads(SECRET))
    denied = quote(json.dumps({"deny": ["*.pem"], "root": "/home/dev/shop"}))

    answer = check(server, "PostToolUse", payload, **{"memwiki-policy": denied}).json()

    assert (answer["action"], answer["stored"]) == ("drop", None)
    assert "*.pem" in answer["reason"]
    assert server.read("/status")["dropped"] == []


def test_a_check_knows_of_sessions_that_were_opted_out(server: Server) -> None:
    session = new_name()
    server.post(f"/sessions/{session}/capture", {"enabled": False})

    answer = check(server, "Stop", read_payload("claude-code", "Stop", session_id=session)).json()

    assert (answer["action"], answer["stored"]) == ("drop", None)


@pytest.mark.parametrize(
    ("query", "body", "status"),
    [({"agent": "x"}, "{}", 422), ({"agent": "codex"}, "[]", 400), ({"agent": "codex"}, "{}", 400), ({}, "{}", 422)],
)
def test_a_check_of_no_event_is_refused(shared: Server, query: dict[str, str], body: str, status: int) -> None:
    headers = {"content-type": "application/json"}

    answer = shared.client.post("/api/v1/capture/check", params=query, content=body, headers=headers)

    assert answer.status_code == status


@pytest.mark.parametrize(
    "spell",
    [
        lambda words: f"<private>{words}</private>",
        lambda words: f"<PRIVATE>\n{words}\n</Private>",
        lambda words: f"<private>a<private>b</private>{words}</private>",
        lambda words: f"<private>{words}",
        lambda words: f"{'long ' * 3000}<private>{words}</private>{'long ' * 3000}",
        lambda words: f"{'long ' * 1090}<private>{words * 50}</private>{'long ' * 400}",
    ],
    ids=["plain", "upper case", "nested", "unclosed", "in the cut", "over the cut"],
)
@pytest.mark.parametrize("is_escaped", [False, True], ids=["plain", "escaped"])
def test_private_words_in_a_tools_output_are_in_no_file(server: Server, spell: object, *, is_escaped: bool) -> None:
    session, words = new_name(), "zyxgranny "
    output = spell(words)  # type: ignore[operator]
    payload = read_payload("claude-code", "PostToolUse.shell", session_id=session, tool_response={"stdout": output})
    inner = json.dumps({"deep": output})
    payload["tool_input"] = {"command": "cat notes", "description": inner}
    body = json.dumps(payload)
    if is_escaped:
        body = body.replace("<", "\\u003c").replace(">", "\\u003e")

    answer = server.client.post(
        "/hook?agent=claude-code&event=PostToolUse", content=body, headers={"content-type": "application/json"}
    )

    assert answer.status_code == 202
    assert len(server.observations(session)) == 1
    assert serving.find_bytes(server.folder, "zyxgranny") == []
