"""`IndexDatabase` owns the index's file: opens, versions, drops and re-creates it; what stands in it is `build.py`'s.

The file is derived, so nothing here migrates or repairs: whatever is wrong, the answer is a new file and a rebuild.
"""

import itertools
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from app.domain.errors import DiskRefused, StoreUnreadable
from app.domain.limits import INDEX_DRAIN_SECONDS_MAX, INDEX_READERS_IDLE_MAX
from app.index import schema
from app.index.kept_vectors import KeptVectors

INDEX_VERSION = schema.INDEX_VERSION

# For callers outside, which run these functions in `read` and know nothing of SQLite.
Connection = sqlite3.Connection

_T = TypeVar("_T")
# Among the counts, where no word of any text can stand.
_EPOCH: Final = "\0epoch"
_EPOCHS = itertools.count(1)
_STORE = "the index"
# For each connection; what it does not hold is in the system's cache, so that eight searches at once stay small.
_CACHE_KIB: Final = 2000
_DISK_CODES = frozenset(
    {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}
)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a rebuild is, in pages; `total` is what the tree held when it began."""

    done: int
    total: int
    seconds_left: int | None = None


@contextmanager
def guarded(part: str) -> Iterator[None]:
    """Name a failure of SQLite after the part of the index that it hit.

    Raises:
        StoreUnreadable: SQLite refused or found damage.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise StoreUnreadable(f"{_STORE} ({part})", str(error)) from error


