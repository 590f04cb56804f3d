"""Puts a backup back into a new data directory: all of it or nothing, each byte proved on the way."""

import os
import shutil
import tempfile
from collections.abc import Callable, Collection
from contextlib import closing, suppress
from pathlib import Path

from app.domain.errors import DiskRefused, SchemaTooNew, StoreUnreadable, WikiUnreadable
from app.domain.upkeep_errors import BackupUnreadable, FolderOccupied
from app.state import engine as state_engine
from app.state import snapshot
from app.upkeep import archive
from app.upkeep.archive import HashedReader, Manifest
from app.upkeep.backup import BUNDLE_NAME, SETTINGS_NAME, STATE_NAME, sync_folder
from app.wiki import repository as repositories

_PREFIX = ".memwiki-restore-"


def restore_backup(
    file: Path,
    target: Path,
    revisions: Collection[str],
    *,
    passphrase: str = "",
    told: Callable[[int], None] = lambda _: None,
) -> Manifest:
    """Make a data directory from a backup; before all is proved the target is as it was.

    `revisions` are the schemas that this release knows; `told` is called with each number of bytes read.

    Raises:
        FolderOccupied: something is in the target.
        BackupUnreadable: the backup is damaged.
        PassphraseRefused: it is encrypted and the passphrase is missing or another.
        SchemaTooNew: a newer release made it.
        DiskRefused: the disk is full, read-only or somebody else's.
    """
    target = target.expanduser().absolute()
    check_empty(target)
    # A folder that is a disk of its own, as a container's volume is, cannot be put in place by a rename.
    is_disk = os.path.ismount(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=target if is_disk else target.parent))
    except OSError as error:
        raise DiskRefused(str(target), error.strerror or str(error)) from error
    try:
        manifest = _unpack(file, work, passphrase, told)
        if manifest.schema not in revisions:
            raise SchemaTooNew(manifest.schema, max(revisions))
        _rebuild_history(file, work, manifest)
        _check_state(file, work / STATE_NAME, manifest)
        _put_in_place(work, target, is_disk=is_disk)
    except OSError as error:
        raise DiskRefused(str(target), error.strerror or str(error)) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return manifest


def check_empty(target: Path) -> None:
    """Look that a restore mixes with nothing.

    Raises:
        FolderOccupied: there is something.
    """
    if target.is_symlink() or (target.exists() and (not target.is_dir() or any(target.iterdir()))):
        # A volume's own folder for what was lost is nobody's.
        if target.is_dir() and {entry.name for entry in target.iterdir()} <= {"lost+found"}:
            return
        raise FolderOccupied(str(target))


def verify_backup(file: Path, *, passphrase: str = "", told: Callable[[int], None] = lambda _: None) -> Manifest:
    """Prove every byte of a backup by its manifest, and write nothing; raises as `restore_backup` does."""
    manifest = archive.read_archive(file, passphrase, lambda _name, _content: None, told)
    if manifest.find(STATE_NAME) is None:
        raise BackupUnreadable(file.name, "it holds no state")
    return manifest


def _unpack(file: Path, work: Path, passphrase: str, told: Callable[[int], None]) -> Manifest:
    def take(name: str, content: HashedReader) -> None:
        path = work / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(descriptor, "wb") as out:
            shutil.copyfileobj(content, out)

    return archive.read_archive(file, passphrase, take, told)


def _rebuild_history(file: Path, work: Path, manifest: Manifest) -> None:
    """Make the wiki's repository; what was not committed then is not committed now."""
    root = work / "wiki"
    repository = repositories.open_repository(root)
    bundle = work / BUNDLE_NAME
    if not bundle.exists():
        return
    try:
        repository.run("fetch", "--quiet", "--update-head-ok", "--no-tags", str(bundle), "+refs/*:refs/*")
        if manifest.wiki_head:
            repository.run("symbolic-ref", "HEAD", manifest.wiki_head)
        else:
            repository.run("fetch", "--quiet", str(bundle), "HEAD")
            repository.run("update-ref", "--no-deref", "HEAD", manifest.wiki_revision)
        if repository.read_head(()).revision != manifest.wiki_revision:
            raise BackupUnreadable(file.name, "the wiki's history does not lead to the revision in its manifest")
        repository.run("read-tree", "HEAD")
    except WikiUnreadable as error:
        raise BackupUnreadable(file.name, f"the wiki's history cannot be read: {error}") from error
    shutil.rmtree(bundle.parent)


def _check_state(file: Path, path: Path, manifest: Manifest) -> None:
    if not path.is_file():
        raise BackupUnreadable(file.name, "it holds no state")
    try:
        with closing(state_engine.open_engine(state_engine.build_sqlite_url(path))) as engine:
            seen = engine.read(snapshot.take_snapshot)
    except StoreUnreadable as error:
        raise BackupUnreadable(file.name, str(error)) from error
    if seen.damage or seen.rows != manifest.rows:
        raise BackupUnreadable(file.name, seen.damage or "state has other numbers of rows than its manifest says")


def _put_in_place(work: Path, target: Path, *, is_disk: bool) -> None:
    if (work / SETTINGS_NAME).exists():
        (work / SETTINGS_NAME).rename(work / "memwiki.toml")
        (work / SETTINGS_NAME).parent.rmdir()
    work.chmod(0o700)
    if hasattr(os, "sync"):
        os.sync()
    if not is_disk:
        with suppress(FileNotFoundError):
            target.rmdir()
        work.rename(target)
        sync_folder(target.parent)
        return
    # State goes last: a server that is started after a crash in between would otherwise begin with an empty one.
    for entry in sorted(work.iterdir(), key=lambda entry: entry.name == "state"):
        entry.rename(target / entry.name)
    sync_folder(target)
