"""Fuses the streams' lists and orders candidates by how much of the query they cover, how closely, and where."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.page import PageKind
from app.index import tokens
from app.index.entries import CandidateRow
from app.search.query import Query, QueryTerm

TEXT = "text"
NAMES = "names"

# A stream's say; its list is discounted slowly, since coverage, not the list's order, tells good from better.
_STREAM_WEIGHTS = {TEXT: 1.0, NAMES: 0.6}
_RANK_OFFSET = 10

_TITLE_BONUS = 0.5
_NEIGHBOURS_BONUS = 0.4
_SEQUENCE_BONUS = 0.4
_LITERAL_BONUS = 0.6
# Authority is bounded, so that it orders equals and never lifts a page over a better answer.
_KIND_AUTHORITY = {PageKind.INDEX: 0.7, PageKind.PROJECT: 0.8}
_PINNED_AUTHORITY = 1.1
_VERIFIED_AUTHORITY = 1.05


@dataclass(frozen=True, slots=True)
class Why:
    """Why a page stands where it does; shares are of the query's rarity, from 0 to 1."""

    stream_ranks: tuple[tuple[str, int], ...]
    matched: tuple[str, ...]
    coverage: float
    title_coverage: float
    neighbours: float
    has_sequence: bool
    has_literal: bool
    authority: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score and the reasons for it."""

    row: CandidateRow
    score: float
    why: Why


@dataclass(frozen=True, slots=True)
class _Needles:
    """A query as the texts to look for between blanks, each with its weight."""

    terms: tuple[tuple[str, str, float], ...]
    terms_total: float
    pairs: tuple[tuple[str, str, float], ...]
    pairs_total: float
    sequence: str


def weigh_terms(terms: Sequence[QueryTerm], counts: Mapping[str, int], pages: int) -> dict[str, float]:
    """Weigh each term by its rarity, as BM25 does; one that stands on every page weighs next to nothing."""
    weights: dict[str, float] = {}
    for term in terms:
        count = min(counts.get(term.text, 0), pages)
        weights[term.text] = term.weight * math.log(1 + (pages - count + 0.5) / (count + 0.5))
    return weights


def rank_candidates(
    query: Query,
    weights: Mapping[str, float],
    streams: Mapping[str, Sequence[int]],
    rows: Sequence[CandidateRow],
) -> list[Ranked]:
    """Order candidates, best first; equals stand by scope and path, so the order is total and repeatable."""
    places = {name: {row_id: place for place, row_id in enumerate(found, start=1)} for name, found in streams.items()}
    needles = _build_needles(query, weights)
    ranked: list[Ranked] = []
    for row in rows:
        ranks = tuple((name, found[row.page.row_id]) for name, found in places.items() if row.page.row_id in found)
        why = _explain(needles, row, ranks)
        ranked.append(Ranked(row, _score(why), why))
    ranked.sort(key=lambda found: (-found.score, found.row.page.scope, found.row.page.path))
    return ranked


def _build_needles(query: Query, weights: Mapping[str, float]) -> _Needles:
    words = query.words.split()
    # A pair is as rare as its commoner half.
    pairs = {pair: min(weights.get(word, 0.0) for word in pair) for pair in itertools.pairwise(words)}
    return _Needles(
        terms=tuple(
            (term.text, f" {term.text}" if term.is_prefix else f" {term.text} ", weights.get(term.text, 0.0))
            for term in query.terms
        ),
        terms_total=sum(weights.values()),
        pairs=tuple((before, f" {before} {after} ", weight) for (before, after), weight in pairs.items()),
        pairs_total=sum(pairs.values()),
        sequence=f" {query.words} " if len(words) > 1 else "",
    )


def _explain(needles: _Needles, row: CandidateRow, ranks: tuple[tuple[str, int], ...]) -> Why:
    text = row.text
    title = f" {row.title} {row.names} "
    covered = covered_in_title = 0.0
    matched: list[str] = []
    for term, needle, weight in needles.terms:
        if needle in text:
            if not term.startswith(tokens.CAPITALS):
                matched.append(term)
            covered += weight
            if needle in title:
                covered_in_title += weight
    near = 0.0
    present = set(matched)
    for before, needle, weight in needles.pairs:
        if before in present and needle in text:
            near += weight
    return Why(
        stream_ranks=ranks,
        matched=tuple(matched),
        coverage=_share(covered, needles.terms_total),
        title_coverage=_share(covered_in_title, needles.terms_total),
        neighbours=_share(near, needles.pairs_total),
        has_sequence=bool(needles.sequence) and needles.sequence in text,
        has_literal=row.has_literal,
        authority=_decide_authority(row),
    )


def _score(why: Why) -> float:
    fused = sum(_STREAM_WEIGHTS[name] * (_RANK_OFFSET + 1) / (_RANK_OFFSET + rank) for name, rank in why.stream_ranks)
    closeness = (
        1
        + _TITLE_BONUS * why.title_coverage
        + _NEIGHBOURS_BONUS * why.neighbours
        + _SEQUENCE_BONUS * why.has_sequence
        + _LITERAL_BONUS * why.has_literal
    )
    return round(fused * why.coverage**2 * closeness * why.authority, 9)


def _decide_authority(row: CandidateRow) -> float:
    authority = _KIND_AUTHORITY.get(row.page.kind, 1.0)
    if row.page.is_pinned:
        authority *= _PINNED_AUTHORITY
    if row.page.verified_at is not None:
        authority *= _VERIFIED_AUTHORITY
    return authority


def _share(part: float, total: float) -> float:
    return round(part / total, 6) if total > 0 else 0.0