class _OpenFile:
    """One opened file: its writer, its readers, and the inode that tells whether it is still the one on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.writer = self._connect()
        self.idle: list[sqlite3.Connection] = []
        self.active = 0
        self.is_retired = False
        self.counts: dict[str, int] = {}
        self.counts_generation = -1
        try:
            self.is_made_anew = schema.create_schema(self.writer)
        except BaseException:
            self.writer.close()
            raise
        found = path.stat()
        self.inode = (found.st_dev, found.st_ino)

    def is_on_disk(self) -> bool:
        try:
            found = self.path.stat()
        except OSError:
            return False
        return (found.st_dev, found.st_ino) == self.inode

    def open_reader(self) -> sqlite3.Connection | None:
        """Open one more connection to this very file; None if another, or none, is at its path now."""
        if not self.is_on_disk():
            return None
        connection = self._connect()
        if not self.is_on_disk():
            connection.close()
            return None
        # Only the writer checkpoints: older SQLite can corrupt a WAL file when two connections share that work.
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("PRAGMA query_only=1")
        return connection

    def lend_counts(self, generation: int) -> dict[str, int]:
        # A new dict, not a cleared one: a search on an older snapshot may still be filling the other.
        if self.counts_generation != generation:
            self.counts, self.counts_generation = {}, generation
        return self.counts

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=10, isolation_level=None, check_same_thread=False)
        try:
            # Only a file without tables takes this, or one that is written anew; it lets empty pages be given back.
            connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA journal_size_limit=67108864")
            connection.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
        except BaseException:
            connection.close()
            raise
        return connection


class IndexDatabase:
    """The index of one data directory; every method may be called from any thread."""

    def __init__(self, folder: Path, told: Callable[[float], None] = lambda _: None) -> None:
        """Know where the file is; `told` is called with how many seconds each change took."""
        self.path, self._told = folder / f"index-v{INDEX_VERSION}.db", told
        self.kept = KeptVectors(folder)
        self.progress: Progress | None = None
        self._writing = threading.RLock()
        self._opening = threading.Lock()
        self._turn = threading.Condition()
        self._file: _OpenFile | None = None
        self._suspicion = ""
        self._is_swapping = False

    def open(self) -> bool:
        """Open the file; True means that it was made anew or never filled to the end, so the caller goes on filling.

        Raises:
            DiskRefused: the folder cannot be written.
        """
        with self._writing:
            self._remove_other_versions()
            try:
                self._file = _OpenFile(self.path)
            except (sqlite3.DatabaseError, schema.WrongVersionError):
                return self.recreate()
            return self._file.is_made_anew or not schema.is_complete(self._file.writer)

    def close(self) -> None:
        """Close every connection; readers that are still at work close theirs when they finish."""
        with self._writing:
            self._retire()
        self.kept.close()

    def is_intact(self) -> bool:
        """Tell whether the file that we have open is still the one on disk and sound enough to answer from."""
        file = self._file
        if file is None:
            return False
        if not file.is_on_disk():
            return False
        return not self._suspicion or self._is_sound()

    def mark_complete(self) -> None:
        """Note that every page of the wiki is in the index, so that the next start need not build it again.

        Raises:
            DiskRefused: the disk is full or read-only.
            StoreUnreadable: the index is closed or damaged.
        """
        self.write(schema.mark_complete)

    def suspect(self, reason: str) -> None:
        """Make the next `is_intact` look inside, because something failed that should not have."""
        self._suspicion = reason

    def recreate(self) -> bool:
        """Put an empty index in place of the file; readers at work finish on the old one. Always True.

        Raises:
            DiskRefused: the old file cannot be removed or the new one not be made.
        """
        with self._writing:
            with self._turn:
                self._is_swapping = True
            try:
                with self._opening:
                    retired = self._retire()
                    self.path.parent.mkdir(parents=True, exist_ok=True)
                    self._remove_file(retired)
                    self._file = _OpenFile(self.path)
            except (OSError, sqlite3.Error) as error:
                raise DiskRefused(_STORE, str(error)) from error
            finally:
                with self._turn:
                    self._is_swapping = False
                    self._turn.notify_all()
            self._suspicion = ""
            return True

    def read(self, query: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run `query` on one snapshot of the index.

        Raises:
            StoreUnreadable: the index is closed, or SQLite failed.
        """
        return self.read_counted(lambda connection, _: query(connection))

    def read_counted(self, query: Callable[[sqlite3.Connection, dict[str, int]], _T]) -> _T:
        """Run `query` on one snapshot, and lend it a memory for counts that lasts until the index changes.

        Raises:
            StoreUnreadable: the index is closed, or SQLite failed.
        """
        with self._lend() as (connection, file):
            try:
                connection.execute("BEGIN")
                row = connection.execute("SELECT value FROM meta WHERE name = 'generation'").fetchone()
                return query(connection, file.lend_counts(int(row[0])))
            except sqlite3.Error as error:
                self.suspect(str(error))
                raise StoreUnreadable(_STORE, str(error)) from error
            finally:
                if connection.in_transaction:
                    with suppress(sqlite3.Error):
                        connection.execute("ROLLBACK")

    def find_epoch(self) -> int:
        """Number what the index holds now; the number is another as soon as that changes, in any file of this process.

        Raises:
            StoreUnreadable: the index is closed, or SQLite failed.
        """
        return self.read_counted(lambda _, counts: counts.setdefault(_EPOCH, next(_EPOCHS)))

    def write(self, change: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run `change` in one transaction; one at a time.

        Raises:
            DiskRefused: the disk is full or read-only.
            StoreUnreadable: the index is closed or damaged.
        """
        return self._write(change, "UPDATE meta SET value = value + 1 WHERE name = 'generation'")

    def write_beside(self, change: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run a `change` after which every count is what it was; raises as `write` does."""
        return self._write(change)

    def compact(self) -> None:
        """Overwrite what was deleted, in full text too, where deleting only marks; takes as long as reading the file.

        Raises:
            DiskRefused: the disk is full or read-only.
            StoreUnreadable: the index is closed or damaged.
        """
        with self._writing:
            connection = self._get_file().writer
            try:
                schema.compact(connection)
            except sqlite3.Error as error:
                if error.sqlite_errorcode & 0xFF in _DISK_CODES:
                    raise DiskRefused(_STORE, str(error)) from error
                raise StoreUnreadable(_STORE, str(error)) from error

    def _write(self, change: Callable[[sqlite3.Connection], _T], *closing: str) -> _T:
        with self._writing:
            connection, begun = self._get_file().writer, time.perf_counter()
            try:
                connection.execute("BEGIN IMMEDIATE")
                result = change(connection)
                for statement in closing:
                    connection.execute(statement)
                connection.execute("COMMIT")
            except sqlite3.Error as error:
                _roll_back(connection)
                if error.sqlite_errorcode & 0xFF in _DISK_CODES:
                    raise DiskRefused(_STORE, str(error)) from error
                self.suspect(str(error))
                raise StoreUnreadable(_STORE, str(error)) from error
            except BaseException:
                _roll_back(connection)
                raise
            self._told(time.perf_counter() - begun)
            return result

    @contextmanager
    def _lend(self) -> Iterator[tuple[sqlite3.Connection, _OpenFile]]:
        reader, file = self._borrow()
        try:
            yield reader or file.writer, file
        finally:
            if reader is None:
                self._writing.release()
            self._give_back(reader, file)

    def _borrow(self) -> tuple[sqlite3.Connection | None, _OpenFile]:
        """Take a reader of the open file; None is its writer, with its lock, where the file is gone from the disk.

        The writer still holds a file that was deleted, so answers come from there until the index is rebuilt.
        """
        while True:
            with self._turn:
                self._turn.wait_for(lambda: not self._is_swapping, timeout=INDEX_DRAIN_SECONDS_MAX)
                file = self._get_file()
                reader = file.idle.pop() if file.idle else None
                file.active += reader is not None
            if reader is not None:
                return reader, file
            reader = self._open_reader(file)
            if reader is None:
                self._writing.acquire()
            # Nothing may fail between here and the caller's `finally`.
            if reader is not None or not file.is_retired:
                with self._turn:
                    file.active += 1
                return reader, file
            # The file was swapped for a new one in between.
            self._writing.release()

    def _give_back(self, connection: sqlite3.Connection | None, file: _OpenFile) -> None:
        with self._turn:
            file.active -= 1
            if connection and (file.is_retired or len(file.idle) >= INDEX_READERS_IDLE_MAX):
                connection.close()
            elif connection:
                file.idle.append(connection)
            self._turn.notify_all()

    def _open_reader(self, file: _OpenFile) -> sqlite3.Connection | None:
        # Never while the file is being swapped: a connection would get the main file of one and the log of another.
        with self._opening:
            if file.is_retired:
                return None
            try:
                return file.open_reader()
            except sqlite3.Error as error:
                self.suspect(str(error))
                raise StoreUnreadable(_STORE, str(error)) from error

    def _get_file(self) -> _OpenFile:
        if self._file is None:
            raise StoreUnreadable(_STORE, "it is not open")
        return self._file

    def _retire(self) -> _OpenFile | None:
        file, self._file = self._file, None
        if file is None:
            return None
        with self._turn:
            file.is_retired = True
            for connection in file.idle:
                connection.close()
            file.idle.clear()
        # The writer goes last, so that the file's last connection is the one that may checkpoint.
        file.writer.close()
        return file

    def _remove_file(self, retired: _OpenFile | None) -> None:
        for suffix in ("", "-wal", "-shm"):
            doomed = Path(f"{self.path}{suffix}")
            try:
                doomed.unlink(missing_ok=True)
            except PermissionError:
                # Windows does not remove a file that is open: let the readers at work finish first.
                with self._turn:
                    self._turn.wait_for(lambda: not retired or not retired.active, timeout=INDEX_DRAIN_SECONDS_MAX)
                doomed.unlink(missing_ok=True)

    def _remove_other_versions(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            for other in self.path.parent.glob("index-v*.db*"):
                if not other.name.startswith(self.path.name):
                    other.unlink(missing_ok=True)
        except OSError as error:
            raise DiskRefused(_STORE, os.strerror(error.errno or 0)) from error

    def _is_sound(self) -> bool:
        with self._writing:
            try:
                is_sound = schema.check_schema(self._get_file().writer)
            except (sqlite3.Error, StoreUnreadable):
                is_sound = False
            if is_sound:
                self._suspicion = ""
            return is_sound


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
