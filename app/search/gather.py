"""Asks every stream for candidates; each may fail alone, and is then named with its reason."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.domain.errors import StoreUnreadable
from app.domain.limits import (
    ENTITY_CANDIDATES_MAX,
    FACET_SCOPES_MAX,
    LINK_CANDIDATES_MAX,
    LINK_SEEDS_MAX,
    NAME_CANDIDATES_MAX,
    NEAR_OBSERVATIONS_MAX,
    NEAR_PAGES_MAX,
    OBSERVATION_CANDIDATES_MAX,
    PASSAGE_CANDIDATES_MAX,
    PHRASE_POSTINGS_MAX,
    QUERY_POSTINGS_MAX,
    SESSION_CANDIDATES_MAX,
)
from app.domain.limits_search import OBSERVATION_POSTINGS_MAX
from app.domain.search_errors import EmbedderUnavailable
from app.index import entities, phrases, related, streams, tokens
from app.index.database import Connection, guarded
from app.index.entries import Heard, Sighting
from app.index.filters import Conditions
from app.index.meaning import Meaning
from app.index.vectors import Near, Owner
from app.search import query as queries
from app.search import rank
from app.search.query import Choice, Query, QueryTerm
from app.state.meter import Meter

_LEAST_RISE: Final = 0.001
# Of a session in which much fits, the best few places count, each half as much as the one before.
_PLACES_COUNTED: Final = 4


@dataclass(slots=True)
class Gathered:
    """What the streams of one search found; a stream that failed is named in `failed` with its reason.

    `weights` are the rarities of terms on pages, which have `counts` of them, `heard_weights` those in observations.
    `heard` are observations that have the words, `alike` those that mean the like.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    heard_weights: Mapping[str, float] = field(default_factory=dict)
    streams: dict[str, list[Sighting]] = field(default_factory=dict)
    heard: list[Heard] = field(default_factory=list)
    alike: list[Heard] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Search:
    """One search at work: the snapshot, its memory of counts, and what is asked within what bounds."""

    connection: Connection
    known: dict[str, int]
    query: Query
    conditions: Conditions
    text_max: int
    skipped: frozenset[str] = frozenset()
    meaning: Meaning | None = None
    meter: Meter = field(default_factory=Meter)


def gather(search: Search) -> Gathered:
    """Ask every stream.

    Raises:
        StoreUnreadable: neither text nor names can answer.
    """
    terms = search.query.terms
    gathered = Gathered({term.text: term.weight for term in terms}, dict.fromkeys((term.text for term in terms), 1))
    for name, ask in _STREAMS.items():
        if name in search.skipped:
            continue
        begun = time.perf_counter()
        try:
            with guarded(name):
                ask(search, gathered)
        except (StoreUnreadable, EmbedderUnavailable) as error:
            gathered.failed[name] = error.reason
            if rank.TEXT in gathered.failed and rank.NAMES in gathered.failed:
                raise
        finally:
            is_failed = name in gathered.failed
            search.meter.note("stream", name, time.perf_counter() - begun, is_failed=is_failed)
    return gathered


def _ask_text(search: Search, gathered: Gathered) -> None:
    connection, query, known = search.connection, search.query, search.known
    scope_ids = search.conditions.scope_ids
    pages = streams.count_visible_pages(connection, None, known)
    visible = streams.count_visible_pages(connection, scope_ids, known)
    counts = _by_text(query, streams.count_term_pages(connection, _list_asked(query), known))
    gathered.counts = counts
    gathered.weights = rank.weigh_terms(query.terms, counts, pages)
    # Scopes inside the expression let a small project ask for common words; a large one is filtered as fast outside.
    is_small = scope_ids is not None and len(scope_ids) <= FACET_SCOPES_MAX and 2 * visible <= pages
    chosen = queries.choose_terms(query, counts, visible if is_small else pages)
    found: dict[int, Sighting] = {}
    if visible and (chosen.terms or query.phrases):
        expressions = _list_expressions(search, chosen, scope_ids if is_small else None)
        if _is_phrase_telling(search, chosen, counts):
            # Where words were too common to gather by, the whole text as a phrase brings in what has it as typed.
            words = query.words.split()
            held = phrases.list_phrase(connection, words, counts, search.conditions, search.text_max)
            if held is None:
                asked = queries.build_phrase_match((query.words,), scope_ids if is_small else None)
                expressions.insert(0, asked)
            found = {each.row_id: each for each in held or ()}
        for match in expressions:
            if len(found) < search.text_max:
                found |= _add(found, streams.list_lexical(connection, match, search.conditions, search.text_max))
    if not found and not streams.is_text_answering(connection):
        raise StoreUnreadable(rank.TEXT, "it lost its pages")
    gathered.streams[rank.TEXT] = list(found.values())


