"""`Meaning` answers by meaning: it loads the local model when first asked, and embeds what is new in idle time."""

import contextlib
import importlib
import os
import sqlite3
import sys
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final

from app.domain.errors import DiskRefused, StoreUnreadable
from app.domain.limits import (
    EMBED_RETRY_SECONDS,
    EMBED_TICK_SECONDS,
    EMBEDDED_OWNERS_PER_READ,
    QUERY_EMBEDDED_CHARS_MAX,
)
from app.domain.limits_search import KEPT_OWNERS_PER_READ
from app.domain.search_errors import EmbedderUnavailable
from app.index import embed, vectors
from app.index.database import IndexDatabase
from app.index.embed import Embedder, EmbedderName
from app.index.filters import Conditions
from app.index.vectors import Near

if TYPE_CHECKING:
    from app.index.nearest import Nearest

# The lowest: whatever else the machine has to do comes first.
_NICENESS: Final = 19


@dataclass(frozen=True, slots=True)
class MeaningStats:
    """How far embedding has come: `done` of `total` texts."""

    name: EmbedderName
    done: int = 0
    total: int = 0
    last_error: str = ""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What is nearest to a question: pages by their nearest piece, and observations."""

    pages: list[Near]
    observations: list[Near]


class Meaning:
    """The stream of vectors; every method may be called from any thread."""

    def __init__(
        self,
        index: IndexDatabase,
        name: EmbedderName = embed.MINILM,
        load: Callable[[], Embedder] = embed.load_embedder,
    ) -> None:
        self._index, self._name, self._load = index, name, load
        self._loading = threading.Lock()
        self._asking = threading.Lock()
        self._embedder: Embedder | None = None
        self._nearest: Nearest | None = None
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._last_error = ""

    def start(self) -> None:
        """Start embedding in the background."""
        self._thread = threading.Thread(target=self._run, name="embedding", daemon=True)
        self._thread.start()

    def stop(self, timeout_seconds: float) -> None:
        """Stop embedding; the text at work is finished."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout_seconds)
            self._thread = None

    @property
    def stats(self) -> MeaningStats:
        """Tell how far embedding has come; the model is not loaded for that."""
        try:
            total, done = self._index.read(
                lambda connection: vectors.count_embedded(connection, self._find(connection))
            )
        except StoreUnreadable as error:
            return MeaningStats(self._name, last_error=error.reason)
        return MeaningStats(self._name, done, total, self._last_error)

    def embed_question(self, text: str) -> bytes:
        """Turn a question into a vector; empty for one that the model cannot read.

        Raises:
            EmbedderUnavailable: the model cannot be loaded, or failed.
        """
        asked = text[:QUERY_EMBEDDED_CHARS_MAX]
        return self._embed(self._get_embedder(), asked) if embed.is_latin(asked) else b""

    def find_near(
        self, connection: sqlite3.Connection, question: bytes, conditions: Conditions, pages_max: int, heard_max: int
    ) -> Likeness:
        """List what is nearest to a question on one snapshot; vectors of another model are not looked at."""
        with self._asking:
            nearest = self._read_nearest(connection, self._find(connection))
            return Likeness(
                nearest.find(connection, question, conditions, pages_max, is_heard=False),
                nearest.find(connection, question, conditions, heard_max, is_heard=True),
            )

    def embed_waiting(self) -> bool:
        """Embed a few texts that lack a vector; False when none is left.

        Raises:
            EmbedderUnavailable: the model cannot be loaded, or failed.
            StoreUnreadable: the index cannot be read or written now.
            DiskRefused: the disk is full or read-only.
        """
        waiting = self._index.read(
            lambda connection: vectors.list_waiting(connection, self._find(connection), KEPT_OWNERS_PER_READ)
        )
        if not waiting:
            return False
        kept = self._index.kept.find(self._name, {piece.text for piece in waiting if piece.text})
        known, others = _split(waiting, kept)
        made = [(piece, kept.get(piece.text, b"")) for piece in known]
        for piece in () if known else others:
            if self._stopping.is_set():
                return False
            made.append((piece, self._make(piece.text) if piece.text else b""))
        self._store(made, is_new=not known)
        return True

    def _make(self, text: str) -> bytes:
        pack: Callable[[bytes], bytes] = importlib.import_module("app.index.nearest").pack_vector
        return pack(self._embed(self._get_embedder(), text))

    def _store(self, made: list[tuple[vectors.Piece, bytes]], *, is_new: bool) -> None:
        with self._index.kept.changing:
            added = self._index.write_beside(partial(_insert, name=self._name, made=made))
            if is_new and (fresh := {piece.text: vector for piece, vector in added if vector}):
                self._index.kept.put(self._name, fresh)

    def _run(self) -> None:
        _lower_priority()
        pause = EMBED_TICK_SECONDS
        while not self._stopping.wait(pause):
            try:
                pause = 0.0 if self._index.progress is None and self.embed_waiting() else EMBED_TICK_SECONDS
                self._last_error = ""
            except (EmbedderUnavailable, StoreUnreadable, DiskRefused) as error:
                self._last_error = str(error)
                pause = EMBED_RETRY_SECONDS

    def _read_nearest(self, connection: sqlite3.Connection, embedder: int) -> "Nearest":
        birth = vectors.find_birth(connection)
        found = self._nearest
        if found is None or (found.embedder, found.birth) != (embedder, birth):
            found = self._nearest = importlib.import_module("app.index.nearest").Nearest(embedder, birth)
        assert found is not None
        found.read_new(connection)
        return found

    def _get_embedder(self) -> Embedder:
        with self._loading:
            if self._embedder is None:
                loaded = self._load()
                if loaded.name != self._name:
                    raise EmbedderUnavailable(f"it is {loaded.name}, not {self._name}")
                self._embedder = loaded
            return self._embedder

    def _find(self, connection: sqlite3.Connection) -> int:
        return vectors.find_embedder(connection, self._name)

    @staticmethod
    def _embed(embedder: Embedder, text: str) -> bytes:
        try:
            return embedder.embed(text)
        except EmbedderUnavailable:
            raise
        # A library in C: whatever it refuses, the other streams answer.
        except Exception as error:
            raise EmbedderUnavailable(str(error) or type(error).__name__) from error


def _insert(
    connection: sqlite3.Connection, name: EmbedderName, made: list[tuple[vectors.Piece, bytes]]
) -> list[tuple[vectors.Piece, bytes]]:
    return vectors.insert_vectors(connection, vectors.claim_embedder(connection, name), made)


def _split(waiting: Sequence[vectors.Piece], kept: Collection[str]) -> tuple[list[vectors.Piece], list[vectors.Piece]]:
    """Part the pieces of owners of whom all is known, or nothing is to be embedded, from those of a few others."""
    owners: dict[tuple[int, int], list[vectors.Piece]] = {}
    for piece in waiting:
        owners.setdefault((piece.page, piece.observation), []).append(piece)
    known = [pieces for pieces in owners.values() if all(not piece.text or piece.text in kept for piece in pieces)]
    others = [pieces for pieces in owners.values() if any(piece.text and piece.text not in kept for piece in pieces)]
    return list(chain.from_iterable(known)), list(chain.from_iterable(others[:EMBEDDED_OWNERS_PER_READ]))


def _lower_priority() -> None:
    # On Linux a thread has a niceness of its own; elsewhere it would be the whole server's.
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
