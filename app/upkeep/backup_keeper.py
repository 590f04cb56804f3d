"""Makes backups by the clock while the server runs, and removes those that are too many; a failure is tried again."""

import logging
import re
import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from app.domain.clock import Clock, has_passed
from app.domain.errors import AppError, DiskRefused
from app.domain.limits import BACKUP_LOOK_SECONDS, BACKUP_RETRY_SECONDS, SHUTDOWN_SECONDS_MAX
from app.domain.upkeep_errors import PassphraseRefused
from app.state import schema_copies
from app.state.meter import Meter
from app.upkeep import backup, records, rotation
from app.upkeep.archive import Manifest
from app.upkeep.backup import BackupSource
from app.upkeep.records import BackupRecord
from app.upkeep.rotation import KeptBackups

_LOG = logging.getLogger(__name__)
_NAME: Final = re.compile(r"memwiki-(\d{8}T\d{6}Z)\.tar\.zst(?:\.enc)?")
_STAMP: Final = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class BackupPlan:
    """Where backups go, how often one is made (zero for never), which are kept, and the file with the passphrase.

    The last one is put back aside every `drilled_every` to see whether it works; zero for never.
    """

    folder: Path
    every: timedelta
    kept: KeptBackups
    passphrase_file: Path | None = None
    drilled_every: timedelta = timedelta(0)


class BackupKeeper:
    """The thread that makes backups when they are due; without a schedule it only tells of the last ones."""

    def __init__(self, source: BackupSource, plan: BackupPlan, clock: Clock, meter: Meter | None = None) -> None:
        self.source, self.plan, self._meter = source, plan, meter or Meter()
        self._clock = clock
        self._is_stopping = threading.Event()
        self._tried_at: datetime | None = None
        self.last_error = ""
        self._thread = threading.Thread(target=self._run, name="backup-keeper", daemon=True)

    def start(self) -> None:
        """Begin to look at the clock, if there is a schedule."""
        if self.plan.every and self._thread.ident is None:
            self._thread.start()

    def change(self, source: BackupSource, plan: BackupPlan) -> None:
        """Go on by another schedule and with other settings in it; what failed by the earlier one is forgotten."""
        self.source, self.plan, self._tried_at, self.last_error = source, plan, None, ""
        self.start()

    def stop(self) -> None:
        """Stop; a backup at hand is left unfinished after a while, and has no name then."""
        self._is_stopping.set()
        if self._thread.ident is not None:
            self._thread.join(SHUTDOWN_SECONDS_MAX)

    def make_if_due(self) -> Manifest | None:
        """Make a backup if there is a schedule, the last good one is too old and the last try is a while ago."""
        if not self.plan.every:
            return None
        now = self._clock.now()
        last = records.read_backup_record(self.source.data_dir)
        if last is not None and not has_passed(last.at, now, self.plan.every):
            return None
        if not has_passed(self._tried_at, now, timedelta(seconds=BACKUP_RETRY_SECONDS)):
            return None
        self._tried_at, begun = now, time.perf_counter()
        try:
            manifest = make_into_folder(self.source, self.plan, now)
        except AppError as error:
            self._meter.note("backup", "", time.perf_counter() - begun, is_failed=True)
            if str(error) != self.last_error:
                _LOG.warning("backup failed: %s", error)
            self.last_error = str(error)
            return None
        self._meter.note("backup", "", time.perf_counter() - begun)
        self.last_error = ""
        self._tried_at = None
        return manifest

    def _run(self) -> None:
        while not self._is_stopping.is_set():
            try:
                self.make_if_due()
            except Exception as error:  # noqa: BLE001 - the thread's boundary: the next look tries again
                _LOG.warning("backup failed", exc_info=True)
                self.last_error = type(error).__name__
            self._is_stopping.wait(BACKUP_LOOK_SECONDS)


def make_into_folder(source: BackupSource, plan: BackupPlan, now: datetime) -> Manifest:
    """Make a backup under a name that tells its moment, note it, and remove those that are too many."""
    passphrase = read_passphrase(plan.passphrase_file) if plan.passphrase_file else ""
    target = name_backup(plan.folder, now, is_encrypted=bool(passphrase))
    manifest = backup.make_backup(source, target, now, passphrase=passphrase)
    note_backup(source.data_dir, target, manifest, now, is_encrypted=bool(passphrase))
    for path in list_surplus(plan.folder.expanduser(), plan.kept):
        path.unlink(missing_ok=True)
    return manifest


def name_backup(folder: Path, now: datetime, *, is_encrypted: bool) -> Path:
    """Name a backup by its moment, as the schedule knows its own."""
    suffix = ".tar.zst.enc" if is_encrypted else ".tar.zst"
    return folder.expanduser() / f"memwiki-{now.astimezone(UTC).strftime(_STAMP)}{suffix}"


def note_backup(data_dir: Path, target: Path, manifest: Manifest, now: datetime, *, is_encrypted: bool) -> None:
    """Note a backup that came to its end, for status and probes; a whole one stands for copies of long past upgrades.

    Raises:
        DiskRefused: a copy cannot be removed.
    """
    size = target.stat().st_size
    record = BackupRecord(now, str(target.absolute()), size, is_encrypted=is_encrypted, faults=manifest.faults)
    records.install_record(data_dir, record)
    if not manifest.faults:
        try:
            schema_copies.remove_surplus(data_dir / "state")
        except OSError as error:
            raise DiskRefused("state", error.strerror or type(error).__name__) from error


def list_backups(folder: Path) -> list[tuple[datetime, Path]]:
    """List the backups that a schedule made in a folder, the newest first; other files are nobody's business."""
    found = []
    for path in folder.iterdir() if folder.is_dir() else ():
        match = _NAME.fullmatch(path.name)
        if match:
            found.append((datetime.strptime(match[1], _STAMP).replace(tzinfo=UTC), path))
    return sorted(found, reverse=True)


def list_surplus(folder: Path, kept: KeptBackups) -> list[Path]:
    """List the backups of a schedule that its rule does not keep."""
    found = list_backups(folder)
    staying = rotation.decide_kept((moment for moment, _ in found), kept)
    return [path for moment, path in found if moment not in staying]


def read_passphrase(file: Path) -> str:
    """Read a passphrase from the first line of a file.

    Raises:
        PassphraseRefused: the line is empty.
        DiskRefused: the file cannot be read.
    """
    try:
        passphrase = file.expanduser().read_text(encoding="utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError) as error:
        raise DiskRefused(str(file), str(error)) from error
    if not passphrase:
        raise PassphraseRefused(file.name, "there is no passphrase on the first line")
    return passphrase
