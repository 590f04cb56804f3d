"""Notices edits made outside memwiki and keeps index and history equal to the tree; writes no page."""

import contextlib
import logging
import os
import threading
import time
from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace
from datetime import timedelta

import watchfiles

from app.domain.errors import AppError
from app.domain.limits import (
    LEFTOVER_SECONDS,
    OUTSIDE_QUIET_SECONDS,
    OUTSIDE_WAIT_SECONDS_MAX,
    POLL_SECONDS,
    RECONCILE_SECONDS,
    WATCH_TICK_MS,
)
from app.domain.page import PagePath
from app.domain.scope import Scope
from app.index.database import Progress
from app.wiki import reconcile, scan
from app.wiki.committer import build_outside_request
from app.wiki.pages import Wiki
from app.wiki.reconcile import Report
from app.wiki.scan import Skip

_LOG = logging.getLogger(__name__)
_DEBOUNCE_MS = 100
_STEP_MS = 25
# Files written at once into a just-made folder can escape the system's events, so such a folder is walked once more.
_SECOND_LOOK_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class WatcherStats:
    """How outside edits are noticed: by `events`, or by `polling` for the reason given."""

    mode: str = "starting"
    reason: str = ""
    passes: int = 0
    rebuilds: int = 0
    edits: int = 0
    skipped: tuple[Skip, ...] = ()
    last_error: str = ""


@dataclass(frozen=True, slots=True)
class _Hints:
    """What events point at: single pages, or everything, and then once more a little later if a folder changed."""

    pages: frozenset[tuple[Scope, PagePath]] = frozenset()
    is_everything: bool = False
    has_folder: bool = False


