"""Reads, compares, backs up and atomically replaces other programs' configuration files."""

import contextlib
import difflib
import os
import tempfile
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from app.domain import limits
from app.domain.errors import DiskRefused, ForeignEntry

_NEW_FILE_MODE = 0o600


class Owner(NamedTuple):
    """An agent that has something in a file; `project` is the folder that it was wired for, empty for all work."""

    agent: str
    project: str = ""


@dataclass(frozen=True, slots=True)
class FileChange:
    """What becomes of one file; `None` stands for no file.

    `path` is as the file's reader names it, links not followed; `has_own` says that something of ours stood in
    it before, `is_copy` that it is a program or secret of ours, not a configuration. `mode` is what its permissions
    become; `owners` are those for whom it is changed.
    """

    path: Path
    purpose: str
    before: bytes | None
    after: bytes | None
    has_own: bool = False
    is_copy: bool = False
    mode: int | None = None
    owners: frozenset[Owner] = frozenset()

    @property
    def is_changed(self) -> bool:
        """Tell whether there is anything to write."""
        return self.before != self.after


def read_file(path: Path) -> bytes | None:
    """Read a file through links; none if it does not exist.

    Raises:
        DiskRefused: it exists and cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DiskRefused(str(path), error.strerror or "it cannot be read") from error


def decode_text(path: Path, content: bytes | None) -> str:
    """Decode a file's text, keeping its line ends and byte order mark.

    Raises:
        ForeignEntry: the file is not UTF-8.
    """
    try:
        return (content or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise ForeignEntry(str(path), "the file is not UTF-8 text") from error


def hash_content(content: bytes | None) -> str:
    """Hash a file's bytes; the empty text stands for no file."""
    return "" if content is None else sha256(content).hexdigest()


def render_diff(change: FileChange) -> str:
    """Show a change as a unified diff; very long lines are cut, since some configuration is one line."""
    if change.before is not None and change.after is None:
        return f"--- {change.path}\n(the file is removed)\n"
    if change.is_copy:
        return f"+++ {change.path}\n(a copy of {len(change.after or b'')} bytes)\n"
    old, new = ((content or b"").decode("utf-8", "replace").splitlines() for content in (change.before, change.after))
    names = (str(change.path) if change.before is not None else "/dev/null", str(change.path))
    lines = difflib.unified_diff(old, new, *names, lineterm="")
    return "".join(f"{_cut_line(line)}\n" for line in lines)


def write_file(path: Path, content: bytes, *, mode: int | None = None) -> None:
    """Replace a file in one step, through links, with its permissions and owner kept.

    Raises:
        DiskRefused: the folder or file cannot be written.
    """
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            _copy_permissions(target, Path(name), mode)
            os.replace(name, target)  # noqa: PTH105 — the pair of `mkstemp`
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)  # noqa: PTH108 — the pair of `mkstemp`
            raise
    except OSError as error:
        raise DiskRefused(str(path), error.strerror or "it cannot be written") from error


def remove_file(path: Path) -> None:
    """Remove a file through links; a missing one is no fault.

    Raises:
        DiskRefused: it cannot be removed.
    """
    try:
        Path(os.path.realpath(path)).unlink(missing_ok=True)
    except OSError as error:
        raise DiskRefused(str(path), error.strerror or "it cannot be removed") from error


def back_up(path: Path, content: bytes, now: datetime, folder: Path) -> Path:
    """Copy a file into a folder, with the time in the copy's name and the file's permissions.

    Raises:
        DiskRefused: the copy cannot be written.
    """
    stem = f"{path.name}.memwiki-{now:%Y%m%dT%H%M%SZ}"
    copy = folder / f"{stem}.bak"
    count = 1
    while copy.exists():
        count += 1
        copy = folder / f"{stem}-{count}.bak"
    mode = path.stat().st_mode & 0o777 if path.exists() else _NEW_FILE_MODE
    write_file(copy, content, mode=mode)
    return copy


def _copy_permissions(target: Path, fresh: Path, mode: int | None) -> None:
    if not target.exists():
        fresh.chmod(_NEW_FILE_MODE if mode is None else mode)
        return
    known = target.stat()
    if hasattr(os, "chown") and (known.st_uid, known.st_gid) != (fresh.stat().st_uid, fresh.stat().st_gid):
        # Only root may give a file away; for anybody else the new file is theirs, as after any save.
        with contextlib.suppress(PermissionError):
            os.chown(fresh, known.st_uid, known.st_gid)
    fresh.chmod(known.st_mode & 0o777 if mode is None else mode)


def _cut_line(line: str) -> str:
    if len(line) <= limits.DIFF_LINE_CHARS_MAX:
        return line
    return f"{line[: limits.DIFF_LINE_CHARS_MAX]}…[{len(line) - limits.DIFF_LINE_CHARS_MAX} more characters]"
