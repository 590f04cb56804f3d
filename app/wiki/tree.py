"""Reads, installs and removes files under the wiki's root, atomically; follows no symlink and parses no page."""

import itertools
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from app.domain.errors import (
    BodyTooLarge,
    DiskRefused,
    PageChanged,
    PageExists,
    UnsafePath,
    WikiUnreadable,
)
from app.domain.limits import PAGE_BYTES_MAX
from app.domain.page import ContentHash, PagePath
from app.domain.pagepath import fold_path, parse_page_path
from app.domain.scope import Scope
from app.wiki import markdown, scan
from app.wiki.scan import FileStamp, Skip

_TEMPORARY_PREFIX = ".memwiki-"
_TEMPORARY_SUFFIX = ".tmp"
# Absent on Windows, where the look at each part's kind stands alone.
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Tree:
    """The files of one wiki: two folder levels are the scope, below them every `.md` file is a page.

    Names are matched the way the least exact file system does it, so `Readme.md` and `README.md`, or the two
    normal forms of `é.md`, are one page wherever only one of them exists.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._counter = itertools.count(1)
        self._skips: set[Skip] = set()
        self._new_skips: set[Skip] = set()

    def read_page(self, scope: Scope, path: PagePath) -> bytes | None:
        """Read a page's bytes; None where no regular file is.

        Raises:
            BodyTooLarge: the file is larger than a page may be.
            WikiUnreadable: the file is there and cannot be read.
        """
        content = self.read_head(scope, path, PAGE_BYTES_MAX + 1)
        if content is not None and len(content) > PAGE_BYTES_MAX:
            raise BodyTooLarge(PAGE_BYTES_MAX)
        return content

    def read_head(self, scope: Scope, path: PagePath, bytes_max: int) -> bytes | None:
        """Read the first bytes of a page, which may be too large to be read whole.

        Raises:
            WikiUnreadable: the file is there and cannot be read.
        """
        with _readable(f"{scope}/{path}"):
            location = self._locate(scope, path)
            return None if location is None else _read_file(location, bytes_max)

    def read_place(self, place: str) -> bytes | None:
        """Read what git should store for a place relative to the root; None where nothing is.

        Raises:
            WikiUnreadable: there is something that is no readable regular file, so git's copy must stay.
        """
        location = self.root / place
        with _readable(place):
            if not _is_there(location):
                return None
            content = _read_file(location, -1) if self._is_direct(location) else None
        if content is None and _is_there(location):
            raise WikiUnreadable(f"{place}: not a regular file")
        return content

    def find_size(self, place: str) -> int:
        """Tell the size of the file at a place, 0 if there is none."""
        try:
            return (self.root / place).lstat().st_size
        except OSError:
            return 0

    def find_path(self, scope: Scope, path: PagePath) -> PagePath:
        """Find the spelling under which a page exists, else give back the path as it is."""
        with _readable(f"{scope}/{path}"):
            location = self._locate(scope, path)
        return path if location is None else self._page_path(scope, location)

    def find_place(self, scope: Scope, path: PagePath) -> str:
        """Tell where a page lies, or would lie, relative to the root, spelled as on disk."""
        with _readable(f"{scope}/{path}"):
            location = self._locate(scope, path) or self._spell_new(scope, path)
        return location.relative_to(self.root).as_posix()

    def find_stamp(self, scope: Scope, path: PagePath) -> FileStamp | None:
        """Look at the entry of a page of exactly this spelling; None only if there is surely no page.

        Raises:
            WikiUnreadable: it cannot be told.
        """
        with _readable(f"{scope}/{path}"):
            location = self._locate(scope, path)
            if location is None or self._page_path(scope, location) != path:
                return None
            try:
                found = location.lstat()
            except FileNotFoundError:
                return None
        return FileStamp(scope, path, found.st_mtime_ns, found.st_size)

    def check_expected(self, scope: Scope, path: PagePath, expected: ContentHash) -> None:
        """Check that a page is what the caller saw; `expected` is empty for "no page".

        Raises:
            PageExists: there is a page where a new one was meant to be.
            PageChanged: it is another text, or gone.
        """
        content = self.read_page(scope, path)
        actual = "" if content is None else markdown.hash_content(content)
        if actual and not expected:
            raise PageExists(path)
        if actual != expected:
            raise PageChanged(path, expected, actual)

    def install_page(self, scope: Scope, path: PagePath, content: bytes, expected: ContentHash) -> FileStamp:
        """Put a page in place by rename; `expected` is the hash of what it replaces, empty for a new page.

        The caller holds the page's lock.

        Raises:
            PageExists: a new page would take the place of another.
            PageChanged: the file is not what the caller saw.
            DiskRefused: the disk is full, read-only or somebody else's.
            UnsafePath: a part of the path is a symlink.
            BodyTooLarge: the content is larger than a page may be.
        """
        if len(content) > PAGE_BYTES_MAX:
            raise BodyTooLarge(PAGE_BYTES_MAX)
        self.check_expected(scope, path, expected)
        with _writable(f"{scope}/{path}"):
            location = self._locate(scope, path) or self._prepare_new(scope, path)
            self._write_and_rename(location, content)
            found = location.lstat()
        return FileStamp(scope, self._page_path(scope, location), found.st_mtime_ns, found.st_size)

    def move_page(self, scope: Scope, path: PagePath, to: PagePath, expected: ContentHash) -> FileStamp:
        """Rename a page's file if it is what the caller saw; the caller holds the locks of both paths.

        Raises:
            PageExists: another page has the new path.
            PageChanged: the file is not what the caller saw.
            DiskRefused: the disk is full, read-only or somebody else's.
            UnsafePath: a part of the new path is a symlink.
        """
        self.check_expected(scope, path, expected)
        with _writable(f"{scope}/{to}"):
            source = self._locate(scope, path)
            taken = self._locate(scope, to)
            assert source is not None
            if taken is not None and not taken.samefile(source):
                raise PageExists(to)
            target = self._prepare_new(scope, to) if taken is None else taken.with_name(to.rpartition("/")[2])
            source.rename(target)
            _sync_folder(target.parent)
            _sync_folder(source.parent)
            found = target.lstat()
        return FileStamp(scope, self._page_path(scope, target), found.st_mtime_ns, found.st_size)

    def remove_page(self, scope: Scope, path: PagePath, expected: ContentHash) -> None:
        """Delete a page's file if it is what the caller saw; the caller holds the page's lock.

        Raises:
            PageChanged: it is not.
            DiskRefused: the disk is read-only or somebody else's.
        """
        self.check_expected(scope, path, expected)
        with _writable(f"{scope}/{path}"):
            location = self._locate(scope, path)
            assert location is not None
            location.unlink()
            _sync_folder(location.parent)

    def remove_scope(self, scope: Scope) -> None:
        """Delete a project's folder and what is in it, and the workspace's folder if nothing else is in there.

        Raises:
            DiskRefused: the disk is read-only or somebody else's.
        """
        workspace = self.root / scope.workspace
        with _writable(str(scope)):
            if (workspace / scope.project).is_dir():
                shutil.rmtree(workspace / scope.project)
        with suppress(OSError):
            workspace.rmdir()

    def list_files(self, scope: Scope | None = None) -> Iterator[FileStamp]:
        """Walk the pages in a stable order, without reading them; what is no page is noted as skipped.

        Raises:
            WikiUnreadable: the root itself is not there, which must not look like an empty wiki.
        """
        if not self.root.is_dir():
            raise WikiUnreadable("its folder is not there")
        seen: set[Skip] = set()
        for here in scan.list_scopes(str(self.root), seen) if scope is None else (scope,):
            yield from scan.list_pages(str(self.root), here, seen)
        self._new_skips |= seen - self._skips
        self._skips = seen if scope is None else self._skips | seen

    def list_skips(self) -> tuple[Skip, ...]:
        """List what the last walks passed over."""
        return tuple(sorted(self._skips))

    def take_new_skips(self) -> tuple[Skip, ...]:
        """Hand over what was passed over and not reported yet; each is reported once while it lasts."""
        taken, self._new_skips = tuple(sorted(self._new_skips)), set()
        return taken

    def remove_leftovers(self, older_than: datetime) -> int:
        """Delete temporary files that a crash left behind before a moment; later ones may be somebody's at work."""
        count = 0
        for folder, names, files in os.walk(self.root):
            names[:] = [name for name in names if not name.startswith(".")]
            for name in files:
                if not (name.startswith(_TEMPORARY_PREFIX) and name.endswith(_TEMPORARY_SUFFIX)):
                    continue
                with suppress(OSError):
                    leftover = Path(folder) / name
                    if leftover.lstat().st_mtime < older_than.timestamp():
                        leftover.unlink()
                        count += 1
        return count

    def _locate(self, scope: Scope, path: PagePath) -> Path | None:
        """Find a page's regular file, without following a symlink anywhere on the way."""
        location = self.root / scope.workspace / scope.project / path
        try:
            if not _is_there(location):
                found = self._search(scope, path)
                if found is None:
                    return None
                location = found
            return location if self._is_direct(location) and stat.S_ISREG(location.lstat().st_mode) else None
        except (FileNotFoundError, NotADirectoryError):
            return None

    def _search(self, scope: Scope, path: str) -> Path | None:
        """Find an entry whose name differs only in case or normal form; the smallest name wins."""
        location = self.root / scope.workspace / scope.project
        for part in path.split("/"):
            folded = fold_path(part)
            if not location.is_dir():
                return None
            names = sorted(entry.name for entry in location.iterdir() if fold_path(entry.name) == folded)
            if not names:
                return None
            location /= part if part in names else names[0]
        return location

    def _is_direct(self, location: Path) -> bool:
        """Tell whether every folder on the way is a folder and no symlink."""
        folders = location.relative_to(self.root).parents
        return all(stat.S_ISDIR((self.root / folder).lstat().st_mode) for folder in folders)

    def _spell_new(self, scope: Scope, path: PagePath) -> Path:
        """Build the place of a new page inside the folders that exist, as they are spelled."""
        folder = path.rpartition("/")[0]
        while folder:
            found = self._search(scope, folder)
            if found is not None:
                return found / path[len(folder) + 1 :]
            folder = folder.rpartition("/")[0]
        return self.root / scope.workspace / scope.project / path

    def _prepare_new(self, scope: Scope, path: PagePath) -> Path:
        location = self._spell_new(scope, path)
        if _is_there(location):
            raise UnsafePath(f"{scope}/{path}", "something that is no regular file is there")
        missing = list(itertools.takewhile(lambda above: not _is_there(above), location.parents))
        existing = location.parents[len(missing)]
        if not self._is_direct(existing / "x"):
            raise UnsafePath(f"{scope}/{path}", "it leads through a symlink or a file")
        for folder in reversed(missing):
            folder.mkdir(exist_ok=True)
            _sync_folder(folder.parent)
        return location

    def _write_and_rename(self, location: Path, content: bytes) -> None:
        temporary, file = self._open_temporary(location.parent)
        try:
            with file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(location)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync_folder(location.parent)

    def _open_temporary(self, folder: Path) -> tuple[Path, BinaryIO]:
        """Open a new file of a name that neither walk nor watcher looks at."""
        while True:
            path = folder / f"{_TEMPORARY_PREFIX}{os.getpid()}-{next(self._counter)}{_TEMPORARY_SUFFIX}"
            # A container's first process has the same number each time, so a crash may have left this very name.
            with suppress(FileExistsError):
                return path, path.open("xb")

    def _page_path(self, scope: Scope, location: Path) -> PagePath:
        return parse_page_path(location.relative_to(self.root / scope.workspace / scope.project).as_posix())


@contextmanager
def _readable(place: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WikiUnreadable(f"{place}: {error.strerror or type(error).__name__}") from error


@contextmanager
def _writable(place: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DiskRefused(place, error.strerror or type(error).__name__) from error


def _is_there(location: Path) -> bool:
    """Tell whether an entry exists, of whatever kind; what cannot be told is an error, not a no."""
    try:
        location.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _read_file(location: Path, bytes_max: int) -> bytes | None:
    try:
        if not stat.S_ISREG(location.lstat().st_mode):
            return None
        with os.fdopen(os.open(location, os.O_RDONLY | _NO_FOLLOW), "rb") as file:
            return file.read(bytes_max)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _sync_folder(folder: Path) -> None:
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
