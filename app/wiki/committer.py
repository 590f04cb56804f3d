"""`Committer`: the one thread that turns page changes into commits; nobody waits for it."""

import logging
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from app.domain import rehearsal
from app.domain.clock import Clock
from app.domain.errors import AppError, WikiUnreadable
from app.domain.limits import (
    COMMIT_BATCH_BYTES_MAX,
    COMMIT_BATCH_MAX,
    COMMIT_HOLD_SECONDS_MAX,
    COMMIT_LINGER_MS,
    COMMIT_RETRY_MS_MIN,
    COMMIT_RETRY_SECONDS_MAX,
)
from app.state.meter import Meter
from app.wiki import commit_plan, scan
from app.wiki.commit_plan import CommitRequest
from app.wiki.packing import Packer
from app.wiki.repository import Repository
from app.wiki.tree import Tree

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CommitterStats:
    """How far git is behind the tree; `last_error` is empty once a commit has succeeded again."""

    pending: int = 0
    commits: int = 0
    lag_seconds: float = 0.0
    last_error: str = ""


class Committer:
    """Collects changes for a moment and commits each as its own commit, by one run of `git fast-import` a batch.

    The content of a commit is what is on disk when it is made. While git is locked or failing, changes wait and are
    tried again; nothing is dropped.
    """

    def __init__(
        self,
        repository: Repository,
        tree: Tree,
        clock: Clock,
        *,
        linger_ms: int = COMMIT_LINGER_MS,
        meter: Meter | None = None,
    ) -> None:
        self.repository, self.packer = repository, Packer(repository)
        self._tree = tree
        self._clock, self._meter = clock, meter or Meter()
        self._linger_seconds = linger_ms / 1000
        self._waiting: deque[CommitRequest] = deque()
        self._turn = threading.Condition()
        self._at_git = threading.Lock()
        self._thread: threading.Thread | None = None
        self._held: set[str] = set()
        self._is_stopping = False
        self._is_hurried = False
        self._is_committing = False
        self._unstaged: set[str] = set()
        self._commits = 0
        self._failures = 0
        self._last_error = ""

    def start(self) -> None:
        """Start the thread."""
        self._thread = threading.Thread(target=self._run, name="wiki-committer", daemon=True)
        self._thread.start()

    def queue(self, request: CommitRequest) -> None:
        """Take a change into the next batch; returns at once. Rehearsals are not history."""
        places = tuple(place for place in request.places if not rehearsal.is_rehearsal_place(place))
        if not places:
            return
        request = replace(request, places=places)
        with self._turn:
            held = sum(map(_count_bytes, self._waiting)) if request.before or request.after else 0
            if held + _count_bytes(request) > COMMIT_BATCH_BYTES_MAX:
                # While git is locked for long, only the last text of each page is kept: the one on disk.
                request = replace(request, before={}, after={})
            self._waiting.extend(_split(request))
            self._turn.notify_all()

    @contextmanager
    def together(self, session_id: str) -> Iterator[None]:
        """Keep what a session changes meanwhile for one batch, so that it becomes one commit; within a bound."""
        with self._turn:
            self._held.add(session_id)
        try:
            yield
        finally:
            with self._turn:
                self._held.discard(session_id)
                self._turn.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep the thread from committing, and history from being packed; what is queued meanwhile waits."""
        with self.packer.hold_off(), self._at_git:
            yield

    def flush(self, timeout_seconds: float) -> bool:
        """Wait until everything queued is committed; False if the time ran out first."""
        with self._turn:
            self._is_hurried = True
            self._turn.notify_all()
            done = self._turn.wait_for(lambda: not self._waiting and not self._is_committing, timeout_seconds)
            self._is_hurried = False
            return done

    def stop(self, timeout_seconds: float) -> bool:
        """Commit what is waiting, within the time, and end the thread; the next start finds what is left."""
        done = self.flush(timeout_seconds) if self._thread is not None else not self._waiting
        with self._turn:
            self._is_stopping = True
            self._turn.notify_all()
        if self._thread is not None:
            self._thread.join(timeout_seconds)
            self._thread = None
        return done

    @property
    def stats(self) -> CommitterStats:
        """Tell how far git is behind."""
        with self._turn:
            oldest = self._waiting[0].at if self._waiting else None
            lag = 0.0 if oldest is None else max(0.0, (self._clock.now() - oldest).total_seconds())
            return CommitterStats(len(self._waiting), self._commits, lag, self._last_error)

    def queue_differences(self, words: str = "") -> int:
        """Queue what differs between disk and git, as after a crash or edits made while nothing was running.

        Without `words`, a commit of one page names it.
        """
        places = tuple(place for place in self.repository.list_differences() if scan.parse_place(place))
        if places:
            # Staging too: a crash between the two steps of a commit leaves it behind HEAD.
            request = build_outside_request(places, self._clock)
            self.queue(replace(request, message=words or request.message, needs_staging=True))
        return len(places)

    def commit_batch(self, batch: Sequence[CommitRequest]) -> int:
        """Make the commits of one batch and tell how many there were.

        Raises:
            WikiUnreadable: git is locked, failed, or HEAD was moved meanwhile; the batch may be tried again as it is.
        """
        blocker = self.repository.find_blocker()
        if blocker:
            raise WikiUnreadable(blocker)
        places = sorted({place for request in batch for place in request.places})
        head = self.repository.read_head(places)
        on_disk = self._read_places(places)
        algorithm = "sha256" if len(head.revision) > 40 else "sha1"  # noqa: PLR2004 - SHA-1 ids have 40 digits
        planned = commit_plan.plan_commits(batch, head.copies, on_disk, algorithm=algorithm)
        if planned:
            self.repository.import_commits(commit_plan.render_stream(planned, head.revision))
            self.repository.move_head(head.revision)
        if planned or self._unstaged or any(request.needs_staging for request in batch):
            self._unstaged |= on_disk.keys()
            self.repository.stage(sorted(self._unstaged))
            self._unstaged.clear()
        return len(planned)

    def _run(self) -> None:
        while True:
            batch = self._take_batch()
            if batch is None:
                return
            begun = time.perf_counter()
            try:
                with self._at_git:
                    made = self.commit_batch(batch)
            except Exception as error:  # noqa: BLE001 - the thread's boundary: the batch goes back and is tried again
                self._put_back(batch, error)
            else:
                self._meter.note("git-commit", "", time.perf_counter() - begun)
                self._finish(made)

    def _take_batch(self) -> list[CommitRequest] | None:
        with self._turn:
            self._turn.wait_for(lambda: self._waiting or self._is_stopping)
            if self._failures:
                self._wait_out_failure()
            elif not self._is_stopping:
                self._turn.wait_for(lambda: self._is_hurried or self._is_stopping, self._linger_seconds)
                self._turn.wait_for(lambda: not self._is_next_held() or self._is_stopping, COMMIT_HOLD_SECONDS_MAX)
            if self._is_stopping:
                return None
            batch: list[CommitRequest] = []
            room_places, room_bytes = COMMIT_BATCH_MAX, COMMIT_BATCH_BYTES_MAX
            while self._waiting and room_bytes > 0:
                if batch and (self._is_next_held() or room_places < len(self._waiting[0].places)):
                    break
                request = self._waiting.popleft()
                batch.append(request)
                room_places -= len(request.places)
                room_bytes -= sum(map(self._tree.find_size, request.places)) + _count_bytes(request)
            self._is_committing = True
            return batch

    def _is_next_held(self) -> bool:
        return self._waiting[0].session_id in self._held

    def _wait_out_failure(self) -> None:
        pause = min(COMMIT_RETRY_MS_MIN / 1000 * 2 ** min(self._failures - 1, 16), COMMIT_RETRY_SECONDS_MAX)
        self._turn.wait_for(lambda: self._is_stopping, COMMIT_RETRY_MS_MIN / 1000)
        # Whoever waits for a flush has the next try sooner.
        self._turn.wait_for(lambda: self._is_stopping or self._is_hurried, pause - COMMIT_RETRY_MS_MIN / 1000)

    def _put_back(self, batch: Sequence[CommitRequest], error: Exception) -> None:
        message = str(error) if isinstance(error, AppError) else f"{type(error).__name__}: {error}"
        with self._turn:
            if message != self._last_error:
                _LOG.warning("commit postponed: %s", message)
            self._waiting.extendleft(reversed(batch))
            self._failures += 1
            self._last_error = message
            self._is_committing = False

    def _finish(self, made: int) -> None:
        with self._turn:
            self._commits += made
            self._failures = 0
            self._last_error = ""
            self._is_committing = False
            self._turn.notify_all()

    def _read_places(self, places: Sequence[str]) -> dict[str, bytes | None]:
        found: dict[str, bytes | None] = {}
        for place in places:
            try:
                found[place] = self._tree.read_place(place)
            except WikiUnreadable:
                # What cannot be read now is neither changed nor deleted in git; reconcile reports it.
                continue
        return found


def build_outside_request(places: Sequence[str], clock: Clock) -> CommitRequest:
    """Build the request for changes that did not come through memwiki."""
    return CommitRequest(
        places=tuple(places),
        message=commit_plan.describe_outside(places).strip(),
        author=commit_plan.OUTSIDE_AUTHOR,
        at=clock.now(),
    )


def _count_bytes(request: CommitRequest) -> int:
    return sum(len(content) for held in (request.before, request.after) for content in held.values() if content)


def _split(request: CommitRequest) -> list[CommitRequest]:
    """Cut a request of very many places into several, so that a batch stays bounded."""
    if len(request.places) <= COMMIT_BATCH_MAX:
        return [request]
    starts = range(0, len(request.places), COMMIT_BATCH_MAX)
    return [replace(request, places=request.places[start : start + COMMIT_BATCH_MAX]) for start in starts]
