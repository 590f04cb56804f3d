"""Very long sessions and very large inputs: all that counts is kept, and memory stays within a stated bound."""

from pathlib import Path
from typing import Any

import pytest

from app.domain import limits
from tests.server import Server, build_headers

# What the server's memory may grow by, whatever comes.
GROWTH_MIB_MAX = 192
EVENTS, PER_BATCH = 5000, 250
OUTPUT_BYTES = 7 * 1024 * 1024


def measure_memory_mib(server: Server) -> float:
    """Measure what the server's process has had in memory at most."""
    lines = Path(f"/proc/{server.pid}/status").read_text(encoding="utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) / 1024


def build_item(session: str, number: int, output: str) -> dict[str, Any]:
    """Build one finished command as the spool keeps it."""
    payload = {
        "session_id": session,
        "cwd": "/w/shop",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_use_id": f"toolu_{number}",
        "tool_input": {"command": f"make part-{number}"},
        "tool_response": {"stdout": output, "stderr": ""},
    }
    checkout = {"cwd": "/w/shop", "root": "/w/shop"}
    return {
        "agent": "claude-code", "event": "PostToolUse", "key": f"{session}-{number}", "checkout": checkout,
        "payload": payload,
    }  # fmt: skip


def send(server: Server, items: list[dict[str, Any]]) -> list[str]:
    """Send a batch, and tell what became of each of its events."""
    answer = server.client.post("/hook/batch", json={"events": items})
    assert answer.status_code == 200, answer.text
    return [result["status"] for result in answer.json()["results"]]


pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")


def test_five_thousand_events_of_a_session_are_kept_in_bounded_memory(server: Server) -> None:
    before = measure_memory_mib(server)
    output = "a line of a long build\n" * 200

    for first in range(0, EVENTS, PER_BATCH):
        items = [build_item("long", number, output) for number in range(first, first + PER_BATCH)]
        assert set(send(server, items)) == {"stored"}

    again = send(server, [build_item("long", number, output) for number in range(EVENTS - PER_BATCH, EVENTS)])
    assert set(again) == {"replayed"}
    assert measure_memory_mib(server) - before < GROWTH_MIB_MAX


def test_huge_outputs_are_cut_with_a_mark_in_bounded_memory(server: Server) -> None:
    before = measure_memory_mib(server)
    output = "x" * OUTPUT_BYTES + " the end"

    for number in range(8):
        assert send(server, [build_item("huge", number, output)]) == ["stored"]

    kept = server.get("/api/v1/sessions/huge")["observations"][0]["output"]
    assert len(kept.encode()) <= limits.TOOL_TEXT_BYTES_MAX
    assert "…[cut " in kept
    assert kept.endswith("the end")
    assert measure_memory_mib(server) - before < GROWTH_MIB_MAX


def test_a_prompt_over_the_bound_is_refused_so_that_the_client_drops_it(server: Server) -> None:
    payload = {"session_id": "wide", "cwd": "/w", "prompt": "y" * limits.HOOK_BODY_BYTES_MAX}

    answer = server.client.post(
        "/hook?agent=claude-code&event=UserPromptSubmit", json=payload, headers=build_headers("k1")
    )

    assert answer.status_code == 413