def _add(found: Mapping[int, Sighting], listed: Sequence[Sighting]) -> dict[int, Sighting]:
    """Take in what one more expression found; behind other pages its scores, of another measure, become smaller."""
    if not found:
        return {each.row_id: each for each in listed}
    least = min(each.score for each in found.values())
    most = max((each.score for each in listed), default=0.0) or 1.0
    fresh = (each for each in listed if each.row_id not in found)
    return {each.row_id: Sighting(each.row_id, least * each.score / most) for each in fresh}


def _ask_passages(search: Search, gathered: Gathered) -> None:
    # A phrase has to stand on the page, which the text stream sees to.
    if search.query.phrases:
        return
    chosen = _choose(search.query, gathered.counts)
    if chosen.terms:
        match = queries.build_passage_match(chosen.terms, _list_facets(search))
        found = streams.list_passages(search.connection, match, search.conditions, PASSAGE_CANDIDATES_MAX)
        gathered.streams[rank.PASSAGES] = found


def _ask_observations(search: Search, gathered: Gathered) -> None:
    connection, query = search.connection, search.query
    counted, total = streams.count_term_observations(connection, _list_asked(query), search.known)
    counts = _by_text(query, counted)
    gathered.heard_weights = rank.weigh_terms(query.terms, counts, total)
    chosen = queries.choose_terms(query, counts, max(counts.values(), default=0), OBSERVATION_POSTINGS_MAX)
    if not total or not (chosen.terms or query.phrases):
        return
    match = queries.build_observation_match(query, chosen.terms, _list_facets(search))
    gathered.heard = streams.list_observations(connection, match, search.conditions, OBSERVATION_CANDIDATES_MAX)
    gathered.streams[rank.OBSERVATIONS] = _sum_by_page(gathered.heard)


def _sum_by_page(heard: Sequence[Heard]) -> list[Sighting]:
    by_page: dict[int, list[float]] = {}
    for each in heard:
        by_page.setdefault(each.page, []).append(each.score)
    summed = [
        Sighting(page, sum(score / 2**place for place, score in enumerate(scores[:_PLACES_COUNTED])))
        for page, scores in by_page.items()
    ]
    return sorted(summed, key=lambda found: -found.score)


def _ask_vectors(search: Search, gathered: Gathered) -> None:
    # A phrase has to stand in the text as it is.
    if search.meaning is None or search.query.phrases:
        return
    question = search.meaning.embed_question(search.query.literal)
    if not question:
        return
    near = search.meaning.find_near(
        search.connection, question, search.conditions, NEAR_PAGES_MAX, NEAR_OBSERVATIONS_MAX
    )
    gathered.alike = [Heard(owner.observation, owner.page, score) for owner, score in _rise(near.observations)]
    best = {owner.page: Sighting(owner.page, score, owner.start) for owner, score in _rise(near.pages)}
    for each in gathered.alike:
        known = best.get(each.page)
        if known is None or known.score < each.score:
            best[each.page] = Sighting(each.page, each.score)
    gathered.streams[rank.VECTORS] = sorted(best.values(), key=lambda found: -found.score)


def _rise(near: Sequence[Near]) -> list[tuple[Owner, float]]:
    """Measure likeness from the least of those listed: all others are no nearer than that."""
    least = min((each.likeness for each in near), default=0.0) - _LEAST_RISE
    return [(each.owner, each.likeness - least) for each in near]


def _ask_sessions(search: Search, gathered: Gathered) -> None:
    # A phrase stands in one observation, and the streams that can tell so look for it.
    if search.query.phrases or not gathered.heard:
        return
    counted = streams.count_term_sessions(search.connection, _list_asked(search.query), search.known)
    chosen = _choose(search.query, _by_text(search.query, counted))
    if chosen.terms:
        match = queries.build_session_match(chosen.terms, _list_facets(search))
        found = streams.list_sessions(search.connection, match, search.conditions, SESSION_CANDIDATES_MAX)
        gathered.streams[rank.SESSIONS] = found


