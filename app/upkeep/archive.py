"""The file of a backup: members in a tar, in zstd, sealed if wanted; the last member is the manifest of all others.

Without a passphrase it is what `zstd -dc FILE | tar t` reads.
"""

import hashlib
import io
import os
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, Final

import msgspec
import zstandard

from app.domain.limits import BACKUP_MANIFEST_BYTES_MAX
from app.domain.upkeep_errors import BackupUnreadable, PassphraseRefused
from app.upkeep import sealing
from app.upkeep.sealing import BrokenSeal, OpeningStream, SealingStream

MANIFEST_NAME: Final = "manifest.json"
FORMAT: Final = 1
_LEVEL: Final = 6
_BUFFER: Final = 256 * 1024
_READ_BYTES: Final = 16 * 1024
_TOP: Final = ("state", "raw", "wiki", "git", "settings")


class Member(msgspec.Struct, frozen=True):
    """One file of a backup: its name in it, its size, and its SHA-256."""

    name: str
    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup holds and what it is a copy of; the moment is that of the copy of state."""

    format: int
    version: str
    made_at: str
    schema: str
    wiki_revision: str
    wiki_head: str
    uncommitted: int
    rows: dict[str, int]
    key_ids: list[str]
    faults: list[str]
    has_secrets: bool
    members: list[Member]

    def find(self, name: str) -> Member | None:
        """Find a member by its name."""
        return next((member for member in self.members if member.name == name), None)


class ArchiveWriter:
    """Writes members one after the other, hashing each on its way."""

    def __init__(self, out: BinaryIO | SealingStream, told: Callable[[int], None]) -> None:
        # The library asks for no more than `write`.
        self._frame = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).stream_writer(out, closefd=False)  # type: ignore[arg-type]
        self._tar = tarfile.open(fileobj=self._frame, mode="w|", format=tarfile.PAX_FORMAT)  # noqa: SIM115 - closed by `finish`
        self._told = told
        self.members: list[Member] = []

    def add_file(self, name: str, path: Path) -> bool:
        """Add a regular file; False if it is gone or is none."""
        try:
            descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
        except OSError:
            if path.is_symlink() or not path.exists():
                return False
            raise
        with os.fdopen(descriptor, "rb") as file:
            self._add(name, file, os.fstat(file.fileno()).st_size)
        return True

    def add_bytes(self, name: str, content: bytes) -> None:
        """Add a member that is no file."""
        self._add(name, io.BytesIO(content), len(content))

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest and end the archive."""
        content = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
        self._add(MANIFEST_NAME, io.BytesIO(content), len(content))
        self._tar.close()
        self._frame.close()  # type: ignore[no-untyped-call]

    def _add(self, name: str, file: IO[bytes], size: int) -> None:
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = size, 0o600
        hashed = HashedReader(file, self._told)
        self._tar.addfile(entry, hashed)
        self.members.append(Member(spell(name), size, hashed.digest.hexdigest()))


class HashedReader(io.RawIOBase):
    """Reads a file and hashes what was read."""

    def __init__(self, file: IO[bytes], told: Callable[[int], None]) -> None:
        self._file, self._told = file, told
        self.digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        """Read at most so many bytes."""
        content = self._file.read(size)
        self.digest.update(content)
        self._told(len(content))
        return content


def spell(name: str) -> str:
    """Spell a file's name in a manifest, where names must be text whatever bytes they are made of."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


@contextmanager
def open_writer(path: Path, told: Callable[[int], None], passphrase: str = "") -> Iterator[ArchiveWriter]:
    """Write an archive to a new file that only its owner can read, on the disk when the block ends."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(descriptor, "wb") as file:
        if passphrase:
            sealed = SealingStream(file, passphrase, os.urandom(sealing.SALT_BYTES))
            yield ArchiveWriter(sealed, told)
            sealed.finish()
        else:
            yield ArchiveWriter(file, told)
        file.flush()
        os.fsync(file.fileno())


