"""Forgets a session: its observations, its page, what it handed on; a tombstone keeps late events out.

What holds its words goes first and the session's row last, so that after a crash the same call finds the rest.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final, TypeVar

import msgspec

from app.compile import disowning, index_page, learning, session_end
from app.compile.parts import CompileParts
from app.domain.errors import NotFound, PageNotFound
from app.domain.handoff import HandoffMove
from app.domain.limits import LIST_LIMIT_MAX, STATE_WRITE_SECONDS_MAX
from app.domain.limits_knowledge import LESSONS_PER_SESSION_MAX
from app.domain.page import Page, PageKind, PagePath
from app.domain.scope import Scope
from app.domain.session import Forgetting, Session
from app.index import catalog
from app.index.filters import PageFilter
from app.state import (
    audit,
    handoff_moves,
    handoffs,
    jobs,
    lessons,
    messages,
    observations,
    projects,
    proposals,
    segments,
    sessions,
    tombstones,
    verbatim,
)
from app.state import engine as engines
from app.state.audit import AuditEntry
from app.state.engine import ReadConnection, WriteConnection
from app.state.handoff_moves import Mover
from app.state.tombstones import TombKind
from app.wiki.pages import Byline

T = TypeVar("T")

CLEAR_UP: Final = "clear_up_session"
REMAINS = (
    "what later sessions said themselves of work that it had handed on to them",
    "earlier revisions of its page, and their messages, in the wiki's git history",
    "copies made before: state.db.before-* and backups, other clones of the wiki",
    "freed space of the index until it is rebuilt (memwiki reindex)",
    "events that wait in a client's spool: they are refused when they come, and the client drops them",
    "the keys by which its events are known for repeats, which are hashes",
)


class _Rest(msgspec.Struct, frozen=True):
    """What is still to be brought up to date when a session's rows are gone: by ids, so that no word of it is kept."""

    project_id: str
    page_ids: list[str]
    told_ids: list[str]
    last_event_at: datetime | None


def plan_forgetting(parts: CompileParts, session_id: str) -> Forgetting:
    """Look what forgetting a session would delete, and change nothing.

    Raises:
        SessionNotFound: there is no such session.
    """
    session = parts.engine.read(sessions.get_session_by_any_id, session_id)
    scope, observed, sealed, left, sent = parts.engine.read(_count, session)
    pages = tuple(page.path for page in _list_pages(parts, scope, session))
    return Forgetting(session.id, session.agent_session_id, str(scope), observed, sealed, pages, left, REMAINS, sent)


def forget_session(parts: CompileParts, session_id: str, actor: str) -> Forgetting:
    """Delete a session, and leave a tombstone; nothing else may compile at the same time.

    Raises:
        SessionNotFound: there is no such session.
        DiskRefused: a file cannot be removed; the session is still there, and a later call goes on.
    """
    plan = plan_forgetting(parts, session_id)
    session = parts.engine.read(sessions.get_session, plan.session_id)
    project = parts.engine.read(projects.get_project, session.project_id)
    byline = Byline(actor, f"Forget session {session.id}")
    pages = _list_pages(parts, project.scope, session)
    disowning.disown(parts, session)
    _call_those_that_lead_here(parts, project.scope, session, pages)
    for page in pages:
        try:
            parts.wiki.delete_page(project.scope, page.path, page.content_hash, byline)
        except PageNotFound:
            continue
    named = [segment.file.path for segment in parts.engine.read(segments.list_segments, session.id)]
    for path in {*named, *parts.raw.list_files(session.id)}:
        parts.raw.remove_file(path)
    taught = parts.engine.read(lessons.list_of_session, session.id, LESSONS_PER_SESSION_MAX)
    page_ids, told_ids = learning.list_touched_pages(project.id, taught)
    had_page = bool(plan.pages or session.page_path)
    rest = _Rest(project.id, page_ids, told_ids, session.last_event_at if had_page else None)
    _write(parts, partial(_delete, parts=parts, session=session, actor=actor, rest=rest))
    _clear_up(parts, rest)
    _write(parts, partial(jobs.delete_jobs_of, key=session.id))
    parts.engine.truncate_log()
    return replace(plan, is_done=True)


