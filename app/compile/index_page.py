"""Keeps a project's own pages current: its manifest, its entry page, and the log of a month."""

from datetime import UTC, datetime
from functools import partial
from typing import Final

from app.compile import log_page
from app.domain.errors import StoreUnreadable
from app.domain.handoff import OPEN_STATES
from app.domain.lesson import LessonKind
from app.domain.limits import LIST_LIMIT_MAX
from app.domain.limits_knowledge import (
    CONCEPTS_SHOWN_MAX,
    INDEX_KNOWLEDGE_SHOWN,
    INDEX_SESSIONS_SHOWN,
    SIGHTINGS_READ_MAX,
)
from app.domain.page import PageKind
from app.domain.pagepath import PROJECT_PATH
from app.domain.redact import redact_text
from app.domain.scope import Project
from app.index import catalog
from app.index.entries import PageRow
from app.index.filters import PageFilter
from app.state import handoffs, lessons
from app.state.engine import ReadConnection, StateEngine
from app.wiki import manifest
from app.wiki.manifest import PageLine, ProjectSummary
from app.wiki.pages import Byline, Wiki
from app.wiki.projects import write_index_page, write_manifest

_AUTHOR: Final = "memwiki"
_SHOWN: Final = {PageKind.SESSION: INDEX_SESSIONS_SHOWN, PageKind.CONCEPT: LIST_LIMIT_MAX}


def save_pages(engine: StateEngine, wiki: Wiki, project: Project, *, session_id: str = "") -> None:
    """Write what has changed of a project's manifest and entry page.

    Raises:
        FieldsUnreadable: a person broke the frontmatter of one of them.
        DiskRefused: the disk is full, read-only or somebody else's.
    """
    write_manifest(wiki, project, session_id=session_id)
    if wiki.index.progress is not None:
        # A half-built index knows only some pages; the next session's end lists them all.
        return
    write_index_page(wiki, _gather(engine, wiki, project), session_id=session_id)


def save_log(wiki: Wiki, project: Project, moment: datetime, *, session_id: str = "") -> None:
    """Write the log of the month that a moment is in, if something in it has changed.

    Raises:
        FieldsUnreadable: a person broke its frontmatter.
        DiskRefused: the disk is full, read-only or somebody else's.
    """
    if wiki.index.progress is not None:
        return
    first = datetime(moment.year, moment.month, 1, tzinfo=UTC)
    after = datetime(moment.year + moment.month // 12, moment.month % 12 + 1, 1, tzinfo=UTC)
    kinds = tuple(kind for kind in PageKind if kind not in {PageKind.PROJECT, PageKind.INDEX})
    wanted = PageFilter(scopes=(project.scope,), kinds=kinds, since=first, until=after)
    try:
        rows = wiki.index.read(partial(catalog.list_recent, wanted=wanted, limit=LIST_LIMIT_MAX))
    except StoreUnreadable:
        return
    page = log_page.build_log(project.scope.project, first, rows)
    byline = Byline(_AUTHOR, f"Update the log of {first:%Y-%m}", session_id)
    wiki.save_generated(project.scope, page.path, page.fields, redact_text(page.body), byline)


def _gather(engine: StateEngine, wiki: Wiki, project: Project) -> ProjectSummary:
    counts = wiki.index.read(lambda connection: catalog.count_pages_by_kind(connection, (project.scope,)))
    told: dict[PageKind, int] = {
        kind: count for kind, count in counts.items() if kind not in {PageKind.PROJECT, PageKind.INDEX}
    }
    weights = engine.read(_read_weights, project.id) if PageKind.CONCEPT in told else {}
    lines: list[PageLine] = []
    for kind in told:
        wanted = PageFilter(scopes=(project.scope,), kinds=(kind,), include_superseded=False)
        limit = _SHOWN.get(kind, INDEX_KNOWLEDGE_SHOWN)
        rows = wiki.index.read(partial(catalog.list_recent, wanted=wanted, limit=limit))
        lines.extend(_choose(kind, rows, weights))
    about = wiki.find_page(project.scope, PROJECT_PATH)
    return ProjectSummary(
        project=project,
        lines=lines,
        session_count=told.get(PageKind.SESSION, 0),
        page_count=sum(told.values()),
        open_handoffs=engine.read(_count_open, project.id),
        about=manifest.find_about(about.body) if about else "",
        counts=told,
    )


def _choose(kind: PageKind, rows: list[PageRow], weights: dict[str, int]) -> list[PageLine]:
    lines = [
        PageLine(row.path, row.title, kind, row.updated_at, weights.get(row.title, 0), row.is_pinned) for row in rows
    ]
    if kind is not PageKind.CONCEPT:
        return lines
    return sorted(lines, key=lambda line: (not line.is_pinned, -line.weight, line.title))[:CONCEPTS_SHOWN_MAX]


def _read_weights(conn: ReadConnection, project_id: str) -> dict[str, int]:
    """Read how many sessions worked on each thing, by its name."""
    found = lessons.list_weights(conn, project_id, LessonKind.WORK, least=2, limit=SIGHTINGS_READ_MAX)
    return {key.partition(":")[2]: count for key, count in reversed(found)}


def _count_open(conn: ReadConnection, project_id: str) -> int:
    found = handoffs.list_handoffs(conn, project_id=project_id, states=OPEN_STATES, owner=None, limit=LIST_LIMIT_MAX)
    return len(found)
