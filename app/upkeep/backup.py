"""Makes a backup, whether the server runs or not: state at one moment, the wiki, sealed sessions, and settings."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from app.domain.errors import DiskRefused, WikiUnreadable
from app.domain.limits import BACKUP_LEFTOVER_SECONDS, BACKUP_ROUNDS_MAX
from app.domain.upkeep_errors import BackupMisplaced, BackupNotFound
from app.state import engine as state_engine
from app.state import snapshot
from app.state.snapshot import Snapshot
from app.upkeep import archive
from app.upkeep.archive import ArchiveWriter, Manifest
from app.wiki import repository as repositories

BACKUPS: Final = "backups"
BUNDLE_NAME: Final = "git/wiki.bundle"
STATE_NAME: Final = "state/state.db"
SETTINGS_NAME: Final = "settings/memwiki.toml"
_WORK_PREFIX: Final = ".memwiki-backup-"


@dataclass(frozen=True, slots=True)
class BackupSource:
    """What is backed up: a data directory, and its settings as they may be kept."""

    data_dir: Path
    version: str
    settings: bytes = b""
    has_secrets: bool = False


@dataclass(frozen=True, slots=True)
class _History:
    """The wiki's history as the bundle has it."""

    revision: str = ""
    head: str = ""
    uncommitted: int = 0


def make_backup(
    source: BackupSource,
    target: Path,
    now: datetime,
    *,
    passphrase: str = "",
    told: Callable[[int], None] = lambda _: None,
) -> Manifest:
    """Write a backup; the file has its name only once it is whole and on the disk.

    `told` is called with how many bytes are left.

    Raises:
        BackupNotFound: the folder holds no data of memwiki.
        BackupMisplaced: the file would be a part of what it is a copy of.
        DiskRefused: it cannot be written; nothing is left behind.
    """
    target = target.expanduser().resolve()
    check_place(source.data_dir, target)
    if not (source.data_dir / STATE_NAME).is_file():
        raise BackupNotFound(f"data of memwiki in {source.data_dir}")
    # What is copied in clear stays in the data directory; only the archive is written beside its final name.
    with _named_faults(target), _lend_folder(target.parent) as work, _lend_folder(source.data_dir / "state") as near:
        for _ in range(BACKUP_ROUNDS_MAX):
            part = work / "archive"
            part.unlink(missing_ok=True)
            manifest = _write_archive(source, part, near, now, passphrase=passphrase, told=told)
            # A session that was forgotten or put under another key meanwhile is looked at once more.
            if not manifest.faults:
                break
        part.replace(target)
        sync_folder(target.parent)
        return manifest


def check_place(data_dir: Path, target: Path) -> None:
    """Refuse a place inside what is backed up; `backups/` is no part of a backup.

    Raises:
        BackupMisplaced: the place is inside.
    """
    inside, resolved = data_dir.resolve(), target.resolve()
    if inside in resolved.parents and inside / BACKUPS not in resolved.parents:
        raise BackupMisplaced(str(target), str(data_dir))


def list_wiki_files(root: Path) -> Iterator[str]:
    """List the regular files of the wiki by their places: all but git's own, links, and what is half-written."""
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if name != ".git")
        for name in sorted(files):
            path = Path(folder) / name
            is_ours = name == ".git" or (name.startswith(".memwiki-") and name.endswith(".tmp"))
            if not is_ours and not path.is_symlink() and path.is_file():
                yield path.relative_to(root).as_posix()


