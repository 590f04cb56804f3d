"""Which project an event belongs to: identities of a checkout, strongest first, and the name a new project gets."""

import re
from collections.abc import Collection, Sequence
from enum import StrEnum

from app.capture import folder, remote
from app.domain import limits, pagepath, scope
from app.domain.checkout import Checkout
from app.domain.errors import InvalidName
from app.domain.scope import DEFAULT_WORKSPACE, Project, Scope

_FALLBACK_NAME = "unsorted"


class Rule(StrEnum):
    """By what a project is known, strongest first; each is the first word of its identities."""

    MARKER = "marker"
    REMOTE = "remote"
    GIT = "git"
    FOLDER = "folder"


def list_identities(checkout: Checkout, workspace: str = DEFAULT_WORKSPACE) -> tuple[str, ...]:
    """List the keys under which the checkout's project is to be known, strongest first.

    A marker file stands alone: a folder that says where it belongs is never found by its repository.
    """
    marked = read_marker(checkout, workspace)
    if marked:
        return (f"{Rule.MARKER}:{str(marked).casefold()}",)
    keys = [f"{Rule.REMOTE}:{normalised}" for normalised in _list_remotes(checkout)]
    if checkout.common_dir:
        keys.append(f"{Rule.GIT}:{folder.spell_repository(checkout.common_dir, checkout.machine)}")
    elif checkout.root or checkout.cwd:
        keys.append(_render_folder(checkout.root or checkout.cwd, checkout))
    return tuple(keys)


def list_former_identities(checkout: Checkout) -> tuple[str, ...]:
    """List the keys under which the project may have been known before its folder became a repository."""
    is_repository = bool(checkout.common_dir and checkout.root) and not read_marker(checkout)
    return (_render_folder(checkout.root, checkout),) if is_repository else ()


def find_rule(identity: str) -> Rule:
    """Find by which rule an identity leads to its project."""
    return Rule(identity.partition(":")[0])


def is_contradicted(project: Project, identity: str, stronger: Sequence[str]) -> bool:
    """Tell whether a project that a weaker identity leads to is another one than the stronger identities name.

    Where a project and a checkout both have remotes and share none, they are two repositories, although the second
    may lie where the first one did.
    """
    rules = {find_rule(key) for key in stronger} - {find_rule(identity)}
    return any(find_rule(key) in rules for key in project.identities)


def read_marker(checkout: Checkout, workspace: str = DEFAULT_WORKSPACE) -> Scope | None:
    """Read the project that a marker file names, in `workspace` unless it names one; None if it breaks the grammar."""
    if not checkout.marker_project:
        return None
    try:
        return Scope(
            scope.parse_name(checkout.marker_workspace or workspace),
            scope.parse_name(checkout.marker_project),
        )
    except InvalidName:
        return None


def list_aliases(checkout: Checkout, workspace: str = DEFAULT_WORKSPACE) -> tuple[Scope, ...]:
    """List the former names that a marker file gives its project; `workspace/name` names one elsewhere."""
    marked = read_marker(checkout, workspace)
    found: list[Scope] = []
    if marked is None:
        return ()
    for alias in checkout.marker_aliases:
        place, separator, name = alias.rpartition("/")
        try:
            found.append(Scope(scope.parse_name(place if separator else marked.workspace), scope.parse_name(name)))
        except InvalidName:
            # One bad name costs only itself.
            continue
    return tuple(found)


def choose_workspace(checkout: Checkout, workspace: str) -> str:
    """Choose the workspace of a new project: the marker file's, else the server's."""
    try:
        return scope.parse_name(checkout.marker_workspace or workspace)
    except InvalidName:
        return workspace


def name_project(checkout: Checkout, workspace: str, taken: Collection[str]) -> Scope:
    """Choose the scope of a new project: its marker's name, its repository's, or its folder's.

    `taken` are the names in the workspace that belong to other projects; two repositories of one base name stay
    two projects, told apart by the owner in the remote, then by a number.
    """
    marked = read_marker(checkout, workspace)
    if marked:
        return marked
    folded = {name.casefold() for name in taken}
    names = _list_names(checkout)
    for name in names:
        if name.casefold() not in folded:
            return Scope(workspace, name)
    number = next(count for count in range(2, len(folded) + 3) if f"{names[0]}-{count}".casefold() not in folded)
    return Scope(workspace, f"{names[0]}-{number}")


def _list_remotes(checkout: Checkout) -> list[str]:
    found = (remote.normalise_remote(url, checkout.machine) for url in (checkout.remote, checkout.origin))
    return list(dict.fromkeys(filter(None, found)))


def _render_folder(path: str, checkout: Checkout) -> str:
    return f"{Rule.FOLDER}:{folder.spell_folder(path, checkout.machine)}"


def _list_names(checkout: Checkout) -> list[str]:
    remotes = _list_remotes(checkout)
    parts = remote.find_path(remotes[0]) if remotes else []
    if len(parts) > 1:
        names = [parts[-1], "-".join(parts[-2:]), "-".join(parts)]
    else:
        # A worktree lies where its branch is worked on, and is named after that.
        place = folder.find_owner(checkout.common_dir) or checkout.root or checkout.common_dir or checkout.cwd
        names = [folder.find_name(place)]
    return [_to_name(name) for name in names]


def _to_name(text: str) -> str:
    slug = re.sub(r"[^\w.\-]", "-", pagepath.portable_name(text)).lstrip("-._").rstrip(".")
    try:
        return scope.parse_name(slug[: limits.NAME_CHARS_MAX].rstrip("."))
    except InvalidName:
        return _FALLBACK_NAME
