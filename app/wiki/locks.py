"""One lock per page, made when first needed and forgotten when nobody holds or waits for it."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from app.domain.page import PagePath
from app.domain.pagepath import fold_path
from app.domain.scope import Scope


class PageLocks:
    """Locks by page; two spellings of one path share a lock."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: dict[str, tuple[threading.Lock, int]] = {}

    @contextmanager
    def hold(self, scope: Scope, *paths: PagePath) -> Iterator[None]:
        """Hold the locks of some pages of one project, always taken in one order."""
        with ExitStack() as held:
            for key in sorted({f"{scope}/{fold_path(path)}" for path in paths}):
                held.enter_context(self._hold_one(key))
            yield

    @contextmanager
    def _hold_one(self, key: str) -> Iterator[None]:
        with self._guard:
            lock, users = self._locks.get(key, (threading.Lock(), 0))
            self._locks[key] = (lock, users + 1)
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, users = self._locks[key]
                if users == 1:
                    del self._locks[key]
                else:
                    self._locks[key] = (lock, users - 1)
