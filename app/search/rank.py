"""Fuses the streams' lists, and orders candidates by signs that cost no model: what they cover, how closely, where."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from app.domain.cheap import cheap_dataclass
from app.domain.limits import HEARD_RERANKED_MAX, RERANKED_MAX
from app.domain.limits_search import NEAR_RERANKED_MAX
from app.domain.page import PageKind
from app.index.entries import CandidateRow, Sighting
from app.search import beside, speaker, window
from app.search.cover import Cover, Needles, build_needles, find_cover
from app.search.query import Query, QueryTerm
from app.search.weights import RANK_OFFSET, STREAM_WEIGHTS

TEXT = "text"
PASSAGES = "passages"
OBSERVATIONS = "observations"
SESSIONS = "sessions"
NAMES = "names"
ENTITIES = "entities"
LINKS = "links"
VECTORS = "vectors"
ALIKE = "alike"

# What a lexical list says counts by how much of the query its pages cover; the others have no words to cover.
LEXICAL = frozenset({TEXT, PASSAGES, OBSERVATIONS})
_SIGNS = frozenset((
    *STREAM_WEIGHTS, "bm25", "coverage", "exact", "title", "headings", "lead", "near", "speaker", "window",
))  # fmt: skip
_SATURATION, _LENGTH_SHARE = 1.2, 0.75
# Of a session's observations so many count for its page, each half as much as the one before.
MORE_COUNTED = 8
_SHARPNESS = 4
# What says less of the question, beside what says most of it, is no sign that two texts speak of one thing.
_SAME_COVERAGE_MIN = 0.8
# Authority is bounded, so that it orders equals and never lifts a page over a better answer.
_KIND_AUTHORITY = {PageKind.INDEX: 0.7, PageKind.PROJECT: 0.8}
_NOT_WRITTEN = frozenset({PageKind.SESSION, *_KIND_AUTHORITY})
_PINNED_AUTHORITY = 1.1
_VERIFIED_AUTHORITY = 1.05


@cheap_dataclass(frozen=True, slots=True)
class Why:
    """Why a candidate stands where it does; shares are of the query's rarity, from 0 to 1.

    `features` are the signs by name, each from 0 to 1, as the reranker weighed them. `is_listed` if nothing was looked
    for, so that a filter alone let it through.
    """

    stream_ranks: tuple[tuple[str, int], ...]
    matched: tuple[str, ...]
    coverage: float
    title_coverage: float
    neighbours: float
    has_sequence: bool
    has_literal: bool
    authority: float
    features: tuple[tuple[str, float], ...] = ()
    is_listed: bool = False


LISTED: Final = Why((), (), 0.0, 0.0, 0.0, has_sequence=False, has_literal=False, authority=1.0, is_listed=True)


@cheap_dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score and the reasons for it."""

    row: CandidateRow
    score: float
    why: Why


