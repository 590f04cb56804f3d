"""Ranks candidates that were taken down, under any weights, as `search/rank.py` does: what learning asks for often."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from app.bench.learning_cases import Candidate, Case
from app.bench.retrieval_metrics import Ranking
from app.domain.limits import RERANKED_MAX
from app.domain.limits_search import NEAR_RERANKED_MAX
from app.search import rank, weights
from app.search.answer import Grain

Floats = npt.NDArray[np.float64]
_NEVER: Final = 10**9
_SHOWN: Final = 10


@dataclass(frozen=True, slots=True)
class Weights:
    """All that is learned: what signs of pages and of what was said count, what streams do, how slowly that fades."""

    pages: Mapping[str, float]
    observations: Mapping[str, float]
    streams: Mapping[str, float]
    offset: float


SHIPPED: Final = Weights(weights.PAGE_WEIGHTS, weights.OBSERVATION_WEIGHTS, weights.STREAM_WEIGHTS, weights.RANK_OFFSET)


@dataclass(slots=True)
class _Side:
    """The candidates of one grain in columns."""

    names: list[str]
    pages: list[int]
    authority: Floats
    signs: dict[str, Floats]
    ranks: dict[str, Floats]
    nothing: Floats

    def score(self, counted: Mapping[str, float]) -> Floats:
        signs = self.signs
        total = sum((weight * signs[sign] for sign, weight in counted.items() if sign in signs), self.nothing)
        return total * self.authority

    def list_columns(self, names: Sequence[str]) -> list[Floats]:
        """List the named signs of all candidates as they count, multiplied by authority."""
        return [self.signs.get(name, self.nothing) * self.authority for name in names]


@dataclass(slots=True)
class Prepared:
    """A case in columns; `page_places` tell where the page of each observation stands among the pages, -1 for nowhere.

    What follows from weights that stay while others are tried is remembered beside those.
    """

    case: Case
    pages: _Side
    heard: _Side
    page_places: npt.NDArray[np.int64]
    is_gold: Floats
    _told_by: Mapping[str, float] | None = None
    _fused_by: tuple[Mapping[str, float], float] | None = None
    _chosen: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))

    @property
    def is_heard(self) -> bool:
        """Tell whether what was said was asked for, and not pages."""
        return self.case.grain == Grain.OBSERVATIONS

    @property
    def names(self) -> list[str]:
        """List the set's ids of the candidates at the grain that was asked for."""
        return self.heard.names if self.is_heard else self.pages.names

    def settle(self, tried: Weights) -> npt.NDArray[np.bool_]:
        """Bring the signs of pages that follow from weights up to date; tell which pages are ranked again."""
        if self._told_by is not tried.observations:
            self._told_by = tried.observations
            self.pages.signs |= _tell_heard(self, self.heard.score(tried.observations))
        if self._fused_by is None or self._fused_by[0] is not tried.streams or self._fused_by[1] != tried.offset:
            self._fused_by = tried.streams, tried.offset
            shares = _share_streams(self.pages, tried)
            self._chosen = _choose(self.pages, shares)
            fused = sum(shares.values(), np.zeros(len(self.pages.names)))
            self.pages.signs["fused"] = _share_of_most(fused, fused)
            if "bm25" in self.pages.signs:
                bm25 = self.pages.signs["bm25"]
                self.pages.signs["bm25"] = _share_of_most(bm25, bm25[self._chosen])
        return self._chosen


def prepare(case: Case) -> Prepared:
    """Bring a case to the form in which it is ranked again and again."""
    pages, heard = _prepare_side(case.pages), _prepare_side(case.heard)
    place = {page: number for number, page in enumerate(pages.pages)}
    places = np.array([place.get(page, -1) for page in heard.pages], dtype=np.int64)
    names = heard.names if case.grain == Grain.OBSERVATIONS else pages.names
    return Prepared(case, pages, heard, places, np.array([float(name in case.gold) for name in names]))


