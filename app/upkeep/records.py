"""What was last backed up and rehearsed, in `backups/`, and what idle work last did, in `logs/`, for the status."""

import os
from datetime import datetime
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from app.domain.errors import DiskRefused

T = TypeVar("T")

FOLDER: Final = "backups"
LOGS: Final = "logs"
_BACKUP_NAME: Final = "last-backup.json"
_DRILL_NAME: Final = "last-drill.json"
_IDLE_NAME: Final = "last-maintenance.json"


class BackupRecord(msgspec.Struct, frozen=True):
    """The last backup that came to its end."""

    at: datetime
    file: str
    size: int
    is_encrypted: bool
    faults: list[str]


class DrillRecord(msgspec.Struct, frozen=True):
    """The last time that a backup was put back to see whether it works."""

    at: datetime
    file: str
    passed: bool
    faults: list[str]


class IdleWorkRecord(msgspec.Struct, frozen=True):
    """The last time that stores were looked after: for how long, the bytes freed of each, and what went wrong."""

    at: datetime
    seconds: float
    freed: dict[str, int]
    fault: str


def read_backup_record(data_dir: Path) -> BackupRecord | None:
    """Read of the last good backup; None if there was none, or the note cannot be read."""
    return _read(data_dir / FOLDER / _BACKUP_NAME, BackupRecord)


def read_drill_record(data_dir: Path) -> DrillRecord | None:
    """Read of the last drill; None if there was none, or the note cannot be read."""
    return _read(data_dir / FOLDER / _DRILL_NAME, DrillRecord)


def read_idle_work_record(data_dir: Path) -> IdleWorkRecord | None:
    """Read of the last idle work; None if there was none, or the note cannot be read."""
    return _read(data_dir / LOGS / _IDLE_NAME, IdleWorkRecord)


def install_record(data_dir: Path, record: BackupRecord | DrillRecord | IdleWorkRecord) -> None:
    """Note what was done.

    Raises:
        DiskRefused: it cannot be written.
    """
    path = data_dir / _find_place(record)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(record), indent=1))
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise DiskRefused(str(path), error.strerror or str(error)) from error


def _find_place(record: BackupRecord | DrillRecord | IdleWorkRecord) -> str:
    match record:
        case BackupRecord():
            return f"{FOLDER}/{_BACKUP_NAME}"
        case DrillRecord():
            return f"{FOLDER}/{_DRILL_NAME}"
        case IdleWorkRecord():
            return f"{LOGS}/{_IDLE_NAME}"


def _read(path: Path, kind: type[T]) -> T | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError):
        return None
