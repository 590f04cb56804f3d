"""Answers a search: gathers candidates from each stream, fuses them and shapes the hits; it writes nothing."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.domain.errors import IndexRebuilding, StoreUnreadable
from app.domain.limits import (
    FACET_SCOPES_MAX,
    NAME_CANDIDATES_MAX,
    PHRASE_POSTINGS_MAX,
    SEARCH_LIMIT_MAX,
    TEXT_CANDIDATES_MIN,
)
from app.index import filters, rows, streams, tokens
from app.index.database import Connection, IndexDatabase, guarded
from app.index.filters import Conditions
from app.search import answer, rank, snippet
from app.search import query as queries
from app.search.answer import Hit, SearchAnswer, SearchRequest, Understood
from app.search.query import Choice, Query
from app.search.rank import Ranked


@dataclass(slots=True)
class _Gathered:
    """What the streams of one search found; a stream that failed is named in `failed` with its reason."""

    weights: Mapping[str, float] = field(default_factory=dict)
    streams: dict[str, list[int]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


def search(index: IndexDatabase, request: SearchRequest) -> SearchAnswer:
    """Find the pages that a text asks for; a text without a word or sign to look for finds none.

    Raises:
        IndexRebuilding: nothing can answer yet.
        StoreUnreadable: nothing can answer, and nobody is rebuilding.
    """
    query = queries.parse_query(request.text)
    terms = tuple(term.text for term in query.terms if not term.text.startswith(tokens.CAPITALS))
    understood = Understood(terms, query.phrases, query.is_cut)
    if not query.terms:
        return SearchAnswer((), degraded=_name_rebuild(index), understood=understood)
    try:
        found, failed = index.read_counted(lambda connection, known: _answer(connection, known, query, request))
    except StoreUnreadable as error:
        progress = index.progress
        if progress is not None:
            raise IndexRebuilding(progress.done, progress.total) from error
        raise
    for reason in failed.values():
        index.suspect(reason)
    complete = replace(found, degraded=(*failed, *_name_rebuild(index)), understood=understood)
    return answer.fit_budget(complete, request.budget_chars)


def _name_rebuild(index: IndexDatabase) -> tuple[str, ...]:
    progress = index.progress
    return () if progress is None else (f"index rebuilding ({progress.done} of {progress.total})",)


def _answer(
    connection: Connection, known: dict[str, int], query: Query, request: SearchRequest
) -> tuple[SearchAnswer, dict[str, str]]:
    wanted = filters.PageFilter(
        request.scopes, request.kinds, request.tags, request.since, request.until, request.include_superseded
    )
    conditions = filters.build_conditions(connection, wanted)
    limit = max(0, min(request.limit, SEARCH_LIMIT_MAX))
    gathered = _gather(connection, known, query, conditions, max(limit, TEXT_CANDIDATES_MIN))
    row_ids = {row_id for found in gathered.streams.values() for row_id in found}
    candidates = rows.list_candidates(connection, row_ids, query.literal)
    ranked = rank.rank_candidates(query, gathered.weights, gathered.streams, candidates)
    hits = _shape_hits(connection, ranked[:limit], gathered.weights, with_why=request.with_why)
    return SearchAnswer(hits, omitted=len(ranked) - len(hits)), gathered.failed


def _gather(
    connection: Connection, known: dict[str, int], query: Query, conditions: Conditions, text_max: int
) -> _Gathered:
    """Ask every stream; each may fail alone.

    Raises:
        StoreUnreadable: all of them failed.
    """
    gathered = _Gathered(weights={term.text: term.weight for term in query.terms})
    try:
        with guarded(rank.TEXT):
            gathered.weights, gathered.streams[rank.TEXT] = _list_text(connection, known, query, conditions, text_max)
    except StoreUnreadable as error:
        gathered.failed[rank.TEXT] = error.reason
    try:
        # A title is no place to look for an exact phrase of the text, so phrases are the text stream's alone.
        if not query.phrases or rank.TEXT in gathered.failed:
            with guarded(rank.NAMES):
                terms = {term.text: term.weight for term in query.terms}
                gathered.streams[rank.NAMES] = streams.list_named(connection, terms, conditions, NAME_CANDIDATES_MAX)
    except StoreUnreadable as error:
        gathered.failed[rank.NAMES] = error.reason
        if rank.TEXT in gathered.failed:
            raise
    return gathered


def _list_text(
    connection: Connection, known: dict[str, int], query: Query, conditions: Conditions, text_max: int
) -> tuple[dict[str, float], list[int]]:
    pages = streams.count_visible_pages(connection, None, known)
    visible = streams.count_visible_pages(connection, conditions.scope_ids, known)
    counts = streams.count_term_pages(connection, [(term.text, term.is_prefix) for term in query.terms], known)
    weights = rank.weigh_terms(query.terms, counts, pages)
    # Scopes inside the expression let a small project ask for common words; a large one is filtered as fast outside.
    scope_ids = conditions.scope_ids
    is_small = scope_ids is not None and len(scope_ids) <= FACET_SCOPES_MAX and 2 * visible <= pages
    chosen = queries.choose_terms(query, counts, visible if is_small else pages)
    found: dict[int, None] = {}
    if visible and (chosen.terms or query.phrases):
        for match in _list_expressions(query, chosen, counts, scope_ids if is_small else None):
            if len(found) < text_max:
                found |= dict.fromkeys(streams.list_lexical(connection, match, conditions, text_max))
    if not found and not streams.is_text_answering(connection):
        raise StoreUnreadable(rank.TEXT, "it lost its pages")
    return weights, list(found)


def _list_expressions(
    query: Query, chosen: Choice, counts: Mapping[str, int], scope_ids: Collection[int] | None
) -> list[str]:
    """Write what to ask the full-text index, one after the other until there are candidates enough."""
    if query.phrases:
        beside = () if chosen.is_costly else chosen.terms
        with_terms = [queries.build_phrase_match(query.phrases, scope_ids, beside)] if beside else []
        return [*with_terms, queries.build_phrase_match(query.phrases, scope_ids)]
    expressions = [queries.build_match(chosen.terms, scope_ids)]
    if chosen.is_costly:
        # Ranking by a word that most pages have takes long; pages that have it in their title are the better hits.
        expressions.insert(0, queries.build_match(chosen.terms, scope_ids, in_naming=True))
    words = query.words.split()
    rarest = min((counts.get(word, 0) for word in words), default=0)
    if len(words) > 1 and len(chosen.terms) < len(query.terms) and 0 < rarest <= PHRASE_POSTINGS_MAX:
        # Where words were too common to gather by, the whole text as a phrase brings in what has it as typed.
        expressions.insert(0, queries.build_phrase_match((query.words,), scope_ids))
    return expressions


def _shape_hits(
    connection: Connection, shown: Sequence[Ranked], weights: Mapping[str, float], *, with_why: bool
) -> tuple[Hit, ...]:
    row_ids = [found.row.page.row_id for found in shown]
    bodies = rows.list_bodies(connection, row_ids)
    superseders = rows.list_superseders(connection, row_ids)
    hits: list[Hit] = []
    for found in shown:
        page = found.row.page
        matched = {text: weights[text] for text in found.why.matched}
        hits.append(
            Hit(
                scope=page.scope,
                path=page.path,
                title=page.title,
                kind=page.kind,
                snippet=snippet.build_snippet(bodies.get(page.row_id, ""), matched),
                score=found.score,
                updated_at=page.updated_at,
                verified_at=page.verified_at,
                superseded_by=page.superseded_by or superseders.get(page.row_id, ""),
                id=page.id,
                session_id=page.session_id,
                agent=page.agent,
                author=page.author,
                why=found.why if with_why else None,
            )
        )
    return tuple(hits)
