"""`POST /hook`: what is taken, what is refused, what is printed, and what counts as the same event."""

import json
import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

from tests.entrypoints.serving import Server, new_name, read_payload

MOMENT = datetime(2026, 11, 29, 8, 0, tzinfo=UTC)


def stamp(seconds: float) -> str:
    return (MOMENT + timedelta(seconds=seconds)).isoformat()


def count_rows(server: Server) -> int:
    """Count observations as another process sees them: only what is committed."""
    with sqlite3.connect(f"file:{server.folder}/state/state.db?mode=ro", uri=True) as connection:
        found: int = connection.execute("SELECT count(*) FROM observations").fetchone()[0]
    connection.close()
    return found


def test_an_accepted_event_is_on_the_disk_when_the_answer_comes(shared: Server) -> None:
    before = count_rows(shared)

    answer = shared.hook("Stop", read_payload("claude-code", "Stop", session_id=new_name()))

    assert answer.status_code == 202
    assert answer.content == b""
    assert count_rows(shared) == before + 1


def test_an_unknown_agent_is_refused_and_the_known_ones_are_named(shared: Server) -> None:
    answer = shared.hook("Stop", {"session_id": "s"}, agent="netscape")

    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "unknown_agent"
    assert "claude-code" in answer.json()["detail"]
    assert "codex" in answer.json()["detail"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"[1, 2]",
        b'"text"',
        b"{",
        b'{"session_id": "s", "prompt": "\xff"}',
        b"[" * 100_000,
        b'{"session_id": "s", "a": ' + b'{"a":' * 5000 + b"1" + b"}" * 5001,
        b"{}",
    ],
    ids=["empty", "text", "list", "string", "cut", "not utf-8", "deep list", "deep object", "no session"],
)
def test_a_body_that_is_no_payload_is_malformed(shared: Server, body: bytes) -> None:
    headers = {"content-type": "application/json"}

    answer = shared.client.post("/hook?agent=claude-code&event=Stop", content=body, headers=headers)

    assert answer.status_code == 400
    assert answer.json()["code"] == "malformed_payload"
    assert answer.json()["status"] == 400


def test_nesting_is_taken_up_to_its_bound_and_refused_one_past_it(shared: Server) -> None:
    def nest(levels: int) -> bytes:
        # The payload is a level of its own.
        inner = '{"a":' * (levels - 1) + "1" + "}" * (levels - 1)
        return f'{{"session_id": "{new_name()}", "odd": {inner}}}'.encode()

    headers = {"content-type": "application/json"}
    at_bound = shared.client.post("/hook?agent=codex&event=Stop", content=nest(64), headers=headers)
    past_it = shared.client.post("/hook?agent=codex&event=Stop", content=nest(65), headers=headers)

    assert at_bound.status_code == 202
    assert past_it.status_code == 400
    assert past_it.json()["code"] == "malformed_payload"


def test_brackets_inside_text_are_no_nesting(shared: Server) -> None:
    session = new_name()

    shared.ask(session, "[" * 500 + '"' + "{" * 500 + "\\")

    assert len(shared.observations(session)) == 1


def test_a_body_over_ten_mebibytes_is_too_large(shared: Server) -> None:
    payload = {"session_id": new_name(), "prompt": "x" * (10 * 1024 * 1024)}

    answer = shared.hook("UserPromptSubmit", payload)

    assert answer.status_code == 413
    assert answer.json()["code"] == "body_too_large"


def test_a_body_of_ten_mebibytes_is_taken(shared: Server) -> None:
    session = new_name()
    frame = len(json.dumps({"session_id": session, "prompt": ""}))
    payload = {"session_id": session, "prompt": "x" * (10 * 1024 * 1024 - frame)}
    body = json.dumps(payload).encode()
    assert len(body) == 10 * 1024 * 1024

    headers = {"content-type": "application/json"}
    answer = shared.client.post("/hook?agent=claude-code&event=UserPromptSubmit", content=body, headers=headers)

    assert answer.status_code == 202


@pytest.mark.parametrize("query", ["", "?event=Stop", "?agent=&event=Stop"])
def test_without_an_agent_the_address_is_refused(shared: Server, query: str) -> None:
    answer = shared.client.post(f"/hook{query}", json={"session_id": "s"})

    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid_value"
    assert "agent" in answer.json()["detail"]


@pytest.mark.parametrize("path", ["/hook", "/hook/batch"])
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_only_post_sends_events(shared: Server, path: str, method: str) -> None:
    answer = shared.client.request(method, f"{path}?agent=codex&event=Stop")

    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"
    assert answer.json()["code"] == "method_not_allowed"