def clear_up(parts: CompileParts, payload: str) -> None:
    """Bring up to date what a killed run had not, after a session's rows were gone."""
    with suppress(NotFound):
        _clear_up(parts, msgspec.json.decode(payload, type=_Rest))


def _clear_up(parts: CompileParts, rest: _Rest) -> None:
    project = parts.engine.read(projects.get_project, rest.project_id)
    learning.unlearn_session(parts, project, rest.page_ids, rest.told_ids)
    if rest.last_event_at is not None:
        index_page.save_pages(parts.engine, parts.wiki, project)
        index_page.save_log(parts.wiki, project, rest.last_event_at)


def _write(parts: CompileParts, job: Callable[[WriteConnection], T]) -> T:
    return parts.writer.submit(job).result(STATE_WRITE_SECONDS_MAX)


def _count(conn: ReadConnection, session: Session) -> tuple[Scope, int, int, int, int]:
    return (
        projects.get_project(conn, session.project_id).scope,
        verbatim.count_session_observations(conn, session.id),
        len(segments.list_segments(conn, session.id)),
        handoffs.count_from_session(conn, session.id),
        messages.count_from_session(conn, session.id),
    )


def _list_pages(parts: CompileParts, scope: Scope, session: Session) -> list[Page]:
    """List the session's page wherever it lies: where state knows it, and where the index found its id."""
    wanted = PageFilter(scopes=(scope,))
    rows = parts.wiki.index.read(partial(catalog.list_pages_by_id, page_id=session.id, wanted=wanted))
    paths = dict.fromkeys(row.path for row in rows)
    if session.page_path:
        paths.setdefault(PagePath(session.page_path))
    found = (parts.wiki.find_page(scope, path) for path in paths)
    return [page for page in found if page is not None]


def _call_those_that_lead_here(parts: CompileParts, scope: Scope, session: Session, pages: Sequence[Page]) -> None:
    """Have the pages of other sessions that lead to these built anew; a link tells a title."""
    wanted = PageFilter(scopes=(scope,), kinds=(PageKind.SESSION,))
    leading = {
        row.session_id
        for page in pages
        for row in parts.wiki.index.read(partial(catalog.list_backlinks, scope=scope, path=page.path, wanted=wanted))
    } - {session.id, ""}

    def call(conn: WriteConnection) -> None:
        for session_id in sorted(leading):
            jobs.upsert_job(conn, session_end.COMPILE_SESSION, session_id, parts.clock.now())

    parts.writer.submit(call).result(STATE_WRITE_SECONDS_MAX)


def _delete(conn: WriteConnection, *, parts: CompileParts, session: Session, actor: str, rest: _Rest) -> None:
    now = parts.clock.now()
    with engines.overwriting(conn):
        observations.delete_session_observations(conn, session.id)
        segments.delete_segments(conn, session.id)
        handoffs.delete_from_session(conn, session.id)
        messages.delete_from_session(conn, session.id)
        jobs.delete_jobs_of(conn, session.id)
        lessons.delete_lessons(conn, session.id)
        proposals.drop_grounds(conn, session.project_id, {session.id})
        for held in handoffs.list_last_held(conn, [session.id], LIST_LIMIT_MAX):
            handoff_moves.move_handoff(conn, held, HandoffMove.RELEASE, Mover(actor, session.id, now))
        sessions.delete_session(conn, session.id)
    jobs.upsert_job(conn, CLEAR_UP, session.id, now, payload=msgspec.json.encode(rest).decode())
    for later in sessions.list_continuing(conn, session.agent_session_id, LIST_LIMIT_MAX):
        # Its page leads to one that is gone.
        jobs.upsert_job(conn, session_end.COMPILE_SESSION, later.id, now)
    tombstones.insert_tombstone(conn, TombKind.SESSION, session.agent_session_id, now)
    context = audit.build_context(scope=projects.find_scope_name(conn, session.project_id))
    audit.insert_audit(conn, AuditEntry(now, actor, "session.forget", session.id, context=context))