def rank_case(prepared: Prepared, tried: Weights) -> Ranking:
    """Order a question's candidates at the grain that was asked for."""
    scores = score_case(prepared, tried)
    kept = int(np.count_nonzero(scores > -np.inf))
    found: dict[str, None] = {}
    for place in np.argsort(-scores, kind="stable")[:kept].tolist():
        found[prepared.names[place]] = None
        if len(found) == _SHOWN:
            break
    return Ranking(tuple(found), prepared.case.gold, prepared.case.tags)


def score_case(prepared: Prepared, tried: Weights) -> Floats:
    """Score a question's candidates at the grain that was asked for."""
    if not prepared.is_heard:
        return score_pages(prepared, tried)
    scores = prepared.heard.score(tried.observations)
    return scores + tried.observations.get("session", 0.0) * share_sessions(prepared, tried)


def score_pages(prepared: Prepared, tried: Weights) -> Floats:
    """Score pages; those that would not be ranked again have minus infinity."""
    if not prepared.pages.names:
        return np.zeros(0)
    chosen = prepared.settle(tried)
    return np.where(chosen, prepared.pages.score(tried.pages), -np.inf)


def share_sessions(prepared: Prepared, tried: Weights) -> Floats:
    """Tell of each observation how good the page of its session is, as a share of the best page."""
    scores = score_pages(prepared, tried)
    scores = np.append(np.where(np.isfinite(scores), scores, 0.0), 0.0)
    most = scores.max()
    return scores[prepared.page_places] / most if most > 0 else np.zeros(len(prepared.page_places))


def _prepare_side(candidates: tuple[Candidate, ...]) -> _Side:
    signs = sorted({sign for each in candidates for sign in each.signs})
    streams = sorted({stream for each in candidates for stream in each.ranks})
    return _Side(
        [each.name for each in candidates],
        [each.page for each in candidates],
        np.array([each.authority for each in candidates]),
        {sign: np.array([each.signs.get(sign, 0.0) for each in candidates]) for sign in signs},
        {stream: np.array([float(each.ranks.get(stream, _NEVER)) for each in candidates]) for stream in streams},
        np.zeros(len(candidates)),
    )


def _share_streams(side: _Side, tried: Weights) -> dict[str, Floats]:
    """Share out the reciprocal ranks, of lexical lists by the square of what a page covers, as `rank.fuse` does."""
    trust = side.signs.get("coverage", np.zeros(len(side.names))) ** 2
    return {
        stream: np.where(ranks < _NEVER, tried.streams[stream] * (tried.offset + 1) / (tried.offset + ranks), 0.0)
        * (trust if stream in rank.LEXICAL else 1.0)
        for stream, ranks in side.ranks.items()
    }


def _choose(side: _Side, shares: Mapping[str, Floats]) -> npt.NDArray[np.bool_]:
    worded = [stream for stream in shares if stream != rank.VECTORS]
    fused = sum((shares[stream] for stream in worded), np.zeros(len(side.names)))
    is_known = np.zeros(len(side.names), dtype=np.bool_)
    for stream in worded:
        is_known |= side.ranks[stream] < _NEVER
    chosen = np.zeros(len(side.names), dtype=np.bool_)
    chosen[np.argsort(-fused, kind="stable")[:RERANKED_MAX]] = True
    chosen &= is_known
    return chosen | (side.ranks[rank.VECTORS] <= NEAR_RERANKED_MAX) if rank.VECTORS in side.ranks else chosen


def _tell_heard(prepared: Prepared, scores: Floats) -> dict[str, Floats]:
    """Tell of each page how good the best of its session are, as `rank.summarise_heard` does."""
    best: dict[int, list[float]] = {}
    for place in np.argsort(-scores, kind="stable"):
        best.setdefault(int(prepared.page_places[place]), []).append(float(scores[place]))
    most = max((found[0] for found in best.values()), default=0.0) or 1.0
    heard, more = (np.zeros(len(prepared.pages.names)) for _ in range(2))
    for place, found in best.items():
        if place >= 0:
            heard[place] = found[0] / most
            more[place] = rank.sum_sharpened([score / most for score in found[: rank.MORE_COUNTED]])
    return {"heard": heard, "heard_more": more}


def _share_of_most(scores: Floats, among: Floats) -> Floats:
    most = among.max(initial=0.0)
    return scores / most if most > 0 else scores
