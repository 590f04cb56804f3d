"""`POST /hook/batch`: what a client's spool hands in."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app import config, wiring
from app.capture import exclude
from app.domain import limits_reading
from app.domain.errors import QueueFull
from app.entrypoints.http import app as http_app
from app.state.writer import Writer
from tests.entrypoints.serving import Server, new_name, read_payload, wait_for


def build_item(session: str, name: str = "PostToolUse.shell", **changes: object) -> dict[str, Any]:
    payload = read_payload("claude-code", name, session_id=session, tool_use_id=new_name("t"))
    return {"agent": "claude-code", "event": payload["hook_event_name"], "payload": payload, **changes}


def list_statuses(answer: httpx2.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [result["status"] for result in answer.json()["results"]]


def test_a_batch_is_stored_in_its_order(shared: Server) -> None:
    session = new_name()
    items = [build_item(session) for _ in range(20)]
    for number, item in enumerate(items):
        item["payload"]["tool_input"] = {"command": f"echo {number}"}

    assert list_statuses(shared.batch(*items)) == ["stored"] * 20

    assert [row["command"] for row in shared.observations(session)] == [f"echo {number}" for number in range(20)]


def test_an_empty_batch_is_no_fault(shared: Server) -> None:
    assert list_statuses(shared.batch()) == []


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"agent": "netscape", "event": "Stop", "payload": {"session_id": "s"}},
        {"agent": "codex", "event": "Stop", "payload": {}},
        {"agent": "codex", "event": "Stop", "payload": []},
        {"agent": "codex", "event": "Stop", "payload": {"session_id": "s"}, "key": 5},
        {"agent": "codex", "event": "Stop", "payload": {"session_id": "s"}, "checkout": "here"},
        "text",
        None,
        {"agent": "codex", "event": "Stop", "payload": json.loads("[" * 200 + "]" * 200)},
    ],
    ids=["empty", "agent", "no session", "list", "key", "checkout", "text", "null", "deep"],
)
def test_a_bad_item_costs_only_itself_and_says_why(shared: Server, bad: object) -> None:
    session = new_name()

    answer = shared.batch(build_item(session), bad, build_item(session))

    assert list_statuses(answer) == ["stored", "malformed", "stored"]
    assert answer.json()["results"][1]["reason"]
    assert len(shared.observations(session)) == 2


@pytest.mark.parametrize(
    "body", [b"", b"no json", b"[]", b"{}", b'{"events": 5}', b'{"events": {}}', b"[" * 50_000, b'{"events": ["\xff"]}']
)
def test_a_body_that_is_no_batch_is_malformed(shared: Server, body: bytes) -> None:
    answer = shared.client.post("/hook/batch", content=body, headers={"content-type": "application/json"})

    assert answer.status_code in {200, 400}
    if answer.status_code == 400:
        assert answer.json()["code"] == "malformed_payload"
    else:
        assert list_statuses(answer) == ["malformed"]


def test_256_items_are_taken_and_257_are_too_many(shared: Server) -> None:
    session = new_name()

    taken = shared.batch(*[build_item(session) for _ in range(256)])
    refused = shared.batch(*[build_item(session) for _ in range(257)])

    assert list_statuses(taken) == ["stored"] * 256
    assert (refused.status_code, refused.json()["code"]) == (413, "batch_too_long")
    assert shared.session(session)["total"] == 256


def test_eight_mebibytes_are_taken_and_one_byte_more_is_too_large(shared: Server) -> None:
    session, headers = new_name(), {"content-type": "application/json"}
    frame = len(json.dumps({"events": [build_item(session, padding="")]}))
    body = json.dumps({"events": [build_item(session, padding="x" * (8 * 1024 * 1024 - frame))]}).encode()
    assert len(body) == 8 * 1024 * 1024

    taken = shared.client.post("/hook/batch", content=body, headers=headers)
    refused = shared.client.post("/hook/batch", content=body + b" ", headers=headers)

    assert list_statuses(taken) == ["stored"]
    assert (refused.status_code, refused.json()["code"]) == (413, "body_too_large")


def test_a_batch_that_comes_again_is_replayed(shared: Server) -> None:
    session = new_name()
    items = [build_item(session, key=new_name("k")), build_item(session, "Stop", key=new_name("k"))]

    first, again = shared.batch(*items), shared.batch(*items)

    assert list_statuses(first) == ["stored", "stored"]
    assert list_statuses(again) == ["replayed", "replayed"]
    assert len(shared.observations(session)) == 2


def test_an_event_that_was_sent_alone_is_replayed_in_a_batch(shared: Server) -> None:
    session, key = new_name(), new_name("k")
    item = build_item(session, "Stop", key=key)
    shared.hook("Stop", item["payload"], key=key)

    assert list_statuses(shared.batch(item)) == ["replayed"]


def test_a_repeat_inside_one_batch_is_replayed(shared: Server) -> None:
    session = new_name()
    item = build_item(session, key=new_name("k"))

    assert list_statuses(shared.batch(item, item, item | {"key": new_name("k")})) == ["stored", "replayed", "replayed"]
    assert len(shared.observations(session)) == 1


def test_two_prompts_of_one_text_and_two_ids_in_one_batch_are_two(shared: Server) -> None:
    session = new_name()
    items = [build_item(session, "UserPromptSubmit") for _ in range(2)]
    for item in items:
        item["payload"]["prompt_id"] = new_name("p")

    assert list_statuses(shared.batch(*items)) == ["stored", "stored"]
    assert list_statuses(shared.batch(*items)) == ["replayed", "replayed"]


def test_the_time_of_an_event_is_kept(server: Server) -> None:
    session = new_name()

    server.batch(build_item(session, occurred_at="2026-11-20T07:30:00+02:00"))

    assert server.session(session)["started_at"] == "2026-11-20T05:30:00Z"


@pytest.mark.parametrize("ahead", [timedelta(days=400), timedelta(hours=1)])
def test_a_time_in_the_future_becomes_the_servers(server: Server, ahead: timedelta) -> None:
    session, before = new_name(), datetime.now(UTC)

    server.batch(build_item(session, occurred_at=(before + ahead).isoformat()))

    started = datetime.fromisoformat(server.session(session)["started_at"])
    assert before - timedelta(seconds=2) <= started <= datetime.now(UTC)


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "yesterday", ""])
def test_an_impossible_time_costs_no_item(shared: Server, moment: str) -> None:
    assert list_statuses(shared.batch(build_item(new_name(), occurred_at=moment))) == ["stored"]


def test_one_text_at_different_times_of_one_batch_is_not_merged(shared: Server) -> None:
    session = new_name()
    items = [build_item(session, "Stop", occurred_at=f"2026-11-20T07:30:{second:02}Z") for second in (0, 10, 20)]

    assert list_statuses(shared.batch(*items)) == ["stored"] * 3


def test_an_end_in_a_batch_compiles_the_page(server: Server) -> None:
    session = new_name()

    server.batch(build_item(session, "UserPromptSubmit"), build_item(session), build_item(session, "SessionEnd"))
    server.settle()

    assert len(server.pages()) == 1


def test_sessions_of_several_agents_in_one_batch_are_kept_apart(shared: Server) -> None:
    one, other = new_name(), new_name()
    codex = {"agent": "codex", "event": "Stop", "payload": read_payload("codex", "Stop", session_id=other)}

    shared.batch(build_item(one), codex)

    assert shared.session(one)["agent"] == "claude-code"
    assert shared.session(other)["agent"] == "codex"


@pytest.mark.parametrize("path", ["/hook?agent=claude-code&event=Stop", "/hook/batch"])
def test_a_full_queue_says_when_to_try_again(tmp_path: Path, path: str) -> None:
    """The writer is never started, so that its queue of one place stays as full as it is."""
    runtime = wiring.build_runtime(config.load_settings(data_dir=tmp_path / "memwiki"))
    runtime.writer = Writer(runtime.engine, queue_max=1)
    waiting = runtime.writer.submit(lambda _: None)
    item = build_item(new_name())
    body = item["payload"] if path.startswith("/hook?") else {"events": [item]}

    async def send() -> httpx2.Response:
        transport = httpx2.ASGITransport(http_app.build_app(runtime))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.post(path, json=body)

    try:
        answer = asyncio.run(send())
    finally:
        runtime.writer.stop()
        runtime.close()

    assert answer.status_code == 429
    assert answer.json()["code"] == QueueFull.code
    assert int(answer.headers["retry-after"]) >= 1
    assert waiting.done()


def test_what_the_settings_exclude_meanwhile_reaches_the_process_that_reads(server: Server) -> None:
    reader = server.runtime.reader
    reader.note(limits_reading.READING_LOAD_EVENTS_MIN)
    wait_for(lambda: reader.has_company, "a second process reads")
    first = server.batch(build_item(new_name()))

    server.runtime.exclude(exclude.build_rules([], ["/**"]))
    second = server.batch(build_item(new_name()))

    assert first.json()["results"][0]["status"] == "stored"
    assert second.json()["results"][0]["status"] == "dropped_by_policy"
    assert reader.stats.read_beside == 2
