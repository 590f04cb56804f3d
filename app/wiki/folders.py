"""Moves whole projects in the tree: a folder gets another name, or its files go into another one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from app.domain.errors import DiskRefused, UnsafePath
from app.domain.scope import Scope
from app.wiki.tree import Tree


def list_entries(tree: Tree, scope: Scope) -> list[str]:
    """List all files of a project by their paths in it, also those that are no pages and hidden ones.

    What has a name that is no text stays where it is.
    """
    folder = tree.root / scope.workspace / scope.project
    found = []
    for here, folders, files in os.walk(folder):
        # A link to a folder is an entry of its own, which nobody looks behind.
        links = [name for name in folders if (Path(here) / name).is_symlink()]
        folders[:] = [name for name in folders if name not in links]
        found += [(Path(here) / name).relative_to(folder).as_posix() for name in (*files, *links)]
    return sorted(path for path in found if _is_text(path))


def has_folder(tree: Tree, scope: Scope, but: Scope) -> bool:
    """Tell whether there is anything at a project's place, in whatever case its name is written, but another's own."""
    workspace = tree.root / scope.workspace
    own = tree.root / but.workspace / but.project
    return workspace.is_dir() and any(
        entry.name.casefold() == scope.project.casefold() and entry != own and not _is_empty(entry)
        for entry in workspace.iterdir()
    )


def rename_folder(tree: Tree, scope: Scope, to: Scope) -> None:
    """Give a project's folder another name; where only the new one is there it has been done.

    Raises:
        DiskRefused: the disk is read-only or somebody else's, or something is at the new place.
        UnsafePath: the folder, or its workspace's, is a symlink.
    """
    source, target = (tree.root / each.workspace / each.project for each in (scope, to))
    with _writable(str(to)):
        if not source.is_dir():
            return
        _check_direct(source, source.parent, target.parent)
        target.parent.mkdir(exist_ok=True)
        source.rename(target)
        _sync(target.parent, source.parent)
        with suppress(OSError):
            source.parent.rmdir()


def move_file(tree: Tree, scope: Scope, path: str, to: Scope, to_path: str) -> None:
    """Give a file a place in another project, or remove it where that is empty; done already if it is not there.

    Raises:
        DiskRefused: the disk is read-only or somebody else's.
        UnsafePath: a folder on the way is a symlink.
    """
    source = tree.root / scope.workspace / scope.project / path
    with _writable(f"{to}/{to_path or path}"):
        if not os.path.lexists(source):
            return
        if not to_path:
            source.unlink()
            _sync(source.parent)
            return
        target = tree.root / to.workspace / to.project / to_path
        target.parent.mkdir(parents=True, exist_ok=True)
        _check_direct(*_list_above(tree, target), *_list_above(tree, source))
        source.rename(target)
        _sync(target.parent, source.parent)


def remove_empty(tree: Tree, scope: Scope) -> None:
    """Remove a project's folder with the folders in it, as far as they are empty."""
    folder = tree.root / scope.workspace / scope.project
    for here, _, _ in os.walk(folder, topdown=False):
        with suppress(OSError):
            Path(here).rmdir()
    with suppress(OSError):
        folder.parent.rmdir()


def _is_text(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _is_empty(entry: Path) -> bool:
    return entry.is_dir() and not entry.is_symlink() and not any(entry.iterdir())


def _list_above(tree: Tree, location: Path) -> list[Path]:
    return [above for above in location.parents if above != tree.root and above.is_relative_to(tree.root)]


def _check_direct(*folders: Path) -> None:
    for folder in folders:
        if folder.is_symlink():
            raise UnsafePath(folder.name, "it is a symlink, or leads through one")


def _sync(*folders: Path) -> None:
    """Bring renames to the disk."""
    for folder in dict.fromkeys(folders):
        with suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


@contextmanager
def _writable(place: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DiskRefused(place, error.strerror or type(error).__name__) from error
