"""`SearchRequest` and `SearchAnswer`, and the answer as plain text that fits a budget."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from app.domain.limits import SEARCH_LIMIT_DEFAULT
from app.domain.page import PageKind, PagePath
from app.domain.scope import Scope
from app.search.rank import Period, Why
from app.search.snippet import Snippet


class Grain(StrEnum):
    """What a hit is: a page, or one observation of a session, word for word."""

    PAGES = "pages"
    OBSERVATIONS = "observations"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is asked; `scopes` are those that the caller may read, None for all.

    Filters are literal; `since` is inclusive, `until` exclusive; a page must carry all `tags`. `as_of` looks at pages
    as they were known then. `budget_chars` bounds `render_answer`. `now` is what words such as "yesterday" count
    from; `skipped` streams are not asked.
    """

    text: str
    scopes: frozenset[Scope] | None = None
    limit: int = SEARCH_LIMIT_DEFAULT
    kinds: tuple[PageKind, ...] = ()
    tags: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    include_superseded: bool = False
    with_why: bool = False
    budget_chars: int | None = None
    grain: Grain = Grain.PAGES
    as_of: datetime | None = None
    now: datetime | None = None
    skipped: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class HeardHit:
    """An observation that fits, which `memory_session` reads by the session's id and `stretch`."""

    id: int
    session_id: str
    shows: str
    at: datetime
    snippet: Snippet

    @property
    def stretch(self) -> str:
        """The range of observations, as a page's footnotes name it."""
        return f"o{self.id}"


@dataclass(frozen=True, slots=True)
class Hit:
    """One page found. Age and last check are the page's own evidence; nothing here changes by reading.

    `observations` are those of its session that fit best; where observations were asked for it is the one found.
    """

    scope: Scope
    path: PagePath
    title: str
    kind: PageKind
    snippet: Snippet
    score: float
    updated_at: datetime
    verified_at: datetime | None
    superseded_by: str
    id: str
    session_id: str
    agent: str
    author: str
    observations: tuple[HeardHit, ...] = ()
    why: Why | None = None


@dataclass(frozen=True, slots=True)
class Understood:
    """How the text was read: any of `terms`, all of `phrases`, none of `without`.

    `filters` are the clauses that were understood, as typed; `period` is the time that its words speak of, which
    lifts what is from then and hides nothing. `is_cut` if it was too long to use whole.
    """

    terms: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    is_cut: bool = False
    without: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    period: Period | None = None


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Hits, best first; `omitted` candidates did not fit limit or budget; `degraded` names what could not answer."""

    hits: tuple[Hit, ...]
    omitted: int = 0
    degraded: tuple[str, ...] = ()
    understood: Understood = Understood()


def render_answer(answer: SearchAnswer) -> str:
    """Write an answer as plain text, one hit after the other."""
    blocks = [_render_hit(number, hit) for number, hit in enumerate(answer.hits, start=1)]
    return "\n".join((*blocks, *_render_footer(answer)))


def fit_budget(answer: SearchAnswer, budget_chars: int | None) -> SearchAnswer:
    """Leave out the last hits until the text fits; where not even the closing lines fit, nothing is left to render."""
    fitted = answer
    while budget_chars is not None and len(render_answer(fitted)) > budget_chars:
        if not fitted.hits:
            return replace(fitted, omitted=0, degraded=())
        fitted = replace(fitted, hits=fitted.hits[:-1], omitted=fitted.omitted + 1)
    return fitted


def _render_hit(number: int, hit: Hit) -> str:
    facts = [hit.kind.value, f"updated {hit.updated_at:%Y-%m-%d}"]
    if hit.verified_at is not None:
        facts.append(f"verified {hit.verified_at:%Y-%m-%d}")
    if hit.superseded_by:
        facts.append(f"SUPERSEDED by {hit.superseded_by}")
    lines = [f"{number}. {hit.title} [{hit.scope}:{hit.path}] ({', '.join(facts)})"]
    if hit.snippet.text:
        lines.append(f"   {hit.snippet.text}")
    for heard in hit.observations:
        told = f"{heard.shows} of {heard.at:%Y-%m-%d %H:%M}, session {heard.session_id} {heard.stretch}"
        lines.append(f"   > {heard.snippet.text} ({told})")
    return "\n".join(lines)


def _render_footer(answer: SearchAnswer) -> list[str]:
    footer = []
    if answer.omitted:
        footer.append(f"({answer.omitted} more not shown)")
    if answer.degraded:
        footer.append(f"(incomplete: {', '.join(answer.degraded)})")
    return footer
