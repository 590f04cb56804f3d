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
    scored = [
        (-authority * sum(weights.get(name, 0.0) * value for name, value in signs.items()), place, found)
        for place, (found, signs, authority) in enumerate(case.candidates)
    ]
    return Ranking(tuple(found for _, _, found in sorted(scored))[:10], case.gold)


def judge(cases: Sequence[Case], weights: Mapping[str, float]) -> float:
    """Tell how good the weights are: recall and gain at ten, each set counting the same."""
    groups: dict[str, list[Ranking]] = {}
    for case in cases:
        groups.setdefault(case.group, []).append(rank_case(case, weights))
    scores = [retrieval_metrics.score_rankings(rankings) for rankings in groups.values()]
    return sum(score.recall_10 + score.ndcg_10 for score in scores) / (2 * len(scores))


def learn_weights(cases: Sequence[Case], start: Mapping[str, float], names: Sequence[str]) -> dict[str, float]:
    """Improve weights one by one, until a round brings next to nothing."""
    weights = {name: start.get(name, 0.0) for name in names}
    best = judge(cases, weights)
    for _ in range(_ROUNDS):
        before = best
        for name in names:
            tried = {weights[name] * factor for factor in _FACTORS} | {
                weights[name] + _SMALL,
                weights[name] + 3 * _SMALL,
            }
            for value in sorted(tried):
                score = judge(cases, {**weights, name: value})
                if score > best + _LEAST_GAIN:
                    best, weights[name] = score, round(value, 3)
        if best - before < _LEAST_GAIN * 5:
            break
    return weights
