"""Killed at many random moments, the server keeps what it acknowledged, each once, in a database that is whole."""

import random
import time
from collections.abc import Iterable, Sequence

import pytest

from tests.e2e import sessions
from tests.e2e.crowd import EventCrowd, Outcome
from tests.e2e.sessions import SentEvent
from tests.server import Server

# Twenty starts of a server take most of the usual time on a machine that is busy.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

SEED = 20261130
KILLS, CONNECTIONS, EVENTS_EACH = 20, 64, 8
MOMENT_SECONDS_MAX = 0.4
# So many of the clients end their session with every round, so that pages are being made as well.
ENDING = 16


class Clients:
    """Clients that outlive the server: what was not acknowledged is sent again, first and under its own key."""

    def __init__(self) -> None:
        self.sent: set[str] = set()
        self.acknowledged: set[str] = set()
        self._pending: list[list[SentEvent]] = [[] for _ in range(CONNECTIONS)]
        self._round = 0

    def run(self, server: Server, events_each: int, kill_after: float | None) -> Outcome:
        """Send for one round, which a kill may cut short at any moment."""
        self._round += 1
        queues = [[*waiting, *self._build_events(number, events_each)] for number, waiting in enumerate(self._pending)]
        self.sent.update(list_prompts(event for queue in queues for event in queue))
        crowd = EventCrowd(server, queues)
        crowd.start()
        if kill_after is not None:
            time.sleep(kill_after)
            server.kill()
        outcome = crowd.join()
        self.acknowledged.update(list_prompts(outcome.acknowledged))
        self._pending = [[event for event in queue if event not in outcome.acknowledged] for queue in queues]
        return outcome

    def _build_events(self, number: int, count: int) -> list[SentEvent]:
        """Build turns of one session a client, which is taken up again in the next round."""
        name = f"client-{number}"
        texts = [f"prompt {self._round}-{number}-{turn}" for turn in range(count)]
        turns: Sequence[SentEvent] = [sessions.build_prompt(name, text) for text in texts]
        events = [*turns, sessions.build_end(name)] if number < ENDING else turns
        return [
            SentEvent(
                event.agent, event.event, event.payload, event.checkout, key=f"key {self._round}-{number}-{place}"
            )
            for place, event in enumerate(events)
        ]


def list_prompts(events: Iterable[SentEvent]) -> set[str]:
    return {event.payload["prompt"] for event in events if event.event == "UserPromptSubmit"}


def check_store(server: Server, clients: Clients) -> None:
    stored = sessions.list_texts(server.data_dir)

    assert len(stored) == len(set(stored)), "something is stored twice"
    assert clients.acknowledged <= set(stored), "something acknowledged is gone"
    assert set(stored) <= clients.sent
    assert sessions.read_state(server.data_dir, "PRAGMA integrity_check") == [("ok",)]
    assert sessions.read_state(server.data_dir, "PRAGMA foreign_key_check") == []


def test_whatever_was_acknowledged_before_any_of_twenty_kills_is_stored_exactly_once(server: Server) -> None:
    moments = random.Random(SEED)  # noqa: S311 - the same moments in every run
    clients = Clients()
    cut_off = 0

    for _ in range(KILLS):
        outcome = clients.run(server, EVENTS_EACH, kill_after=moments.uniform(0, MOMENT_SECONDS_MAX))
        assert outcome.refused == []
        cut_off += bool(outcome.cut_off)
        server.start()
        check_store(server, clients)
    last = clients.run(server, 0, kill_after=None)

    check_store(server, clients)
    assert (last.refused, last.cut_off) == ([], set())
    assert clients.acknowledged == clients.sent
    assert cut_off >= KILLS // 2, "the kills came too late to hit anything"
