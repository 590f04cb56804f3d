"""`Scale`: how much of a measurement is done; a shorter run repeats less, and only a test makes things smaller."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# Told what is being measured now, for a person who waits.
Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Scale:
    """`effort` shortens repeats and loads; `size` shrinks what a bar speaks of, so bars mean nothing below 1.

    `seconds_max` ends a row of repeats on a machine where each takes long; `sets_dir` is where public sets lie, `sets`
    are those chosen by name, all if none; `is_ablating` asks again without each stream; `keep_dir` is where data
    directories of sets stay for the next run.
    """

    effort: float
    size: float = 1.0
    seconds_max: float = 5.0
    sets_dir: Path | None = None
    sets: tuple[str, ...] = ()
    is_ablating: bool = False
    keep_dir: Path | None = None

    def repeats(self, full: int, *, least: int = 1) -> int:
        """How often to do what a full run does `full` times."""
        return max(least, round(full * self.effort))

    def items(self, full: int, *, least: int = 1) -> int:
        """How many things to make where a full run makes `full`."""
        return max(least, round(full * self.size))

    def repeat(self, full: int, *, least: int = 1) -> Iterator[int]:
        """Count repeats from 0, as many as `repeats` says, or fewer when the time is over."""
        begun = time.perf_counter()
        for number in range(self.repeats(full, least=least)):
            if number >= least and time.perf_counter() - begun > self.seconds_max:
                return
            yield number


FULL: Final = Scale(effort=1.0, seconds_max=60.0)
QUICK: Final = Scale(effort=0.12)
