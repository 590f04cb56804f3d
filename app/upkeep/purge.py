"""Deletes a session, a project or a page for good, and says exactly what is gone and what remains where."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from app.capture import repeats
from app.compile import forget
from app.compile.parts import CompileParts
from app.compile.worker import Worker
from app.domain.errors import InvalidValue, ProjectNotFound
from app.domain.limits import GIT_COMMAND_SECONDS_MAX, STATE_WRITE_SECONDS_MAX
from app.domain.page import PageKind, PagePath
from app.domain.scope import Project, Scope
from app.index import tidying
from app.state import audit, erasure, feedback, holdings, projects, proposals, tombstones
from app.state import engine as engines
from app.state.audit import AuditEntry
from app.state.engine import WriteConnection
from app.state.holdings import Holdings
from app.state.tombstones import TombKind
from app.wiki import rewriting
from app.wiki.commit_plan import CommitRequest
from app.wiki.pages import Byline
from app.wiki.rewriting import Removal, Rewritten

T = TypeVar("T")

_IN_GIT = (
    "its earlier revisions, and what commits said of it, in the wiki's git history (--rewrite-history removes them)"
)
NAME_IN_GIT = "the name among the authors of commits and in earlier texts (--rewrite-history puts the pseudonym there)"
_ELSEWHERE = (
    "clones of the wiki on other machines, and backups kept elsewhere",
    "events that wait in a client's spool: they are refused when they come, and the client drops them",
)
_TRAIL = "the audit trail's rows, which name ids and who asked, and whose chain is never shortened"


@dataclass(frozen=True, slots=True)
class PurgeParts:
    """What purging works with."""

    compiling: CompileParts
    worker: Worker
    data_dir: Path


@dataclass(frozen=True, slots=True)
class Purge:
    """What goes or went, as counts by their names and files by their places, and what remains elsewhere."""

    kind: str
    name: str
    gone: dict[str, int]
    places: tuple[str, ...]
    remains: tuple[str, ...]
    removal: Removal
    is_done: bool = False
    rewritten: Rewritten | None = None


def plan_session(parts: PurgeParts, session_id: str) -> Purge:
    """Look what purging a session would delete.

    Raises:
        SessionNotFound: there is no such session.
    """
    found = forget.plan_forgetting(parts.compiling, session_id)
    gone = {"observations": found.observations, "sealed files": found.segments}
    gone |= {"handoffs": found.handoffs, "messages": found.messages}
    places = tuple(f"{found.project}/{page}" for page in found.pages)
    # A page is linked by its path without the ending.
    marks = [found.session_id, *(str(page).removesuffix(".md") for page in found.pages)]
    removal = Removal(list(places), marks)
    return Purge("session", found.session_id, gone, places, list_remains(parts), removal)


def purge_session(parts: PurgeParts, session_id: str, actor: str) -> Purge:
    """Delete a session, its page and what it handed on; raises as planning does, and DiskRefused."""
    plan = plan_session(parts, session_id)
    parts.worker.forget_session(plan.name, actor)
    parts.worker.run_due_jobs()
    return finish(parts, plan)


def plan_project(parts: PurgeParts, scope: Scope) -> Purge:
    """Look what purging a project would delete.

    Raises:
        ProjectNotFound: there is no such project.
    """
    project = _get_project(parts, scope)
    return _plan_project(parts, project, parts.compiling.engine.read(holdings.find_holdings, project.id))


def purge_project(parts: PurgeParts, scope: Scope, actor: str) -> Purge:
    """Delete a project with all that was captured in it; late events are refused from then on.

    Files go first and the project's row last, so that after a crash the same call finds the rest.

    Raises:
        ProjectNotFound: there is no such project.
        DiskRefused: a file cannot be removed; a later call goes on.
    """
    return parts.worker.run_between_jobs(partial(_purge_project, parts, scope, actor))


def plan_page(parts: PurgeParts, scope: Scope, path: PagePath) -> Purge:
    """Look what purging a page would delete.

    Raises:
        PageNotFound: there is no such page.
        InvalidValue: it is a session's page, which would be written again.
    """
    page = parts.compiling.wiki.read_page(scope, path)
    if page.kind is PageKind.SESSION:
        raise InvalidValue(
            "page", f"{path} is written from session {page.fields.get('session_id', '')}; purge that session"
        )
    place = parts.compiling.wiki.tree.find_place(scope, page.path)
    marks = [page.id] if page.id else []
    written_again = ("the sessions that it was learnt from: a later one may have it written again",)
    remains = (*list_remains(parts), *(written_again if page.fields.get("generated") else ()))
    return Purge("page", f"{scope}/{page.path}", {"pages": 1}, (place,), remains, Removal([place], marks))


def purge_page(parts: PurgeParts, scope: Scope, path: PagePath, actor: str) -> Purge:
    """Delete a page; raises as planning does, and PageChanged and DiskRefused."""
    plan = plan_page(parts, scope, path)
    page = parts.compiling.wiki.read_page(scope, path)
    parts.compiling.wiki.delete_page(scope, page.path, page.content_hash, Byline(actor, f"Purge {page.path}"))
    context = audit.build_context(scope=str(scope), before=page.content_hash)
    entry = AuditEntry(parts.compiling.clock.now(), actor, "page.purge", page.path, context=context)

    erase_about_page(parts, scope, page.path)
    _write(parts, lambda conn: audit.insert_audit(conn, entry))
    return finish(parts, plan)


def erase_about_page(parts: PurgeParts, scope: Scope, path: PagePath) -> None:
    """Delete what was said of a page and what would change it, whether the page is there or not."""

    def erase(conn: WriteConnection) -> None:
        project = projects.find_project(conn, scope)
        if project is not None:
            with engines.overwriting(conn):
                feedback.delete_on_page(conn, project.id, path)
                proposals.delete_on_page(conn, project.id, path)

    _write(parts, erase)


@contextmanager
def announced(parts: PurgeParts, removal: Removal) -> Iterator[None]:
    """Write down what is to leave git's history before anything is deleted; a killed purge knows nothing of it later.

    Raises:
        DiskRefused: it cannot be written down, and nothing is deleted.
    """
    repository = parts.compiling.wiki.committer.repository
    rewriting.install_order(repository, removal)
    try:
        yield
    except BaseException:
        # What was not deleted keeps its history.
        rewriting.remove_order(repository)
        raise


def rewrite_history(parts: PurgeParts, purged: Purge) -> Purge:
    """Take what was purged out of git's history too; whoever cloned the wiki has to clone it anew.

    Raises:
        WikiUnreadable: git failed; the next start of the server finishes.
    """
    committer = parts.compiling.wiki.committer
    committer.flush(GIT_COMMAND_SECONDS_MAX)
    with committer.alone():
        rewritten = rewriting.remove_from_history(committer.repository, purged.removal)
    remains = tuple(line for line in purged.remains if line not in {_IN_GIT, NAME_IN_GIT})
    if rewritten.remotes:
        told = f"the remotes {', '.join(rewritten.remotes)}: push --force to each, and clone anew elsewhere"
        remains = (told, *remains)
    return replace(purged, remains=remains, rewritten=rewritten)


def _purge_project(parts: PurgeParts, scope: Scope, actor: str) -> Purge:
    compiling = parts.compiling
    project = _get_project(parts, scope)
    held = compiling.engine.read(holdings.find_holdings, project.id)
    plan = _plan_project(parts, project, held)
    places = _list_committed(parts, project.scope)
    compiling.wiki.erase_scope(project.scope)
    now = compiling.clock.now()
    if places:
        compiling.wiki.committer.queue(CommitRequest(places, f"Purge project {project.id}", actor, now))
    left = (path for session_id in held.session_ids for path in compiling.raw.list_files(session_id))
    for path in {*held.raw_paths, *left}:
        compiling.raw.remove_file(path)

    def erase(conn: WriteConnection) -> list[str]:
        for identity in project.identities:
            tombstones.insert_tombstone(conn, TombKind.PROJECT, identity, now)
        for name in holdings.find_holdings(conn, project.id).agent_session_ids:
            tombstones.insert_tombstone(conn, TombKind.SESSION, name, now)
        with engines.overwriting(conn):
            orphans = erasure.erase_project(conn, project.id, repeats.list_key_prefixes)
        context = audit.build_context(scope=str(project.scope))
        audit.insert_audit(conn, AuditEntry(now, actor, "project.purge", project.id, context=context))
        return orphans

    for path in _write(parts, erase):
        compiling.raw.remove_file(path)
    compiling.wiki.locks.forget_moves(project.scope, *projects.list_former_scopes(project))
    return finish(parts, plan)


def _plan_project(parts: PurgeParts, project: Project, held: Holdings) -> Purge:
    files = tuple(f"{project.scope}/{stamp.path}" for stamp in parts.compiling.wiki.tree.list_files(project.scope))
    gone = {
        "pages": len(files),
        "sessions": len(held.session_ids),
        "observations": held.observations,
        "sealed files": len(held.raw_paths),
        "handoffs": held.handoffs,
        "messages": held.messages,
    }
    # Earlier names are folders of earlier revisions.
    folders = [f"{project.scope}/", *(f"{former}/" for former in projects.list_former_scopes(project))]
    remains = ("links and words about it in the pages of other projects", *list_remains(parts))
    return Purge("project", str(project.scope), gone, files, remains, Removal(folders, []))


def _get_project(parts: PurgeParts, scope: Scope) -> Project:
    project = parts.compiling.engine.read(projects.find_project, scope)
    if project is None:
        raise ProjectNotFound(str(scope))
    return project


def _list_committed(parts: PurgeParts, scope: Scope) -> tuple[str, ...]:
    """List what git has of a project, which is also what has gone from the disk already."""
    repository = parts.compiling.wiki.committer.repository
    if not repository.read_head(()).revision:
        return ()
    listed = repository.run("ls-tree", "-r", "-z", "--name-only", "HEAD", "--", f"{scope}/")
    return tuple(place.decode("utf-8", "surrogateescape") for place in listed.split(b"\0") if place)


def finish(parts: PurgeParts, plan: Purge) -> Purge:
    """Overwrite what deleted rows left in the files of state and of the index, and delete the vectors of what went."""
    parts.compiling.engine.truncate_log()
    parts.compiling.wiki.index.compact()
    tidying.tidy_kept(parts.compiling.wiki.index)
    return replace(plan, is_done=True)


def _write(parts: PurgeParts, job: Callable[[WriteConnection], T]) -> T:
    return parts.compiling.writer.submit(job).result(STATE_WRITE_SECONDS_MAX)


def list_remains(parts: PurgeParts, trail: str = _TRAIL) -> tuple[str, ...]:
    """List where copies may be, those in this data directory by their names, and what the `trail` keeps."""
    copies = [*(parts.data_dir / "state").glob("state.db.before-*"), *(parts.data_dir / "backups").glob("*.tar.zst*")]
    named = tuple(
        f"the copy {path.relative_to(parts.data_dir).as_posix()}: delete it yourself" for path in sorted(copies)
    )
    return (_IN_GIT, *named, *_ELSEWHERE, trail)
