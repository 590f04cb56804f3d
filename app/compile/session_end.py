"""What happens when a session ends: its page, the handoff that it leaves, the project's pages, in that order.

Every step may be repeated: what is written is decided by content, and one transaction marks how far the session
is compiled and closes what it held. A crash between two steps costs a repetition and nothing else.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import TypeVar

from app.compile import digest as digests
from app.compile import gotcha_pages, handover, index_page, related_pages, session_page
from app.compile.gotchas import Look
from app.compile.handover import Looks, NewHandoff
from app.compile.parts import CompileParts
from app.compile.session_page import SessionLink, SessionLinks
from app.compile.timeline import read_timeline
from app.domain.errors import FieldsUnreadable
from app.domain.handoff import Handoff, HandoffContent
from app.domain.limits import (
    CONTINUATIONS_MAX,
    LIST_LIMIT_MAX,
    SESSION_HEAD_OBSERVATIONS,
    SESSION_OBSERVATIONS_READ_MAX,
    SESSION_READ_BATCH,
    STATE_WRITE_SECONDS_MAX,
)
from app.domain.page import Page, PagePath
from app.domain.redact import redact_text
from app.domain.scope import Scope
from app.domain.session import Observation, Session, SessionDigest, SessionState
from app.index import catalog
from app.index.filters import PageFilter
from app.state import handoff_moves, handoffs, jobs, projects, sessions, verbatim
from app.state.engine import ReadConnection, WriteConnection
from app.state.verbatim import Verbatim
from app.wiki.pages import Byline, Wiki

T = TypeVar("T")

COMPILE_SESSION = "compile_session"
LEARN_SESSION = "learn_session"


class CompileOutcome(StrEnum):
    """`EMPTY`: nothing was said or done, so nothing was written; `UNCHANGED`: everything was compiled before."""

    WRITTEN = "written"
    UNCHANGED = "unchanged"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class CompileReport:
    """What compiling a session came to."""

    outcome: CompileOutcome
    path: str = ""
    handoff_id: str = ""


def compile_session(parts: CompileParts, session_id: str) -> CompileReport:
    """Bring a session's page, its handoff and its project's pages up to what was observed.

    Raises:
        SessionNotFound: there is no such session.
        DiskRefused: the disk is full, read-only or somebody else's; a later attempt finishes.
    """
    with parts.wiki.committer.together(session_id):
        return _bring_up_to_date(parts, session_id)


def save_project_pages(parts: CompileParts, session: Session) -> None:
    """Write what a session changes of its project's own pages; what has not changed is not written.

    Where others of the project are about to be learnt from, it is left to the last of them.
    """
    if parts.awaits_others(session):
        return
    project = parts.engine.read(projects.get_project, session.project_id)
    index_page.save_pages(parts.engine, parts.wiki, project, session_id=session.id)
    if session.page_path:
        index_page.save_log(parts.wiki, project, session.last_event_at, session_id=session.id)


def write_anew(parts: CompileParts, session_id: str) -> None:
    """Write a session's page again from what is known now, at another place where it has another title.

    What a person has made of it stays as it is.
    """
    session = parts.engine.read(sessions.find_session, session_id)
    if session is None or not session.page_path:
        return
    scope = parts.engine.read(projects.get_project, session.project_id).scope
    page = parts.wiki.find_page(scope, PagePath(session.page_path))
    digest = digests.build_digest(session, read_observations(parts, session), list_taken(parts, session))
    if page is None or digest is None or session_page.was_edited(page.fields, page.body):
        return
    if page.title != digest.title:
        parts.wiki.delete_page(scope, page.path, page.content_hash, Byline(session.owner, f"Session {session.id}"))
        session = _settle_path(parts.wiki, scope, replace(session, page_path=""), digest)
    _save_session_page(parts, scope, session, digest)
    _write(parts, partial(_note_path, session=session))
    save_project_pages(parts, session)


def read_observations(parts: CompileParts, session: Session) -> Iterator[Observation]:
    """Read what a session said and did; of a very long one the beginning and the end."""
    return _read_observations(parts.archive.verbatim, session, _LastSeen(), after_id=0)


def list_taken(parts: CompileParts, session: Session) -> list[HandoffContent]:
    """List what was handed on to a session."""
    taken = parts.engine.read(handoffs.list_taken, session.id, LIST_LIMIT_MAX)
    return [handoff.content for handoff in taken]


@dataclass(slots=True)
class _LastSeen:
    """The last observation that was read, also of those that say nothing, and the files that were looked into."""

    id: int = 0
    looks: Looks = field(default_factory=Looks)


@dataclass(frozen=True, slots=True)
class _Ending:
    """What the last transaction needs."""

    session: Session
    digest: SessionDigest
    handoff: Handoff | None
    through: int


def _bring_up_to_date(parts: CompileParts, session_id: str) -> CompileReport:
    session = parts.engine.read(sessions.get_session, session_id)
    if session.last_observation_id <= session.compiled_through:
        if session.page_path:
            _save_links(parts, session)
            # An earlier run may have been stopped between its last transaction and this.
            save_project_pages(parts, session)
        return CompileReport(CompileOutcome.UNCHANGED, session.page_path)
    seen = _LastSeen()
    timeline = read_timeline(session, _read_observations(parts.archive.verbatim, session, seen, after_id=0))
    digest = digests.digest_timeline(session, timeline, list_taken(parts, session))
    if digest is None:
        if session.state is not SessionState.OPEN:
            _write(parts, lambda conn: _close_empty(conn, parts, session, seen.id))
        return CompileReport(CompileOutcome.EMPTY)
    project = parts.engine.read(projects.get_project, session.project_id)
    is_new = not session.page_path
    session = _settle_path(parts.wiki, project.scope, session, digest)
    look = Look(timeline, digest, ())
    is_open = session.state is SessionState.OPEN
    fixed = [] if is_open else gotcha_pages.foresee_fixed(parts, project, session, look)
    has_changed = _save_session_page(parts, project.scope, session, digest, fixed)
    handoff_id = ""
    if is_open:
        # The page of a session that goes on is a checkpoint; what it leaves behind is decided at its end.
        _write(parts, partial(_note_path, session=session))
    else:
        ending = _Ending(session, digest, _compose(parts, session, digest, seen.looks), seen.id)
        handoff_id = _write(parts, lambda conn: _close_session(conn, parts, ending))
    if is_new:
        _write(parts, lambda conn: _call_linked(conn, parts, session))
    save_project_pages(parts, session)
    is_same = is_open and not has_changed
    return CompileReport(CompileOutcome.UNCHANGED if is_same else CompileOutcome.WRITTEN, session.page_path, handoff_id)


def _read_observations(places: Verbatim, session: Session, seen: _LastSeen, *, after_id: int) -> Iterator[Observation]:
    """Read a session's observations in batches; of a very long one the beginning and the end."""
    total = places.engine.read(verbatim.count_session_observations, session.id)
    skipped = range(SESSION_HEAD_OBSERVATIONS, SESSION_HEAD_OBSERVATIONS + total - SESSION_OBSERVATIONS_READ_MAX)
    number = 0
    last_id = after_id
    while True:
        batch = verbatim.read_session_observations(places, session.id, after_id=last_id, limit=SESSION_READ_BATCH)
        if not batch:
            return
        for observation in batch:
            last_id = seen.id = observation.id
            seen.looks.add(observation)
            if number not in skipped:
                yield observation
            number += 1


