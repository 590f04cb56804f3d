"""Learns what the signs of a good hit count: tries one weight after the other and keeps what answers more questions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from app.bench import fitting, replay, stacking
from app.bench.fitting import Slate
from app.bench.replay import Floats, Prepared, Weights
from app.bench.stacking import Stack

_FACTORS: Final = (0.0, 0.5, 0.75, 1.33, 2.0)
_SMALL: Final = 0.1
# Also far from where a weight is, because neighbours of a poor one are often no better.
_PLACES: Final = (0.05, 0.15, 0.3, 0.5, 0.8, 1.2)
_OFFSETS: Final = (3.0, 5.0, 7.0, 10.0, 14.0, 20.0, 40.0)
_ROUNDS: Final = 4
# What gains less is chance.
_LEAST_GAIN: Final = 0.0005
_ENOUGH_GAIN: Final = 0.001
_DIGITS: Final = 4
_SESSION: Final = "session"

# Questions that are judged together, by name; each group counts the same.
Groups = Mapping[str, Sequence[Prepared]]


@dataclass(frozen=True, slots=True)
class Knob:
    """One number that is learned: of which `part` of the weights, and its name there."""

    part: str
    name: str

    def read(self, weights: Weights) -> float:
        """Tell what it is."""
        held: Mapping[str, float] = getattr(weights, self.part)
        return held.get(self.name, 0.0)

    def turn(self, weights: Weights, value: float) -> Weights:
        """Set it to another value."""
        changed = {**getattr(weights, self.part), self.name: value}
        match self.part:
            case "pages":
                return replace(weights, pages=changed)
            case "observations":
                return replace(weights, observations=changed)
            case _:
                return replace(weights, streams=changed)


@dataclass(frozen=True, slots=True)
class Bench:
    """Groups of questions, stacked to be judged."""

    groups: Groups
    stacks: Mapping[str, Stack]

    def judge(self, weights: Weights) -> float:
        """Tell how good weights are: recall at five and ten and gain at ten, each group counting the same."""
        return self._judge({name: self._score(name, weights) for name in self.groups})

    def try_signs(self, weights: Weights, names: Sequence[str]) -> Weights:
        """Improve what the named signs of pages count, one by one, until a round brings next to nothing."""
        counted = {name: weights.pages.get(name, 0.0) for name in names}
        scores = {name: self._score(name, weights) for name in self.groups}
        columns = {group: {name: self._spread(group, name) for name in names} for group in self.groups}
        best = self._judge(scores)
        for _ in range(_ROUNDS):
            before = best
            for name in names:
                for value in _list_trials(counted[name]):
                    by = value - counted[name]
                    tried = {group: held + by * columns[group][name] for group, held in scores.items()}
                    score = self._judge(tried)
                    if score > best + _LEAST_GAIN:
                        best, scores, counted[name] = score, tried, value
            if best - before < _ENOUGH_GAIN:
                break
        return replace(weights, pages=dict(weights.pages) | counted)

    def try_knobs(self, weights: Weights, knobs: Sequence[Knob]) -> Weights:
        """Improve the numbers that are named, whatever follows from them, as `try_signs` does."""
        best = self.judge(weights)
        for _ in range(_ROUNDS):
            before = best
            for knob in knobs:
                for value in _list_trials(knob.read(weights)):
                    tried = knob.turn(weights, value)
                    score = self.judge(tried)
                    if score > best + _LEAST_GAIN:
                        best, weights = score, tried
            if best - before < _ENOUGH_GAIN:
                break
        return weights

    def _score(self, group: str, weights: Weights) -> Floats:
        stack, cases = self.stacks[group], self.groups[group]
        scores = np.full(stack.ids.shape, -np.inf)
        for number, each in enumerate(cases):
            scores[number, : len(each.names)] = replay.score_case(each, weights)
        return scores

    def _spread(self, group: str, sign: str) -> Floats:
        return self.stacks[group].spread([each.pages.list_columns([sign])[0] for each in self.groups[group]])

    def _judge(self, scores: Mapping[str, Floats]) -> float:
        return sum(self.stacks[name].judge(held) for name, held in scores.items()) / len(scores)


def set_up(groups: Groups) -> Bench:
    """Stack groups of questions."""
    return Bench(groups, {name: stacking.build_stack(group) for name, group in groups.items()})


def fit_observations(groups: Groups, weights: Weights, names: Sequence[str]) -> Weights:
    """Fit at once what the named signs of what was said count, and its session; the others stay."""
    settled = {name: weight for name, weight in weights.observations.items() if name not in {*names, _SESSION}}
    slates = [list(_list_heard_slates(group, weights, names, settled)) for group in groups.values()]
    return replace(weights, observations=settled | fitting.fit_weights(slates, (*names, _SESSION)))


def fit_pages(groups: Groups, weights: Weights, names: Sequence[str]) -> Weights:
    """Fit at once what the named signs of pages count; the others stay."""
    settled = {name: weight for name, weight in weights.pages.items() if name not in names}
    slates = [list(_list_page_slates(group, weights, names, settled)) for group in groups.values()]
    return replace(weights, pages=settled | fitting.fit_weights(slates, names))


def judge_fusion(groups: Groups, weights: Weights, names: Sequence[str]) -> dict[str, float]:
    """Judge how lists are fused by other offsets and without each of the named streams, all else as it is."""
    judged = set_up(groups)
    tried = {"as it is": weights}
    tried |= {f"offset {offset:g}": replace(weights, offset=offset) for offset in _OFFSETS}
    tried |= {f"without {name}": replace(weights, streams={**weights.streams, name: 0.0}) for name in names}
    return {name: round(judged.judge(each), _DIGITS) for name, each in tried.items()}


def list_heard_signs(groups: Groups) -> list[str]:
    """List the signs that anything said has in these groups."""
    return sorted({sign for group in groups.values() for each in group for sign in each.heard.signs})


def _list_trials(value: float) -> list[float]:
    tried = {value * factor for factor in _FACTORS} | {value + _SMALL, value + 3 * _SMALL, *_PLACES}
    return sorted({round(each, 3) for each in tried} - {value})


def _list_heard_slates(
    group: Sequence[Prepared], weights: Weights, names: Sequence[str], settled: Mapping[str, float]
) -> Iterator[Slate]:
    for each in group:
        if each.names:
            shares = replay.share_sessions(each, weights)
            columns = np.stack([*each.heard.list_columns(names), shares], axis=1)
            yield Slate(columns, each.heard.score(settled), each.is_gold)


def _list_page_slates(
    group: Sequence[Prepared], weights: Weights, names: Sequence[str], settled: Mapping[str, float]
) -> Iterator[Slate]:
    for each in group:
        chosen = each.settle(weights)
        if chosen.any():
            columns = np.stack(each.pages.list_columns(names), axis=1)
            yield Slate(columns[chosen], each.pages.score(settled)[chosen], each.is_gold[chosen])
