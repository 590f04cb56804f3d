"""Which of a question's terms stand where in a candidate: all that is looked for in its texts is made ready once."""

import itertools
from collections.abc import Collection, Mapping

from app.domain.cheap import cheap_dataclass
from app.index import tally, tokens
from app.index.entries import CandidateRow
from app.index.tally import Entry
from app.search.query import Query, QueryTerm

_LEAD_CHARS = 300


@cheap_dataclass(frozen=True, slots=True)
class Needle:
    """A term as the text to look for between blanks, how that begins, and its word where a stem is looked for.

    Each also as an entry of a tally, but for what is only the beginning of a term.
    """

    text: str
    needle: str
    begin: str
    word: str
    weight: float
    is_asking: bool
    is_telling: bool
    entry: Entry | None
    word_entry: Entry | None


@cheap_dataclass(frozen=True, slots=True)
class Needles:
    """A query as the texts to look for between blanks, each with its weight."""

    terms: tuple[Needle, ...]
    total: float
    pairs: tuple[tuple[str, str, str, float], ...]
    pairs_total: float
    sequence: str
    words: frozenset[str]


@cheap_dataclass(frozen=True, slots=True)
class Cover:
    """Which terms a candidate has, and the shares of the query's rarity that they make, by where they stand.

    `counts` are the weights of its telling terms, each with how often the term stands there; empty where that says
    nothing.
    """

    matched: tuple[str, ...]
    telling: frozenset[str]
    shares: dict[str, float]
    counts: list[tuple[float, int]]


def build_needles(query: Query, weights: Mapping[str, float]) -> Needles:
    """Make ready what of a query is looked for; terms weigh what they are worth by their rarity."""
    words = query.words.split()
    # A pair is as rare as its commoner half.
    pairs = {pair: min(weights.get(word, 0.0) for word in pair) for pair in itertools.pairwise(words)}
    return Needles(
        terms=tuple(_build_needle(term, weights.get(term.text, 0.0)) for term in query.terms),
        total=sum(weights.values()),
        pairs=tuple((before, after, f" {before} {after} ", weight) for (before, after), weight in pairs.items()),
        pairs_total=sum(pairs.values()),
        sequence=f" {query.words} " if len(words) > 1 else "",
        words=frozenset(words),
    )


def find_cover(needles: Needles, row: CandidateRow, wanted: Collection[str]) -> Cover:
    """Find which terms a candidate has, and where; signs that are not among the `wanted` are not looked for."""
    text, near = row.text, row.near if "near" in wanted else ""
    title = f" {row.title} {row.names} " if "title" in wanted else ""
    headings = row.headings if "headings" in wanted else ""
    lead = f" {row.title}{row.words[:_LEAD_CHARS]}"
    has_exact, is_counted = "exact" in wanted, "bm25" in wanted
    look = text.count if is_counted else text.__contains__
    parts = tally.split_tally(row.tally)
    matched: list[str] = []
    telling: list[str] = []
    counts: list[tuple[float, int]] = []
    coverage = exact = in_title = in_headings = in_lead = beside = 0.0
    for term in needles.terms:
        weight = term.weight
        if near and term.needle in near:
            beside += weight
        count = tally.find_count(parts, term.entry) if parts and term.entry else look(term.needle)
        if not count:
            continue
        coverage += weight
        if has_exact and _has_word(term, text, parts):
            exact += weight
        if term.is_asking:
            matched.append(term.text)
            continue
        if term.is_telling:
            telling.append(term.text)
            counts.append((weight, count))
        # A stem is how its word begins, so fields without stems of their own are looked through for that.
        begin = term.begin
        if begin in title:
            in_title += weight
        if headings and begin in headings:
            in_headings += weight
        if begin in lead:
            in_lead += weight
    total = needles.total or 1.0
    shares = {
        "coverage": coverage / total,
        "exact": exact / total,
        "title": in_title / total,
        "headings": in_headings / total,
        "lead": in_lead / total,
        "near": beside / total,
    }
    return Cover((*telling, *matched), frozenset(telling), shares, counts if is_counted else [])


def _has_word(term: Needle, text: str, parts: list[str]) -> bool:
    """Tell whether the word of a term that was found stands there, and not only another with its stem."""
    if not term.word:
        return True
    return tally.find_count(parts, term.word_entry) > 0 if parts and term.word_entry else term.word in text


def _build_needle(term: QueryTerm, weight: float) -> Needle:
    needle = f" {term.asked}" if term.is_prefix else f" {term.asked} "
    return Needle(
        text=term.text,
        needle=needle,
        begin=needle.rstrip(),
        word=f" {term.text} " if term.stem else "",
        weight=weight,
        is_asking=term.is_asking,
        entry=None if term.is_prefix else tally.build_entry(term.asked),
        word_entry=tally.build_entry(term.text) if term.stem else None,
        is_telling=not (term.is_asking or term.text.startswith(tokens.CAPITALS)),
    )
