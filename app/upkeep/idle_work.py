"""Does what stores need now and then while nobody asks for anything: merges full text, gives back space, packs git.

It also looks for secrets again where an index was filled under other rules.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

from app.compile import retention
from app.compile.sealing import ArchiveParts
from app.domain.clock import Clock, has_passed
from app.domain.errors import AppError
from app.domain.limits import EMPTY_PAGES_KEPT_PART, SHUTDOWN_SECONDS_MAX
from app.domain.limits_search import KEPT_UNUSED_MAX, KEPT_VECTOR_BYTES
from app.domain.limits_upkeep import (
    GIT_LOOK_SECONDS,
    GIT_LOOSE_OBJECTS_MAX,
    GIT_NEVER_IDLE_TIMES,
    GIT_PACKS_MAX,
    IDLE_LOOK_SECONDS,
    IDLE_SECONDS,
    MERGE_PAUSE_SECONDS,
    MERGE_PIECES_MIN,
)
from app.index import tidying, vectors
from app.index.database import IndexDatabase
from app.state import engine as engines
from app.upkeep import records
from app.upkeep.pulse import Pulse
from app.upkeep.records import IdleWorkRecord
from app.upkeep.secret_renewal import SecretRenewal
from app.wiki.packing import ObjectCount, Packer

_LOG = logging.getLogger(__name__)
STORES: Final = ("state", "index", "git")


@dataclass(frozen=True, slots=True)
class IdleParts:
    """What idle work works on, and by what it knows that nobody asks for anything."""

    data_dir: Path
    archive: ArchiveParts
    index: IndexDatabase
    packer: Packer
    pulse: Pulse
    clock: Clock
    renewal: SecretRenewal


@dataclass(frozen=True, slots=True)
class IdleStats:
    """What is done, and what was freed of each store since the start; `objects` is git's as last counted."""

    is_running: bool = False
    last_error: str = ""
    freed: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(STORES, 0))
    objects: ObjectCount | None = None


@dataclass(frozen=True, slots=True)
class _Turn:
    """One look: whether a person called for it, and whether it may go on."""

    is_by_hand: bool
    goes_on: Callable[[], bool]


