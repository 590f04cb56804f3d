"""One server per data directory, stopped by the signals that people and containers send, with nothing lost."""

import signal
import subprocess
from pathlib import Path

import pytest

from tests.e2e import sessions
from tests.e2e.crowd import EventCrowd
from tests.server import SERVE, Server, clean_environment, run_server

pytestmark = pytest.mark.slow


def start_second(data_dir: Path) -> "subprocess.CompletedProcess[str]":
    command = [*SERVE, "serve", "--data-dir", str(data_dir), "--port", "0", "--json"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=clean_environment(), check=False)


def test_a_second_server_on_a_directory_names_the_first_and_leaves(server: Server) -> None:
    refused = start_second(server.data_dir)

    assert refused.returncode == 6
    assert refused.stdout == ""
    assert server.url in refused.stderr
    assert str(server.pid) in refused.stderr
    assert server.get("/readyz")["status"] == "ready"


def test_a_killed_server_blocks_nobody(server: Server) -> None:
    holder = server.pid
    server.kill()

    server.start()

    assert server.pid != holder
    assert server.get("/readyz")["status"] == "ready"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_server_told_to_stop_in_full_flight_loses_nothing_it_acknowledged(
    tmp_path: Path, number: signal.Signals
) -> None:
    queues = [
        [sessions.build_prompt(f"crowd-{client}", f"prompt {client}-{count}") for count in range(400)]
        for client in range(8)
    ]

    with run_server(tmp_path / "memory") as server:
        crowd = EventCrowd(server, queues)
        crowd.start()
        crowd.wait_for_acknowledged(200)
        assert server.stop(number) == 0, server.read_log()
        outcome, said = crowd.join(), server.read_log()

    stored = sessions.list_texts(server.data_dir)
    assert {event.payload["prompt"] for event in outcome.acknowledged} <= set(stored)
    assert len(stored) == len(set(stored))
    assert "Traceback" not in said


def test_sessions_that_ended_just_before_a_stop_have_their_pages_after_the_next_start(server: Server) -> None:
    for count in range(5):
        for event in sessions.build_session(f"late-{count}"):
            event.send(server)
    server.restart()

    for count in range(5):
        server.wait_for_page(f"late-{count}")
    server.wait_until_committed()

    assert len(sessions.list_session_pages(server)) == 5
