"""One lock per page, made when first needed and forgotten when nobody holds or waits for it; and whole projects."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from app.domain.limits_projects import MOVE_WAIT_SECONDS_MAX
from app.domain.moving_errors import ProjectBusy, ProjectMoved
from app.domain.page import PagePath
from app.domain.pagepath import fold_path
from app.domain.scope import Scope


class PageLocks:
    """Locks by page; two spellings of one path share a lock."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: dict[str, tuple[threading.Lock, int]] = {}
        self._turn = threading.Condition()
        self._busy: dict[Scope, int] = {}
        self._closed: dict[Scope, int] = {}
        self._gone: set[Scope] = set()

    @contextmanager
    def hold(self, scope: Scope, *paths: PagePath) -> Iterator[None]:
        """Hold the locks of some pages of one project, always taken in one order.

        Raises:
            ProjectMoved: the project has another name, or is part of another, since the caller looked.
            ProjectBusy: it is being moved, which takes longer than one waits.
        """
        with ExitStack() as held:
            held.enter_context(self._enter(scope))
            for key in sorted({f"{scope}/{fold_path(path)}" for path in paths}):
                held.enter_context(self._hold_one(key))
            yield

    @contextmanager
    def close(self, *scopes: Scope) -> Iterator[None]:
        """Keep all others from the pages of some projects; the caller's own thread may go on.

        Raises:
            ProjectBusy: somebody has been at a page of theirs for too long.
        """
        mine = threading.get_ident()

        def is_free() -> bool:
            return not any(self._busy.get(scope) or scope in self._closed for scope in scopes)

        with self._turn:
            if not self._turn.wait_for(is_free, MOVE_WAIT_SECONDS_MAX):
                raise ProjectBusy(scopes[0], MOVE_WAIT_SECONDS_MAX * 1000)
            self._closed |= dict.fromkeys(scopes, mine)
        try:
            yield
        finally:
            with self._turn:
                for scope in set(scopes):
                    del self._closed[scope]
                self._turn.notify_all()

    def note_move(self, gone: Scope, to: Scope) -> None:
        """Refuse from now on whoever still comes by a project's former name, which makes no folder anew."""
        with self._turn:
            self._gone.add(gone)
            self._gone.discard(to)

    def forget_moves(self, *scopes: Scope) -> None:
        """Let names be used again that lead to no project any more."""
        with self._turn:
            self._gone.difference_update(scopes)

    @contextmanager
    def _enter(self, scope: Scope) -> Iterator[None]:
        mine = threading.get_ident()
        with self._turn:
            if not self._turn.wait_for(lambda: self._closed.get(scope, mine) == mine, MOVE_WAIT_SECONDS_MAX):
                raise ProjectBusy(scope, MOVE_WAIT_SECONDS_MAX * 1000)
            if scope in self._gone:
                raise ProjectMoved(scope)
            self._busy[scope] = self._busy.get(scope, 0) + 1
        try:
            yield
        finally:
            with self._turn:
                self._busy[scope] -= 1
                if not self._busy[scope]:
                    del self._busy[scope]
                    self._turn.notify_all()

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
