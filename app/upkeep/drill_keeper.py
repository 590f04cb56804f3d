"""Tries the last backup now and then while the server runs: by a process of its own, in quiet moments."""

import logging
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from app.domain.clock import Clock, has_passed
from app.domain.errors import AppError, DiskRefused
from app.domain.limits import SHUTDOWN_SECONDS_MAX
from app.domain.limits_upkeep import (
    DRILL_PATIENCE_SECONDS,
    DRILL_RETRY_SECONDS,
    DRILL_ROOM_TIMES,
    DRILL_SECONDS_MAX,
    DRILL_STOP_SECONDS_MAX,
    IDLE_LOOK_SECONDS,
    IDLE_SECONDS,
)
from app.domain.upkeep_errors import DrillUnfinished
from app.state.disk_guard import DiskGuard
from app.state.sizes import SizeGauge
from app.upkeep import backup_keeper, records
from app.upkeep.backup_keeper import BackupKeeper
from app.upkeep.pulse import Pulse
from app.upkeep.records import BackupRecord, DrillRecord
from app.wiki import aside
from app.wiki.aside import Program

_LOG = logging.getLogger(__name__)
_COPIED: Final = frozenset({"state", "raw", "wiki", "index"})
_FOLDER_PREFIX: Final = ".drill-"
# With this a command leaves no row in the trail: nobody typed it.
_OWN_RUN: Final = {"MEMWIKI_OWN_RUN": "1"}
_NO_FAULT, _FAULTS = 0, 1


@dataclass(frozen=True, slots=True)
class DrillParts:
    """Which backups there are, how much room a drill takes and is left, and by what it is known that nobody asks."""

    backups: BackupKeeper
    sizes: SizeGauge
    disk: DiskGuard
    pulse: Pulse
    clock: Clock