@dataclass(frozen=True, slots=True)
class Period:
    """A time that a question speaks of; `until` is exclusive, `words` are the question's."""

    since: datetime
    until: datetime
    words: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the candidates are judged by: the streams' lists, best first, and what else is known of each candidate.

    `weights` are the terms' rarities; `heard` are the signs that a page has from what its session said, `heard_best` is
    what the best that was said covers; `priors` are what was said of pages, as factors. Where the ranking is not
    `is_explained`, signs that count for nothing are left out, and the reasons name none. Where it is not `is_bounded`,
    all candidates are ranked, as learning weights asks.
    """

    weights: Mapping[str, float]
    streams: Mapping[str, Sequence[Sighting]]
    heard: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    priors: Mapping[int, float] = field(default_factory=dict)
    period: Period | None = None
    heard_best: float = 0.0
    is_explained: bool = True
    is_bounded: bool = True


class Judge:
    """Scores one candidate after the other; signs that count for nothing are not looked for."""

    def __init__(self, needles: Needles, evidence: Evidence, weights: Mapping[str, float]) -> None:
        self.needles, self._evidence = needles, evidence
        self.heard = evidence.heard
        self._weighed = sorted(weights.items())
        self.wanted: Collection[str] = _SIGNS if evidence.is_explained else weights.keys()
        self._places = {
            name: {sighting.row_id: place for place, sighting in enumerate(found, start=1)}
            for name, found in (evidence.streams.items() if evidence.is_explained else ())
        }

    def rank(self, row: CandidateRow, cover: Cover, shares: Mapping[str, Mapping[int, float]]) -> Ranked:
        """Score a candidate; `shares` are its signs beside all others."""
        key, evidence, wanted = row.key, self._evidence, self.wanted
        features = {name: share[key] for name, share in shares.items() if key in share}
        features |= cover.shares
        has_speaker = "speaker" in wanted
        features |= _find_signs(self.needles, row, cover, evidence.period, has_speaker=has_speaker)
        if "window" in wanted:
            features["window"] = _share(_find_window(self.needles, row.words, cover), self.needles.total)
        features |= self.heard.get(key, {})
        if VECTORS in features and row.observation is None and row.page.kind is PageKind.SESSION:
            # That one thing said in it is like the question says less of a session than of a page that is about it.
            features[ALIKE] = features.pop(VECTORS)
        prior = evidence.priors.get(row.page.row_id, 1.0)
        told = tuple(sorted(features.items())) if evidence.is_explained else ()
        why = Why(
            stream_ranks=tuple((name, found[key]) for name, found in self._places.items() if key in found),
            matched=cover.matched,
            coverage=features["coverage"],
            title_coverage=features["title"],
            neighbours=features["neighbours"],
            has_sequence=features["sequence"] > 0,
            has_literal=row.has_literal,
            authority=round(_decide_authority(row) * prior, 6),
            features=told,
        )
        score = sum([weight * features[name] for name, weight in self._weighed if name in features]) * why.authority
        return Ranked(row, round(score, 9), why)


def weigh_terms(terms: Sequence[QueryTerm], counts: Mapping[str, int], pages: int) -> dict[str, float]:
    """Weigh each term by its rarity, as BM25 does; one that stands on every page weighs next to nothing."""
    weights: dict[str, float] = {}
    for term in terms:
        count = min(counts.get(term.text, 0), pages)
        weights[term.text] = term.weight * math.log(1 + (pages - count + 0.5) / (count + 0.5))
    return weights


def fuse(streams: Mapping[str, Sequence[Sighting]], coverage: Mapping[int, float]) -> dict[int, float]:
    """Add up the reciprocal ranks of each candidate; in lexical lists by the square of what it covers.

    A better place in any list never makes the sum smaller.
    """
    fused: dict[int, float] = {}
    for name, found in streams.items():
        weight, is_lexical = STREAM_WEIGHTS[name], name in LEXICAL
        for place, sighting in enumerate(found, start=1):
            key = sighting.row_id
            trust = coverage.get(key, 0.0) ** 2 if is_lexical else 1.0
            fused[key] = fused.get(key, 0.0) + weight * trust * (RANK_OFFSET + 1) / (RANK_OFFSET + place)
    return fused


def rank_candidates(
    query: Query, evidence: Evidence, rows: Sequence[CandidateRow], feature_weights: Mapping[str, float]
) -> list[Ranked]:
    """Order candidates, best first; equals stand by scope, path and time, so the order is total and repeatable."""
    judge = Judge(build_needles(query, evidence.weights), evidence, feature_weights)
    covers = {row.key: find_cover(judge.needles, row, judge.wanted) for row in rows}
    coverage = {key: cover.shares["coverage"] for key, cover in covers.items()}
    fused = fuse(evidence.streams, coverage)
    shares: dict[str, Mapping[int, float]]
    shares = {name: _share_scores(found) for name, found in evidence.streams.items() if name in judge.wanted}
    shares["fused"] = _share_most(fused)
    if evidence.heard:
        judge.heard, shares[SESSIONS] = _level(rows, coverage, evidence, shares.get(SESSIONS, {}))
    chosen = _choose(rows, evidence, coverage, fused) if evidence.is_bounded else rows
    shares["recent"] = _rank_recency(chosen, covers)
    shares["bm25"] = _share_most(_weigh_frequencies(chosen, covers)) if "bm25" in judge.wanted else {}
    ranked = [judge.rank(row, covers[row.key], shares) for row in chosen]
    ranked.sort(key=_order)
    return ranked


def tidy(why: Why) -> Why:
    """Write the reasons shortly, as a hit shows them: without signs that it lacks, and to six places."""
    return replace(
        why,
        coverage=round(why.coverage, 6),
        title_coverage=round(why.title_coverage, 6),
        neighbours=round(why.neighbours, 6),
        features=tuple((name, round(value, 6)) for name, value in why.features if value),
    )


def rank_by_session(heard: Sequence[Ranked], pages: Sequence[Ranked], weight: float) -> list[Ranked]:
    """Order observations again by how good the page of their session is, as a share of the best page."""
    shares = _share_most({found.row.page.row_id: found.score for found in pages})
    return sorted((_add_session(found, shares, weight) for found in heard), key=_order)


def summarise_heard(query: Query, weights: Mapping[str, float], heard: Sequence[Ranked]) -> dict[int, dict[str, float]]:
    """Tell of each page by its session's observations, best first, how good those are and what all of them cover."""
    total = sum(weights.get(term.text, 0.0) for term in query.terms)
    best: dict[int, list[float]] = {}
    matched: dict[int, set[str]] = {}
    for found in heard:
        page = found.row.page.row_id
        best.setdefault(page, []).append(found.score)
        matched.setdefault(page, set()).update(found.why.matched)
    most = max((scores[0] for scores in best.values()), default=0.0) or 1.0
    return {
        page: {
            "heard": scores[0] / most,
            "heard_more": sum_sharpened([score / most for score in scores[:MORE_COUNTED]]),
            "heard_coverage": _share(sum(weights.get(term, 0.0) for term in sorted(matched[page])), total),
        }
        for page, scores in best.items()
    }


