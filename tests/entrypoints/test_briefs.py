"""What starts are told: opt-outs, runs without a person, lost answers, rules, changes, mail; and the preview of it."""

import json
from typing import Any
from urllib.parse import quote

import pytest
from starlette.types import Message

from tests.entrypoints import serving
from tests.entrypoints.serving import SHOP, Server, new_name, read_payload

OFFERED = "Half of the parser is done."


@pytest.fixture
def house(server: Server) -> Server:
    """A server with one project."""
    server.ask(new_name(), "Look around.")
    return server


def start(server: Server, session: str, *, agent: str = "claude-code", **facts: object) -> str:
    payload = read_payload(agent, "SessionStart.startup", session_id=session)
    answer = server.hook("SessionStart", payload, agent=agent, checkout=SHOP | facts)
    assert answer.status_code == 202, answer.text
    return read_context(answer.text)


def read_context(printed: str) -> str:
    return str(json.loads(printed)["hookSpecificOutput"]["additionalContext"]) if printed else ""


def send_late(server: Server, session: str, key: str) -> dict[str, Any]:
    payload = read_payload("claude-code", "SessionStart.startup", session_id=session)
    item = {"agent": "claude-code", "event": "SessionStart", "payload": payload, "key": key, "checkout": SHOP}
    results: list[dict[str, Any]] = server.batch(item).json()["results"]
    return results[0]


def find_state(server: Server, made: dict[str, Any]) -> str:
    return str(server.read(f"/handoffs/{made['id']}")["state"])


def test_who_turned_the_brief_off_is_told_nothing_and_takes_nothing(house: Server) -> None:
    made = house.offer(OFFERED)

    assert start(house, new_name(), brief="off") == ""
    assert find_state(house, made) == "offered"


def test_a_smaller_brief_is_as_small_as_the_folder_s_owner_wants_it(house: Server) -> None:
    made = house.offer(OFFERED, next_steps=["step " * 50] * 20)

    brief = start(house, new_name(), brief="700")

    assert OFFERED in brief
    assert len(brief) <= 700
    assert find_state(house, made) == "claimed"


def test_a_run_without_a_person_is_told_of_open_work_and_takes_none_unless_it_asks(house: Server) -> None:
    made, session = house.offer(OFFERED), new_name()

    brief = start(house, session, run="one-shot")

    assert OFFERED in brief
    assert "memory_handoff_claim" in brief
    assert find_state(house, made) == "offered"
    assert house.post(f"/handoffs/{made['id']}/claim", {"session_id": session}).status_code == 200


def test_a_run_without_a_person_that_asks_takes_open_work(house: Server) -> None:
    made, session = house.offer(OFFERED), new_name()
    payload = {"session_id": session, "cwd": SHOP["cwd"], "mode": "run"}

    answer = house.hook("session.created", payload, agent="opencode", checkout=SHOP | {"run": "take"})

    assert OFFERED in answer.text
    assert find_state(house, made) == "claimed"


def test_a_start_whose_answer_was_lost_gives_the_work_back(house: Server) -> None:
    made, session = house.offer(OFFERED), new_name()
    payload = read_payload("claude-code", "SessionStart.startup", session_id=session)
    house.hook("SessionStart", payload, key="lost-1")
    house.ask(session, "Do something else.")
    assert find_state(house, made) == "claimed"

    assert send_late(house, session, "lost-1")["status"] == "replayed"

    assert find_state(house, made) == "offered"
    assert OFFERED in start(house, new_name())


def test_a_start_that_waited_while_the_server_was_away_takes_nothing(house: Server) -> None:
    made = house.offer(OFFERED)

    assert send_late(house, new_name(), "late-1")["status"] == "stored"

    assert find_state(house, made) == "offered"


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_looking_at_the_route_of_starts_takes_nothing(house: Server, method: str) -> None:
    made = house.offer(OFFERED)

    answer = house.client.request(method, "/hook?agent=claude-code&event=SessionStart")

    assert OFFERED not in answer.text
    assert find_state(house, made) == "offered"


