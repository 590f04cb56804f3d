"""The keys that encrypt sealed segments: files of 32 random bytes that only their owner can read."""

import base64
import binascii
import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from app.domain.errors import DiskRefused, InvalidValue

KEY_BYTES: Final = 32
_ID_CHARS: Final = 16
_OTHERS: Final = 0o077


@dataclass(frozen=True, slots=True)
class RawKey:
    """One AES-256 key; its id is derived from it and tells nothing of it."""

    id: str
    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The key for what is sealed from now on, None for no encryption, and older ones for what was sealed before."""

    current: RawKey | None = None
    older: tuple[RawKey, ...] = ()

    @property
    def current_id(self) -> str:
        """The id that new segments bear, empty for none."""
        return self.current.id if self.current else ""

    @property
    def readable_ids(self) -> frozenset[str]:
        """The ids of all that can be read here; those without encryption always can."""
        return frozenset({"", self.current_id, *(key.id for key in self.older)})

    def find_key(self, key_id: str) -> RawKey | None:
        """Find a key by its id."""
        keys = (*self.older, self.current) if self.current else self.older
        return next((key for key in keys if key.id == key_id), None)


def build_key(secret: bytes) -> RawKey:
    """Name a key by a hash of it."""
    return RawKey(hashlib.sha256(b"memwiki raw key\n" + secret).hexdigest()[:_ID_CHARS], secret)


def open_ring(current: Path | None, older: Sequence[Path]) -> KeyRing:
    """Read the key files that the settings name.

    Raises:
        InvalidValue: a file is missing, malformed, or readable by others; the message names the setting.
    """
    return KeyRing(
        read_key(current, setting="raw_key_file") if current else None,
        tuple(read_key(path, setting="raw_old_key_files") for path in older),
    )


def read_key(path: Path, *, setting: str) -> RawKey:
    """Read one key file.

    Raises:
        InvalidValue: it cannot be used; nothing of its content is told.
    """
    told = f"setting {setting}"
    path = path.expanduser()
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise InvalidValue(told, f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InvalidValue(told, f"{path} holds no key; make one with: memwiki key new FILE") from error
    if os.name == "posix" and mode & _OTHERS:
        raise InvalidValue(told, f"{path} can be read by others; run: chmod 600 {path}")
    try:
        secret = base64.b64decode(text, validate=True)
    except binascii.Error:
        secret = b""
    if len(secret) != KEY_BYTES:
        raise InvalidValue(told, f"{path} holds no key of {KEY_BYTES} bytes; make one with: memwiki key new FILE")
    return build_key(secret)


def install_key(path: Path, secret: bytes) -> RawKey:
    """Write a new key file that only its owner can read; one that exists is never replaced.

    Raises:
        InvalidValue: there is a file of this name.
        DiskRefused: it cannot be written.
    """
    assert len(secret) == KEY_BYTES, "a key has a fixed length"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(base64.b64encode(secret) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError as error:
        raise InvalidValue("file", f"{path} exists; a key that is overwritten is lost for good") from error
    except OSError as error:
        raise DiskRefused(str(path), error.strerror or str(error)) from error
    return build_key(secret)
