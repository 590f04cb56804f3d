"""Counts what hooks sent and were refused: a refused event has no row to be counted in."""

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from app.domain import limits
from app.domain.activity import Refusal, RefusalTally

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
    """What was refused, by agent, person and machine, from `kept` tallies on.

    Any thread may call, and `on_change` is called with each change.
    """

    def __init__(self, kept: Iterable[RefusalTally] = (), on_change: Callable[[], None] = lambda: None) -> None:
        self._guard = threading.Lock()
        self._on_change = on_change
        self._tallies = {(tally.agent, tally.owner, tally.machine): _restore_tally(tally) for tally in kept}

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
        self._on_change()

    def forget_person(self, owner: str) -> None:
        """Forget what was refused of a person."""
        with self._guard:
            for key in [key for key in self._tallies if key[1] == owner]:
                del self._tallies[key]
        self._on_change()

    def list_tallies(self) -> list[RefusalTally]:
        """List what was counted, for another server to go on from."""
        with self._guard:
            return [
                RefusalTally(
                    *key,
                    count=tally.count,
                    last_at=tally.last_at,
                    last_code=tally.last_code,
                    last_reason=tally.last_reason,
                    by_minute=tuple(tally.by_minute.items()),
                )
                for key, tally in self._tallies.items()
            ]

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


def _restore_tally(kept: RefusalTally) -> _Tally:
    return _Tally(kept.last_at, kept.last_code, kept.last_reason, kept.count, Counter(dict(kept.by_minute)))


def _forget_old(tally: _Tally, now: datetime) -> None:
    oldest = _number_minute(now - timedelta(minutes=limits.REFUSAL_MINUTES_SHOWN))
    for minute in [minute for minute in tally.by_minute if minute <= oldest]:
        del tally.by_minute[minute]


def _number_minute(moment: datetime) -> int:
    return int(moment.timestamp()) // 60