@pytest.mark.parametrize("source", ["clear", "compact", "resume"])
def test_after_clear_and_compaction_the_brief_is_repeated_and_the_claim_is_not(house: Server, source: str) -> None:
    session = new_name()
    house.offer(OFFERED)
    first = start(house, session)
    house.offer("Another work.")

    payload = read_payload("claude-code", "SessionStart.startup", session_id=session, source=source)
    again = read_context(house.hook("SessionStart", payload).text)
    other = read_context(house.hook("SessionStart", payload | {"session_id": new_name()}).text)

    assert first.split("\n")[:6] == again.split("\n")[:6]
    assert "Claim token" not in other


def test_rules_pinned_pages_and_slots_stand_in_every_brief(house: Server) -> None:
    house.put("rules/uv.md", {"title": "Use uv", "body": "Never call pip."}, project="shop")
    house.put("slots/state.md", {"title": "State", "body": "Half way through."}, project="shop")
    house.put("notes/a.md", {"title": "Note A", "body": "Something."}, project="shop")

    brief = start(house, new_name())

    parts = ["## Rules", "Never call pip. (no person has confirmed it)", "## Pinned", "Half way through.", "notes/a.md"]
    assert [brief.index(part) for part in parts] == sorted(brief.index(part) for part in parts)


def test_pages_that_contradict_each_other_are_named(house: Server) -> None:
    house.put("decisions/a.md", {"title": "A", "body": "Yes."}, project="shop")
    text = "---\ntitle: B\nkind: decision\nrelations:\n  contradicts: [decisions/a.md]\n---\n\nNo.\n"
    (house.folder / "wiki" / "main" / "shop" / "decisions" / "b.md").write_text(text, encoding="utf-8")
    house.runtime.watcher.request_rebuild()
    serving_wait(house)

    assert "decisions/b.md contradicts decisions/a.md" in start(house, new_name())


def serving_wait(server: Server) -> None:
    serving.wait_for(lambda: server.get("/pages/decisions/b.md", project="shop").status_code == 200, "it is indexed")
    serving.wait_for(lambda: "decisions/b.md" in str(server.read("/recent", project="shop")), "it is listed")


def test_the_preview_says_what_a_start_would_be_told_and_what_it_costs_and_takes_nothing(house: Server) -> None:
    made = house.offer(OFFERED)

    shown = house.read("/brief", project="shop", agent="codex")

    assert find_state(house, made) == "offered"
    told = start(house, new_name(), agent="codex")
    token = told.partition("Claim token: ")[2][:20]
    assert shown["text"].replace("given-with-the-claim", token) == told
    assert (shown["characters"], shown["unit"]) == (len(told), "bytes")
    assert 0 < shown["tokens"] <= shown["tokens_max"]


def test_a_start_whose_sender_hung_up_before_the_answer_takes_nothing(house: Server) -> None:
    made = house.offer(OFFERED)
    payload = read_payload("claude-code", "SessionStart.startup", session_id=new_name())
    coming = [{"type": "http.request", "body": json.dumps(payload).encode()}, {"type": "http.disconnect"}]
    sent: list[Message] = []

    async def receive() -> Message:
        return coming.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    scope = build_scope(house)
    assert house.client.portal is not None
    house.client.portal.call(house.client.app, scope, receive, send)

    assert sent == []
    assert find_state(house, made) == "offered"


def build_scope(server: Server) -> dict[str, object]:
    headers = {
        "host": "127.0.0.1:7470",
        "authorization": f"Bearer {server.token}",
        "content-type": "application/json",
        "memwiki-checkout": quote(json.dumps(SHOP)),
    }
    return {
        "type": "http",
        "method": "POST",
        "scheme": "http",
        "path": "/hook",
        "query_string": b"agent=claude-code&event=SessionStart",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 7470),
    }
