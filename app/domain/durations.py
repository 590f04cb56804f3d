"""`Times`: how long things of one kind took, counted in steps, as Prometheus takes it."""

import itertools
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Final

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


@dataclass(slots=True)
class Times:
    """How long things of one kind took, counted in steps; `failed` of them came to nothing."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    total: float = 0.0
    failed: int = 0

    def note(self, seconds: float) -> None:
        """Count one."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def list_below(self) -> list[int]:
        """Count for each bound those that took no longer; the last is all of them."""
        return list(itertools.accumulate(self.counts))
