"""Fifty claim one handoff at once, by every way there is: one has it, the others learn who, whatever goes on."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from tests.e2e import sessions
from tests.e2e.crowd import Caller
from tests.server import Server

pytestmark = pytest.mark.slow

ROUNDS = 200
HTTP, MCP, STARTS = 22, 14, 14
# In every tenth round the index is being rebuilt, and in one the server is killed and started again.
REBUILD_EVERY, KILL_ROUND = 10, 77
KILL_AFTER_S = 0.05


@dataclass(frozen=True, slots=True)
class Claimed:
    """What one claimer came away with: the agent-side name of its session, whether it won, and what it was told."""

    session: str
    has_won: bool
    told: str
    is_start: bool = False


async def offer(caller: Caller, number: int) -> str:
    body = {"summary": f"round {number}", "next_steps": ["go on"]}
    reply = await caller.call_patiently("POST", "/api/v1/handoffs?project=main/shop", body)
    assert reply.status == 201, reply.text
    return str(reply.read()["id"])


async def claim_by_http(caller: Caller, handoff: str, session: str) -> Claimed:
    body = {"session_id": session, "agent": "codex"}
    reply = await caller.call_patiently("POST", f"/api/v1/handoffs/{handoff}/claim", body)
    assert reply.status in {200, 409}, reply.text
    return Claimed(session, reply.status == 200, reply.text)


async def claim_by_mcp(caller: Caller, handoff: str, session: str) -> Claimed:
    reply = await caller.call_tool("memory_handoff_claim", {"handoff_id": handoff, "session_id": session})
    return Claimed(session, reply.status == 200, reply.text)


async def claim_by_start(caller: Caller, handoff: str, session: str) -> Claimed:
    reply = await caller.send(sessions.build_start(session))
    assert reply.status == 202, reply.text
    return Claimed(session, handoff in reply.text, reply.text, is_start=True)


async def find_holder(caller: Caller, handoff: str) -> str:
    """Name the holder as it names itself: the store knows a captured session by an id of its own."""
    held = (await caller.call_patiently("GET", f"/api/v1/handoffs/{handoff}")).read()
    assert held["state"] == "claimed", held
    reply = await caller.call_patiently("GET", f"/api/v1/sessions/{held['holder_session_id']}")
    return str(reply.read()["agent_session_id"]) if reply.status == 200 else str(held["holder_session_id"])


async def play_round(callers: Sequence[Caller], number: int) -> str:
    """Play one round, and say what was wrong with it; empty if nothing."""
    handoff = await offer(callers[0], number)
    ways = [claim_by_http] * HTTP + [claim_by_mcp] * MCP + [claim_by_start] * STARTS
    # Who stands first in the queue changes from round to round.
    turned = ways[number % len(ways) :] + ways[: number % len(ways)]
    claims = [
        way(caller, handoff, f"r{number}-{place}")
        for place, (way, caller) in enumerate(zip(turned, callers, strict=True))
    ]
    outcomes = await asyncio.gather(*claims)
    winners = [each.session for each in outcomes if each.has_won]
    holder = await find_holder(callers[0], handoff)
    internal = (await callers[0].call_patiently("GET", f"/api/v1/handoffs/{handoff}")).read()["holder_session_id"]
    blind = [each for each in outcomes if not each.has_won and not each.is_start and internal not in each.told]
    await callers[0].call_patiently("POST", f"/api/v1/handoffs/{handoff}/done", {})
    if winners != [holder] or blind:
        return f"round {number}: winners {winners}, holder {holder}, not told: {blind[:2]}"
    return ""


async def disturb(server: Server, number: int) -> None:
    """Make the round harder while it is played."""
    if number == KILL_ROUND:
        await asyncio.sleep(KILL_AFTER_S)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
    elif number % REBUILD_EVERY == 0:
        await asyncio.to_thread(server.client.post, "/api/v1/reindex")


async def play(server: Server) -> list[str]:
    callers = [Caller(server.url) for _ in range(HTTP + MCP + STARTS)]
    faults = []
    try:
        for number in range(ROUNDS):
            fault, _ = await asyncio.gather(play_round(callers, number), disturb(server, number))
            faults += [fault] if fault else []
    finally:
        for caller in callers:
            await caller.close()
    return faults


def write_pages(server: Server) -> None:
    folder = server.wiki / "main" / "shop" / "notes"
    folder.mkdir(parents=True)
    for number in range(150):
        (folder / f"note-{number}.md").write_text(f"# Note {number}\n\nPrices are rounded.\n", encoding="utf-8")


@pytest.mark.timeout(300)
def test_one_of_fifty_wins_each_of_two_hundred_rounds(server: Server) -> None:
    sessions.build_start("first").send(server)
    write_pages(server)

    assert asyncio.run(play(server)) == []


def test_a_claim_repeated_after_a_lost_answer_is_the_same_claim(server: Server) -> None:
    sessions.build_start("first").send(server)
    body = {"summary": "half done"}
    offered = server.client.post("/api/v1/handoffs", params={"project": "main/shop"}, json=body).json()
    target = f"/api/v1/handoffs/{offered['id']}/claim"

    first = server.client.post(target, json={"session_id": "one"})
    server.kill()
    server.start()
    again = server.client.post(target, json={"session_id": "one"})
    other = server.client.post(target, json={"session_id": "two"})

    assert (first.status_code, again.status_code, other.status_code) == (200, 200, 409)
    assert again.json()["holder_session_id"] == "one"
    assert "one" in other.json()["detail"]