def _settle_path(wiki: Wiki, scope: Scope, session: Session, digest: SessionDigest) -> Session:
    """Decide where the page lies: where it is already, wherever a person moved it, else at a free place."""
    known = PagePath(session.page_path)
    if known and wiki.find_page(scope, known) is not None:
        return session
    # The page carries the session's id, also when a crash came before its path was stored.
    wanted = PageFilter(scopes=(scope,))
    found = wiki.index.read(partial(catalog.list_pages_by_id, page_id=session.id, wanted=wanted))
    if found:
        return replace(session, page_path=found[0].path)
    path = session_page.choose_path(session, digest)
    taken = wiki.find_page(scope, path)
    if taken is not None and taken.id != session.id:
        path = session_page.choose_longer_path(session, digest)
    return replace(session, page_path=path)


def _save_session_page(
    parts: CompileParts, scope: Scope, session: Session, digest: SessionDigest, fixed: Sequence[PagePath] = ()
) -> bool:
    """Save the page; tells whether its file is another one now."""
    links = parts.engine.read(_find_links, session, scope)
    related = related_pages.find_related(parts.wiki.index, scope, session, digest)
    page = session_page.build_session_page(session, digest, replace(links, related=related, fixed=tuple(fixed)))
    byline = Byline(author=session.owner, message=f"Session: {digest.title}", session_id=session.id)
    existing = parts.wiki.find_page(scope, page.path)
    if existing is None or not session_page.was_edited(existing.fields, existing.body):
        body = redact_text(page.body)
        fields = session_page.mark_generated(_keep_relations(page.fields, existing), body)
        saved = parts.wiki.save_generated(scope, page.path, fields, body, byline)
        return existing is None or saved.content_hash != existing.content_hash
    # A person's words stay as they are; what the session did since then goes below them.
    told = max(session.compiled_through, session_page.find_last_told(existing.fields))
    newer = _build_newer_digest(parts, session, after_id=told)
    if newer is not None:
        longer = redact_text(session_page.append_continuation(existing.body, session, newer))
        # How far the page tells is saved with its text, so that a repetition after a crash adds nothing twice.
        fields = {name: page.fields[name] for name in ("updated", "sources", "entities") if name in page.fields}
        try:
            parts.wiki.save_generated(scope, page.path, fields, longer, byline)
        except FieldsUnreadable:
            return False
    return newer is not None


