"""`SearchRequest` and `SearchAnswer`, and the answer as plain text that fits a budget."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from app.domain.errors import InvalidValue
from app.domain.limits import FILES_NAMED_MAX, SEARCH_LIMIT_DEFAULT
from app.domain.limits_search import HITS_WITH_HEARD_MIN
from app.domain.model_tokens import estimate_tokens
from app.domain.page import PageKind, PagePath
from app.domain.scope import Scope
from app.index.entries import Place
from app.search.cursor import Cursor, render_cursor, render_place
from app.search.rank import Period, Why
from app.search.snippet import Snippet


class Grain(StrEnum):
    """What a hit is: a page, or one observation of a session, word for word."""

    PAGES = "pages"
    OBSERVATIONS = "observations"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is asked; `scopes` are those that the caller may read, None for all.

    Filters are literal; `since` is inclusive, `until` exclusive; a page must carry all `tags` and be of any of
    the `agents` and `authors`. `as_of` looks at pages
    as they were known then. `now` is what words such as "yesterday" count from; `skipped` streams are not asked;
    `cursor` goes on behind an earlier answer to the same question.
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
    cursor: str = ""
    grain: Grain = Grain.PAGES
    as_of: datetime | None = None
    now: datetime | None = None
    skipped: frozenset[str] = frozenset()
    agents: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()

    def describe(self) -> str:
        """Say what is asked and of what, so that a cursor of one question is no other's."""
        asked = (
            self.text, sorted(map(str, self.scopes)) if self.scopes is not None else None, self.kinds, self.tags,
            self.since, self.until, self.include_superseded, self.grain, self.as_of, sorted(self.skipped),
            self.agents, self.authors,
        )  # fmt: skip
        return repr(asked)

    @property
    def is_filtered(self) -> bool:
        """Tell whether it asks for some pages only, of the projects that it looks at."""
        return bool(self.kinds or self.tags or self.since or self.until or self.as_of or self.agents or self.authors)


@dataclass(frozen=True, slots=True)
class Budget:
    """What an answer may take, all that stands around it included; None sets no bound."""

    chars: int | None = None
    tokens: int | None = None

    def admits(self, text: str) -> bool:
        """Tell whether a text keeps within it."""
        if self.chars is not None and len(text) > self.chars:
            return False
        return self.tokens is None or estimate_tokens(text) <= self.tokens


@dataclass(frozen=True, slots=True)
class HeardHit:
    """An observation that fits, which `memory_session` reads by the session's id and `stretch`.

    Its snippet is empty beside a page whose own says as much.
    """

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

    `observations` are those of its session that fit best; where observations were asked for (`is_heard`) it is the
    one found. `is_listed` if no words but filters alone led to it. `contradicts` are pages that may say the opposite,
    as long as nobody settled it. `revision` is the commit of the repository at which its session began; `age_days`
    counts from `now`.
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
    content_hash: str = ""
    revision: str = ""
    age_days: int | None = None
    is_heard: bool = False
    observations: tuple[HeardHit, ...] = ()
    contradicts: tuple[PagePath, ...] = ()
    why: Why | None = None
    is_listed: bool = False

    @property
    def key(self) -> str:
        """Name the hit for good, whatever the index calls it; one that is listed by its place."""
        if self.is_listed:
            said = self.observations[0].id if self.is_heard else 0
            return render_place(Place(self.updated_at, self.scope, self.path, said))
        return f"{self.scope}:{self.path}#{self.observations[0].id}" if self.is_heard else f"{self.scope}:{self.path}"


