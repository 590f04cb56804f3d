"""Saves the counts of dropped and refused events soon after they change, so that a restart does not forget them."""

import threading

from app.capture.drops import Drops
from app.domain.errors import AppError
from app.domain.limits import COUNTS_SAVED_SECONDS
from app.state import unkept
from app.state.refusals import Refusals
from app.state.writer import Writer


class CountKeeper:
    """One thread that saves at the first change and then once in a while; a crash loses at most that while."""

    def __init__(self, writer: Writer, drops: Drops, refusals: Refusals, changed: threading.Event) -> None:
        self._writer, self._drops, self._refusals = writer, drops, refusals
        self._changed = changed
        self._is_stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="count-keeper", daemon=True)

    def start(self) -> None:
        """Begin to save."""
        self._thread.start()

    def stop(self) -> None:
        """Save what changed last, while the writer still works."""
        self._is_stopping.set()
        self._changed.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._is_stopping.is_set():
            self._changed.wait()
            self._changed.clear()
            self._save()
            self._is_stopping.wait(COUNTS_SAVED_SECONDS)
        self._save()

    def _save(self) -> None:
        dropped, refused = self._drops.list_counts()[::-1], self._refusals.list_tallies()
        try:
            self._writer.submit(lambda conn: unkept.replace_counts(conn, dropped, refused)).result()
        except AppError:
            # A full queue or disk is told elsewhere; the counts are still here, and go with the next try.
            self._changed.set()
