"""`KeptVectors`: vectors by the text that they were made of, in a file of their own that outlives the index's.

Embedding ten thousand pages takes a processor an hour, while a new index, or a page under another name, asks for the
very same texts again. The file is as disposable as the index, and whoever asks it has the text already.
"""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

from app.domain.errors import DiskRefused
from app.domain.limits_search import KEPT_TEXTS_PER_STEP
from app.index.embed import EmbedderName

_T = TypeVar("_T")
_DIGEST_BYTES: Final = 16
_STATEMENTS: Final = (
    # What is deleted is overwritten, and no log beside the file holds it.
    "PRAGMA secure_delete=ON",
    "PRAGMA journal_mode=DELETE",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA cache_size=-2000",
    """CREATE TABLE IF NOT EXISTS kept (
        embedder TEXT NOT NULL, text TEXT NOT NULL, vector BLOB NOT NULL,
        PRIMARY KEY (text, embedder)) WITHOUT ROWID""",
    "CREATE TEMP TABLE wanted (text TEXT PRIMARY KEY) WITHOUT ROWID",
)
_FIND: Final = """
SELECT text, vector FROM kept WHERE embedder = ? AND text IN (SELECT value FROM json_each(?)) LIMIT ?"""


class KeptVectors:
    """The file; every method may be called from any thread, and one that is damaged is begun anew.

    Whoever stores a vector holds `changing` from when the index took it until it is kept, so that no text is kept that
    has left the index meanwhile.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "kept-vectors.db"
        self.changing = threading.RLock()
        self._connection: sqlite3.Connection | None = None

    def close(self) -> None:
        """Close the file; what is asked later opens it again."""
        with self.changing:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def find(self, name: EmbedderName, texts: Collection[str]) -> dict[str, bytes]:
        """Find the vectors that a model made of these texts; raises as `put` does."""
        digests = {_digest(text): text for text in texts}

        def find(connection: sqlite3.Connection) -> dict[str, bytes]:
            rows = connection.execute(_FIND, (str(name), json.dumps(list(digests)), len(digests)))
            return {digests[digest]: vector for digest, vector in rows}

        return self._use(find, {}) if self.path.exists() else {}

    def put(self, name: EmbedderName, made: Mapping[str, bytes]) -> None:
        """Keep what a model made of these texts.

        Raises:
            DiskRefused: the disk is full or read-only.
        """
        rows = [(str(name), _digest(text), vector) for text, vector in made.items()]

        def put(connection: sqlite3.Connection) -> None:
            with _transaction(connection):
                connection.executemany("INSERT OR REPLACE INTO kept (embedder, text, vector) VALUES (?, ?, ?)", rows)

        self._use(put, None)

    def measure_bytes(self) -> int:
        """Tell how much the file takes."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    def keep_only(self, texts: Iterable[str]) -> int:
        """Delete the vectors of all other texts and every trace of those in the file; tells how many went.

        Raises as `put` does.
        """

        def keep(connection: sqlite3.Connection) -> int:
            with _transaction(connection):
                _list_wanted(connection, texts)
                gone = connection.execute("DELETE FROM kept WHERE text NOT IN (SELECT text FROM wanted)").rowcount
                connection.execute("DELETE FROM wanted")
            if gone:
                connection.execute("VACUUM")
            return gone

        return self._use(keep, 0) if self.path.exists() else 0

    def _use(self, work: Callable[[sqlite3.Connection], _T], otherwise: _T) -> _T:
        """Work on the file; one that is damaged is removed, since all that is in it can be made again."""
        with self.changing:
            try:
                return work(self._open())
            except sqlite3.OperationalError as error:
                raise DiskRefused("the kept vectors", str(error)) from error
            except (sqlite3.DatabaseError, OSError) as error:
                try:
                    self.close()
                    for suffix in ("", "-journal"):
                        Path(f"{self.path}{suffix}").unlink(missing_ok=True)
                except OSError:
                    raise DiskRefused("the kept vectors", str(error)) from error
                return otherwise

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self.path.exists():
            return self._connection
        self.close()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        opened = sqlite3.connect(self.path, timeout=10, isolation_level=None, check_same_thread=False)
        try:
            for statement in _STATEMENTS:
                opened.execute(statement)
        except BaseException:
            opened.close()
            raise
        self._connection = opened
        return opened


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()


def _list_wanted(connection: sqlite3.Connection, texts: Iterable[str]) -> None:
    """Write down which texts are wanted, a bounded number of them in memory at once."""
    walk = iter(texts)
    while step := [(_digest(text),) for text in islice(walk, KEPT_TEXTS_PER_STEP)]:
        connection.executemany("INSERT OR IGNORE INTO wanted (text) VALUES (?)", step)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