def sum_sharpened(scores: Sequence[float]) -> float:
    """Add up how good a session's best are, at most one: what is nearly as good as the best of all counts far more."""
    return sum(math.pow(score, _SHARPNESS) * 0.5 ** (place + 1) for place, score in enumerate(scores))


def _add_session(found: Ranked, shares: Mapping[int, float], weight: float) -> Ranked:
    share = shares.get(found.row.page.row_id, 0.0)
    why = found.why
    if why.features:
        why = replace(why, features=tuple(sorted((*why.features, ("session", share)))))
    return Ranked(found.row, round(found.score + weight * share, 9), why)


def _level(
    rows: Sequence[CandidateRow], coverage: Mapping[int, float], evidence: Evidence, sessions: Mapping[int, float]
) -> tuple[beside.Signs, Mapping[int, float]]:
    """Bring sessions and written pages to one measure; pages that only lead to others are neither."""
    covered = {row.key: coverage[row.key] for row in rows if row.page.kind not in _NOT_WRITTEN}
    written = beside.Written(covered, _share_scores(evidence.streams.get(TEXT, ())))
    return beside.level(written, beside.Said(evidence.heard, sessions, evidence.heard_best))


def _choose(
    rows: Sequence[CandidateRow], evidence: Evidence, coverage: Mapping[int, float], fused: Mapping[int, float]
) -> list[CandidateRow]:
    """Choose who is ranked again: the best by words and names, and beside them the nearest in meaning.

    Something is nearest to any question, so that what is near takes no place from what has the words.
    """
    near = {found.row_id for found in evidence.streams.get(VECTORS, ())[:NEAR_RERANKED_MAX]}
    if VECTORS in evidence.streams:
        fused = fuse({name: found for name, found in evidence.streams.items() if name != VECTORS}, coverage)
    ordered = sorted(rows, key=lambda row: (-fused.get(row.key, 0.0), row.page.scope, row.page.path, row.key))
    bound = HEARD_RERANKED_MAX if rows and rows[0].observation else RERANKED_MAX
    return [row for place, row in enumerate(ordered) if (row.key in fused and place < bound) or row.key in near]


