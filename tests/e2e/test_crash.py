"""What was acknowledged is there after a kill, once, whatever the server was doing."""

import re
import time
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import pytest

from tests.e2e import sessions
from tests.e2e.crowd import EventCrowd
from tests.e2e.sessions import SentEvent
from tests.server import Server, run_git, wait_for

pytestmark = pytest.mark.slow

THREADS, ACKNOWLEDGED_MIN = 16, 1000
LAST_MOMENT_S = 0.010
PAGES = 400
ENDS_MIN = 100


def build_prompts(thread: int) -> list[SentEvent]:
    """More than will be sent before the kill, so that some are under way when it comes."""
    return [build_prompt(f"crowd-{thread}", f"prompt {thread}-{number}") for number in range(200)]


def build_prompt(session: str, text: str) -> SentEvent:
    event = sessions.build_prompt(session, text)
    return SentEvent(event.agent, event.event, event.payload, event.checkout, key=f"key {text}")


def kill_in_full_flight(server: Server, queues: list[list[SentEvent]]) -> tuple[set[str], set[str]]:
    """Kill just after the last of a thousand acknowledgements; gives back what was acknowledged and what sent."""
    crowd = EventCrowd(server, queues)
    crowd.start()
    crowd.wait_for_acknowledged(ACKNOWLEDGED_MIN)
    time.sleep(LAST_MOMENT_S)
    server.kill()
    outcome = crowd.join()
    assert outcome.refused == []
    assert outcome.cut_off
    return list_prompts(outcome.acknowledged), list_prompts(chain(*queues))


def list_prompts(events: Iterable[SentEvent]) -> set[str]:
    return {event.payload["prompt"] for event in events if event.event == "UserPromptSubmit"}


def check_stored(server: Server, acknowledged: set[str], sent: set[str]) -> None:
    stored = sessions.list_texts(server.data_dir)

    assert acknowledged <= set(stored) <= sent
    assert len(stored) == len(set(stored))


def write_pages(folder: Path) -> None:
    folder.mkdir(parents=True)
    for number in range(PAGES):
        text = f"# Page {number}\n\n" + " ".join(f"word{number * step % 997}" for step in range(1, 120))
        (folder / f"page-{number:03d}.md").write_text(text, encoding="utf-8")


def test_acknowledged_events_survive_a_kill_and_repeats_are_stored_once(server: Server) -> None:
    queues = [build_prompts(thread) for thread in range(THREADS)]

    acknowledged, sent = kill_in_full_flight(server, queues)
    server.start()
    check_stored(server, acknowledged, sent)
    again = EventCrowd(server, queues)
    again.start()

    assert again.join().refused == []
    assert sorted(sessions.list_texts(server.data_dir)) == sorted(sent)


def test_acknowledged_events_survive_a_kill_during_a_rebuild_of_the_index(server: Server) -> None:
    write_pages(server.wiki / "main" / "shop" / "notes")
    wait_for(lambda: server.get("/readyz")["index"]["pages"] == PAGES, "the pages in the index")
    queues = [build_prompts(thread) for thread in range(THREADS)]

    server.client.post("/api/v1/reindex")
    acknowledged, sent = kill_in_full_flight(server, queues)
    server.start()

    check_stored(server, acknowledged, sent)
    wait_for(lambda: server.get("/readyz")["index"]["pages"] >= PAGES, "the pages in the index again")
    assert server.get("/api/v1/search", q="word7", limit=100)["hits"]


def build_sessions(thread: int) -> list[SentEvent]:
    """Short sessions one after the other, so that pages are being made when the kill comes."""
    names = [f"s{thread}-{number}" for number in range(60)]
    return list(
        chain.from_iterable(
            [
                build_prompt(name, f"prompt {name} one"),
                build_prompt(name, f"prompt {name} two"),
                sessions.build_end(name),
            ]
            for name in names
        )
    )


def list_compiled(server: Server) -> list[str]:
    """List the agents' ids of the sessions that the pages on disk are of."""
    rows = sessions.read_state(server.data_dir, "SELECT id, agent_session_id FROM sessions")
    names = dict(rows)
    texts = [(server.wiki / place).read_text(encoding="utf-8") for place in sessions.list_session_pages(server)]
    return [names[match[1]] for text in texts if (match := re.search(r"^session_id: ['\"]?(\w+)", text, re.MULTILINE))]


def test_sessions_whose_end_was_acknowledged_before_a_kill_have_one_page_each(server: Server) -> None:
    crowd = EventCrowd(server, [build_sessions(thread) for thread in range(THREADS)])

    crowd.start()
    crowd.wait_for_acknowledged(ENDS_MIN * 3)
    time.sleep(LAST_MOMENT_S)
    server.kill()
    acknowledged = crowd.join().acknowledged
    ended = {event.session_id for event in acknowledged if event.event == "SessionEnd"}
    server.start()
    wait_for(lambda: not sum(server.get("/api/v1/status")["jobs"].values()), "the compiling of all", seconds=60)
    compiled = list_compiled(server)
    server.wait_until_committed()

    check_stored(server, list_prompts(acknowledged), set(sessions.list_texts(server.data_dir)))
    assert len(ended) >= ENDS_MIN // 2
    assert ended <= set(compiled)
    assert len(compiled) == len(set(compiled)) == len(sessions.list_session_pages(server))
    assert run_git(server.wiki, "fsck", "--no-dangling") == ""
