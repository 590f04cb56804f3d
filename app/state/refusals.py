"""Counts what hooks sent and were refused, in this process alone: a refused event has no row to be counted in."""

import threading
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from app.domain import limits
from app.domain.activity import Refusal

# Names come from whoever sends, so that only so many are told apart; the rest are counted under this one.
OTHERS = "others"


@dataclass(slots=True)
class _Tally:
    last_at: datetime
    last_code: str = ""
    last_reason: str = ""
    count: int = 0
    by_minute: Counter[int] = field(default_factory=Counter)


class Refusals:
    """What was refused since the server started, by agent, person and machine; any thread may call."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._tallies: dict[tuple[str, str, str], _Tally] = {}

    def note(self, key: tuple[str, str, str], code: str, reason: str, now: datetime) -> None:
        """Count one event that was refused; `key` is its agent, person and machine."""
        with self._guard:
            if key not in self._tallies and len(self._tallies) >= limits.REFUSED_AGENTS_MAX:
                key = (OTHERS, key[1], "")
            tally = self._tallies.setdefault(key, _Tally(now))
            tally.count += 1
            tally.last_at, tally.last_code = now, code
            tally.last_reason = reason[: limits.REFUSAL_REASON_CHARS_MAX]
            _forget_old(tally, now)
            tally.by_minute[_number_minute(now)] += 1

    def list_refusals(self, now: datetime) -> list[Refusal]:
        """List who was refused, the last one first."""
        with self._guard:
            found = []
            for (agent, owner, machine), tally in self._tallies.items():
                _forget_old(tally, now)
                in_hour = sum(tally.by_minute.values())
                facts = (in_hour, tally.count, tally.last_at, tally.last_code, tally.last_reason)
                found.append(Refusal(agent, owner, machine, *facts))
        return sorted(found, key=lambda refusal: refusal.last_at, reverse=True)


def _forget_old(tally: _Tally, now: datetime) -> None:
    oldest = _number_minute(now - timedelta(minutes=limits.REFUSAL_MINUTES_SHOWN))
    for minute in [minute for minute in tally.by_minute if minute <= oldest]:
        del tally.by_minute[minute]


def _number_minute(moment: datetime) -> int:
    return int(moment.timestamp()) // 60
