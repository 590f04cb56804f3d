"""Events of several registrations, and how fast they may come."""

from pathlib import Path

import pytest

from tests.entrypoints import serving
from tests.entrypoints.serving import Server, new_name, read_payload

PLUGIN, SETTINGS = "claude-code%20plugin", "claude-code%20settings"


def send(server: Server, session: str, origin: str, *, name: str = "PostToolUse.shell", key: str = "") -> None:
    payload = read_payload("claude-code", name, session_id=session, tool_use_id=None)
    headers = {"memwiki-origin": origin} if origin else {}
    answer = server.hook(str(payload["hook_event_name"]), payload, key=key or new_name("k"), **headers)
    assert answer.status_code == 202


@pytest.mark.parametrize("name", ["PostToolUse.shell", "Stop"])
def test_one_registration_never_has_two_events_taken_for_one(shared: Server, name: str) -> None:
    session = new_name()

    for _ in range(5):
        send(shared, session, SETTINGS, name=name)

    assert len(shared.observations(session)) == 5


@pytest.mark.parametrize("order", [(PLUGIN, SETTINGS), (SETTINGS, PLUGIN)])
@pytest.mark.parametrize("name", ["PostToolUse.shell", "Stop", "SessionEnd", "SessionStart.startup"])
def test_an_event_that_two_registrations_tell_is_stored_once(shared: Server, order: tuple[str, str], name: str) -> None:
    session = new_name()

    for origin in order:
        send(shared, session, f"{origin};1796000000123", name=name)

    assert len(shared.observations(session)) == 1


def test_two_events_that_two_registrations_tell_are_two(shared: Server) -> None:
    session = new_name()

    for moment in (100, 900):
        for origin in (PLUGIN, SETTINGS):
            send(shared, session, f"{origin};{1796000000000 + moment}")

    assert len(shared.observations(session)) == 2


def test_one_sent_live_and_one_that_waited_are_one_by_the_clients_time(shared: Server) -> None:
    session = new_name()
    send(shared, session, f"{PLUGIN};1796000000500")
    payload = read_payload("claude-code", "PostToolUse.shell", session_id=session, tool_use_id=None)
    waited = {
        "agent": "claude-code",
        "event": "PostToolUse",
        "key": new_name("k"),
        "origin": "claude-code settings",
        "occurred_at": "2026-11-30T00:53:20.530Z",
        "payload": payload,
    }
    again = [waited, waited | {"key": new_name("k"), "origin": "claude-code plugin"}]

    results = shared.batch(*again, *again).json()["results"]

    assert [result["status"] for result in results] == ["replayed", "stored", "replayed", "replayed"]


@pytest.mark.parametrize("origin", [";;;", "%FF%00", "x" * 5000, ";99999999999999999999", ";-1", "a;b"])
def test_an_odd_origin_costs_no_event(shared: Server, origin: str) -> None:
    session = new_name()

    send(shared, session, origin)

    assert len(shared.observations(session)) == 1


@pytest.mark.parametrize("setting", ["rate_limit_per_session", "rate_limit_per_token"])
def test_a_rate_that_is_too_high_is_told_to_wait_and_loses_nothing(
    tmp_path: Path, template: Path, setting: str
) -> None:
    session = new_name()
    items = [
        {
            "agent": "claude-code",
            "event": "PostToolUse",
            "key": f"{session}-{number}",
            "payload": read_payload("claude-code", "PostToolUse.shell", session_id=session, tool_use_id=f"t{number}"),
        }
        for number in range(250)
    ]
    with serving.serve(tmp_path / "memwiki", template=template, **{setting: 10}) as server:
        first = server.batch(*items)
        refused = server.batch(*items)
        alone = server.hook("Stop", read_payload("claude-code", "Stop", session_id=session))

        assert {result["status"] for result in first.json()["results"]} == {"stored"}
        for answer in (refused, alone):
            assert (answer.status_code, answer.json()["code"]) == (429, "rate_limited")
            assert 1 <= int(answer.headers["retry-after"]) <= 26
        assert server.session(session)["total"] == 250


def test_other_sessions_are_not_held_up(tmp_path: Path, template: Path) -> None:
    with serving.serve(tmp_path / "memwiki", template=template, rate_limit_per_session=1) as server:
        tired, fresh = new_name(), new_name()
        answers = [server.hook("Stop", read_payload("claude-code", "Stop", session_id=tired)) for _ in range(4)]

        assert [answer.status_code for answer in answers] == [202, 202, 429, 429]
        assert server.hook("Stop", read_payload("claude-code", "Stop", session_id=fresh)).status_code == 202


@pytest.mark.parametrize("moment", ["1970-01-01T00:00:00Z", "2001-01-01T00:00:00Z"])
def test_a_time_absurdly_far_back_becomes_the_servers(server: Server, moment: str) -> None:
    session = new_name()
    item = {"agent": "codex", "event": "Stop", "payload": {"session_id": session}, "occurred_at": moment}

    server.batch(item)

    assert server.session(session)["started_at"] == server.session(session)["last_event_at"]


def test_the_servers_order_stands_whatever_the_clients_clock_says(server: Server) -> None:
    session = new_name()
    moments = ["2026-11-20T07:30:00Z", "2026-11-19T07:30:00Z", "2026-11-21T07:30:00Z"]
    for number, moment in enumerate(moments):
        payload = {"session_id": session, "prompt": f"Words {number}."}
        server.batch({"agent": "codex", "event": "UserPromptSubmit", "payload": payload, "occurred_at": moment})

    assert [row["text"] for row in server.observations(session)] == ["Words 0.", "Words 1.", "Words 2."]
