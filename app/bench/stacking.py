"""Judges all questions of a group at once: their candidates side by side, a row for each question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from app.bench.replay import Floats, Prepared

# A session found through several pages counts once, so that more than ten places are looked at.
_PLACES: Final = 16
_SHOWN: Final = 10
_HALF: Final = 5
_DISCOUNTS: Final = 1 / np.log2(np.arange(2, 2 + _SHOWN))


@dataclass(frozen=True, slots=True)
class Stack:
    """The candidates of a group's questions; equal `ids` in a row are one thing, and what is no candidate has -1."""

    ids: npt.NDArray[np.int64]
    is_gold: Floats
    gold_counts: Floats

    def spread(self, rows: Sequence[Floats]) -> Floats:
        """Bring a value of each candidate, question by question, to the places of the stack."""
        spread = np.zeros(self.ids.shape)
        for number, row in enumerate(rows):
            spread[number, : len(row)] = row
        return spread

    def judge(self, scores: Floats) -> float:
        """Tell the mean of recall at five, recall at ten and gain at ten."""
        order = np.argsort(-scores, axis=1, kind="stable")[:, :_PLACES]
        ids = np.take_along_axis(self.ids, order, axis=1)
        is_again = (ids[:, :, None] == ids[:, None, :]) & np.tri(ids.shape[1], k=-1, dtype=np.bool_)
        is_first = ~is_again.any(axis=2) & np.isfinite(np.take_along_axis(scores, order, axis=1))
        places = np.cumsum(is_first, axis=1) - 1
        hits = np.take_along_axis(self.is_gold, order, axis=1) * is_first
        ideal = np.cumsum(_DISCOUNTS)[np.minimum(self.gold_counts, _SHOWN).astype(np.int64) - 1]
        recall = [(hits * (places < depth)).sum(axis=1) / self.gold_counts for depth in (_HALF, _SHOWN)]
        discounts = np.where(places < _SHOWN, _DISCOUNTS[np.clip(places, 0, _SHOWN - 1)], 0.0)
        gain = (hits * discounts).sum(axis=1) / ideal
        return float(np.mean([*(each.mean() for each in recall), gain.mean()]))


def build_stack(group: Sequence[Prepared]) -> Stack:
    """Put the candidates of a group side by side."""
    width = max(len(each.is_gold) for each in group)
    ids = np.full((len(group), max(1, width)), -1, dtype=np.int64)
    is_gold = np.zeros(ids.shape)
    for number, each in enumerate(group):
        numbers: dict[str, int] = {}
        for place, name in enumerate(each.names):
            ids[number, place] = numbers.setdefault(name, len(numbers))
        is_gold[number, : len(each.is_gold)] = each.is_gold
    return Stack(ids, is_gold, np.array([float(len(each.case.gold)) for each in group]))
