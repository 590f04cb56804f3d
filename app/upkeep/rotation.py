"""Which backups are kept: the newest of each of the last days, weeks and months that have one."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class KeptBackups:
    """How many days, weeks and months keep a backup."""

    daily: int
    weekly: int
    monthly: int


def decide_kept(moments: Iterable[datetime], kept: KeptBackups) -> set[datetime]:
    """Decide which backups stay; the newest always does, and days without one do not count."""
    newest_first = sorted(set(moments), reverse=True)
    chosen = set(newest_first[:1])
    for count, period in (
        (kept.daily, lambda moment: moment.date().isoformat()),
        (kept.weekly, lambda moment: f"{moment:%G-%V}"),
        (kept.monthly, lambda moment: f"{moment:%Y-%m}"),
    ):
        chosen |= _choose(newest_first, count, period)
    return chosen


def _choose(newest_first: Sequence[datetime], count: int, period: Callable[[datetime], str]) -> set[datetime]:
    newest: dict[str, datetime] = {}
    for moment in newest_first:
        newest.setdefault(period(moment), moment)
    return set(list(newest.values())[:count])
