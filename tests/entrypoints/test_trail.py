"""The audit trail as administrators meet it: what stands in it, how it is read, and what shows when it was changed."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app.domain.limits_trail import DENIALS_NOTED_PER_ADDRESS
from app.state import audit
from app.state.audit import AuditEntry
from app.state.engine import WriteConnection
from app.upkeep import checkpoints
from app.wiring import Runtime
from tests.entrypoints import rights, rpc, serving
from tests.entrypoints.rights import World
from tests.entrypoints.serving import Server


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[World]:
    with serving.serve(tmp_path_factory.mktemp("trail") / "memwiki", template=template) as server:
        yield rights.build_world(server)


def read_trail(world: World, **query: str) -> list[dict[str, Any]]:
    world.server.runtime.writer.submit(lambda _: None).result(20)
    answer = world.server.client.get("/api/v1/audit", params=query, headers=world.header("admin"))
    assert answer.status_code == 200, answer.text
    entries: list[dict[str, Any]] = answer.json()["entries"]
    return entries


def change_state(runtime: Runtime, statement: str) -> None:
    runtime.writer.submit(lambda conn: conn.execute(sa.text(statement))).result(20)


@pytest.mark.parametrize("role", ["anonymous", "revoked"])
def test_who_is_turned_away_at_the_door_stands_in_the_trail(world: World, role: str) -> None:
    world.server.client.get("/api/v1/people", headers=world.header(role))

    denied = read_trail(world, limit="1", outcome="denied")[0]

    assert (denied["actor"], denied["action"], denied["detail"]) == ("-", "api.get", "401")
    assert denied["address"] == "testclient"
    assert denied["request"]


@pytest.mark.parametrize(("name", "outcome"), [("hold", "hidden"), ("nothing-there", "absent")])
def test_what_is_kept_from_somebody_is_told_from_what_is_not_there(world: World, name: str, outcome: str) -> None:
    world.server.client.get("/api/v1/lint", params={"project": name}, headers=world.header("member"))

    missed = read_trail(world, limit="1")[0]

    assert (missed["actor"], missed["detail"], missed["outcome"]) == ("bob", name, outcome)


def test_a_tool_that_changed_or_was_refused_stands_in_the_trail(world: World) -> None:
    page = {"path": "notes/tool.md", "body": "# By a tool", "project": "hold"}
    for role in ("writer", "reader"):
        params = {"name": "memory_write", "arguments": page}
        rpc.send(world.server, "tools/call", params, **world.header(role))

    denied, done = read_trail(world, limit="2", action="mcp.")

    assert (done["actor"], done["action"], done["outcome"]) == ("wri", "mcp.memory_write", "done")
    assert (done["scope"], done["subject"], len(done["after"])) == ("main/hold", "notes/tool.md", 64)
    assert (denied["actor"], denied["outcome"]) == ("rea", "denied")


def test_a_save_is_told_with_both_hashes(world: World) -> None:
    body: dict[str, object] = {"body": "# First"}
    place = "/api/v1/pages/notes/hashed.md"
    first, second = (
        world.server.client.put(place, json=body | more, params={"project": "shop"}, headers=world.header("writer"))
        for more in ({}, {"body": "# Second", "expected_hash": ""})
    )
    assert (first.status_code, second.status_code) == (200, 409)
    seen = first.json()["content_hash"]
    changed = {"body": "# Second", "expected_hash": seen}
    world.server.client.put(place, json=changed, params={"project": "shop"}, headers=world.header("writer"))

    row = read_trail(world, limit="1", scope="main/shop")[0]

    assert (row["before"], row["subject"]) == (seen, "notes/hashed.md")
    assert row["after"] not in {"", seen}


def test_who_sends_a_thousand_wrong_tokens_does_not_fill_the_disk(world: World) -> None:
    denials = world.server.runtime.denials
    denials.take_over(None)
    for _ in range(DENIALS_NOTED_PER_ADDRESS + 5):
        world.server.client.get("/mcp")

    assert [over.count for over in denials.take_over(None)] == [5]


def test_the_whole_trail_is_exported_beyond_one_answer(world: World) -> None:
    now = world.server.runtime.clock.now()

    def fill(conn: WriteConnection) -> None:
        for number in range(1200):
            audit.insert_audit(conn, AuditEntry(now, "ann", "test.fill", str(number)))

    world.server.runtime.writer.submit(fill).result(20)

    told = world.server.client.get("/api/v1/audit/export", headers=world.header("admin"))
    rows = [json.loads(line) for line in told.text.splitlines()]
    assert [row["id"] for row in rows] == list(range(1, len(rows) + 1))
    assert len(rows) > 1200
    later = read_trail(world, before=str(rows[-1]["id"]), limit="1", actor="ann")
    assert later[0]["id"] == rows[-1]["id"] - 1


def test_a_cut_trail_shows_by_the_wikis_history(server: Server) -> None:
    runtime = server.runtime
    for number in range(3):
        server.put(f"notes/{number}.md", {"body": "# Text"}, project="shop") if number else server.ask("s-1", "Look.")
    runtime.trail.mark(runtime.clock.now())
    server.settle()
    assert server.read("/audit/verify")["is_whole"]
    assert server.read("/audit/verify")["checkpoints"] == 1

    change_state(runtime, "DELETE FROM audit WHERE id = (SELECT max(id) FROM audit)")

    told = server.read("/audit/verify")
    assert (told["is_whole"], told["broken_at"]) == (False, told["last_id"] + 1)


@pytest.mark.parametrize("moment", ["yesterday", "2026-11-30T10:00:00", "99999-01-01T00:00:00+00:00"])
def test_a_checkpoint_that_somebody_else_wrote_stops_neither_the_proof_nor_the_next_one(
    server: Server, moment: str
) -> None:
    runtime = server.runtime
    server.ask("s-1", "Look.")
    server.put("notes/1.md", {"body": "# Text"}, project="shop")
    place = runtime.repository.root / checkpoints.PLACE
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"row 1 sha256 {'a' * 64} at {moment}\n", encoding="ascii")

    assert server.read("/audit/verify")["is_whole"]
    runtime.trail.look(runtime.clock.now())

    assert f"row {server.read('/audit/verify')['last_id']} " in place.read_text(encoding="ascii")


def test_a_clean_stop_leaves_a_checkpoint(tmp_path: Path, template: Path) -> None:
    with serving.serve(tmp_path / "memwiki", template=template) as server:
        server.ask("s-1", "Look around.")
        server.put("notes/one.md", {"body": "# One"}, project="shop")

    with serving.serve(tmp_path / "memwiki") as again:
        change_state(again.runtime, "DELETE FROM audit")
        told = again.read("/audit/verify")

    assert (told["is_whole"], told["rows"], told["checkpoints"]) == (False, 0, 1)


def test_rows_that_are_retired_leave_a_trail_that_is_whole(server: Server) -> None:
    runtime, now = server.runtime, server.runtime.clock.now()
    server.ask("s-1", "Look around.")
    for number in range(6):
        server.put(f"notes/{number}.md", {"body": "# Text"}, project="shop")
    runtime.trail.mark(now)

    retire = lambda conn: audit.retire_audit(conn, now + timedelta(days=1), now)  # noqa: E731 - a job of the writer
    gone = runtime.writer.submit(retire).result(20)

    told = server.read("/audit/verify")
    assert (gone, told["is_whole"], told["first_id"]) == (5, True, 6)
    change_state(runtime, "DELETE FROM audit WHERE id = 6")
    assert not server.read("/audit/verify")["is_whole"]
