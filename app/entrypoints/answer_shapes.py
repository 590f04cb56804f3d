"""What a search found as JSON-ready values: whole, or with less of each hit where a budget leaves little room."""

from enum import StrEnum
from typing import Final

from app.domain.limits_search import PAGE_SNIPPET_CHARS_MAX
from app.entrypoints.shapes import Shape, shape_moment
from app.search import fragment
from app.search.answer import HeardHit, Hit, SearchAnswer
from app.search.rank import Period, Why
from app.search.snippet import Snippet

# What can be read with the page itself, which a hit leads to.
_READ_WITH_THE_PAGE: Final = frozenset(
    {"id", "snippet_marks", "session_id", "agent", "author", "content_hash", "revision"}
)
_READ_WITH_THE_SESSION: Final = frozenset({"id", "snippet_marks"})


class Form(StrEnum):
    """How much of each hit is written: every field, those that say something, or those that lead to the page."""

    WHOLE = "whole"
    FILLED = "filled"
    BRIEF = "brief"


def shape_answer(answer: SearchAnswer, form: Form = Form.WHOLE) -> Shape:
    """Shape what a search found, how it was understood, and which parts could not answer."""
    understood: Shape = {
        "terms": list(answer.understood.terms),
        "phrases": list(answer.understood.phrases),
        "is_cut": answer.understood.is_cut,
        "without": list(answer.understood.without),
        "filters": list(answer.understood.filters),
        "period": _shape_period(answer.understood.period),
        "order": "newest" if answer.understood.is_newest_first else "",
    }
    return {
        "hits": [_shape_briefly(hit) if form is Form.BRIEF else _shape_hit(hit, form) for hit in answer.hits],
        "omitted": answer.omitted,
        "next_cursor": answer.next_cursor,
        "degraded": list(answer.degraded),
        "understood": understood if form is Form.WHOLE else _fill(understood),
    }


def explain_rank(why: Why) -> list[str]:
    """Say in short phrases why a page ranked where it did."""
    if why.is_listed:
        return ["filter"]
    reasons = [f"{name} rank {rank}" for name, rank in why.stream_ranks]
    reasons.append(f"{why.coverage:.0%} of the query by rarity ({', '.join(why.matched)})")
    if why.title_coverage:
        reasons.append(f"title {why.title_coverage:.0%}")
    reasons += ["the query as typed"] if why.has_literal else ["the words in order"] if why.has_sequence else []
    if why.authority != 1:
        reasons.append(f"authority x{why.authority:.2f}")
    return reasons


def _shape_hit(hit: Hit, form: Form) -> Shape:
    """Shape one hit; `snippet_marks` are the spans of the snippet that matched, in characters."""
    shaped: Shape = {
        "project": str(hit.scope),
        "path": hit.path,
        "id": hit.id,
        "title": hit.title,
        "kind": str(hit.kind),
        "snippet": hit.snippet.text,
        "snippet_marks": [list(mark) for mark in hit.snippet.marks],
        "score": round(hit.score, 4),
        "updated_at": shape_moment(hit.updated_at),
        "verified_at": shape_moment(hit.verified_at),
        "superseded_by": hit.superseded_by,
        "contradicts": list(hit.contradicts),
        "session_id": hit.session_id,
        "agent": hit.agent,
        "author": hit.author,
        "content_hash": hit.content_hash,
        "revision": hit.revision,
        "age_days": hit.age_days,
        "observations": [_shape_heard(heard, form) for heard in hit.observations],
        "why": explain_rank(hit.why) if hit.why else [],
        "features": dict(hit.why.features) if hit.why else {},
    }
    return shaped if form is Form.WHOLE else _fill(shaped)


def _shape_briefly(hit: Hit) -> Shape:
    """Shape what leads to the page and says whether to go there, its snippet shortened."""
    shaped = _shape_hit(hit, Form.FILLED) | {"snippet": _shorten(hit.snippet)}
    shaped["observations"] = [_shape_heard_briefly(heard, is_shown=hit.is_heard) for heard in hit.observations]
    return _fill({name: value for name, value in shaped.items() if name not in _READ_WITH_THE_PAGE})


def _shape_heard(heard: HeardHit, form: Form) -> Shape:
    """Shape what a session said or did; `stretch` is how its range is asked for."""
    shaped: Shape = {
        "id": heard.id,
        "session_id": heard.session_id,
        "stretch": heard.stretch,
        "shows": heard.shows,
        "at": shape_moment(heard.at),
        "snippet": heard.snippet.text,
        "snippet_marks": [list(mark) for mark in heard.snippet.marks],
    }
    return shaped if form is Form.WHOLE else _fill(shaped)


def _shape_heard_briefly(heard: HeardHit, *, is_shown: bool) -> Shape:
    # Where an observation is the hit, the hit's own snippet shows it.
    snippet = "" if is_shown else _shorten(heard.snippet)
    shaped = _shape_heard(heard, Form.FILLED) | {"snippet": snippet}
    return _fill({name: value for name, value in shaped.items() if name not in _READ_WITH_THE_SESSION})


def _shorten(snippet: Snippet) -> str:
    return fragment.shorten(snippet, PAGE_SNIPPET_CHARS_MAX).text


def _fill(shaped: Shape) -> Shape:
    """Leave out what is empty; a zero and a `false` that could be `true` say something, an empty text does not."""
    return {name: value for name, value in shaped.items() if value not in (None, "", [], {})}


def _shape_period(period: Period | None) -> Shape | None:
    if period is None:
        return None
    return {"words": period.words, "since": shape_moment(period.since), "until": shape_moment(period.until)}
