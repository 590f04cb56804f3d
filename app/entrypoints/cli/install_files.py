"""Writes a plan's files, each in one step, after a backup of what others wrote, and keeps the record of it."""

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from app.domain.errors import DiskRefused, ForeignEntry
from app.entrypoints.cli import config_files, hook_client, installed
from app.entrypoints.cli.config_files import FileChange
from app.entrypoints.cli.installed import InstalledFile
from app.entrypoints.cli.machine import Machine
from app.entrypoints.cli.plans import Plan

_PRIVATE = 0o600


@dataclass(frozen=True, slots=True)
class Written:
    """What was done to one file; `backup` is empty where none was needed or it was used up."""

    path: str
    purpose: str
    action: str
    backup: str = ""


@dataclass(frozen=True, slots=True)
class _Folder:
    """Our own folder, and those above it that were made for it now, outermost first."""

    path: Path
    made: tuple[str, ...]


def apply(plan: Plan, machine: Machine, now: datetime) -> tuple[Written, ...]:
    """Write a plan's files.

    Raises:
        ForeignEntry: a file changed since the plan was made; nothing was written.
        DiskRefused: a file cannot be written; those before it are written and recorded.
    """
    changes = [change for change in plan.changes if change.is_changed]
    for change in changes:
        if config_files.read_file(change.path) != change.before:
            raise ForeignEntry(str(change.path), "it changed while this command was looking at it; run it again")
    record = dict(installed.read_installed(machine.folder))
    if plan.is_install:
        made = _list_missing(machine.folder.parent)
        _make_folder(machine.folder)
        _note_owners(record, plan.changes)
        return _apply_install(changes, _Folder(machine.folder, made), record, now)
    return _apply_uninstall(plan, changes, machine.folder, record)


def _apply_install(
    changes: Sequence[FileChange], folder: _Folder, record: dict[str, InstalledFile], now: datetime
) -> tuple[Written, ...]:
    backups: dict[Path, str] = {}
    for change in changes:
        file = _record_change(record.get(str(change.path)), change, folder, now)
        record[str(change.path)] = file
        backups[change.path] = file.backups[0] if file.backups else ""
    # The record comes first: after a crash an uninstall sees that the file is not what was meant, and looks.
    installed.write_installed(folder.path, record)
    return tuple(_write(change, backups.get(change.path, ""), mode=change.mode) for change in changes)


def _note_owners(record: dict[str, InstalledFile], changes: Iterable[FileChange]) -> None:
    """Remember who shares a file that needs no change for them."""
    for change in changes:
        file = record.get(str(change.path))
        if file is not None and not change.owners.issubset(file.owners):
            record[str(change.path)] = replace(file, owners=tuple(sorted({*file.owners, *change.owners})))


def _apply_uninstall(
    plan: Plan, changes: Sequence[FileChange], folder: Path, record: dict[str, InstalledFile]
) -> tuple[Written, ...]:
    written: list[Written] = []
    folders = {str(folder), str(folder / "backups"), str(hook_client.locate_client(folder).parent)}
    gone = set(plan.agents) - {name for name, _reason in plan.refused}
    for change in changes:
        file = record.get(str(change.path))
        is_exact = file is None or config_files.hash_content(change.after) == file.before
        kept = "" if file is None or is_exact or plan.is_thorough or not file.backups else file.backups[0]
        written.append(_write(change, kept, mode=change.mode if file is None else file.mode if is_exact else None))
        if file is not None:
            record[str(change.path)] = replace(file, after=config_files.hash_content(change.after))
    for path, file in list(record.items()):
        owners = tuple(owner for owner in file.owners if owner.agent not in gone)
        if owners:
            record[path] = replace(file, owners=owners)
            continue
        del record[path]
        is_exact = file.after == file.before
        for backup in file.backups if is_exact or plan.is_thorough else ():
            config_files.remove_file(Path(backup))
        folders.update(file.folders)
    installed.write_installed(folder, record)
    # Each stays where anything else is in it, such as the server's own stores.
    _remove_folders(folders)
    return tuple(written)


def _remove_folders(folders: Iterable[str]) -> None:
    """Remove folders that are empty, innermost first."""
    for folder in sorted(folders, key=len, reverse=True):
        with contextlib.suppress(OSError):
            Path(folder).rmdir()


def _make_folder(folder: Path) -> None:
    """Make the folder that the server may later use as its own: nobody else's business."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DiskRefused(str(folder), error.strerror or "it cannot be made") from error


def _record_change(known: InstalledFile | None, change: FileChange, folder: _Folder, now: datetime) -> InstalledFile:
    """Record a change; a file that nobody else touched since ours keeps its first backup."""
    before, after = config_files.hash_content(change.before), config_files.hash_content(change.after)
    earlier = known.owners if known is not None else ()
    owners = tuple(sorted({*earlier, *change.owners}))
    if known is not None and known.after == before:
        return replace(known, after=after, owners=owners)
    folders = (
        known.folders if known is not None and known.folders else (*folder.made, *_list_missing(change.path.parent))
    )
    if change.is_copy:
        return InstalledFile(str(change.path), "", after, is_restorable=True, owners=owners, folders=folders)
    backups = known.backups if known is not None else ()
    mode = None
    if change.before is not None:
        mode = change.path.stat().st_mode & 0o777
        is_project = any(owner.project for owner in owners)
        place = folder.path / "backups" if is_project else change.path.parent
        backups = (str(config_files.back_up(change.path, change.before, now, place)), *backups)
    return InstalledFile(
        path=str(change.path),
        before=before,
        after=after,
        is_restorable=not change.has_own,
        owners=owners,
        backups=backups,
        mode=mode,
        folders=folders,
    )


def _list_missing(folder: Path) -> tuple[str, ...]:
    """List the folders that have to be made, outermost first."""
    missing: list[str] = []
    while not folder.exists():
        missing.append(str(folder))
        folder = folder.parent
    return tuple(reversed(missing))


def _write(change: FileChange, backup: str, *, mode: int | None) -> Written:
    if change.after is None:
        config_files.remove_file(change.path)
        return Written(str(change.path), change.purpose, "removed", backup)
    config_files.write_file(change.path, change.after, mode=mode)
    return Written(str(change.path), change.purpose, "created" if change.before is None else "written", backup)
