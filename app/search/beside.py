"""Brings sessions and written pages to one measure where both may answer; where only one kind may, nothing changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

# The best session of all is no good one by that alone: as in fusion, it counts by the square of what it covers.
_TRUST_POWER: Final = 2

# What pages have as signs, by key and name.
Signs = Mapping[int, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Written:
    """What pages that somebody wrote cover of a question, and their scores as shares of the best page's, by key."""

    coverage: Mapping[int, float]
    texts: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Said:
    """The signs that pages have from what was said in their sessions, those sessions as shares of the best session.

    `coverage_best` is what the one thing said that covers most of a question covers of it.
    """

    signs: Signs
    sessions: Mapping[int, float]
    coverage_best: float


def level(written: Written, said: Said) -> tuple[Signs, Mapping[int, float]]:
    """Tell the signs of what was said, and the shares of sessions, as they count beside written pages.

    They are shares of the best session, and say nothing of how good that is: it may have one word of six, and a page
    all of them. So they count by what is covered there beside what the best page covers; and a page's own text counts
    for it as what was said counts for a session.
    """
    most = max(written.coverage.values(), default=0.0)
    if not said.signs or most <= 0:
        return said.signs, said.sessions
    trust = min(1.0, said.coverage_best / most) ** _TRUST_POWER
    signs = {key: {name: value * trust for name, value in own.items()} for key, own in said.signs.items()}
    sessions = {key: share * trust for key, share in said.sessions.items()}
    best = max(most, said.coverage_best)
    for key, coverage in written.coverage.items():
        share = written.texts.get(key, 0.0) * coverage / best
        # The last is what `sum_sharpened` makes of one that is alone.
        signs[key] = {"heard": share, "heard_coverage": coverage, "heard_more": share**4 / 2}
        sessions[key] = share
    return signs, sessions
