"""Learns what the signs of a good hit count: tries one weight after the other and keeps what answers more questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.bench import retrieval_metrics
from app.bench.retrieval_metrics import Ranking

_FACTORS: Final = (0.0, 0.5, 0.75, 1.33, 2.0)
_SMALL: Final = 0.1
_ROUNDS: Final = 4
_LEAST_GAIN: Final = 0.0002


@dataclass(frozen=True, slots=True)
class Case:
    """One question's candidates: the set's id of each, its signs and its authority; `group` is the set it is of."""

    group: str
    gold: frozenset[str]
    candidates: tuple[tuple[str, Mapping[str, float], float], ...]


def rank_case(case: Case, weights: Mapping[str, float]) -> Ranking:
    """Order a question's candidates by the weights."""
    return _rank(case, _add_up(case, weights))


def judge(cases: Sequence[Case], weights: Mapping[str, float]) -> float:
    """Tell how good the weights are: recall at five and ten and gain at ten, each set counting the same."""
    return _judge_rankings(cases, [rank_case(case, weights) for case in cases])


def learn_weights(cases: Sequence[Case], start: Mapping[str, float], names: Sequence[str]) -> dict[str, float]:
    """Improve the weights that are named one by one, until a round brings next to nothing; the others stay."""
    weights = dict(start) | {name: start.get(name, 0.0) for name in names}
    totals = [_add_up(case, weights) for case in cases]
    best = judge(cases, weights)
    for _ in range(_ROUNDS):
        before = best
        for name in names:
            for value in _list_trials(weights[name]):
                tried = _change(cases, totals, name, value - weights[name])
                score = _judge_rankings(cases, [_rank(*pair) for pair in zip(cases, tried, strict=True)])
                if score > best + _LEAST_GAIN:
                    best, weights[name], totals = score, value, tried
        if best - before < _LEAST_GAIN * 5:
            break
    return weights


def _list_trials(weight: float) -> list[float]:
    tried = {weight * factor for factor in _FACTORS} | {weight + _SMALL, weight + 3 * _SMALL}
    return sorted({round(value, 3) for value in tried} - {weight})


def _judge_rankings(cases: Sequence[Case], rankings: Sequence[Ranking]) -> float:
    groups: dict[str, list[Ranking]] = {}
    for case, ranking in zip(cases, rankings, strict=True):
        groups.setdefault(case.group, []).append(ranking)
    scores = [retrieval_metrics.score_rankings(found) for found in groups.values()]
    return sum(score.recall_5 + score.recall_10 + score.ndcg_10 for score in scores) / (3 * len(scores))


def _add_up(case: Case, weights: Mapping[str, float]) -> list[float]:
    return [
        authority * sum(weights.get(name, 0.0) * value for name, value in signs.items())
        for _, signs, authority in case.candidates
    ]


def _change(cases: Sequence[Case], totals: Sequence[list[float]], name: str, by: float) -> list[list[float]]:
    """Add up anew what changes with one weight, which is a fraction of the work."""
    return [
        [
            total + authority * by * signs.get(name, 0.0)
            for total, (_, signs, authority) in zip(summed, case.candidates, strict=True)
        ]
        for case, summed in zip(cases, totals, strict=True)
    ]


def _rank(case: Case, totals: Sequence[float]) -> Ranking:
    order = sorted(range(len(totals)), key=lambda place: (-totals[place], place))
    return Ranking(tuple(dict.fromkeys(case.candidates[place][0] for place in order))[:10], case.gold)