@dataclass(frozen=True, slots=True)
class Understood:
    """How the text was read: any of `terms`, all of `phrases`, none of `without`.

    `filters` are the clauses that were understood, as typed; `period` is the time that its words speak of, which
    lifts what is from then and hides nothing. `is_cut` if it was too long to use whole, `is_newest_first` if there was
    nothing to look for but filters, by which things are listed.
    """

    terms: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    is_cut: bool = False
    without: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    period: Period | None = None
    is_newest_first: bool = False


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Hits, best first; `omitted` candidates did not fit limit or budget; `degraded` names what could not answer.

    `start` hits came before these in the same order; `question` is what the next cursor belongs to.
    """

    hits: tuple[Hit, ...]
    omitted: int = 0
    degraded: tuple[str, ...] = ()
    understood: Understood = Understood()
    start: int = 0
    question: str = ""

    @property
    def next_cursor(self) -> str:
        """Where to go on; empty if nothing follows, or nothing was shown."""
        if not self.omitted or not self.hits:
            return ""
        return render_cursor(Cursor(self.start + len(self.hits), self.hits[-1].key), self.question)


def render_answer(answer: SearchAnswer) -> str:
    """Write an answer as plain text, one hit after the other."""
    blocks = [_render_hit(answer.start + number, hit) for number, hit in enumerate(answer.hits, start=1)]
    return "\n".join((*blocks, *_render_footer(answer)))


@dataclass(frozen=True, slots=True)
class Fitted:
    """An answer that keeps within a budget, and the text of it that does."""

    answer: SearchAnswer
    text: str


def fit_budget(answer: SearchAnswer, budget: Budget, *forms: Callable[[SearchAnswer], str]) -> Fitted:
    """Write an answer in the first of the forms that fits, and in the last with less and less where none does.

    What was said beside the later hits goes first, then the last hits, how the text was understood, and of the first
    hit all but what leads to it.

    Raises:
        InvalidValue: not even the count of what is left out fits.
    """
    for less, form in _list_attempts(answer, forms):
        text = form(less)
        if budget.admits(text):
            return Fitted(less, text)
    raise InvalidValue("budget", "too small even for an empty answer")


def _list_attempts(
    answer: SearchAnswer, forms: Sequence[Callable[[SearchAnswer], str]]
) -> Iterator[tuple[SearchAnswer, Callable[[SearchAnswer], str]]]:
    """List what to try, the most that is said first."""
    for form in forms:
        yield answer, form
    less, last = answer, forms[-1]
    while (spared := _spare_heard(less.hits)) is not None:
        less = replace(less, hits=spared)
        yield less, last
    while len(less.hits) > 1:
        less = _drop_last(less)
        yield less, last
    less = replace(less, understood=Understood())
    yield less, last
    if less.hits:
        yield replace(less, hits=(_bare(less.hits[0]),)), last
        yield _drop_last(less), last


def _bare(hit: Hit) -> Hit:
    """Leave of a hit what leads to it."""
    kept = tuple(replace(heard, snippet=Snippet("")) for heard in hit.observations) if hit.is_heard else ()
    return replace(hit, snippet=Snippet(""), observations=kept)


def _drop_last(answer: SearchAnswer) -> SearchAnswer:
    return replace(answer, hits=answer.hits[:-1], omitted=answer.omitted + 1)


def _spare_heard(hits: tuple[Hit, ...]) -> tuple[Hit, ...] | None:
    """Leave out what was said beside the last hit that shows it, unless it is one of the first."""
    for place in range(len(hits) - 1, HITS_WITH_HEARD_MIN - 1, -1):
        hit = hits[place]
        if hit.observations and not hit.is_heard:
            return (*hits[:place], replace(hit, observations=()), *hits[place + 1 :])
    return None


def _render_hit(number: int, hit: Hit) -> str:
    age = "" if hit.age_days is None else f", {hit.age_days} days ago"
    facts = [hit.kind.value, f"updated {hit.updated_at:%Y-%m-%d}{age}"]
    if hit.verified_at is not None:
        facts.append(f"verified {hit.verified_at:%Y-%m-%d}")
    if hit.superseded_by:
        facts.append(f"SUPERSEDED by {hit.superseded_by}")
    if hit.contradicts:
        facts.append(f"CONTRADICTS {', '.join(hit.contradicts[:FILES_NAMED_MAX])}, not settled")
    facts += [f"session {heard.session_id} {heard.stretch}" for heard in hit.observations if not heard.snippet.text]
    lines = [f"{number}. {hit.title} [{hit.scope}:{hit.path}] ({', '.join(facts)})"]
    if hit.snippet.text:
        lines.append(f"   {hit.snippet.text}")
    for heard in hit.observations:
        if not heard.snippet.text:
            continue
        told = f"{heard.shows} of {heard.at:%Y-%m-%d %H:%M}, session {heard.session_id} {heard.stretch}"
        lines.append(f"   > {heard.snippet.text} ({told})")
    return "\n".join(lines)


def describe_understood(understood: Understood) -> str:
    """Tell in a line what of a text was no plain word to look for; empty where all was."""
    told = [f"only {' '.join(understood.filters)}"] if understood.filters else []
    told += [f"without {', '.join(understood.without)}"] if understood.without else []
    if (period := understood.period) is not None:
        told.append(f'"{period.words}" ({period.since:%Y-%m-%d} to before {period.until:%Y-%m-%d}) stands higher')
    told += ["the newest change first"] if understood.is_newest_first else []
    return "; ".join(told)


def _render_footer(answer: SearchAnswer) -> list[str]:
    told = describe_understood(answer.understood)
    footer = [f"({told})"] if told else []
    if answer.omitted:
        cursor = answer.next_cursor
        footer.append(f"({answer.omitted} more; go on with cursor={cursor})" if cursor else f"({answer.omitted} more)")
    if answer.degraded:
        footer.append(f"(incomplete: {', '.join(answer.degraded)})")
    return footer
