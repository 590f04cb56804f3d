"""One server per data directory: an operating-system lock that dies with its holder, and names it to others."""

import json
import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from app.domain.errors import DirectoryInUse, DiskRefused

LOCK_NAME: Final = "server.lock"


class DirectoryLock:
    """Holds a data directory for as long as it is open; a process id that was reused can never block it."""

    def __init__(self, directory: Path, holder: dict[str, str | int]) -> None:
        self._path = directory / LOCK_NAME
        self._holder = holder
        self._descriptor = -1

    def acquire(self) -> Self:
        """Take the lock.

        Raises:
            DirectoryInUse: another process holds it; the message names that process.
            DiskRefused: the lock file cannot be written.
        """
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise DiskRefused(self._path.name, f"{error.strerror} (uid {_get_uid()})") from error
        try:
            _lock_file(descriptor)
        except OSError as error:
            holder = _describe(os.pread(descriptor, 4096, 0) if hasattr(os, "pread") else b"")
            os.close(descriptor)
            raise DirectoryInUse(str(self._path.parent), holder) from error
        os.ftruncate(descriptor, 0)
        os.write(descriptor, json.dumps(self._holder).encode())
        self._descriptor = descriptor
        return self

    def update(self, **facts: str | int) -> None:
        """Tell more about the holder, such as the address it listens on."""
        self._holder |= facts
        os.ftruncate(self._descriptor, 0)
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        os.write(self._descriptor, json.dumps(self._holder).encode())

    def release(self) -> None:
        """Give the directory back."""
        if self._descriptor >= 0:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def read_holder(directory: Path) -> dict[str, str | int]:
    """Read what the present or last holder said of itself; empty when nobody did."""
    try:
        holder = json.loads((directory / LOCK_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return holder if isinstance(holder, dict) else {}


def is_held(directory: Path) -> bool:
    """Tell whether a server has the directory now, by trying its lock for a moment."""
    try:
        descriptor = os.open(directory / LOCK_NAME, os.O_RDWR)
    except OSError:
        return False
    try:
        _lock_file(descriptor)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def _describe(raw: bytes) -> str:
    try:
        holder = json.loads(raw)
        return f"memwiki {holder['version']}, process {holder['pid']}, {holder.get('url', 'starting')}"
    except (ValueError, KeyError, TypeError):
        return "another memwiki server"


def _get_uid() -> int:
    return os.getuid() if hasattr(os, "getuid") else -1


if sys.platform == "win32":
    import msvcrt

    def _lock_file(descriptor: int) -> None:
        # The byte beyond what is written, so that others may still read who holds the lock.
        os.lseek(descriptor, 1 << 20, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock_file(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
