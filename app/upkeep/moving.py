"""Gives a project another name, or makes it part of another: written down first, so that a start finishes what began.

Nobody compiles and nobody saves there meanwhile. Every step may be repeated: files, rows, index, links, entry page.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from app.compile import index_page, learning, log_page
from app.domain.errors import AppError, NotFound, PageChanged, PageExists, ProjectNotFound
from app.domain.limits import STATE_WRITE_SECONDS_MAX
from app.domain.limits_projects import LESSON_KEYS_MAX, MOVE_COMMIT_SECONDS_MAX
from app.domain.moving import Move, MoveKind, Rewrite
from app.domain.moving_errors import MoveConflicts, PlanOutdated
from app.domain.page import PagePath
from app.domain.pagepath import PROJECT_PATH
from app.domain.redact import redact_text
from app.domain.relink import Relinking
from app.domain.scope import Project, Scope
from app.index import aliases, build, scopes
from app.index.database import Connection
from app.state import audit, lessons, merging, moves, projects
from app.state.audit import AuditEntry
from app.state.engine import ReadConnection, WriteConnection
from app.upkeep import moving_look, relinked
from app.upkeep.moving_look import MoveParts
from app.upkeep.moving_plan import MovePlan
from app.wiki import folders, manifest, markdown, reconcile
from app.wiki.commit_plan import CommitRequest
from app.wiki.pages import Byline, PageDraft

T = TypeVar("T")

_LOG = logging.getLogger(__name__)
_TRAILER: Final = "Move"


class _TakenBackError(Exception):
    """Ends a trial, so that the writer undoes it."""


def apply_move(parts: MoveParts, build_plan: Callable[[], MovePlan], seen: str = "") -> MovePlan:
    """Do what is planned, if nothing stands in its way; `seen` is the digest of the plan that a person agreed to.

    Raises:
        MoveConflicts: something stands in the way, and nothing was moved.
        PlanOutdated: the plan is another one by now, and nothing was moved.
        ProjectBusy: somebody has been saving there for too long.
        DiskRefused: a file cannot be moved; the next start of the server goes on.
    """
    return parts.worker.run_between_jobs(partial(_apply, parts, build_plan, seen))


def finish_moves(parts: MoveParts) -> int:
    """Finish what a killed server had begun, and tell how much that was; what cannot be finished stays written down."""
    begun = parts.compiling.engine.read(moves.list_moves)
    for move in begun:
        try:
            _finish(parts, move)
        except AppError as error:
            _LOG.exception("the move of %s to %s is not over: %s", move.source, move.target, error.code)
    return len(begun)


def _apply(parts: MoveParts, build_plan: Callable[[], MovePlan], seen: str) -> MovePlan:
    for move in parts.compiling.engine.read(moves.list_moves):
        # One that was cut short, as by a full disk, comes first: what is planned then is what is left.
        with parts.wiki.locks.close(move.source, move.target):
            _finish(parts, move)
    first = build_plan()
    with parts.wiki.locks.close(first.move.source, first.move.target):
        # Nobody can change any of it through memwiki from here on.
        plan = build_plan()
        if plan.conflicts:
            raise MoveConflicts(plan.conflicts)
        if seen and plan.digest != seen:
            raise PlanOutdated
        # What was saved before is history of its own.
        parts.wiki.committer.flush(MOVE_COMMIT_SECONDS_MAX)
        _try_rows(parts, plan.move)
        _write(parts, lambda conn: moves.insert_move(conn, plan.move))
        _finish(parts, plan.move)
    return replace(plan, is_done=True)


def _try_rows(parts: MoveParts, move: Move) -> None:
    """Change the rows and take it back, so that whatever they refuse is refused before a file is touched."""
    page_ids = _map_page_ids(parts, move)

    def attempt(conn: WriteConnection) -> None:
        _store(conn, move=move, page_ids=page_ids)
        raise _TakenBackError

    with suppress(_TakenBackError):
        _write(parts, attempt)


def _finish(parts: MoveParts, move: Move) -> None:
    pairs = _list_pairs(parts, move)
    _move_files(parts, move)
    if pairs:
        parts.wiki.committer.queue(_build_request(move, pairs))
    _write(parts, partial(_store, move=move, page_ids=_map_page_ids(parts, move)))
    parts.people.changed()
    parts.wiki.locks.note_move(move.source, move.target)
    _index(parts, move)
    # The pages as they were are one commit, by which their history goes on; then their links are written anew.
    parts.wiki.committer.flush(MOVE_COMMIT_SECONDS_MAX)
    _rewrite(parts, move)
    _renew_own_pages(parts, move)
    parts.wiki.committer.flush(MOVE_COMMIT_SECONDS_MAX)
    _write(parts, partial(moves.delete_move, move_id=move.id))


def _list_pairs(parts: MoveParts, move: Move) -> list[tuple[str, str]]:
    """List the places that git has to hear of, from where to where; empty where it goes nowhere."""
    repository = parts.wiki.committer.repository
    tracked: list[str] = []
    if repository.read_head(()).revision:
        listed = repository.run("ls-tree", "-r", "-z", "--name-only", "HEAD", "--", f"{move.source}/")
        tracked = [place.decode("utf-8", "surrogateescape") for place in listed.split(b"\0") if place]
    known = [place.removeprefix(f"{move.source}/") for place in tracked]
    paths = sorted({*known, *map(str, move.pages), *(path for path in move.paths if path.endswith(".md"))})
    targets = ((path, move.find_path(path)) for path in paths)
    return [(f"{move.source}/{path}", f"{move.target}/{to}" if to else "") for path, to in targets]


def _move_files(parts: MoveParts, move: Move) -> None:
    tree = parts.wiki.tree
    if move.kind is MoveKind.RENAME:
        folders.rename_folder(tree, move.source, move.target)
        return
    for path in folders.list_entries(tree, move.source):
        folders.move_file(tree, move.source, path, move.target, move.find_path(path))
    folders.remove_empty(tree, move.source)


def _build_request(move: Move, pairs: list[tuple[str, str]]) -> CommitRequest:
    # Side by side, so that a page's old and new place are in one commit however many there are.
    places = tuple(place for pair in pairs for place in pair if place)
    words = "Rename project" if move.kind is MoveKind.RENAME else "Merge project"
    joined = "to" if move.kind is MoveKind.RENAME else "into"
    message = f"{words} {move.source} {joined} {move.target}"
    return CommitRequest(
        places, message, move.actor, move.begun_at, trailers={_TRAILER: f"{move.source}:{move.target}"}
    )


def _map_page_ids(parts: MoveParts, move: Move) -> dict[str, str]:
    """Tell how the pages of lessons are called in the other project, since their names are made of its id."""
    if move.kind is MoveKind.RENAME:
        return {}
    keys = parts.compiling.engine.read(lessons.list_keys, move.project_id, LESSON_KEYS_MAX)
    old, new = (learning.list_page_ids(project_id, keys) for project_id in (move.project_id, move.into_id))
    return {before: after for before, after in zip(old, new, strict=True) if before}


def _store(conn: WriteConnection, *, move: Move, page_ids: dict[str, str]) -> None:
    """Change the rows and leave one in the trail, all at once; nothing where that has been done."""
    project = _find_project(conn, move.project_id)
    if project is None or project.scope == move.target:
        return
    if move.kind is MoveKind.RENAME:
        moves.update_scope(conn, project, move.target)
    else:
        into = projects.get_project(conn, move.into_id)
        merging.merge_project(conn, project, into, move.paths, page_ids)
        for name in (project.scope, *projects.list_former_scopes(project)):
            moves.insert_moved_pages(conn, name, into.id, move.paths)
    done = AuditEntry(move.begun_at, move.actor, f"project.{move.kind.value}", move.project_id, context=move.context)
    audit.insert_audit(conn, done)


def _index(parts: MoveParts, move: Move) -> None:
    index = parts.wiki.index
    if move.kind is MoveKind.RENAME:
        index.write(partial(_rename_in_index, move=move))
        reconcile.reconcile(parts.wiki, move.target)
        return
    index.write(partial(build.absorb_scope, gone=move.source, into=move.target))
    moved = [PagePath(path) for path in map(move.find_path, move.pages) if path]
    reconcile.reconcile_pages(parts.wiki, [(move.target, path) for path in moved])


def _rename_in_index(connection: Connection, *, move: Move) -> None:
    if scopes.find_scope_id(connection, move.source) is None:
        return
    # The watcher may have met the new folder first.
    build.remove_scope(connection, move.target)
    aliases.rename_scope(connection, move.source, move.target)


def _rewrite(parts: MoveParts, move: Move) -> None:
    if not move.rewrites:
        return
    ours = {path for path in map(move.find_path, move.pages) if path}
    theirs = [stamp.path for stamp in parts.wiki.tree.list_files(move.target) if stamp.path not in ours]
    how = moving_look.build_relinking(parts, move, theirs if move.kind is MoveKind.MERGE else ())
    for rewrite in move.rewrites:
        _rewrite_page(parts, how, move, rewrite)


def _rewrite_page(parts: MoveParts, how: Relinking, move: Move, rewrite: Rewrite) -> None:
    scope, path = rewrite.now.scope, rewrite.now.path
    raw = parts.wiki.tree.read_page(scope, path)
    if raw is None or markdown.hash_content(raw) != rewrite.content_hash:
        # It has been written anew already, or somebody changed it since and knows what it says.
        return
    new = relinked.relink_page(how, raw, rewrite.was, rewrite.now)
    byline = Byline(move.actor, f"Renew the links of {path} after {move.source} became {move.target}")
    try:
        parts.wiki.save_file(scope, path, new, rewrite.content_hash, byline)
    except (PageChanged, PageExists, NotFound):
        return


def _renew_own_pages(parts: MoveParts, move: Move) -> None:
    project = parts.compiling.engine.read(projects.get_project, move.into_id or move.project_id)
    if move.kind is MoveKind.RENAME:
        _renew_heading(parts, project, move.source)
    index_page.save_pages(parts.compiling.engine, parts.wiki, project)
    for month in filter(None, map(log_page.read_month, move.paths)):
        index_page.save_log(parts.wiki, project, month)


def _renew_heading(parts: MoveParts, project: Project, source: Scope) -> None:
    """Let a manifest in which nobody wrote bear the new name."""
    page = parts.wiki.find_page(project.scope, PROJECT_PATH)
    former = manifest.build_project_body(replace(project, scope=source)).strip()
    if page is None or page.findings or page.body.strip() != former:
        return
    draft = PageDraft({}, redact_text(manifest.build_project_body(project)), page.content_hash)
    parts.wiki.save_page(project.scope, PROJECT_PATH, draft, Byline("memwiki", f"Update project {project.scope}"))


def _find_project(conn: ReadConnection, project_id: str) -> Project | None:
    try:
        return projects.get_project(conn, project_id)
    except ProjectNotFound:
        return None


def _write(parts: MoveParts, job: Callable[[WriteConnection], T]) -> T:
    return parts.compiling.writer.submit(job).result(STATE_WRITE_SECONDS_MAX)