def read_archive(
    path: Path, passphrase: str, take: Callable[[str, HashedReader], None], told: Callable[[int], None]
) -> Manifest:
    """Read all members, give each to `take`, and prove all of them by the manifest at the end.

    Raises:
        BackupUnreadable: something is damaged, missing, or was added.
        PassphraseRefused: it is encrypted, and not under this passphrase.
    """
    found: dict[str, Member] = {}
    manifest = b""
    try:
        with path.open("rb") as file, _open_tar(file, path.name, passphrase) as tar:
            for entry in tar:
                content = tar.extractfile(entry) if entry.isreg() else None
                if content is None or not is_member_name(entry.name) or spell(entry.name) in found:
                    raise BackupUnreadable(
                        path.name, f"it has a member that none of ours is: {spell(entry.name)[:200]}"
                    )
                if entry.name == MANIFEST_NAME:
                    manifest = content.read(BACKUP_MANIFEST_BYTES_MAX)
                    break
                hashed = HashedReader(content, told)
                take(entry.name, hashed)
                while hashed.read(_BUFFER):
                    pass
                found[spell(entry.name)] = Member(spell(entry.name), entry.size, hashed.digest.hexdigest())
    except BrokenSeal as error:
        if error.is_at_start:
            raise PassphraseRefused(path.name, "the passphrase is another, or its beginning was changed") from error
        raise BackupUnreadable(path.name, str(error)) from error
    except (tarfile.TarError, zstandard.ZstdError, EOFError) as error:
        raise BackupUnreadable(path.name, f"it is damaged or cut ({error})") from error
    except FileNotFoundError as error:
        raise BackupUnreadable(str(error.filename or path), "there is no such file") from error
    return _prove(path.name, manifest, found)


def is_member_name(name: str) -> bool:
    """Tell whether a name is one that a backup may have: below one of its folders, leading nowhere else."""
    if name == MANIFEST_NAME:
        return True
    parts = PurePosixPath(name).parts
    is_plain = "/".join(parts) == name and not {"..", "."} & set(parts) and "\\" not in name and "\0" not in name
    return is_plain and len(parts) > 1 and parts[0] in _TOP


@contextmanager
def _open_tar(file: BinaryIO, name: str, passphrase: str) -> Iterator[tarfile.TarFile]:
    mark = file.read(len(sealing.MARK))
    file.seek(0)
    source: BinaryIO | OpeningStream = file
    if mark == sealing.MARK:
        if not passphrase:
            raise PassphraseRefused(name, "name the passphrase's file, or answer the prompt")
        source = OpeningStream(file, passphrase)
    frame = _FrameReader(source)
    with tarfile.open(fileobj=frame, mode="r|") as tar:  # type: ignore[call-overload]  # only `read` is asked for
        yield tar
    # What follows the manifest is padding and the frame's checksum, which tell that nothing was cut off.
    while frame.read(_BUFFER):
        pass


class _FrameReader:
    """Reads what is in one zstd frame, and knows a frame that was cut off from one that ended."""

    def __init__(self, source: BinaryIO | OpeningStream) -> None:
        self._source = source
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._held = bytearray()

    def read(self, size: int) -> bytes:
        while len(self._held) < size and not self._frame.eof:
            content = self._source.read(_READ_BYTES)
            if not content:
                raise EOFError("it ends too early")
            self._held += self._frame.decompress(content)
        found = bytes(self._held[:size])
        del self._held[:size]
        return found


def is_sealed(path: Path) -> bool:
    """Tell whether a backup is encrypted; False for a file that is not there."""
    try:
        with path.open("rb") as file:
            return file.read(len(sealing.MARK)) == sealing.MARK
    except OSError:
        return False


def _prove(name: str, content: bytes, found: dict[str, Member]) -> Manifest:
    if not content:
        raise BackupUnreadable(name, "it has no manifest, so it was cut before its end")
    try:
        manifest = msgspec.json.decode(content, type=Manifest)
    except msgspec.DecodeError as error:
        raise BackupUnreadable(name, "its manifest cannot be read") from error
    if manifest.format != FORMAT:
        raise BackupUnreadable(name, f"its format is {manifest.format}, and this release knows {FORMAT}")
    named = {member.name: member for member in manifest.members}
    for missing in sorted(named.keys() ^ found.keys()):
        raise BackupUnreadable(name, f"{missing} is {'missing' if missing in named else 'not in its manifest'}")
    for member in manifest.members:
        if member != found[member.name]:
            raise BackupUnreadable(name, f"{member.name} is not what its manifest says: it was changed")
    return manifest
