"""What belongs to a page: links, what names the same, neighbours in time, evidence; and the story of a subject."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

from app.domain.errors import InvalidValue, PageNotFound
from app.domain.limits import (
    EVIDENCE_SHOWN_MAX,
    MENTIONED_RANGE_MAX,
    RELATED_SHOWN_MAX,
    SUBJECT_CHARS_MAX,
    TIMELINE_LIMIT_MAX,
)
from app.domain.page import PagePath
from app.domain.scope import Scope
from app.index import catalog, entities, filters, rows, timeline, tokens
from app.index.catalog import LinkRow
from app.index.database import Connection, IndexDatabase
from app.index.entries import ObservationRow, PageRow
from app.index.filters import PageFilter
from app.index.timeline import Said
from app.search import query as queries
from app.search.query import Query

_MENTION: Final = re.compile(r"\bo(\d{1,15})(?:-(\d{1,15}))?\b")


@dataclass(frozen=True, slots=True)
class Connected:
    """A page and what belongs to it; `sharing` are pages with the names that both have."""

    page: PageRow
    links: tuple[LinkRow, ...]
    backlinks: tuple[PageRow, ...]
    sharing: tuple[tuple[PageRow, tuple[str, ...]], ...]
    before: tuple[PageRow, ...]
    after: tuple[PageRow, ...]
    evidence: tuple[ObservationRow, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """One entry of a story: a page that names the subject, or an observation that speaks of it."""

    at: datetime
    scope: Scope
    path: PagePath
    title: str
    session_id: str = ""
    observation: ObservationRow | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """What happened to a subject, newest first; `omitted` entries at least are older than those shown."""

    subject: str
    moments: tuple[Moment, ...]
    omitted: int = 0


def find_connected(index: IndexDatabase, scope: Scope, path: PagePath, scopes: frozenset[Scope] | None) -> Connected:
    """Find what belongs to a page, of the readable `scopes` alone.

    Raises:
        PageNotFound: there is no such page.
        StoreUnreadable: the index cannot be used now.
    """
    return index.read(partial(_find_connected, scope=scope, path=path, scopes=scopes))


def tell_story(
    index: IndexDatabase,
    subject: str,
    scopes: frozenset[Scope] | None,
    limit: int,
    until: datetime | None = None,
) -> Story:
    """List when a file, a name or any words came up, newest first, up to a moment.

    Raises:
        InvalidValue: the subject has no word or sign to look for.
        StoreUnreadable: the index cannot be used now.
    """
    words = tokens.build_terms(subject[:SUBJECT_CHARS_MAX]).words
    if not words:
        raise InvalidValue("subject", "name a file, a function, an entity or any words")
    count = max(1, min(limit, TIMELINE_LIMIT_MAX))
    wanted = PageFilter(scopes=scopes, include_superseded=True)
    story = index.read(partial(_tell_story, subject=subject, words=words, wanted=wanted, count=_FETCH * count))
    moments = [moment for moment in story if until is None or moment.at < until]
    return Story(subject, tuple(moments[:count]), max(0, len(moments) - count))


# More than are shown, because observations and pages are listed apart and a moment may lie behind `until`.
_FETCH: Final = 4


def _find_connected(connection: Connection, scope: Scope, path: PagePath, scopes: frozenset[Scope] | None) -> Connected:
    page = catalog.find_page(connection, scope, path)
    if page is None:
        raise PageNotFound(path)
    wanted = PageFilter(scopes=scopes)
    conditions = filters.build_conditions(connection, wanted)
    before, after = timeline.list_beside(connection, page, conditions, RELATED_SHOWN_MAX)
    body = rows.list_bodies(connection, [page.row_id]).get(page.row_id, "")
    backlinks = catalog.list_backlinks(connection, scope, path, replace(wanted, include_superseded=True))
    return Connected(
        page=page,
        links=tuple(catalog.list_links(connection, scope, path, scopes)[:RELATED_SHOWN_MAX]),
        backlinks=tuple(backlinks[:RELATED_SHOWN_MAX]),
        sharing=tuple(timeline.list_sharing(connection, page.row_id, conditions, RELATED_SHOWN_MAX)),
        before=tuple(before),
        after=tuple(after),
        evidence=tuple(timeline.list_evidence(connection, page.row_id, _list_mentions(body), EVIDENCE_SHOWN_MAX)),
    )


def _list_mentions(body: str) -> Collection[int]:
    """List the observations that a page's footnotes name: `o12`, `o12-15`."""
    found: set[int] = set()
    for match in _MENTION.finditer(body):
        first, last = int(match[1]), int(match[2] or match[1])
        found.update(range(first, min(last, first + MENTIONED_RANGE_MAX) + 1))
    return found


def _tell_story(connection: Connection, subject: str, words: str, wanted: PageFilter, count: int) -> Sequence[Moment]:
    conditions = filters.build_conditions(connection, wanted)
    if conditions.scope_ids == ():
        # Nothing of these projects is in the index yet.
        return ()
    asked = Query(subject, words, (), phrases=(words,))
    match = queries.build_observation_match(asked, (), conditions.scope_ids)
    said = timeline.list_said(connection, match, conditions, count)
    named = timeline.list_about(connection, entities.build_key(subject), conditions, count)
    moments = [*map(_tell_said, said), *map(_tell_page, named)]
    return sorted(moments, key=lambda moment: (moment.at, moment.scope, moment.path), reverse=True)


def _tell_said(said: Said) -> Moment:
    seen = said.observation
    return Moment(seen.at, said.scope, said.path, seen.shows, seen.session_id, seen)


def _tell_page(page: PageRow) -> Moment:
    return Moment(page.updated_at, page.scope, page.path, page.title, page.session_id)
