"""The files of sealed segments below `raw/`: installs them atomically, proves them, reads and removes them."""

import glob
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from app.domain.errors import DiskRefused
from app.domain.limits import SEGMENTS_LISTED_MAX
from app.domain.segment import SealedFile, Segment, SegmentLocked, build_segment_path
from app.domain.session import Session
from app.state import segment_format
from app.state.raw_keys import KeyRing
from app.state.segment_format import BrokenSegment, StoredLine

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


class RawStore:
    """The files of one data directory; a file that holds other words than those to be sealed is never replaced."""

    def __init__(self, root: Path, keys: KeyRing) -> None:
        self.root = root
        self.keys = keys

    def install_segment(self, session: Session, number: int, content: bytes) -> SealedFile:
        """Seal a session's lines under the first free number, and read them back from the disk.

        Raises:
            DiskRefused: the disk is full, read-only or somebody else's, or does not give back what was written.
        """
        for candidate in range(number, number + SEGMENTS_LISTED_MAX):
            path = build_segment_path(session.id, session.started_at, candidate, self.keys.current_id)
            location = self.root / path
            if not os.path.lexists(location):
                self._write(location, content)
            elif not self._holds(location, content):
                # A later state's file, after an earlier state was restored: it may be the only copy of its words.
                continue
            return self._prove(candidate, path, content)
        raise DiskRefused(f"raw segment of session {session.id}", "there is no free name for it")

    def read_lines(self, segment: Segment) -> list[StoredLine]:
        """Read a segment's observations, checked against what state remembers of it.

        Raises:
            SegmentUnreadable: the file is missing or not what was sealed.
            SegmentLocked: it needs a key that is not here.
        """
        with _named_faults(segment):
            lines = segment_format.decode_lines(self._open(segment))
            found = [line.id for line in lines]
            ends = (segment.first_observation_id, segment.last_observation_id)
            if len(found) != segment.observation_count or (found[0], found[-1]) != ends:
                raise BrokenSegment("it holds other observations than it should")
            return lines

    def read_content(self, segment: Segment) -> bytes:
        """Read a segment's lines as they were sealed; raises as `read_lines` does."""
        with _named_faults(segment):
            return self._open(segment)

    def list_files(self, session_id: str) -> list[str]:
        """List the files of a session, those too that a crash left and state does not name."""
        name = glob.escape(session_id)
        found = (path for pattern in (f"*/{name}.*", f"*/.{name}.*") for path in self.root.glob(pattern))
        return sorted(path.relative_to(self.root).as_posix() for path in found)

    def remove_file(self, path: str) -> None:
        """Remove a file that state no longer names; one that is gone is no fault.

        Raises:
            DiskRefused: it is still there.
        """
        try:
            (self.root / path).unlink(missing_ok=True)
        except OSError as error:
            raise DiskRefused(f"raw/{path}", error.strerror or str(error)) from error

    def _open(self, segment: Segment) -> bytes:
        key_id = segment.file.key_id
        key = self.keys.find_key(key_id) if key_id else None
        if key_id and key is None:
            raise SegmentLocked(segment.file.path, key_id)
        sealed = _read_file(self.root / segment.file.path)
        if hashlib.sha256(sealed).hexdigest() != segment.file.sha256:
            raise BrokenSegment("its checksum is not the one that was recorded when it was sealed")
        return segment_format.open_content(sealed, key)

    def _holds(self, location: Path, content: bytes) -> bool:
        """Tell whether a file that nobody recorded, as a crash leaves it, has exactly these lines."""
        try:
            return segment_format.open_content(_read_file(location), self.keys.current) == content
        except (OSError, BrokenSegment):
            return False

    def _write(self, location: Path, content: bytes) -> None:
        sealed = segment_format.seal_content(content, self.keys.current, os.urandom(segment_format.NONCE_BYTES))
        part = location.with_name(f".{location.name}.part")
        try:
            _make_folder(location.parent)
            # Left by a crash in the middle of this; only one process holds the data directory.
            part.unlink(missing_ok=True)
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(sealed)
                file.flush()
                os.fsync(file.fileno())
            part.rename(location)
            _sync_folder(location.parent)
        except OSError as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise DiskRefused(f"raw/{location.name}", error.strerror or str(error)) from error

    def _prove(self, number: int, path: str, content: bytes) -> SealedFile:
        location = self.root / path
        try:
            _drop_from_cache(location)
            sealed = _read_file(location)
            is_same = segment_format.open_content(sealed, self.keys.current) == content
        except OSError as error:
            raise DiskRefused(f"raw/{path}", f"it cannot be read back: {error.strerror}") from error
        except BrokenSegment:
            is_same = False
        if not is_same:
            self.remove_file(path)
            raise DiskRefused(f"raw/{path}", "the disk gives back other bytes than were written")
        digest = hashlib.sha256(sealed).hexdigest()
        return SealedFile(number, path, len(sealed), digest, self.keys.current_id)


@contextmanager
def _named_faults(segment: Segment) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise segment.build_fault("the file is missing") from error
    except OSError as error:
        raise segment.build_fault(error.strerror or type(error).__name__) from error
    except BrokenSegment as error:
        raise segment.build_fault(str(error)) from error


def _read_file(location: Path) -> bytes:
    with os.fdopen(os.open(location, os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_BINARY", 0)), "rb") as file:
        return file.read()


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True)
        _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    """Make a name durable; where folders cannot be opened, as on Windows, the file system does that itself."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _drop_from_cache(location: Path) -> None:
    """Ask that the next look comes from the disk; also settles a file that a crash left unsynced."""
    descriptor = os.open(location, os.O_RDWR | _NO_FOLLOW)
    try:
        os.fsync(descriptor)
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(descriptor)
