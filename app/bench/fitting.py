"""Fits what the signs of a good hit count, all at once: weights under which the gold is likeliest to stand first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

_STEPS: Final = 400
_STEP: Final = 0.05
# How sharply a better score counts, and how much a large weight costs: else they would grow without end.
_SHARPNESS: Final = 6.0
_PRICE: Final = 0.001
_SHOWN_MIN: Final = 0.005
_MEMORY, _SQUARE_MEMORY, _LEAST = 0.9, 0.999, 1e-8

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Slate:
    """One question's candidates: a row of signs for each, what it scores by weights that stay, and which are gold."""

    signs: Floats
    settled: Floats
    is_gold: Floats


def fit_weights(groups: Sequence[Sequence[Slate]], names: Sequence[str]) -> dict[str, float]:
    """Fit weights that are not negative; each group of questions counts the same, whatever its size.

    A question without gold among its candidates teaches nothing. Weights that come to nothing are left out.
    """
    stacked = [_stack(known) for group in groups if (known := [slate for slate in group if slate.is_gold.any()])]
    weights = np.full(len(names), 0.1)
    mean, square = np.zeros(len(names)), np.zeros(len(names))
    for step in range(1, _STEPS + 1):
        slope = _PRICE * weights + sum(_find_slope(slate, weights) for slate in stacked) / len(stacked)
        mean = _MEMORY * mean + (1 - _MEMORY) * slope
        square = _SQUARE_MEMORY * square + (1 - _SQUARE_MEMORY) * slope**2
        moved = (mean / (1 - _MEMORY**step)) / (np.sqrt(square / (1 - _SQUARE_MEMORY**step)) + _LEAST)
        weights = np.maximum(0.0, weights - _STEP * moved)
    found = zip(names, weights, strict=True)
    return {name: round(float(weight), 3) for name, weight in found if weight >= _SHOWN_MIN}


def _stack(slates: Sequence[Slate]) -> Slate:
    """Stack the candidates of all questions; a place without a candidate scores minus infinity."""
    most = max(len(slate.settled) for slate in slates)
    signs = np.zeros((len(slates), most, slates[0].signs.shape[1]))
    settled = np.full((len(slates), most), -np.inf)
    is_gold = np.zeros((len(slates), most))
    for number, slate in enumerate(slates):
        count = len(slate.settled)
        signs[number, :count], settled[number, :count] = slate.signs, slate.settled
        is_gold[number, :count] = slate.is_gold / slate.is_gold.sum()
    return Slate(signs, settled, is_gold)


def _find_slope(stacked: Slate, weights: Floats) -> Floats:
    """Find in which direction the gold becomes less likely to stand first."""
    scores = _SHARPNESS * (stacked.signs @ weights + stacked.settled)
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    slope: Floats = np.einsum("cp,cps->s", likely - stacked.is_gold, stacked.signs) * _SHARPNESS / len(scores)
    return slope
