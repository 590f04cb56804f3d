"""Scores ranked answers against gold: recall, hit rate, reciprocal rank and discounted gain, each a mean."""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

_DEPTH: Final = 10


@dataclass(frozen=True, slots=True)
class Ranking:
    """One question's answer: ids, best first, beside its gold; `tags` group questions."""

    found: tuple[str, ...]
    gold: frozenset[str]
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scores:
    """Means over `count` questions; recall is the share of the gold found, `hit_5` whether any is."""

    count: int
    recall_5: float
    recall_10: float
    hit_5: float
    mrr: float
    ndcg_10: float


def score_rankings(rankings: Collection[Ranking]) -> Scores:
    """Score answers that were cut at ten; a thing found twice counts at its best rank."""
    kept = [(tuple(dict.fromkeys(each.found)), each.gold) for each in rankings if each.gold]
    return Scores(
        count=len(kept),
        recall_5=_mean(_find_recall(found, gold, 5) for found, gold in kept),
        recall_10=_mean(_find_recall(found, gold, _DEPTH) for found, gold in kept),
        hit_5=_mean(bool(gold.intersection(found[:5])) for found, gold in kept),
        mrr=_mean(
            next((1 / place for place, each in enumerate(found, 1) if each in gold), 0.0) for found, gold in kept
        ),
        ndcg_10=_mean(_find_gain(found, gold) for found, gold in kept),
    )


def list_tags(rankings: Iterable[Ranking]) -> list[str]:
    """List the groups that questions are in."""
    return sorted({tag for each in rankings for tag in each.tags if tag})


def _find_recall(found: Sequence[str], gold: Collection[str], depth: int) -> float:
    return len(set(found[:depth]).intersection(gold)) / len(gold)


def _find_gain(found: Sequence[str], gold: Collection[str]) -> float:
    gain = sum(1 / math.log2(place + 1) for place, each in enumerate(found[:_DEPTH], 1) if each in gold)
    return gain / sum(1 / math.log2(place + 1) for place in range(1, min(_DEPTH, len(gold)) + 1))


def _mean(values: Iterable[float]) -> float:
    listed = [float(value) for value in values]
    return sum(listed) / len(listed) if listed else 0.0
