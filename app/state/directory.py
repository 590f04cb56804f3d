"""The data directory: makes its folders, and refuses one that this process cannot write, by its path and owner."""

import os
from pathlib import Path
from typing import Final

from app.domain.errors import DiskRefused

FOLDERS: Final = ("state", "raw", "index", "wiki", "logs")
# Written from the first moment on, so that a copy made as root is told at the start and not at the first event.
_FILES: Final = ("state/state.db", "state/state.db-wal", "state/state.db-shm", "server.lock")


def prepare_directory(folder: Path) -> None:
    """Make what is missing and look at what is there.

    Raises:
        DiskRefused: something cannot be made or written; the message names it, its owner, and who we are.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for name in FOLDERS:
            (folder / name).mkdir(exist_ok=True, mode=0o700)
    except OSError as error:
        raise DiskRefused(_name(folder), _explain(Path(error.filename or folder), error.strerror or "")) from error
    places = [folder, *(folder / name for name in FOLDERS)]
    for place in places:
        if not os.access(place, os.R_OK | os.W_OK | os.X_OK):
            raise DiskRefused(_name(place), _explain(place, "it cannot be written"))
    for path in (folder / name for name in _FILES):
        if path.exists() and not os.access(path, os.R_OK | os.W_OK):
            raise DiskRefused(_name(path), _explain(path, "it cannot be written"))


def _name(path: Path) -> str:
    return f"data directory {path}" if path.is_dir() or not path.exists() else str(path)


def _explain(path: Path, reason: str) -> str:
    if not hasattr(os, "getuid"):
        return reason
    present = next((place for place in (path, *path.parents) if _can_look(place)), Path("/"))
    if os.statvfs(present).f_flag & os.ST_RDONLY:
        return f"its file system is read-only (this process runs as uid {os.getuid()})"
    return f"{reason}; {present} belongs to uid {present.stat().st_uid}, this process runs as uid {os.getuid()}"


def _can_look(path: Path) -> bool:
    try:
        path.stat()
    except OSError:
        return False
    return True
