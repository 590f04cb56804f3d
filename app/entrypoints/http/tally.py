"""Counts requests as they come: plain numbers, which cost nothing until somebody asks for them."""

import itertools
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Final

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


@dataclass(slots=True)
class Times:
    """How long answers of one area took, counted in steps."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    total: float = 0.0

    def list_below(self) -> list[int]:
        """Count for each bound the answers that took no longer; the last is all of them."""
        return list(itertools.accumulate(self.counts))


class Tally:
    """The counts of one server; written on its event loop alone, and read anywhere."""

    def __init__(self) -> None:
        self.requests: dict[tuple[str, int], int] = {}
        self.times: dict[str, Times] = {}

    def note(self, area: str, status: int, seconds: float) -> None:
        """Count one request."""
        self.requests[area, status] = self.requests.get((area, status), 0) + 1
        times = self.times.get(area)
        if times is None:
            times = self.times[area] = Times()
        times.counts[bisect_left(BOUNDS, seconds)] += 1
        times.total += seconds
