"""Whether work is recorded, as people and programs are told: refusals, spools, losses, machines."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from app.state import tombstones
from app.state.tombstones import TombKind
from tests.entrypoints import serving
from tests.entrypoints.serving import SHOP, Server, new_name, read_payload

TOKEN = "mw_" + "health-" + "0123456789abcdef"
DESK = {**SHOP, "machine": "desk"}


def tell(server: Server, *, agent: str = "claude-code", machine: str = "desk", **headers: str) -> None:
    payload = read_payload(agent, "Stop", session_id=new_name())
    answer = server.hook("Stop", payload, agent=agent, checkout={**SHOP, "machine": machine}, **headers)
    assert answer.status_code == 202


def health(server: Server) -> dict[str, Any]:
    return server.read("/capture/health")


def test_nothing_is_said_to_be_recorded_before_anything_was(server: Server) -> None:
    assert health(server) == {"status": "nothing captured yet", "agents": [], "faults": []}


def test_each_agent_and_machine_has_its_row_with_todays_events(server: Server) -> None:
    tell(server)
    tell(server)
    tell(server, agent="codex", machine="lap")

    found = health(server)

    counts = {(row["agent"], row["owner"], row["machine"]): row["events_today"] for row in found["agents"]}
    assert counts == {("claude-code", "local", "desk"): 2, ("codex", "local", "lap"): 1}
    assert (found["status"], found["faults"]) == ("recording", [])
    assert all(row["last_event_at"] for row in found["agents"])


def test_unknown_kinds_and_fields_are_counted(server: Server) -> None:
    payload = {"session_id": new_name(), "hook_event_name": "Brandnew", "novel": 1}
    server.hook("Brandnew", payload, checkout=DESK)

    (row,) = health(server)["agents"]

    assert (row["unknown_kinds"], row["unknown_fields"]) == (1, 1)


def test_a_wrong_token_is_seen_although_no_event_ever_came(tmp_path: Path, template: Path) -> None:
    with serving.serve(tmp_path / "memwiki", template=template, access_token=TOKEN) as server:
        payload = read_payload("codex", "Stop", session_id=new_name())
        wrong = server.hook("Stop", payload, agent="codex", checkout=DESK, authorization="Bearer mw_wrong")
        found = health(server)
        tell(server, agent="claude-code")
        brief = server.start(new_name())

    (row,) = found["agents"]
    assert wrong.status_code == 401
    assert (row["agent"], row["machine"], row["refused"], row["last_event_at"]) == ("codex", "desk", 1, None)
    assert row["last_error"].startswith("token_rejected")
    assert (found["status"], found["faults"][0]["kind"]) == ("broken", "refused")
    assert "capture is broken" in brief
    assert "codex on desk" in brief
    assert "mw_wrong" not in str(found) + brief


@pytest.mark.parametrize(
    ("query", "agent"), [("agent=codexx&event=Stop", "codexx"), ("agent=<b>&event=Stop", "others"), ("", "others")]
)
def test_an_agent_that_is_not_known_is_refused_under_its_name_if_it_is_one(
    server: Server, query: str, agent: str
) -> None:
    server.client.post(f"/hook?{query}", json={})

    (row,) = health(server)["agents"]

    assert (row["agent"], row["refused_in_hour"]) == (agent, 1)


def test_a_look_at_the_hooks_address_is_no_refusal(server: Server) -> None:
    assert server.client.get("/hook").status_code == 405
    assert health(server)["agents"] == []


def test_a_batch_that_is_refused_whole_is_counted(server: Server) -> None:
    assert server.client.post("/hook/batch", json={"events": 1}).status_code == 400

    assert health(server)["agents"][0]["agent"] == "spool"


def test_what_waits_on_clients_is_told_in_brief(server: Server) -> None:
    tell(server, **{"memwiki-spool": "3;4000;2"})
    tell(server, machine="lap", **{"memwiki-spool": "1;7;0"})

    ready = server.client.get("/readyz").json()

    assert ready["status"] == "ready"
    assert ready["spools"] == {"depth": 4, "oldest_seconds": 4000, "lost": 2}
    assert ready["capture_faults"] == ["lost", "spooled"]


def test_status_carries_the_same_faults_as_problems_with_advice(server: Server) -> None:
    tell(server, **{"memwiki-spool": "3;4000;0"})

    status, found = server.read("/status"), health(server)

    assert status["faults"] == found["faults"]
    assert status["capture"] == found["agents"]
    (problem,) = status["problems"]
    assert found["faults"][0]["advice"] in problem


def test_an_event_whose_policy_cannot_be_read_is_the_worst_fault(server: Server) -> None:
    payload = read_payload("codex", "Stop", session_id=new_name())
    server.hook("Stop", payload, agent="codex", checkout=DESK, **{"memwiki-policy": "unreadable"})
    tell(server, **{"memwiki-spool": "3;4000;2"})

    found = health(server)
    brief = server.start(new_name(), agent="codex")

    assert [fault["kind"] for fault in found["faults"]] == ["policy_unreadable", "lost", "spooled"]
    assert (found["faults"][0]["agent"], found["faults"][0]["machine"]) == ("codex", "desk")
    assert ".memwiki.toml" in brief


def test_what_comes_late_for_something_purged_is_no_fault(server: Server) -> None:
    session = new_name()
    payload = read_payload("codex", "Stop", session_id=session)
    now = server.runtime.clock.now()
    bury = partial(tombstones.insert_tombstone, kind=TombKind.SESSION, key=session, moment=now)
    server.runtime.writer.submit(bury).result(10)

    answer = server.hook("Stop", payload, agent="codex", checkout=DESK)

    assert (answer.status_code, answer.json()["code"]) == (410, "refused_purged")
    assert health(server)["faults"] == []
