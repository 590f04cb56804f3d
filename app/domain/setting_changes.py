"""What became of the last order to read the settings again."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class SettingChanges:
    """Which settings are in force since when, and which wait for a restart; with a `fault` the earlier ones stay.

    `count` tells how often the order was given; without `at` nobody has yet.
    """

    at: datetime | None = None
    count: int = 0
    applied: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    fault: str = ""