def _ask_names(search: Search, gathered: Gathered) -> None:
    # A title is no place to look for an exact phrase of the text, so phrases are the text stream's alone.
    if search.query.phrases and rank.TEXT not in gathered.failed:
        return
    terms = {term.text: term.weight for term in search.query.terms}
    found = streams.list_named(search.connection, terms, search.conditions, NAME_CANDIDATES_MAX, search.known)
    gathered.streams[rank.NAMES] = found


def _ask_entities(search: Search, gathered: Gathered) -> None:
    asked = entities.list_entities(search.query.literal)
    if asked and not search.query.phrases:
        found = related.list_by_entities(search.connection, asked, search.conditions, ENTITY_CANDIDATES_MAX)
        gathered.streams[rank.ENTITIES] = found


def _ask_links(search: Search, gathered: Gathered) -> None:
    if search.query.phrases:
        return
    places: dict[int, float] = {}
    for found in gathered.streams.values():
        for place, sighting in enumerate(found[:LINK_SEEDS_MAX], start=1):
            places[sighting.row_id] = max(places.get(sighting.row_id, 0.0), 1 / place)
    found = related.list_linked(search.connection, places, search.conditions, LINK_CANDIDATES_MAX)
    gathered.streams[rank.LINKS] = found


# In this order: a name is looked up where the text cannot answer, and links begin at what the others found.
_STREAMS: Final[Mapping[str, Callable[[Search, Gathered], None]]] = {
    rank.TEXT: _ask_text,
    rank.PASSAGES: _ask_passages,
    rank.OBSERVATIONS: _ask_observations,
    rank.SESSIONS: _ask_sessions,
    rank.NAMES: _ask_names,
    rank.VECTORS: _ask_vectors,
    rank.ENTITIES: _ask_entities,
    rank.LINKS: _ask_links,
}
STREAM_NAMES: Final = tuple(_STREAMS)


def _list_asked(query: Query) -> list[tuple[str, bool]]:
    return [(term.asked, term.is_prefix) for term in query.terms]


def _by_text(query: Query, counts: Mapping[str, int]) -> dict[str, int]:
    return {term.text: counts[term.asked] for term in query.terms}


def _choose(query: Query, counts: Mapping[str, int]) -> Choice:
    return queries.choose_terms(query, counts, max(counts.values(), default=0))


def _list_facets(search: Search) -> Collection[int] | None:
    scope_ids = search.conditions.scope_ids
    return scope_ids if scope_ids is not None and len(scope_ids) <= FACET_SCOPES_MAX else None


def _list_expressions(search: Search, chosen: Choice, scope_ids: Collection[int] | None) -> list[str]:
    """Write what to ask the full-text index, one after the other until there are candidates enough."""
    query = search.query
    if query.phrases:
        beside = () if chosen.is_costly else chosen.terms
        with_terms = [queries.build_phrase_match(query.phrases, scope_ids, beside)] if beside else []
        return [*with_terms, queries.build_phrase_match(query.phrases, scope_ids)]
    expressions = [queries.build_match(chosen.terms, scope_ids)]
    if chosen.is_costly:
        # Ranking by a word that most pages have takes long; pages that have it in their title are the better hits.
        expressions.insert(0, queries.build_match(chosen.terms, scope_ids, in_naming=True))
    return expressions


def _is_phrase_telling(search: Search, chosen: Choice, counts: Mapping[str, int]) -> bool:
    """Tell whether the whole text as a phrase may find what its chosen terms do not, at a bearable cost."""
    query = search.query
    if query.phrases:
        return False
    words = query.words.split()
    rarest = min((counts.get(word, 0) for word in words), default=0)
    telling = sum(not term.is_asking and bool(counts.get(term.text)) for term in query.terms)
    # A phrase of words that are everywhere is dear; where the whole text is one known name, that finds it as typed.
    postings_max = QUERY_POSTINGS_MAX if _names_whole(query, chosen.terms) else PHRASE_POSTINGS_MAX
    return len(words) > 1 and len(chosen.terms) < telling and 0 < rarest <= postings_max


def _names_whole(query: Query, terms: Collection[QueryTerm]) -> bool:
    """Tell whether one of the terms is a name made of just the query's words, such as `get_user_by_id`."""
    names = (term.text for term in terms if not term.text.isalnum())
    return any(tokens.build_terms(name).words == query.words for name in names)