class IdleWork:
    """The thread that does it: little by little while nobody asks, or all of it at once when somebody calls for it."""

    def __init__(self, parts: IdleParts) -> None:
        self._parts = parts
        self._is_stopping, self._called = threading.Event(), threading.Event()
        self._is_by_hand = False
        self._stats = IdleStats()
        self._merged_at: datetime | None = None
        self._counted_at: datetime | None = None
        self._kept_bytes = 0
        self._works = (self._renew_secrets, self._tidy_index, self._shrink_state, self._pack)
        self._thread = threading.Thread(target=self._run, name="idle-work", daemon=True)

    @property
    def stats(self) -> IdleStats:
        """Tell the figures of this moment."""
        return self._stats

    @property
    def last(self) -> IdleWorkRecord | None:
        """Tell of the last time that something was done, also before this start."""
        return records.read_idle_work_record(self._parts.data_dir)

    def start(self) -> None:
        """Begin to look for quiet."""
        self._thread.start()

    def stop(self) -> None:
        """End the step at hand; git is stopped, and packs on at another time."""
        self._is_stopping.set()
        self._called.set()
        if self._thread.ident is not None:
            self._thread.join(SHUTDOWN_SECONDS_MAX)

    def call(self) -> None:
        """Do all of it now, whether somebody asks for something or not; returns at once."""
        self._stats = replace(self._stats, is_running=True)
        self._is_by_hand = True
        self._called.set()

    def look(self, *, is_by_hand: bool = False) -> IdleWorkRecord | None:
        """Do what is due; None if that is nothing."""
        begun = self._parts.clock.now()
        before = dict(self._stats.freed)
        self._stats = replace(self._stats, is_running=True)
        turn = _Turn(is_by_hand, self._may_run if is_by_hand else self._is_quiet)
        faults: list[str] = []
        done = [self._try(work, turn, faults) for work in self._works]
        self._stats = replace(self._stats, is_running=False, last_error=faults[0] if faults else "")
        if not any(done) and not is_by_hand:
            return None
        freed = {name: self._stats.freed[name] - before[name] for name in STORES}
        seconds = (self._parts.clock.now() - begun).total_seconds()
        record = IdleWorkRecord(begun, seconds, freed, self._stats.last_error)
        records.install_record(self._parts.data_dir, record)
        return record

    def _renew_secrets(self, turn: _Turn) -> bool:
        # A little of it is done at each look: a server without a quiet moment must find out too.
        return self._parts.renewal.renew(turn.goes_on) > 0

    def _tidy_index(self, turn: _Turn) -> bool:
        index = self._parts.index
        if not turn.goes_on() or index.progress is not None:
            return False
        before = index.read(tidying.measure_file)
        if turn.is_by_hand and not before.can_shrink:
            index.compact()
            return self._note_index(before.size_bytes)
        merged = self._merge(turn)
        found = index.read(tidying.measure_file)
        if turn.is_by_hand or found.empty_bytes * EMPTY_PAGES_KEPT_PART > found.size_bytes:
            while turn.goes_on() and index.write_beside(tidying.give_back_step):
                pass
        tidied = self._tidy_kept(turn)
        return self._note_index(before.size_bytes) or merged or tidied

    def _tidy_kept(self, turn: _Turn) -> bool:
        """Delete kept vectors whose texts are gone, once they may be more than those that are of use."""
        index = self._parts.index
        before = index.kept.measure_bytes()
        enough = (2 * index.read(vectors.count_stored) + KEPT_UNUSED_MAX) * KEPT_VECTOR_BYTES
        if before == self._kept_bytes or not turn.goes_on() or not (turn.is_by_hand or before > enough):
            return False
        gone = tidying.tidy_kept(index)
        self._kept_bytes = index.kept.measure_bytes()
        self._note_freed("index", before - self._kept_bytes)
        return gone > 0

    def _merge(self, turn: _Turn) -> bool:
        """Merge each full text that lies in many pieces; one that is cut short goes on at the next quiet moment."""
        now, index = self._parts.clock.now(), self._parts.index
        if not turn.is_by_hand and not has_passed(self._merged_at, now, timedelta(seconds=MERGE_PAUSE_SECONDS)):
            return False
        pieces_min = 2 if turn.is_by_hand else MERGE_PIECES_MIN
        many = [text for text in tidying.TEXTS if index.read(partial(tidying.count_pieces, text=text)) >= pieces_min]
        for text in many:
            while turn.goes_on() and index.write_beside(partial(tidying.merge_step, text=text)):
                pass
        if turn.goes_on():
            self._merged_at = now
        return bool(many)

    def _note_index(self, before_bytes: int) -> bool:
        left = self._parts.index.read(tidying.measure_file).size_bytes
        self._note_freed("index", before_bytes - left)
        return left < before_bytes

    def _shrink_state(self, turn: _Turn) -> bool:
        # What stands empty in plenty is given back as rows leave; the rest is left for new events.
        if not turn.is_by_hand:
            return False
        archive = self._parts.archive
        before, _ = archive.verbatim.engine.read(engines.measure_file)
        given = retention.give_back_space(archive, is_all=True)
        left, _ = archive.verbatim.engine.read(engines.measure_file)
        self._note_freed("state", before - left)
        return bool(given)

    def _pack(self, turn: _Turn) -> bool:
        now, packer = self._parts.clock.now(), self._parts.packer
        if not turn.is_by_hand and not has_passed(self._counted_at, now, timedelta(seconds=GIT_LOOK_SECONDS)):
            return False
        self._counted_at, before = now, packer.count()
        self._stats = replace(self._stats, objects=before)
        is_due = turn.is_by_hand or _is_much(before, GIT_NEVER_IDLE_TIMES) or (_is_much(before, 1) and turn.goes_on())
        if not is_due:
            return False
        # It has the lowest priority and a bound, so that it need not stop for each request.
        packer.pack(self._is_stopping.is_set)
        after = packer.count()
        self._stats = replace(self._stats, objects=after)
        self._note_freed("git", before.size_bytes - after.size_bytes)
        return True

    def _note_freed(self, store: str, freed_bytes: int) -> None:
        known = self._stats.freed
        self._stats = replace(self._stats, freed={**known, store: known[store] + max(0, freed_bytes)})

    def _may_run(self) -> bool:
        return not self._is_stopping.is_set()

    def _is_quiet(self) -> bool:
        parts = self._parts
        return self._may_run() and parts.pulse.is_quiet(IDLE_SECONDS) and not parts.archive.writer.stats.depth

    def _try(self, work: Callable[[_Turn], bool], turn: _Turn, faults: list[str]) -> bool:
        try:
            return work(turn)
        except AppError as error:
            if str(error) != self._stats.last_error:
                _LOG.warning("idle work stopped: %s", error)
            faults.append(str(error))
            return False

    def _run(self) -> None:
        while True:
            self._called.wait(IDLE_LOOK_SECONDS)
            if self._is_stopping.is_set():
                return
            is_by_hand, self._is_by_hand = self._is_by_hand, False
            self._called.clear()
            try:
                self.look(is_by_hand=is_by_hand)
            except Exception as error:  # noqa: BLE001 - the thread's boundary: the next look tries again
                _LOG.warning("idle work failed", exc_info=True)
                self._stats = replace(self._stats, is_running=False, last_error=type(error).__name__)


def _is_much(objects: ObjectCount, times: int) -> bool:
    return objects.loose >= times * GIT_LOOSE_OBJECTS_MAX or objects.packs >= times * GIT_PACKS_MAX
