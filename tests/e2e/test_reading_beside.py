"""The process that reads events under load: nothing is lost with it, and it is never left behind."""

import json
import os
import signal
from pathlib import Path

import pytest

from app import config
from tests.e2e import sessions
from tests.e2e.crowd import EventCrowd
from tests.e2e.sessions import SentEvent
from tests.server import SERVE, Server, run_server, wait_for

pytestmark = pytest.mark.slow

THREADS, EVENTS = 8, 100
BATCH = 256


def bring_load(server: Server) -> int:
    """Send batches until a second process reads; tells which one it is."""
    numbers = iter(range(100))

    def look() -> int:
        number = next(numbers)
        prompts = [sessions.build_prompt(f"load-{number}", f"load {number}-{count}") for count in range(BATCH)]
        items = [{"agent": each.agent, "event": each.event, "payload": dict(each.payload)} for each in prompts]
        assert server.client.post("/hook/batch", json={"events": items}).status_code == 200
        pid: int = server.get("/api/v1/status")["reader"]["pid"]
        return pid

    return wait_for(look, "a second process that reads")


def is_alive(pid: int) -> bool:
    try:
        return b"reader_child" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def test_a_kill_of_the_reading_process_costs_no_event_and_refuses_none(server: Server) -> None:
    pid = bring_load(server)
    prompts = [
        [sessions.build_prompt(f"crowd-{thread}", f"prompt {thread}-{number}") for number in range(EVENTS)]
        for thread in range(THREADS)
    ]
    queues = [
        [SentEvent(e.agent, e.event, e.payload, e.checkout, key=json.dumps(e.payload)) for e in q] for q in prompts
    ]
    crowd = EventCrowd(server, queues)

    crowd.start()
    crowd.wait_for_acknowledged(THREADS * EVENTS // 4)
    os.kill(pid, signal.SIGKILL)
    outcome = crowd.join()

    assert outcome.refused == []
    assert len(outcome.acknowledged) == THREADS * EVENTS
    stored = [text for text in sessions.list_texts(server.data_dir) if text.startswith("prompt ")]
    assert sorted(stored) == sorted(event.payload["prompt"] for queue in queues for event in queue)
    assert server.get("/api/v1/status")["reader"]["faults"] == 1


def test_a_server_that_is_killed_leaves_no_reading_process_behind(server: Server) -> None:
    pid = bring_load(server)
    assert is_alive(pid)

    server.kill()

    wait_for(lambda: not is_alive(pid), "the end of the reading process")


def test_a_server_that_stops_takes_its_reading_process_along(server: Server) -> None:
    pid = bring_load(server)

    assert server.stop() == 0

    assert not is_alive(pid)


def test_settings_that_are_read_again_hold_for_what_the_reading_process_reads(tmp_path: Path) -> None:
    with run_server(tmp_path / "memory", program=SERVE) as running:
        pid = bring_load(running)
        before = send_beside(running, "before")

        (running.data_dir / config.CONFIG_NAME).write_text("exclude_folders = ['shop']\n", encoding="utf-8")
        os.kill(running.pid, signal.SIGHUP)
        wait_for(lambda: running.get("/readyz")["settings"]["times_read_again"], "settings that are read again")
        after = send_beside(running, "after")

        assert before == {"stored"}
        assert after == {"dropped_by_policy"}
        assert running.get("/api/v1/status")["reader"]["pid"] == pid
        assert not [text for text in sessions.list_texts(running.data_dir) if text.startswith("after")]


def send_beside(server: Server, session: str) -> set[str]:
    """Send a batch that the second process reads, and tell what became of its events."""
    read_before = server.get("/api/v1/status")["reader"]["read_beside"]
    prompts = [sessions.build_prompt(session, f"{session} {count}") for count in range(BATCH)]
    items = [{"agent": each.agent, "event": each.event, "payload": dict(each.payload)} for each in prompts]
    results = server.client.post("/hook/batch", json={"events": items}).json()["results"]
    assert server.get("/api/v1/status")["reader"]["read_beside"] == read_before + BATCH
    return {result["status"] for result in results}
