"""Many at once: what is stored is what was acknowledged, and nobody waits without a bound."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from tests.e2e import pages, sessions
from tests.e2e.crowd import Caller, EventCrowd, Reply, run_together
from tests.server import Server, wait_for

pytestmark = pytest.mark.slow

CLIENTS, EVENTS_EACH = 32, 40
WRITERS, WRITES_EACH = 64, 4
PAUSE_S = 0.1


@contextmanager
def hold_read(server: Server) -> Iterator[None]:
    """Keep one snapshot of the store open, as a slow report or backup does."""
    uri = f"file:{server.data_dir / 'state' / 'state.db'}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM observations").fetchone()
        yield


@contextmanager
def keep_busy(server: Server) -> Iterator[None]:
    """Take backups and rebuild the index, over and over."""
    enough = threading.Event()

    def back_up_and_rebuild() -> None:
        uri = f"file:{server.data_dir / 'state' / 'state.db'}?mode=ro"
        while not enough.is_set():
            with closing(sqlite3.connect(uri, uri=True)) as source, closing(sqlite3.connect(":memory:")) as copy:
                source.backup(copy, pages=64)
                assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            server.client.post("/api/v1/reindex")
            enough.wait(PAUSE_S)

    thread = threading.Thread(target=back_up_and_rebuild)
    thread.start()
    try:
        yield
    finally:
        enough.set()
        thread.join(30)
        assert not thread.is_alive()


def test_events_of_a_crowd_are_stored_while_backups_rebuilds_and_long_readers_run(server: Server) -> None:
    pages.build_wiki(100).write(server.wiki)
    sessions.build_start("first").send(server)
    queues = [
        [sessions.build_prompt(f"crowd-{client}", f"prompt {client}-{number}") for number in range(EVENTS_EACH)]
        for client in range(CLIENTS)
    ]

    with hold_read(server), keep_busy(server):
        crowd = EventCrowd(server, queues)
        crowd.start()
        outcome = crowd.join()

    assert (outcome.refused, outcome.cut_off) == ([], set())
    stored = sessions.list_texts(server.data_dir)
    assert sorted(stored) == sorted(event.payload["prompt"] for event in outcome.acknowledged)
    assert len(stored) == CLIENTS * EVENTS_EACH
    status = server.get("/api/v1/status")
    assert status["problems"] == []
    assert status["writer"]["commit_ms_max"] > 0
    assert status["writer"]["lock_wait_ms_max"] > 0


async def save_pages(number: int, caller: Caller) -> list[Reply]:
    """Save pages of its own, and once every round the page that all of them want."""
    replies = []
    for turn in range(WRITES_EACH):
        target = f"/api/v1/pages/notes/page-{number}-{turn}.md?project=main/shop"
        replies.append(await caller.call("PUT", target, {"body": f"# Page {number} {turn}\n\nPelican {number}."}))
    target = "/api/v1/pages/notes/wanted.md?project=main/shop"
    replies.append(await caller.call("PUT", target, {"body": f"# Wanted\n\nBy {number}."}))
    return replies


def test_pages_saved_by_sixty_four_at_once_are_all_there(server: Server) -> None:
    sessions.build_start("first").send(server)
    depths, done = [], threading.Event()
    watch = threading.Thread(target=lambda: watch_queue(server, depths, done))

    watch.start()
    began = time.monotonic()
    replies = run_together(server.url, WRITERS, save_pages)
    seconds = time.monotonic() - began
    done.set()
    watch.join(30)

    own = [reply.status for each in replies for reply in each[:-1]]
    wanted = sorted(each[-1].status for each in replies)
    assert own == [200] * (WRITERS * WRITES_EACH)
    assert wanted == [200] + [409] * (WRITERS - 1)
    assert seconds < 60
    assert max(depths) < 100
    pages.wait_for_pages(server, WRITERS * WRITES_EACH + 1)
    server.wait_until_committed()
    assert len(pages.list_paths(server, "pelican")) == 50


def watch_queue(server: Server, depths: list[int], done: threading.Event) -> None:
    """Note how long the writer's queue is until told to stop."""
    while not done.wait(PAUSE_S):
        depths.append(server.get("/readyz")["writer"]["depth"])


def test_a_batch_and_single_events_of_one_session_keep_their_order(server: Server) -> None:
    items = [
        {"agent": each.agent, "event": each.event, "payload": each.payload, "key": f"k{number}"}
        for number, each in enumerate(sessions.build_prompt("spooled", f"prompt {n}") for n in range(200))
    ]

    answer = server.client.post("/hook/batch", json={"events": items}).json()
    again = server.client.post("/hook/batch", json={"events": items}).json()
    sessions.build_prompt("spooled", "the last").send(server)

    assert {result["status"] for result in answer["results"]} == {"stored"}
    assert {result["status"] for result in again["results"]} == {"replayed"}
    assert sessions.list_texts(server.data_dir) == [*(f"prompt {n}" for n in range(200)), "the last"]
    wait_for(lambda: server.get("/readyz")["status"] == "ready", "a ready server")
