"""Counts the events that were not kept, in this process alone: such an event leaves no row to be counted in."""

import threading
from collections import OrderedDict
from dataclasses import replace
from datetime import datetime

from app.capture.outcome import DropCount, IngestStatus
from app.domain.limits import DROPPED_SENDERS_MAX


class Drops:
    """The counts of one server; any thread may call."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._counts: OrderedDict[tuple[str, str], DropCount] = OrderedDict()

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

    def list_counts(self) -> list[DropCount]:
        """List the senders, the last one first."""
        with self._guard:
            return list(reversed(self._counts.values()))
