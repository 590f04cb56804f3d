"""A clock that jumps by a day, forward or back, costs no event, no page and no work that was handed on."""

from pathlib import Path

import pytest

from app.entrypoints.cli.simulated import ShiftedClock
from tests.entrypoints.serving import Server, new_name, serve

DAY = 86_400


def work(server: Server, words: str) -> str:
    session = new_name()
    server.start(session)
    server.ask(session, words)
    server.run(session, "make test", "all good")
    server.end(session)
    return session


def has_page(server: Server, session: str) -> bool:
    return bool(server.session(session)["page_path"])


@pytest.mark.parametrize("days", [1, -1], ids=["forward", "back"])
def test_work_goes_on_over_a_jump_and_back_again(tmp_path: Path, template: Path, days: int) -> None:
    clock = ShiftedClock()
    with serve(tmp_path / "memwiki", template=template, clock=clock) as server:
        sessions = [work(server, "Fix the zebra lexer.")]
        waiting = new_name()
        server.start(waiting)
        server.ask(waiting, "Still at it.")
        for seconds in (days * DAY, 0):
            clock.follow([str(seconds)])
            sessions.append(work(server, "Fix the zebra lexer once more."))
            handoff = server.offer(f"After {seconds} seconds.")
            claim = server.post(f"/handoffs/{handoff['id']}/claim", {"session_id": new_name()})
            assert claim.status_code == 200, claim.text
        server.end(waiting)

        assert all(has_page(server, session) for session in [*sessions, waiting])
        found = {hit["session_id"] for hit in server.read("/search", q="zebra lexer")["hits"]}
        assert {server.session(session)["id"] for session in sessions} <= found
        assert [len(server.observations(session)) for session in sessions] == [4] * 3
        assert server.read("/status")["problems"] == []
        assert server.client.get("/readyz").json()["status"] == "ready"
        assert server.client.get("/metrics").status_code == 200


@pytest.mark.parametrize("days", [1, -1], ids=["forward", "back"])
def test_a_start_after_a_jump_takes_up_what_was_left(tmp_path: Path, template: Path, days: int) -> None:
    clock = ShiftedClock()
    with serve(tmp_path / "memwiki", template=template, clock=clock) as server:
        session = work(server, "Fix the zebra lexer.")
        server.tell(late := new_name(), "SessionStart.startup")
        server.ask(late, "Rename the zebra.")
        server.tell(late, "SessionEnd")
    clock.follow([str(days * DAY)])

    with serve(tmp_path / "memwiki", clock=clock) as server:
        server.settle()
        assert has_page(server, session)
        assert has_page(server, late)
        assert server.read("/status")["problems"] == []
