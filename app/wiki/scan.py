"""Walks the wiki's folders and tells pages from all else, by their entries alone; reads no file."""

import os
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from app.domain.errors import InvalidInput, InvalidName, UnsafePath
from app.domain.page import PagePath
from app.domain.pagepath import PAGE_SUFFIX, parse_page_path
from app.domain.scope import Scope, parse_name


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What one look at a file's entry tells without reading it."""

    scope: Scope
    path: PagePath
    mtime_ns: int
    size: int


@dataclass(frozen=True, slots=True, order=True)
class Skip:
    """An entry that is no page and why; `place` is relative to the wiki's root."""

    place: str
    reason: str


def list_scopes(root: str, seen: set[Skip]) -> Iterator[Scope]:
    """Walk the projects that have a folder; what is passed over is added to `seen`."""
    for workspace in _list_folders(root, "", seen):
        for project in _list_folders(root, f"{workspace}/", seen):
            yield Scope(workspace, project)


def list_pages(root: str, scope: Scope, seen: set[Skip]) -> Iterator[FileStamp]:
    """Walk one project's pages, in an order that does not depend on the file system."""
    return _walk(root, scope, "", seen)


def parse_place(place: str) -> tuple[Scope, PagePath] | None:
    """Read a place relative to the root as a page; None for a folder, another kind of file, or a bad name."""
    workspace, _, rest = place.partition("/")
    project, _, path = rest.partition("/")
    if not path.endswith(PAGE_SUFFIX):
        return None
    try:
        return Scope(parse_name(workspace), parse_name(project)), parse_page_path(path)
    except InvalidInput:
        return None


def _walk(root: str, scope: Scope, folder: str, seen: set[Skip]) -> Iterator[FileStamp]:
    place = f"{scope.workspace}/{scope.project}/{folder}"
    given: set[PagePath] = set()
    for entry in _list_entries(root, place, seen):
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(root, scope, f"{folder}{entry.name}/", seen)
        elif entry.name.endswith(PAGE_SUFFIX):
            stamp = _stamp(scope, folder, entry, seen)
            if stamp is None:
                continue
            if stamp.path in given:
                seen.add(_skip(place + entry.name, "another file has this name in the other normal form"))
                continue
            given.add(stamp.path)
            yield stamp


def _stamp(scope: Scope, folder: str, entry: os.DirEntry[str], seen: set[Skip]) -> FileStamp | None:
    place = f"{scope.workspace}/{scope.project}/{folder}{entry.name}"
    try:
        path = parse_page_path(folder + entry.name)
        found = entry.stat(follow_symlinks=False)
    except UnsafePath as error:
        seen.add(_skip(place, error.reason))
        return None
    except OSError:
        # It went away between the listing and the look.
        return None
    if not stat.S_ISREG(found.st_mode):
        seen.add(_skip(place, "it is no regular file"))
        return None
    return FileStamp(scope, path, found.st_mtime_ns, found.st_size)


def _list_folders(root: str, place: str, seen: set[Skip]) -> Iterator[str]:
    for entry in _list_entries(root, place, seen):
        if not entry.is_dir(follow_symlinks=False):
            continue
        try:
            yield parse_name(entry.name)
        except InvalidName:
            seen.add(_skip(place + entry.name, "the folder's name is no name of a workspace or project"))


def _list_entries(root: str, place: str, seen: set[Skip]) -> list[os.DirEntry[str]]:
    """List what is visible in a folder; of two normal forms of one name the composed one comes first."""
    try:
        with os.scandir(f"{root}/{place}") as entries:
            visible = [entry for entry in entries if not entry.name.startswith(".")]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        seen.add(_skip(place.rstrip("/"), f"it cannot be read: {error.strerror}"))
        return []
    kept = [entry for entry in visible if not entry.is_symlink()]
    for entry in visible:
        if entry.is_symlink():
            seen.add(_skip(place + entry.name, "symlinks are not followed"))
    return sorted(kept, key=_order)


def _order(entry: os.DirEntry[str]) -> tuple[str, bool, str]:
    composed = unicodedata.normalize("NFC", entry.name)
    return composed, composed != entry.name, entry.name


def _skip(place: str, reason: str) -> Skip:
    return Skip(place.encode("utf-8", "replace").decode("utf-8"), reason)
