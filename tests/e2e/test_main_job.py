"""From a hook to a handoff over a real server, also when it is killed on the way."""

import json

import pytest

from tests.e2e import sessions
from tests.e2e.sessions import SentEvent
from tests.server import Server, run_git

pytestmark = pytest.mark.slow

CLAUDE, CODEX = sessions.load_recording("claude-code"), sessions.load_recording("codex")


def build_third_start() -> SentEvent:
    payload = {**CLAUDE[0].payload, "session_id": "third"}
    return SentEvent("claude-code", "SessionStart", payload, CODEX[-1].checkout)


def list_names(server: Server, session_id: str) -> list[str]:
    return [seen["native_name"] for seen in server.get(f"/api/v1/sessions/{session_id}", limit=500)["observations"]]


def check_claude_session(server: Server, commits_max: int = 1) -> None:
    """One page, one commit of it and one of the error that it fixed, one handoff, and every event once."""
    session = server.wait_for_page(CLAUDE[0].session_id)
    server.wait_until_committed()
    offered = server.get("/api/v1/handoffs", state="all")["handoffs"]
    page = f"{session['project']}/{session['page_path']}"

    assert list_names(server, CLAUDE[0].session_id) == [event.event for event in CLAUDE]
    assert sessions.list_session_pages(server) == [page]
    assert len(run_git(server.wiki, "log", "--format=%H", "--", page).split()) == 1
    assert len(run_git(server.wiki, "log", "--format=%H").split()) <= commits_max + 1
    assert [(each["from_session_id"], each["state"]) for each in offered] == [(session["id"], "offered")]


def test_session_survives_a_kill_between_acknowledgement_and_its_end(server: Server) -> None:
    for event in CLAUDE[:20]:
        event.send(server)
    server.kill()
    server.start()
    assert list_names(server, CLAUDE[0].session_id) == [event.event for event in CLAUDE[:20]]
    for event in CLAUDE[20:]:
        event.send(server)

    check_claude_session(server)


def test_session_survives_a_kill_right_after_its_end_was_acknowledged(server: Server) -> None:
    for event in CLAUDE:
        event.send(server)
    server.kill()
    server.start()

    # What the kill left on disk is committed first, and then what was still to be written.
    check_claude_session(server, commits_max=2)


def test_events_sent_again_after_a_kill_are_stored_once(server: Server) -> None:
    for event in CLAUDE[:20]:
        event.send(server)
    server.kill()
    server.start()
    for event in CLAUDE[10:]:
        event.send(server)

    check_claude_session(server)


def test_second_agent_is_handed_the_work_and_a_third_is_not(server: Server) -> None:
    for event in CLAUDE:
        event.send(server)
    check_claude_session(server)
    (offered,) = server.get("/api/v1/handoffs")["handoffs"]

    brief = json.loads(CODEX[0].send(server))["hookSpecificOutput"]["additionalContext"]
    server.kill()
    server.start()
    repeated = json.loads(CODEX[0].send(server))["hookSpecificOutput"]["additionalContext"]
    CODEX[1].send(server)
    third = build_third_start().send(server)
    held = server.get(f"/api/v1/handoffs/{offered['id']}")
    winner = server.get(f"/api/v1/sessions/{CODEX[0].session_id}")

    assert offered["content"]["summary"] in brief
    assert repeated == brief
    assert offered["id"] not in third
    assert (held["state"], held["holder_session_id"]) == ("claimed", winner["id"])
    assert not held["is_provisional"]


def test_whole_relay_of_two_agents_leaves_one_page_each_and_one_open_handoff(server: Server) -> None:
    for event in CLAUDE:
        event.send(server)
    server.wait_for_page(CLAUDE[0].session_id)
    for event in CODEX:
        event.send(server)
    server.wait_for_page(CODEX[0].session_id)
    server.wait_until_committed()

    found = server.get("/api/v1/handoffs", state="all")["handoffs"]

    assert sorted(each["state"] for each in found) == ["done", "offered"]
    pages = sessions.list_session_pages(server)
    assert [len(run_git(server.wiki, "log", "--format=%H", "--", page).split()) for page in pages] == [1, 1]
    # And one each for the error that it fixed.
    assert len(run_git(server.wiki, "log", "--format=%H").split()) <= 4
    assert run_git(server.wiki, "fsck", "--no-dangling") == ""


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_every_recorded_payload_is_taken(server: Server, agent: str) -> None:
    files = sorted((sessions.PAYLOADS / agent).glob("*.json"))

    for path in files:
        server.post_event(agent, path.name.partition(".")[0], json.loads(path.read_text(encoding="utf-8")))

    assert server.get("/api/v1/status")["counts"]["observations"] == len(files)