class DrillKeeper:
    """The thread that tries the last backup when that is due; without a schedule of backups it does nothing."""

    def __init__(self, parts: DrillParts) -> None:
        self._parts = parts
        self._is_stopping = threading.Event()
        self._tried_at: datetime | None = None
        self._waits_since: datetime | None = None
        self.last_error = ""
        self._thread = threading.Thread(target=self._run, name="drill-keeper", daemon=True)

    def start(self) -> None:
        """Begin to look at the clock."""
        self._thread.start()

    def stop(self) -> None:
        """Stop; a drill at hand is ended, and begun anew at another time."""
        self._is_stopping.set()
        if self._thread.ident is not None:
            self._thread.join(SHUTDOWN_SECONDS_MAX)

    def drill_if_due(self) -> DrillRecord | None:
        """Try the last backup if there is a schedule, the last try is too old or failed, and nobody asks."""
        made, now = self._find_due(), self._parts.clock.now()
        if made is None or not self._may_begin(now):
            return None
        self._tried_at, self._waits_since = now, None
        try:
            record = self._drill(made)
        except AppError as error:
            if str(error) != self.last_error:
                _LOG.warning("the last backup could not be tried: %s", error)
            self.last_error = str(error)
            return None
        self.last_error = ""
        if record is None:
            return None
        if record.passed:
            _LOG.info("the last backup was put back aside, and works")
        else:
            _LOG.error("THE LAST BACKUP DOES NOT WORK, as a restore drill found: %d faults", len(record.faults))
        return record

    def is_overdue(self) -> bool:
        """Tell whether the schedule's last drill is twice as old as it may be; with no drill, its oldest backup."""
        plan = self._parts.backups.plan
        if not plan.every or not plan.drilled_every:
            return False
        last = records.read_drill_record(self._folder)
        kept = [] if last else backup_keeper.list_backups(plan.folder.expanduser())
        since = last.at if last else kept[-1][0] if kept else None
        return since is not None and self._parts.clock.now() - since > 2 * plan.drilled_every

    @property
    def _folder(self) -> Path:
        return self._parts.backups.source.data_dir

    def _find_due(self) -> BackupRecord | None:
        """Find the backup that is to be tried now."""
        plan, now = self._parts.backups.plan, self._parts.clock.now()
        made = records.read_backup_record(self._folder)
        if not plan.every or not plan.drilled_every or made is None:
            return None
        last = records.read_drill_record(self._folder)
        is_new = last is not None and not last.passed and last.at < made.at
        if not is_new and not has_passed(last.at if last else None, now, plan.drilled_every):
            return None
        return made if has_passed(self._tried_at, now, timedelta(seconds=DRILL_RETRY_SECONDS)) else None

    def _may_begin(self, now: datetime) -> bool:
        """Tell whether nobody asks for anything, or this has been waited for long enough."""
        self._waits_since = self._waits_since or now
        is_late = now - self._waits_since >= timedelta(seconds=DRILL_PATIENCE_SECONDS)
        return not self._is_stopping.is_set() and (is_late or self._parts.pulse.is_quiet(IDLE_SECONDS))

    def _drill(self, made: BackupRecord) -> DrillRecord | None:
        """Run the command; None if the server stops meanwhile.

        Raises:
            DiskRefused: there is no room for it.
            DrillUnfinished: it did not come to a result.
        """
        self._check_room()
        before = records.read_drill_record(self._folder)
        deadline = time.monotonic() + DRILL_SECONDS_MAX
        with self._lend_room() as folder, tempfile.TemporaryFile() as complaint:
            env = {**os.environ, **_OWN_RUN, "TMPDIR": str(folder)}
            program = Program(self._build_words(made), folder, env, DRILL_STOP_SECONDS_MAX)
            try:
                code = aside.run_aside(program, lambda: self._must_stop(deadline), complaint=complaint)
            except OSError as error:
                raise DrillUnfinished(f"it cannot be started: {error.strerror}") from error
            complaint.seek(0)
            said = complaint.read().decode("utf-8", "replace").strip()
        if self._is_stopping.is_set():
            return None
        if code is None:
            raise DrillUnfinished(f"it was not over after {DRILL_SECONDS_MAX:.0f} s")
        after = records.read_drill_record(self._folder)
        if code not in {_NO_FAULT, _FAULTS} or after is None or after == before:
            raise DrillUnfinished(said.rpartition("\n")[2][-300:] or f"it ended with {code}")
        return after

    def _must_stop(self, deadline: float) -> bool:
        return self._is_stopping.is_set() or time.monotonic() > deadline

    def _build_words(self, made: BackupRecord) -> list[str]:
        words = [sys.executable, "-P", "-m", "app.entrypoints.cli.main", "restore-drill", "--json"]
        words += ["--from", made.file, "--data-dir", str(self._folder)]
        passphrase_file = self._parts.backups.plan.passphrase_file
        return [*words, "--passphrase-file", str(passphrase_file.expanduser())] if passphrase_file else words

    def _check_room(self) -> None:
        sizes, disk = self._parts.sizes.measure(), self._parts.disk
        taken = sum(folder.size_bytes for folder in sizes.folders if folder.name in _COPIED)
        wanted, free = DRILL_ROOM_TIMES * taken + disk.floor_bytes, disk.measure_free()
        if free < wanted:
            raise DiskRefused("restore drill", f"it wants {wanted // 2**20} MiB free, and {free // 2**20} MiB are")

    @contextmanager
    def _lend_room(self) -> Iterator[Path]:
        """Lend a folder on the disk of the data; what a killed server left there is removed first."""
        parent = self._folder / records.FOLDER
        parent.mkdir(mode=0o700, exist_ok=True)
        for leftover in parent.glob(f"{_FOLDER_PREFIX}*"):
            shutil.rmtree(leftover, ignore_errors=True)
        folder = Path(tempfile.mkdtemp(prefix=_FOLDER_PREFIX, dir=parent))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _run(self) -> None:
        while not self._is_stopping.wait(IDLE_LOOK_SECONDS):
            try:
                self.drill_if_due()
            except Exception as error:  # noqa: BLE001 - the thread's boundary: the next look tries again
                _LOG.warning("the last backup could not be tried", exc_info=True)
                self.last_error = type(error).__name__