def test_the_payload_says_which_event_it_is(shared: Server) -> None:
    session = new_name()

    shared.hook("Stop", read_payload("claude-code", "SessionStart.startup", session_id=session))

    assert [row["kind"] for row in shared.observations(session)] == ["session_start"]


def test_an_event_nobody_knows_is_kept_and_counted(server: Server) -> None:
    session = new_name()
    payload = {"session_id": session, "hook_event_name": "MoonPhase", "phase": "waning", "moon": {"age": 21}}

    assert server.hook("MoonPhase", payload).status_code == 202

    assert [(row["kind"], row["native_name"]) for row in server.observations(session)] == [("other", "MoonPhase")]
    counted = server.read("/status")["capture"][0]
    assert (counted["agent"], counted["unknown_kinds"], counted["unknown_fields"]) == ("claude-code", 1, 2)


def test_unknown_fields_of_a_known_event_are_counted(server: Server) -> None:
    server.tell(new_name(), "Stop", weather="rain", mood=3)

    counted = server.read("/status")["capture"][0]
    assert (counted["events"], counted["unknown_kinds"], counted["unknown_fields"]) == (1, 0, 2)


def test_a_start_with_nothing_to_tell_prints_nothing(server: Server) -> None:
    assert server.start(new_name()) == ""


def test_only_the_start_of_a_main_session_gets_the_brief(server: Server) -> None:
    server.ask(new_name(), "Look around.")
    server.offer("Half of the parser is done.")
    session = new_name()

    helper = server.tell(session, "SessionStart.startup", agent_id="helper-1").text
    prompt = server.tell(session, "UserPromptSubmit", prompt="/status").text
    brief = server.start(session)

    assert (helper, prompt) == ("", "")
    printed = json.loads(brief)["hookSpecificOutput"]
    assert printed["hookEventName"] == "SessionStart"
    assert "Half of the parser is done." in printed["additionalContext"]


def test_a_brief_in_json_says_that_it_is_for_agents_that_post_events_themselves(server: Server) -> None:
    server.ask(new_name(), "Look around.")
    server.offer("Half of the parser is done.")

    told = server.tell(new_name(), "SessionStart.startup", agent="qwen-code")

    assert told.headers["content-type"] == "application/json"
    assert "Half of the parser is done." in told.json()["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
@pytest.mark.parametrize("name", ["PostToolUse.shell", "UserPromptSubmit", "SessionStart.startup", "Stop"])
def test_the_same_event_from_two_registrations_is_stored_once(shared: Server, agent: str, name: str) -> None:
    session = new_name()

    shared.tell(session, name, agent=agent, timestamp=stamp(1.99))
    shared.tell(session, name, agent=agent, timestamp=stamp(2.02))

    assert len(shared.observations(session)) == 1


def test_a_tool_use_is_known_by_its_id_also_much_later(shared: Server) -> None:
    session = new_name()

    shared.tell(session, "PostToolUse.shell", timestamp=stamp(0))
    shared.tell(session, "PostToolUse.shell", timestamp=stamp(7200))

    assert len(shared.observations(session)) == 1


def test_a_tool_use_without_an_id_is_known_by_what_it_says(shared: Server) -> None:
    session = new_name()

    shared.tell(session, "PostToolUse.shell", tool_use_id=None, timestamp=stamp(0))
    shared.tell(session, "PostToolUse.shell", tool_use_id=None, timestamp=stamp(0.03))

    assert len(shared.observations(session)) == 1


@pytest.mark.parametrize("written_by", ["claude-code", "codex"])
@pytest.mark.parametrize(
    "order", [("claude-code", "codex"), ("codex", "claude-code")], ids=["claude first", "codex first"]
)
@pytest.mark.parametrize("name", ["PostToolUse.shell", "UserPromptSubmit", "SessionStart.startup", "SessionEnd"])
def test_an_event_that_two_agents_report_is_stored_once(
    shared: Server, written_by: str, order: tuple[str, str], name: str
) -> None:
    session = new_name()
    payload = read_payload(written_by, name, session_id=session, timestamp=stamp(0))

    answers = [shared.hook(str(payload["hook_event_name"]), payload, agent=agent) for agent in order]

    assert [answer.status_code for answer in answers] == [202, 202]
    assert len(shared.observations(session)) == 1


def test_one_idempotency_key_is_one_event_however_late(shared: Server) -> None:
    session = new_name()
    first = read_payload("claude-code", "Stop", session_id=session, timestamp=stamp(0))
    later = first | {"timestamp": stamp(86400)}

    answers = [shared.hook("Stop", payload, key=f"key-{session}") for payload in (first, later)]

    assert [answer.status_code for answer in answers] == [202, 202]
    assert len(shared.observations(session)) == 1


def test_a_key_that_another_session_used_is_a_repeat_and_no_fault(server: Server) -> None:
    key = f"key-{new_name()}"
    server.hook("Stop", read_payload("claude-code", "Stop", session_id=new_name()), key=key)
    stranger = read_payload("claude-code", "SessionStart.startup", session_id=new_name())

    answer = server.hook("SessionStart", stranger, key=key)

    assert (answer.status_code, answer.text) == (202, "")


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("UserPromptSubmit", {"prompt_id": "a"}, {"prompt_id": "b"}),
        ("UserPromptSubmit", {"prompt_id": None}, {"prompt_id": None, "timestamp": stamp(5.1)}),
        ("UserPromptSubmit", {"prompt_id": None}, {"prompt_id": None, "prompt": "Another."}),
        ("PostToolUse.shell", {"tool_use_id": "a"}, {"tool_use_id": "b"}),
        ("PreToolUse.shell", {"hook_event_name": "PreToolUse"}, {"hook_event_name": "PostToolUse"}),
        ("SessionStart.startup", {"source": "startup"}, {"source": "resume"}),
        ("Stop", {"last_assistant_message": "One."}, {"last_assistant_message": "Two."}),
        ("SubagentStop", {"last_assistant_message": "One."}, {"last_assistant_message": "Two."}),
        ("Stop", {"hook_event_name": "MoonPhase", "moon": "new"}, {"hook_event_name": "MoonPhase", "moon": "full"}),
        ("Stop", {"hook_event_name": "MoonPhase"}, {"hook_event_name": "TideTurn"}),
    ],
    ids=["prompt ids", "later", "other words", "tool ids", "before and after", "reasons", "answers", "helper goes on",
         "unknown fields", "unknown names"],
)  # fmt: skip
def test_distinct_events_are_never_merged(
    shared: Server, name: str, first: dict[str, object], second: dict[str, object]
) -> None:
    session = new_name()

    shared.tell(session, name, **{"timestamp": stamp(0)} | first)
    shared.tell(session, name, **{"timestamp": stamp(0)} | second)

    assert len(shared.observations(session)) == 2


