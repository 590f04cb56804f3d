"""Counts the events that were not kept: such an event leaves no row to be counted in."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from app.capture.outcome import IngestStatus
from app.domain.activity import DropCount
from app.domain.limits import DROPPED_SENDERS_MAX


class Drops:
    """The counts of one server, from `kept` ones on; any thread may call, and each change calls `on_change`."""

    def __init__(self, kept: Iterable[DropCount] = (), on_change: Callable[[], None] = lambda: None) -> None:
        self._guard = threading.Lock()
        self._on_change = on_change
        self._counts = OrderedDict(((count.agent, count.machine), count) for count in kept)

    def note(self, agent: str, machine: str, status: IngestStatus, *, unreadable_at: datetime | None = None) -> None:
        """Count one event; `unreadable_at` is the time where its policy could not be read."""
        with self._guard:
            count = self._counts.pop((agent, machine), DropCount(agent, machine))
            if status is IngestStatus.REFUSED_PURGED:
                count = replace(count, purged=count.purged + 1)
            else:
                count = replace(count, by_policy=count.by_policy + 1)
            if unreadable_at is not None:
                count = replace(count, unreadable=count.unreadable + 1, unreadable_at=unreadable_at)
            self._counts[agent, machine] = count
            if len(self._counts) > DROPPED_SENDERS_MAX:
                self._counts.popitem(last=False)
        self._on_change()

    def list_counts(self) -> list[DropCount]:
        """List the senders, the last one first."""
        with self._guard:
            return list(reversed(self._counts.values()))