def _keep_relations(fields: Mapping[str, object], existing: Page | None) -> Mapping[str, object]:
    """Keep the relations that a page has from elsewhere beside those that its session gives it."""
    present = existing.fields.get("relations") if existing else None
    given = fields.get("relations")
    if isinstance(present, Mapping) and isinstance(given, Mapping):
        return {**fields, "relations": {**present, **given}}
    return fields


def _save_links(parts: CompileParts, session: Session) -> None:
    """Bring a page whose session did nothing new up to what became of the pages that it leads to."""
    scope = parts.engine.read(projects.get_project, session.project_id).scope
    is_linked = bool(session.continues) or bool(parts.engine.read(_list_later, session))
    if not is_linked and not _leads_nowhere(parts.wiki, scope, session):
        return
    digest = digests.build_digest(session, read_observations(parts, session), list_taken(parts, session))
    if digest is not None:
        _save_session_page(parts, scope, session, digest)


def _leads_nowhere(wiki: Wiki, scope: Scope, session: Session) -> bool:
    """Tell whether a session's page has a link to a page that is gone."""
    path = PagePath(session.page_path)
    found = wiki.index.read(partial(catalog.list_links, scope=scope, path=path, scopes=None))
    return any(not link.to_path for link in found)


def _find_links(conn: ReadConnection, session: Session, scope: Scope) -> SessionLinks:
    """Find the pages of the session that this one goes on with, and of those that go on with it."""
    earlier = sessions.find_sessions_by_agent_ids(conn, {session.continues}) if session.continues else {}
    return SessionLinks(
        continues=tuple(_build_link(conn, found, scope) for found in earlier.values()),
        continued_by=tuple(_build_link(conn, found, scope) for found in _list_later(conn, session)),
    )


def _build_link(conn: ReadConnection, other: Session, scope: Scope) -> SessionLink:
    found = projects.get_project(conn, other.project_id).scope
    return SessionLink(other.id, other.page_path, "" if found == scope else str(found))


def _list_later(conn: ReadConnection, session: Session) -> list[Session]:
    return sessions.list_continuing(conn, session.agent_session_id, CONTINUATIONS_MAX)


def _call_linked(conn: WriteConnection, parts: CompileParts, session: Session) -> None:
    """Have the pages of the sessions before and after this one lead to its page, which is new."""
    linked = _list_later(conn, session)
    if session.continues:
        linked += sessions.find_sessions_by_agent_ids(conn, {session.continues}).values()
    for other in linked:
        if other.page_path and other.id != session.id:
            jobs.upsert_job(conn, COMPILE_SESSION, other.id, parts.clock.now())


def _build_newer_digest(parts: CompileParts, session: Session, *, after_id: int) -> SessionDigest | None:
    """Digest only what was observed after some observation."""
    newer = _read_observations(parts.archive.verbatim, session, _LastSeen(), after_id=after_id)
    return digests.build_digest(session, newer)


def _compose(parts: CompileParts, session: Session, digest: SessionDigest, looks: Looks) -> Handoff | None:
    """Compose the automatic handoff; None when nothing was said or done since the last one."""
    if digest.sightings[-1].id <= session.compiled_through:
        return None
    now = parts.clock.now()
    told = digest
    if session.compiled_through and parts.engine.read(handover.is_taken_by_other, session, now):
        # What came before is in another session's hands already.
        told = _build_newer_digest(parts, session, after_id=session.compiled_through) or digest
    taken = [held.content for held in parts.engine.read(handover.list_taken, session.id)]
    new = NewHandoff(parts.ids.new_id(), now, tuple(taken), looks.list_files(session))
    return handover.build_handoff(session, told, new)


def _note_path(conn: WriteConnection, session: Session) -> None:
    sessions.update_session_compiled(
        conn, session.id, compiled_through=session.compiled_through, page_path=session.page_path
    )


def _close_empty(conn: WriteConnection, parts: CompileParts, session: Session, through: int) -> None:
    """Give back what a session took that did nothing, and note that there is nothing to compile."""
    handoff_moves.give_back_provisional(conn, [session.id], parts.clock.now())
    sessions.update_session_compiled(conn, session.id, compiled_through=through, page_path=session.page_path)


def _close_session(conn: WriteConnection, parts: CompileParts, ending: _Ending) -> str:
    """Close what the session held, offer what it leaves, and mark how far it is compiled: one transaction."""
    session = ending.session
    offered = handover.close_session(conn, session, ending.digest, ending.handoff, parts.clock.now())
    sessions.update_session_compiled(conn, session.id, compiled_through=ending.through, page_path=session.page_path)
    jobs.upsert_job(conn, LEARN_SESSION, session.id, parts.clock.now())
    return offered


def _write(parts: CompileParts, job: Callable[[WriteConnection], T]) -> T:
    return parts.writer.submit(job).result(timeout=STATE_WRITE_SECONDS_MAX)