class Watcher:
    """The thread that brings index and history up to what is on disk.

    It reads pages and never writes one. Its first pass runs after the start, so that a server is ready at once.
    """

    def __init__(
        self,
        wiki: Wiki,
        *,
        quiet_seconds: float = OUTSIDE_QUIET_SECONDS,
        poll_seconds: float = POLL_SECONDS,
        is_polling: bool = False,
    ) -> None:
        self._wiki = wiki
        self._quiet_seconds = quiet_seconds
        self._poll_seconds = poll_seconds
        self._is_polling = is_polling
        self._stopping = threading.Event()
        self._rebuild_due = False
        self._thread: threading.Thread | None = None
        self._stats = WatcherStats()
        self._outside: set[str] = set()
        self._outside_since = 0.0
        self._outside_last = 0.0
        self._next_pass = 0.0
        self._differences_due = True

    def start(self) -> None:
        """Start the thread."""
        self._thread = threading.Thread(target=self._run, name="wiki-watcher", daemon=True)
        self._thread.start()

    def stop(self, timeout_seconds: float) -> None:
        """End the thread and queue the commits that were waiting for quiet."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout_seconds)
            self._thread = None
        self._queue_outside()

    def request_rebuild(self) -> None:
        """Ask for a new index, made from the files at the next tick; from now on the present one is not complete."""
        self._wiki.index.progress = Progress(0, 0)
        self._rebuild_due = True

    def request_filling(self) -> None:
        """Ask for what the index still lacks: what was read before its building was cut short is not read again."""
        self._wiki.index.progress = Progress(0, 0)
        self._next_pass = 0.0

    def request_pass(self) -> None:
        """Ask for a look at the whole tree at the next tick."""
        self._next_pass = 0.0

    @property
    def stats(self) -> WatcherStats:
        """Tell how edits are noticed and what was found."""
        return self._stats

    def _run(self) -> None:
        with contextlib.closing(self._list_hints()) as hints:
            for found in hints:
                try:
                    self._tick(found)
                except Exception as error:  # noqa: BLE001 - the thread's boundary: the next tick looks at everything
                    self._note_failure(error)

    def _list_hints(self) -> Generator[_Hints, None, None]:
        """Give what events point at, or nothing at every tick, until the watcher is stopped."""
        if not self._is_polling:
            try:
                yield from self._list_event_hints()
            except Exception as error:  # noqa: BLE001 - whatever the system refuses, polling goes on without it
                self._stats = replace(self._stats, reason=str(error)[:300] or type(error).__name__)
                _LOG.warning("watching by events is not possible, polling instead: %s", self._stats.reason)
        self._is_polling = True
        self._stats = replace(self._stats, mode="polling")
        while not self._stopping.is_set():
            yield _Hints()
            self._stopping.wait(min(self._poll_seconds, WATCH_TICK_MS / 1000))

    def _list_event_hints(self) -> Generator[_Hints, None, None]:
        prefix = f"{self._wiki.tree.root}{os.sep}"
        # The first pass need not wait for the watch; what changes before that stands is found by the second.
        yield _Hints()
        is_first = True
        for changes in watchfiles.watch(
            self._wiki.tree.root,
            watch_filter=lambda _, path: f"{os.sep}." not in path.removeprefix(prefix[:-1]),
            debounce=_DEBOUNCE_MS,
            step=_STEP_MS,
            stop_event=self._stopping,
            rust_timeout=WATCH_TICK_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
        ):
            self._stats = replace(self._stats, mode="events")
            found = self._read_hints(path.removeprefix(prefix) for _, path in changes)
            yield replace(found, is_everything=found.has_folder or is_first)
            is_first = False

    def _read_hints(self, places: Iterable[str]) -> _Hints:
        pages = set()
        has_folder = False
        for place in places:
            page = scan.parse_place(place.replace(os.sep, "/"))
            if page is not None:
                pages.add(page)
            elif not (self._wiki.tree.root / place).is_file():
                has_folder = True
        return _Hints(frozenset(pages), has_folder=has_folder)

    def _tick(self, hints: _Hints) -> None:
        now = time.monotonic()
        missed = self._wiki.unindexed.take()
        if self._rebuild_due or not self._wiki.index.is_intact():
            self._rebuild_due = False
            reconcile.rebuild(self._wiki)
            # A new index knows nothing, so it cannot tell which pages were edited; git can.
            self._differences_due = True
            self._next_pass = 0.0
            self._stats = replace(self._stats, rebuilds=self._stats.rebuilds + 1)
        if hints.is_everything or now >= self._next_pass:
            self._pass_whole_tree(now, is_again_soon=hints.has_folder)
        elif hints.pages or missed:
            self._note(reconcile.reconcile_pages(self._wiki, hints.pages | missed), now)
        self._queue_outside_if_quiet(now)
        if self._stats.last_error:
            self._stats = replace(self._stats, last_error="")

    def _pass_whole_tree(self, now: float, *, is_again_soon: bool) -> None:
        if self._stats.passes == 0:
            self._wiki.tree.remove_leftovers(self._wiki.clock.now() - timedelta(seconds=LEFTOVER_SECONDS))
        self._note(reconcile.reconcile(self._wiki), now)
        if self._rebuild_due:
            # Asked for while this pass was running, which was then taken for the new index.
            self._wiki.index.progress = Progress(0, 0)
        pause = self._poll_seconds if self._is_polling else float(RECONCILE_SECONDS)
        self._next_pass = now + (min(pause, _SECOND_LOOK_SECONDS) if is_again_soon else pause)
        self._stats = replace(self._stats, passes=self._stats.passes + 1, skipped=self._wiki.tree.list_skips())
        if self._differences_due:
            self._wiki.committer.queue_differences()
            self._differences_due = False

    def _note(self, report: Report, now: float) -> None:
        for skip in report.skipped:
            _LOG.warning("not a page of the wiki: %s (%s)", skip.place, skip.reason)
        if not report.pages or self._differences_due:
            return
        self._outside_since = self._outside_since if self._outside else now
        self._outside_last = now
        self._outside |= {self._wiki.tree.find_place(scope, path) for scope, path in report.pages}
        self._stats = replace(self._stats, edits=self._stats.edits + len(report.pages))

    def _note_failure(self, error: Exception) -> None:
        message = str(error) if isinstance(error, AppError) else f"{type(error).__name__}: {error}"
        if message != self._stats.last_error:
            _LOG.warning("the wiki could not be looked through: %s", message)
        self._stats = replace(self._stats, last_error=message)
        self._next_pass = time.monotonic() + min(self._poll_seconds, _SECOND_LOOK_SECONDS)

    def _queue_outside_if_quiet(self, now: float) -> None:
        is_quiet = now - self._outside_last >= self._quiet_seconds
        if self._outside and (is_quiet or now - self._outside_since >= OUTSIDE_WAIT_SECONDS_MAX):
            self._queue_outside()

    def _queue_outside(self) -> None:
        places, self._outside = sorted(self._outside), set()
        if places:
            self._wiki.committer.queue(build_outside_request(places, self._wiki.clock))
