"""Fits what the signs of a good hit count, all at once: weights under which the gold is likeliest to stand first."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from app.bench.learning import Case

_STEPS: Final = 400
_STEP: Final = 0.05
# How sharply a better score counts, and how much a large weight costs: else they would grow without end.
_SHARPNESS: Final = 6.0
_PRICE: Final = 0.001
_SHOWN_MIN: Final = 0.005
_MEMORY, _SQUARE_MEMORY, _LEAST = 0.9, 0.999, 1e-8

Floats = npt.NDArray[np.float64]
_Sums = tuple[Floats, Floats]


def fit_weights(cases: Sequence[Case], names: Sequence[str]) -> dict[str, float]:
    """Fit weights that are not negative; each group of cases counts the same, whatever its size.

    A case without gold among its candidates teaches nothing. Those that come to nothing are left out.
    """
    groups: dict[str, list[Case]] = {}
    for case in cases:
        if any(name in case.gold for name, _, _ in case.candidates):
            groups.setdefault(case.group, []).append(case)
    stacked = [_stack(found, names) for found in groups.values()]
    weights = np.full(len(names), 0.1)
    mean, square = np.zeros(len(names)), np.zeros(len(names))
    for step in range(1, _STEPS + 1):
        slope = _PRICE * weights + sum(_find_slope(signs, wanted, weights) for signs, wanted in stacked) / len(stacked)
        mean = _MEMORY * mean + (1 - _MEMORY) * slope
        square = _SQUARE_MEMORY * square + (1 - _SQUARE_MEMORY) * slope**2
        moved = (mean / (1 - _MEMORY**step)) / (np.sqrt(square / (1 - _SQUARE_MEMORY**step)) + _LEAST)
        weights = np.maximum(0.0, weights - _STEP * moved)
    found = zip(names, weights, strict=True)
    return {name: round(float(weight), 3) for name, weight in found if weight >= _SHOWN_MIN}


def _stack(cases: Sequence[Case], names: Sequence[str]) -> _Sums:
    """Stack the signs of all candidates, multiplied by their authority, and of each its share of the gold."""
    most = max(len(case.candidates) for case in cases)
    signs = np.zeros((len(cases), most, len(names)))
    wanted = np.full((len(cases), most), -1.0)
    for number, case in enumerate(cases):
        gold = sum(name in case.gold for name, _, _ in case.candidates)
        for place, (name, shown, authority) in enumerate(case.candidates):
            signs[number, place] = [authority * shown.get(sign, 0.0) for sign in names]
            wanted[number, place] = (name in case.gold) / gold
    return signs, wanted


def _find_slope(signs: Floats, wanted: Floats, weights: Floats) -> Floats:
    """Find in which direction the gold becomes less likely to stand first; a place without a candidate has no say."""
    scores = np.where(wanted < 0, -np.inf, _SHARPNESS * (signs @ weights))
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    slope: Floats = np.einsum("cp,cps->s", likely - np.maximum(wanted, 0.0), signs) * _SHARPNESS / len(signs)
    return slope
