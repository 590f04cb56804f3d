"""What was refused and dropped stays counted when its server stops, and when it is killed."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from tests.server import Server, wait_for

UNREADABLE = {"Memwiki-Policy": "{"}
# One of what was dropped and one of what was refused.
SAVED = 2
QUERY = """SELECT count(*) FROM unkept_counts WHERE tally LIKE '%"agent":"codex"%'"""


def refuse_and_drop(server: Server) -> None:
    refused = server.client.post("/hook?agent=no-such-agent&event=Stop", json={"session_id": "s1"})
    dropped = server.client.post("/hook?agent=codex&event=Stop", json={"session_id": "s1"}, headers=UNREADABLE)
    assert (refused.status_code, dropped.status_code) == (422, 202)


def list_counts(server: Server) -> tuple[dict[str, int], list[dict[str, Any]]]:
    status = server.get("/api/v1/status")
    return {row["agent"]: row["refused"] for row in status["capture"]}, status["dropped"]


def count_saved(server: Server) -> int:
    with closing(sqlite3.connect(server.data_dir / "state" / "state.db")) as conn:
        return int(conn.execute(QUERY).fetchone()[0])


def test_counts_of_what_was_not_kept_go_on_after_a_restart(server: Server) -> None:
    for _ in range(3):
        refuse_and_drop(server)
    before = list_counts(server)

    server.restart()

    assert list_counts(server) == before
    assert before[0] == {"no-such-agent": 3, "codex": 3}
    refuse_and_drop(server)
    assert list_counts(server)[0] == {"no-such-agent": 4, "codex": 4}


@pytest.mark.slow
def test_a_killed_server_forgets_no_count_that_was_saved(server: Server) -> None:
    refuse_and_drop(server)
    wait_for(lambda: count_saved(server) == SAVED or None, "the counts are saved")
    before = list_counts(server)

    server.kill()
    server.start()

    assert list_counts(server)[1] == before[1]
    assert list_counts(server)[0]["codex"] == 1