def test_edits_that_touch_different_files_are_two_events(shared: Server) -> None:
    session = new_name()
    for name in ("a.py", "b.py"):
        shared.tell(
            session,
            "PostToolUse.edit",
            tool_use_id=None,
            tool_input={"file_path": f"/home/dev/shop/{name}", "old_string": "1", "new_string": "2"},
            tool_response={"filePath": f"/home/dev/shop/{name}", "success": True},
            timestamp=stamp(0),
        )

    assert len(shared.observations(session)) == 2


@pytest.mark.parametrize(
    "value", ["9" * 30 + ";1;1", "1;" + "9" * 30 + ";1", "1;1;" + "9" * 30, "-5;-5;-5", "x;y;z", "1;2", ""]
)
def test_an_impossible_spool_report_costs_no_event(shared: Server, value: str) -> None:
    session = new_name()
    payload = read_payload("claude-code", "Stop", session_id=session)

    answer = shared.hook("Stop", payload, **{"memwiki-spool": value})

    assert answer.status_code == 202
    assert len(shared.observations(session)) == 1
    assert shared.get("/status").status_code == 200


@pytest.mark.parametrize(
    "header",
    ["not json", "%7B", "%5B1%5D", "%FF%FE", "%7B%22cwd%22%3A%5B1%5D%7D", "x" * 20_000,
     "%7B%22root%22%3A%22%5Cud800%22%7D", "%7B%22marker_project%22%3A%22..%2F..%2Fetc%22%7D"],
    ids=["text", "cut", "list", "bytes", "wrong type", "too long", "half a character", "bad name"],
)  # fmt: skip
def test_an_odd_checkout_costs_no_event(shared: Server, header: str) -> None:
    session = new_name()
    payload = read_payload("claude-code", "Stop", session_id=session)

    answer = shared.hook("Stop", payload, **{"memwiki-checkout": header})

    assert answer.status_code == 202
    assert len(shared.observations(session)) == 1


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "soon", "1e400", ""])
def test_an_impossible_time_costs_no_event(shared: Server, moment: str) -> None:
    session = new_name()

    shared.tell(session, "Stop", timestamp=moment)

    assert len(shared.observations(session)) == 1


def test_a_session_keeps_the_project_that_it_began_in(server: Server) -> None:
    session, other = new_name(), {"cwd": "/home/dev/api", "root": "/home/dev/api"}
    server.ask(session, "Fix the lexer.")
    moved = read_payload("claude-code", "Stop", session_id=session, cwd="/home/dev/api")

    server.hook("Stop", moved, checkout=other)

    assert server.session(session)["project"] == "main/shop"
    assert len(server.observations(session)) == 2
    assert [project["name"] for project in server.read("/projects")["projects"]] == ["main/shop"]