def sync_folder(folder: Path) -> None:
    """Make names in a folder durable; where folders cannot be opened, the file system does that itself."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_archive(
    source: BackupSource, part: Path, near: Path, now: datetime, *, passphrase: str, told: Callable[[int], None]
) -> Manifest:
    seen = _copy_state(source.data_dir / STATE_NAME, near / "state.db")
    history = _bundle(source.data_dir / "wiki", near / "wiki.bundle")
    names = list(_list_members(source, near))
    left = sum(path.stat().st_size for _, path in names if path.exists())

    def tell(count: int) -> None:
        nonlocal left
        left = max(0, left - count)
        told(left)

    with archive.open_writer(part, tell, passphrase) as writer:
        for name, path in names:
            writer.add_file(name, path)
        if source.settings:
            writer.add_bytes(SETTINGS_NAME, source.settings)
        manifest = _build_manifest(writer, source, seen, history, now)
        writer.finish(manifest)
    return manifest


def _list_members(source: BackupSource, near: Path) -> Iterator[tuple[str, Path]]:
    """List what goes in; state stands before the files that it names, which are never rewritten."""
    yield STATE_NAME, near / "state.db"
    if (near / "wiki.bundle").exists():
        yield BUNDLE_NAME, near / "wiki.bundle"
    for path in sorted((source.data_dir / "raw").rglob("*")):
        if path.is_file() and not path.is_symlink() and not path.name.startswith("."):
            yield f"raw/{path.relative_to(source.data_dir / 'raw').as_posix()}", path
    for place in list_wiki_files(source.data_dir / "wiki"):
        yield f"wiki/{place}", source.data_dir / "wiki" / place


def _copy_state(path: Path, copy: Path) -> Snapshot:
    with closing(state_engine.open_engine(state_engine.build_sqlite_url(path))) as engine:
        engine.copy_to(copy)
    with closing(state_engine.open_engine(state_engine.build_sqlite_url(copy))) as engine:
        return engine.read(snapshot.take_snapshot)


def _bundle(root: Path, bundle: Path) -> _History:
    """Copy all of the wiki's history into one file, which git itself can clone from."""
    bundle.unlink(missing_ok=True)
    if not root.is_dir():
        return _History()
    repository = repositories.open_repository(root)
    if not repository.read_head(()).revision:
        return _History(uncommitted=len(repository.list_differences()))
    repository.run("bundle", "create", "--quiet", str(bundle), "HEAD", "--all")
    listed = repository.run("bundle", "list-heads", str(bundle), "HEAD").decode()
    try:
        head = repository.run("symbolic-ref", "--quiet", "HEAD").decode().strip()
    except WikiUnreadable:  # Somebody checked out a revision by hand; then HEAD is that and no branch.
        head = ""
    return _History(listed.partition(" ")[0], head, len(repository.list_differences()))


def _build_manifest(
    writer: ArchiveWriter, source: BackupSource, seen: Snapshot, history: _History, now: datetime
) -> Manifest:
    hashes = {member.name: member.sha256 for member in writer.members}
    faults = [f"state.db is damaged: {seen.damage}"] if seen.damage else []
    for path, (sha256, _) in seen.files.items():
        found = hashes.get(f"raw/{path}")
        if found != sha256:
            faults.append(f"raw/{path} is {'missing' if found is None else 'damaged'}, which it was before the backup")
    return Manifest(
        format=archive.FORMAT,
        version=source.version,
        made_at=now.isoformat().replace("+00:00", "Z"),
        schema=seen.revision,
        wiki_revision=history.revision,
        wiki_head=history.head,
        uncommitted=history.uncommitted,
        rows=seen.rows,
        key_ids=sorted({key_id for _, key_id in seen.files.values() if key_id}),
        faults=faults,
        has_secrets=source.has_secrets,
        members=list(writer.members),
    )


@contextmanager
def _lend_folder(parent: Path) -> Iterator[Path]:
    """Lend a folder of ours alone, and remove those that a killed backup left there a day ago or earlier."""
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for leftover in parent.glob(f"{_WORK_PREFIX}*"):
        with suppress(OSError):
            if time.time_ns() // 10**9 - leftover.lstat().st_mtime > BACKUP_LEFTOVER_SECONDS:
                shutil.rmtree(leftover)
    folder = Path(tempfile.mkdtemp(prefix=_WORK_PREFIX, dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _named_faults(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DiskRefused(str(target), error.strerror or str(error)) from error
