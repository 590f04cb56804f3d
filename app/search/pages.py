"""Answers a search: understands the text, gathers candidates, ranks them and shapes the hits; it writes nothing."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

from app.domain.errors import IndexRebuilding, StoreUnreadable
from app.domain.limits import HEARD_FOR_PAGES_MAX, HEARD_PER_HIT_MAX, SEARCH_LIMIT_MAX, STALE_DAYS, TEXT_CANDIDATES_MIN
from app.domain.limits_search import NEAR_RERANKED_MAX
from app.index import filters, listing, rows, standing, streams, tokens
from app.index.database import Connection, IndexDatabase
from app.index.entries import CandidateRow, Heard, Sighting
from app.index.filters import PageFilter
from app.index.listing import Wanted
from app.search import clauses, cursor, fragment, gather, rank, snippet, times
from app.search import query as queries
from app.search.answer import Grain, HeardHit, Hit, SearchAnswer, SearchRequest, Understood
from app.search.clauses import Clauses, PageState
from app.search.cursor import Cursor
from app.search.gather import Gathered, Search
from app.search.opinions import Aids
from app.search.query import Query
from app.search.rank import Evidence, Period, Ranked
from app.search.snippet import Snippet
from app.search.weights import OBSERVATION_WEIGHTS, PAGE_WEIGHTS

_T = TypeVar("_T")

_ALONE = Aids()


@dataclass(frozen=True, slots=True)
class Question:
    """A request as it was understood; `typed` is its text without clauses, but with what is left out.

    `is_listed` if it holds filters alone: what they let through is listed then.
    """

    request: SearchRequest
    clauses: Clauses
    query: Query
    typed: str
    without: tuple[str, ...]
    period: Period | None
    is_listed: bool = False

    @property
    def limit(self) -> int:
        """How many hits at most."""
        return max(0, min(self.request.limit, SEARCH_LIMIT_MAX))


@dataclass(frozen=True, slots=True)
class Found:
    """All candidates of a question in their order, and what the streams had found.

    `pages` and `heard` are its two sides: the order of pages, and that of what was said before its sessions count.
    """

    ranked: list[Ranked]
    gathered: Gathered
    pages: list[Ranked]
    heard: list[Ranked]


def search(index: IndexDatabase, request: SearchRequest, aids: Aids = _ALONE) -> SearchAnswer:
    """Find the pages that a text asks for, or where it holds filters alone, list those that they let through.

    A text without a filter, or a word or sign to look for, finds none.

    Raises:
        IndexRebuilding: nothing can answer yet.
        StoreUnreadable: nothing can answer, and nobody is rebuilding.
    """
    question = parse_question(request)
    query = question.query
    terms = tuple(term.text for term in query.terms if not term.text.startswith(tokens.CAPITALS))
    understood = Understood(
        terms,
        query.phrases,
        query.is_cut,
        question.without,
        question.clauses.said,
        question.period,
        is_newest_first=question.is_listed,
    )
    if not query.terms and not question.is_listed:
        return SearchAnswer((), degraded=_name_rebuild(index), understood=understood)
    begun = time.perf_counter()
    with aids.meter.cover("search"):
        try:
            found, failed = index.read_counted(lambda connection, known: _answer(connection, known, question, aids))
        except StoreUnreadable as error:
            progress = index.progress
            if progress is not None:
                raise IndexRebuilding(progress.done, progress.total) from error
            raise
        aids.meter.note("search", str(request.grain), time.perf_counter() - begun, is_failed=bool(failed))
    for name, reason in failed.items():
        # A model that is missing says nothing of the file.
        if name != rank.VECTORS:
            index.suspect(reason)
    return replace(found, degraded=(*failed, *_name_rebuild(index)), understood=understood)


def parse_question(request: SearchRequest) -> Question:
    """Understand any request."""
    found = clauses.parse_clauses(request.text, request.now)
    query = queries.parse_query(found.text)
    is_listed = not found.text.strip() and (bool(found.said) or request.is_filtered)
    if not query.terms and not is_listed:
        # Signs that are no words find nothing to rank, so that the words of filters beside them are looked for.
        found = Clauses(request.text, request.text)
        query = queries.parse_query(request.text)
    without = tuple(words for text in found.without if (words := tokens.build_terms(text).words))
    typed = queries.clean(found.typed)
    period = times.find_period(found.text, request.now)
    return Question(request, found, query, typed, without, period, is_listed=is_listed)


def find(
    connection: Connection, known: dict[str, int], question: Question, aids: Aids = _ALONE, *, is_bounded: bool = True
) -> Found:
    """Gather and rank everything that answers a question, at the grain that is asked for.

    All pages that were gathered are ranked, and not the best alone, where it is not `is_bounded`.
    """
    search = Search(
        connection=connection,
        known=known,
        query=question.query,
        conditions=filters.build_conditions(connection, _build_filter(question)),
        text_max=max(question.limit, TEXT_CANDIDATES_MIN),
        skipped=question.request.skipped,
        meaning=aids.meaning,
        meter=aids.meter,
    )
    gathered = gather.gather(search)
    heard = _rank_heard(connection, question, gathered)
    row_ids = {sighting.row_id for found in gathered.streams.values() for sighting in found}
    query = question.query
    typed_words = tokens.build_terms(question.typed).words if question.without else query.words
    listed = rows.list_candidates(connection, row_ids, question.typed, typed_words)
    candidates = _drop(listed, question.without)
    signs = rank.summarise_heard(query, gathered.heard_weights, heard)
    priors = aids.find_priors([row.page for row in candidates]) if aids.find_priors else {}
    is_explained = question.request.with_why
    heard_best = max((found.why.coverage for found in heard), default=0.0)
    evidence = Evidence(
        weights=gathered.weights,
        streams=gathered.streams,
        heard=signs,
        priors=priors,
        period=question.period,
        heard_best=heard_best,
        is_explained=is_explained,
        is_bounded=is_bounded,
    )
    ranked = rank.rank_candidates(query, evidence, candidates, PAGE_WEIGHTS)
    if question.request.grain is Grain.PAGES:
        return Found(ranked, gathered, ranked, heard)
    by_session = rank.rank_by_session(heard, ranked, OBSERVATION_WEIGHTS["session"])
    return Found(by_session, gathered, ranked, heard)


def _name_rebuild(index: IndexDatabase) -> tuple[str, ...]:
    progress = index.progress
    return () if progress is None else (f"index rebuilding ({progress.done} of {progress.total})",)


def _build_filter(question: Question) -> PageFilter:
    """Join what the request and the text filter by; both have to let a page through."""
    request, told = question.request, question.clauses
    is_superseded = PageState.SUPERSEDED in told.states
    is_stale = PageState.STALE in told.states and request.now is not None
    return PageFilter(
        scopes=request.scopes,
        kinds=_meet(request.kinds, told.kinds),
        tags=(*request.tags, *told.tags),
        since=max(filter(None, (request.since, told.since)), default=None),
        until=min(filter(None, (request.until, told.until)), default=None),
        include_superseded=request.include_superseded or is_superseded,
        paths=told.paths,
        agents=_meet(request.agents, told.agents),
        authors=_meet(request.authors, told.authors),
        projects=told.projects,
        as_of=request.as_of or told.as_of,
        is_pinned=PageState.PINNED in told.states,
        is_superseded=is_superseded,
        stale_before=request.now - timedelta(days=STALE_DAYS) if is_stale and request.now else None,
    )


def _meet(given: Collection[_T], told: Collection[_T]) -> tuple[_T, ...] | None:
    """List what both let through; None where neither says anything."""
    if not given or not told:
        return tuple(given or told) or None
    return tuple(each for each in given if each in told)


def _drop(candidates: Sequence[CandidateRow], without: Collection[str]) -> list[CandidateRow]:
    """Leave out what holds words that were excluded, unless the whole text stands there as it was typed."""
    return [row for row in candidates if row.has_literal or not any(f" {word} " in row.text for word in without)]


def _rank_heard(connection: Connection, question: Question, gathered: Gathered) -> list[Ranked]:
    is_asked = question.request.grain is Grain.OBSERVATIONS
    heard = gathered.heard if is_asked else gathered.heard[:HEARD_FOR_PAGES_MAX]
    alike = gathered.alike if is_asked else gathered.alike[:NEAR_RERANKED_MAX]
    candidates = _drop(rows.list_heard(connection, [*heard, *alike], question.typed), question.without)
    listed = {
        name: [Sighting(each.observation, each.score) for each in found]
        for name, found in ((rank.OBSERVATIONS, heard), (rank.VECTORS, alike))
    }
    is_explained = question.request.with_why
    evidence = Evidence(gathered.heard_weights, listed, period=question.period, is_explained=is_explained)
    return rank.rank_candidates(question.query, evidence, candidates, OBSERVATION_WEIGHTS)


def _answer(
    connection: Connection, known: dict[str, int], question: Question, aids: Aids
) -> tuple[SearchAnswer, dict[str, str]]:
    if question.is_listed:
        return _answer_listed(connection, question)
    found = find(connection, known, question, aids)
    start = _find_start(found.ranked, question.request)
    shown = found.ranked[start : start + question.limit]
    hits = _shape_hits(connection, shown, found, question)
    omitted = max(0, len(found.ranked) - start - len(hits))
    return SearchAnswer(hits, omitted, start=start, question=question.request.describe()), found.gathered.failed


def _answer_listed(connection: Connection, question: Question) -> tuple[SearchAnswer, dict[str, str]]:
    request = question.request
    is_heard = request.grain is Grain.OBSERVATIONS
    if question.without and not streams.is_text_answering(connection):
        # What has the words cannot be told from what has not.
        return SearchAnswer(()), {rank.TEXT: "it lost its pages"}
    asked = cursor.parse_cursor(request.cursor, request.describe()) if request.cursor else Cursor(0, "")
    wanted = Wanted(
        filters.build_conditions(connection, _build_filter(question)),
        limit=question.limit,
        without=queries.build_exclusion(question.without, is_heard=is_heard),
        behind=cursor.parse_place(asked.last) if request.cursor else None,
    )
    listed = (listing.list_heard if is_heard else listing.list_pages)(connection, wanted)
    shown = [Ranked(row, 0.0, rank.LISTED) for row in listed.rows]
    hits = _shape_hits(connection, shown, Found([], Gathered(), [], []), question)
    return SearchAnswer(hits, listed.count - len(hits), start=asked.shown, question=request.describe()), {}


def _find_start(ranked: Sequence[Ranked], request: SearchRequest) -> int:
    """Find where to go on: behind the hit that was shown last, where it is still among them."""
    if not request.cursor:
        return 0
    asked = cursor.parse_cursor(request.cursor, request.describe())
    is_heard = request.grain is Grain.OBSERVATIONS
    keys = (_name(found.row, is_heard=is_heard) for found in ranked)
    place = next((place for place, key in enumerate(keys, start=1) if key == asked.last), asked.shown)
    return min(place, len(ranked))


def _name(row: CandidateRow, *, is_heard: bool) -> str:
    name = f"{row.page.scope}:{row.page.path}"
    return f"{name}#{row.key}" if is_heard else name


def _count_days(updated_at: datetime, now: datetime | None) -> int | None:
    return None if now is None else max(0, (now - updated_at).days)


def _build_snippet(body: str, matched: Mapping[str, float], start: int) -> Snippet:
    """Show where the words stand, or where what means the like begins."""
    return snippet.build_page_snippet(body if matched else body[start:], matched)


def _shape_hits(connection: Connection, shown: Sequence[Ranked], found: Found, question: Question) -> tuple[Hit, ...]:
    gathered = found.gathered
    row_ids = {ranked.row.page.row_id for ranked in shown}
    is_heard = question.request.grain is Grain.OBSERVATIONS
    bodies = {} if is_heard else rows.list_bodies(connection, row_ids)
    superseders = rows.list_superseders(connection, row_ids)
    contradicting = standing.list_contradicting(connection, row_ids)
    heard = {} if is_heard else _list_heard_by_page(connection, row_ids, found, question)
    weights = gathered.heard_weights if is_heard else gathered.weights
    starts = {near.row_id: near.start for near in gathered.streams.get(rank.VECTORS, ())}
    hits: list[Hit] = []
    for ranked in shown:
        page = ranked.row.page
        matched = {text: weights[text] for text in ranked.why.matched}
        own = (_shape_heard(ranked.row, matched),) if is_heard else heard.get(page.row_id, ())
        shown_of_page = (
            own[0].snippet
            if is_heard
            else snippet.build_snippet(page.description, {})
            if question.is_listed and page.description
            else _build_snippet(bodies.get(page.row_id, ""), matched, starts.get(page.row_id, 0))
        )
        if own and not is_heard:
            shown_of_page, own = _share_room(shown_of_page, own[0])
        hits.append(
            Hit(
                scope=page.scope,
                path=page.path,
                title=page.title,
                kind=page.kind,
                snippet=shown_of_page,
                score=ranked.score,
                updated_at=page.updated_at,
                verified_at=page.verified_at,
                superseded_by=page.superseded_by or superseders.get(page.row_id, ""),
                id=page.id,
                session_id=page.session_id,
                agent=page.agent,
                author=page.author,
                content_hash=page.content_hash,
                revision=page.revision,
                age_days=_count_days(page.updated_at, question.request.now),
                is_heard=is_heard,
                is_listed=question.is_listed,
                observations=own,
                contradicts=contradicting.get(page.row_id, ()),
                why=rank.tidy(ranked.why) if question.request.with_why else None,
            )
        )
    return tuple(hits)


def _list_heard_by_page(
    connection: Connection, row_ids: Collection[int], found: Found, question: Question
) -> Mapping[int, tuple[HeardHit, ...]]:
    """List for each page shown what of its session fits best."""
    gathered, chosen = found.gathered, dict[int, list[Heard]]()
    for each in (*gathered.heard, *gathered.alike):
        if each.page in row_ids and len(chosen.setdefault(each.page, [])) < HEARD_PER_HIT_MAX:
            chosen[each.page].append(each)
    # Most of them were read to be ranked.
    known = {ranked.row.key: ranked.row for ranked in found.heard}
    wanted = [each for best in chosen.values() for each in best if each.observation not in known]
    known |= {row.key: row for row in rows.list_heard(connection, wanted, question.query.literal)}
    weights = {text: weight for text, weight in gathered.heard_weights.items() if weight > 0}
    return {
        page: tuple(_shape_heard(known[each.observation], weights) for each in best) for page, best in chosen.items()
    }


def _share_room(shown: Snippet, heard: HeardHit) -> tuple[Snippet, tuple[HeardHit, ...]]:
    page, said = fragment.share_room(shown, heard.snippet)
    return page, (replace(heard, snippet=said),)


def _shape_heard(row: CandidateRow, weights: Mapping[str, float]) -> HeardHit:
    heard = row.observation
    assert heard is not None, "it was read as an observation"
    text = snippet.build_snippet(heard.text, weights)
    return HeardHit(heard.id, heard.session_id, heard.shows, heard.at, text)
