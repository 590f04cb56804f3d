"""Looks at all that a move concerns and plans it; changes nothing."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from app.access.accounts import PeopleParts
from app.access.trail import Deed, build_entry
from app.capture import exclude
from app.capture.exclude import ServerRules
from app.compile import log_page
from app.compile.parts import CompileParts
from app.compile.worker import Worker
from app.domain import moving, relink
from app.domain.errors import BodyTooLarge, IndexRebuilding, ProjectNotFound, WikiUnreadable
from app.domain.moving import Move, MoveKind, Place, Rewrite
from app.domain.page import ContentHash, PagePath
from app.domain.pagepath import INDEX_PATH, PROJECT_PATH
from app.domain.person import Principal
from app.domain.relink import Relinking, Shelf
from app.domain.scope import Project, Scope
from app.index import build, catalog
from app.state import grants, moves, projects
from app.state.engine import ReadConnection
from app.upkeep import moving_plan, relinked
from app.upkeep.moving_plan import Claim, Facts, MovePlan
from app.wiki import folders, manifest, markdown
from app.wiki.pages import Wiki


@dataclass(frozen=True, slots=True)
class MoveParts:
    """What moving works with."""

    compiling: CompileParts
    worker: Worker
    people: PeopleParts
    rules: ServerRules

    @property
    def wiki(self) -> Wiki:
        """The wiki."""
        return self.compiling.wiki


def plan_rename(parts: MoveParts, scope: Scope, target: Scope, by: Principal) -> MovePlan:
    """Plan to give a project another name, in its workspace or in another.

    Raises:
        ProjectNotFound: there is no such project.
        IndexRebuilding: which pages link where is not known now.
    """
    project = _get_project(parts, scope)
    move = _begin(parts, MoveKind.RENAME, project, target, by)
    facts = parts.compiling.engine.read(partial(_read_facts, parts=parts, project=project, target=target))
    is_taken = folders.has_folder(parts.wiki.tree, target, project.scope)
    facts = replace(facts, has_folder=is_taken, edited=_list_edited(parts.wiki, project.scope))
    if project.scope.workspace != target.workspace:
        how = build_relinking(parts, move, ())
        move = replace(move, rewrites=tuple(_list_rewrites(parts.wiki, how, move, [project.scope])))
    return _conclude(parts, move, facts, moving_plan.decide_rename(facts))


def plan_merge(parts: MoveParts, gone: Scope, into: Scope, by: Principal) -> MovePlan:
    """Plan to put a project into another one, which keeps its name; raises as `plan_rename` does."""
    project, target = _get_project(parts, gone), _get_project(parts, into)
    tree = parts.wiki.tree
    facts = parts.compiling.engine.read(partial(_read_facts, parts=parts, project=project, target=target.scope))
    edited = [*_list_edited(parts.wiki, project.scope), *_list_edited(parts.wiki, target.scope)]
    facts = replace(facts, named=target, edited=edited)
    conflicts = moving_plan.decide_merge(facts)
    move = _begin(parts, MoveKind.MERGE, project, target.scope, by)
    if target.id != project.id:
        files, taken = (folders.list_entries(tree, scope) for scope in (project.scope, target.scope))
        left_out = _list_left_out(parts.wiki, project, files, taken)
        paths = moving.map_paths(files, taken, project.scope.project, left_out)
        move = replace(move, into_id=target.id, paths=paths)
        theirs = [stamp.path for stamp in tree.list_files(target.scope)]
        how = build_relinking(parts, move, theirs)
        scopes = [project.scope, target.scope]
        move = replace(move, rewrites=tuple(_list_rewrites(parts.wiki, how, move, scopes)))
    return _conclude(parts, move, facts, conflicts)


def build_relinking(parts: MoveParts, move: Move, theirs: Iterable[PagePath]) -> Relinking:
    """Build what tells where links led and lead; `theirs` are the pages that the target had before."""
    theirs = list(theirs)
    ours = [PagePath(path) for path in map(move.find_path, move.pages) if path]
    before: dict[Scope, Shelf] = {move.source: relink.build_shelf(move.pages)}
    if theirs:
        before[move.target] = relink.build_shelf(theirs)
    after = {move.target: relink.build_shelf([*theirs, *ours])}
    aliases = parts.compiling.engine.read(moves.map_aliases) | {move.source: move.target}
    aliases.pop(move.target, None)
    return Relinking(move.source, move.target, before, after, aliases, move.paths)


def _begin(parts: MoveParts, kind: MoveKind, project: Project, target: Scope, by: Principal) -> Move:
    progress = parts.wiki.index.progress
    if progress is not None:
        raise IndexRebuilding(progress.done, progress.total)
    now = parts.compiling.clock.now()
    deed = Deed(f"project.{kind.value}", project.id, scope=str(target), before=str(project.scope), after=str(target))
    context = build_entry(by, deed, now).context
    pages = tuple(stamp.path for stamp in parts.wiki.tree.list_files(project.scope))
    move_id = parts.compiling.ids.new_id()
    return Move(move_id, kind, project.id, project.scope, target, by.person, now, context, pages=pages)


def _read_facts(conn: ReadConnection, *, parts: MoveParts, project: Project, target: Scope) -> Facts:
    named = projects.find_project(conn, target)
    ids = [project.id] if named is None else [project.id, named.id]
    claims = [Claim(*row) for row in moves.list_running_claims(conn, ids, parts.compiling.clock.now())]
    ours, theirs = (
        {grant.holder: grant.access for grant in grants.list_grants(conn, each.id)} if each else {}
        for each in (project, named)
    )
    names = projects.list_names(conn, target.workspace)
    return Facts(project, target, named, names=names, claims=claims, grants=ours, grants_into=theirs)


def _conclude(parts: MoveParts, move: Move, facts: Facts, conflicts: tuple[moving.Conflict, ...]) -> MovePlan:
    rows = parts.compiling.engine.read(moves.count_rows, move.project_id)
    counts = {"pages": len(move.pages), **rows}
    known = parts.wiki.index.read(partial(build.list_stamps, scope=move.source))
    hashes = [(path, stamp.content_hash) for (_, path), stamp in known.items() if not _is_made_anew(path)]
    rewritten = tuple(str(each.now) for each in move.rewrites)
    notes = (*(moving_plan.list_gains(facts) if move.kind is MoveKind.MERGE else ()), *_list_setting_notes(parts, move))
    digest = moving_plan.build_digest(move, hashes, conflicts)
    return MovePlan(move, counts, rewritten, conflicts, notes, digest)


def _list_setting_notes(parts: MoveParts, move: Move) -> Iterator[str]:
    was, will_be = (exclude.is_excluded(parts.rules, scope) for scope in (move.source, move.target))
    if was and not will_be:
        yield f"the setting exclude_projects names {move.source}, and nothing of {move.target}: change it first"
    if will_be and not was:
        yield f"the setting exclude_projects names {move.target}: nothing will be captured there"


def _list_edited(wiki: Wiki, scope: Scope) -> list[str]:
    """List the pages that somebody changed outside memwiki and that it has not taken in yet."""
    known = wiki.index.read(partial(build.list_stamps, scope=scope))
    found, seen = [], set()
    for file in wiki.tree.list_files(scope):
        key = (scope, file.path)
        seen.add(key)
        stamp = known.get(key)
        if stamp is None:
            found.append(f"{scope}:{file.path}")
        elif (stamp.mtime_ns, stamp.size) != (file.mtime_ns, file.size) and stamp.content_hash:
            raw = _read(wiki, scope, file.path)
            if raw is not None and markdown.hash_content(raw) != stamp.content_hash:
                found.append(f"{scope}:{file.path}")
    return found + [f"{scope}:{path}" for _, path in known.keys() - seen]


def _list_rewrites(wiki: Wiki, how: Relinking, move: Move, scopes: list[Scope]) -> Iterator[Rewrite]:
    """List the pages that have a link, in these projects or to one of the pages that get another path."""
    for place in _list_candidates(wiki, move, scopes):
        raw = _read(wiki, place.scope, place.path)
        now = how.find_now(place)
        is_dropped = place.scope == move.source and not move.find_path(place.path)
        if raw is None or is_dropped or not (relinked.may_link(raw) or place.path == PROJECT_PATH):
            continue
        if relinked.relink_page(how, raw, place, now) != raw:
            yield Rewrite(place, now, ContentHash(markdown.hash_content(raw)))


def _list_candidates(wiki: Wiki, move: Move, scopes: list[Scope]) -> Iterator[Place]:
    for scope in scopes:
        for stamp in wiki.tree.list_files(scope):
            if not _is_made_anew(stamp.path):
                yield Place(scope, stamp.path)
    if move.paths:
        for scope, path in wiki.index.read(partial(catalog.list_linking_places, scope=move.source)):
            if scope not in scopes and not _is_made_anew(path):
                yield Place(scope, path)


def _is_made_anew(path: PagePath) -> bool:
    """Tell whether memwiki writes a page anew all the time, so that what it says now settles nothing."""
    return path == INDEX_PATH or log_page.read_month(path) is not None


def _read(wiki: Wiki, scope: Scope, path: PagePath) -> bytes | None:
    try:
        return wiki.tree.read_page(scope, path)
    except (WikiUnreadable, BodyTooLarge):
        # It goes along as it is; lint tells of it.
        return None


def _list_left_out(wiki: Wiki, project: Project, files: Collection[str], taken: Collection[str]) -> set[str]:
    """List what memwiki makes anew for the project that stays, and a manifest in which nobody wrote."""
    logs = {path for path in files if path in taken and log_page.read_month(path)}
    return {str(INDEX_PATH), *logs, *([str(PROJECT_PATH)] if _is_manifest_untouched(wiki, project) else ())}


def _is_manifest_untouched(wiki: Wiki, project: Project) -> bool:
    page = wiki.find_page(project.scope, PROJECT_PATH)
    return page is None or page.body.strip() == manifest.build_project_body(project).strip()


def _get_project(parts: MoveParts, scope: Scope) -> Project:
    project = parts.compiling.engine.read(projects.find_project, scope)
    if project is None:
        raise ProjectNotFound(str(scope))
    return project