def _weigh_frequencies(rows: Sequence[CandidateRow], covers: Mapping[int, Cover]) -> dict[int, float]:
    """Weigh by BM25 over all telling terms, also those that were too common to gather candidates by."""
    mean = sum(len(row.text) for row in rows) / max(1, len(rows)) or 1.0
    weighed: dict[int, float] = {}
    for row in rows:
        sum_ = 0.0
        norm = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * len(row.text) / mean)
        for weight, count in covers[row.key].counts:
            sum_ += weight * count / (count + norm)
        weighed[row.key] = sum_
    return weighed


def _rank_recency(rows: Sequence[CandidateRow], covers: Mapping[int, Cover]) -> dict[int, float]:
    """Tell of candidates that say the same words of a question which is the newest: it may correct the others.

    One that says less, or other words, is neither newer nor older news of the same thing.
    """
    groups: dict[frozenset[str], list[CandidateRow]] = {}
    # Words that no candidate has say nothing of what two of them have in common.
    most = max((covers[row.key].shares["coverage"] for row in rows), default=0.0)
    for row in rows:
        cover = covers[row.key]
        if cover.shares["coverage"] >= _SAME_COVERAGE_MIN * most:
            groups.setdefault(cover.telling, []).append(row)
    recency: dict[int, float] = {}
    for group in groups.values():
        if len(group) == 1:
            continue
        hours = sorted({_find_hour(row) for row in group}, reverse=True)
        if len(hours) > 1:
            recency |= {row.key: 1 / (1 + hours.index(_find_hour(row))) for row in group}
    return recency


def _find_hour(row: CandidateRow) -> datetime:
    # Files that were copied together are of one age, whatever their times say to the microsecond.
    return _find_moment(row).replace(minute=0, second=0, microsecond=0)


def _find_moment(row: CandidateRow) -> datetime:
    return row.observation.at if row.observation else row.page.updated_at


def _order(found: Ranked) -> tuple[object, ...]:
    return (-found.score, found.row.page.scope, found.row.page.path, found.row.key if found.row.observation else 0)


def _find_signs(
    needles: Needles, row: CandidateRow, cover: Cover, period: Period | None, *, has_speaker: bool
) -> dict[str, float]:
    text, near = row.text, 0.0
    if needles.pairs and len(cover.matched) > 1:
        matched = frozenset(cover.matched)
        near = sum(
            [
                weight
                for before, after, needle, weight in needles.pairs
                if before in matched and after in matched and needle in text
            ]
        )
    signs = {
        "neighbours": _share(near, needles.pairs_total),
        "sequence": float(near > 0 and bool(needles.sequence) and needles.sequence in text),
        "literal": float(row.has_literal),
    }
    if has_speaker and row.observation is not None:
        signs["speaker"] = float(speaker.is_among(row.observation.text, needles.words))
    if period is not None:
        signs["time"] = float(period.since <= _find_moment(row) < period.until)
    return signs


def _find_window(needles: Needles, words: str, cover: Cover) -> float:
    telling = cover.telling
    terms = tuple((term.begin, term.weight) for term in needles.terms if term.text in telling and term.weight > 0)
    return window.find_weight(terms, words)


def _decide_authority(row: CandidateRow) -> float:
    authority = _KIND_AUTHORITY.get(row.page.kind, 1.0)
    if row.page.is_pinned:
        authority *= _PINNED_AUTHORITY
    if row.page.verified_at is not None:
        authority *= _VERIFIED_AUTHORITY
    return authority


def _share_scores(found: Sequence[Sighting]) -> dict[int, float]:
    return _share_most({sighting.row_id: sighting.score for sighting in found})


def _share_most(scores: Mapping[int, float]) -> dict[int, float]:
    """Bring scores to shares of the best."""
    most = max(scores.values(), default=0.0)
    return {key: score / most for key, score in scores.items()} if most > 0 else {}


def _share(part: float, total: float) -> float:
    return part / total if total > 0 else 0.0
