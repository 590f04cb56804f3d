"""Encrypts a stream under a passphrase, in pieces that can be neither changed, reordered nor cut off unnoticed.

The file begins with a line of text: `memwiki-backup-1 aes-256-gcm argon2id KIB ROUNDS LANES SALT`. The key is
argon2id's (RFC 9106) of the passphrase and the salt; in older files, which say `scrypt LOG2N R P SALT`, it is scrypt's
(RFC 7914). Pieces of 1 MiB follow, each sealed by AES-256-GCM with a tag of 16 bytes; the nonce is the piece's number
in 11 bytes and one byte that is 1 for the last piece, and the first line is authenticated with each.
"""

import re
from typing import BinaryIO, Final, NamedTuple

from argon2 import low_level
from argon2.exceptions import HashingError
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from app.domain.limits import BACKUP_ARGON2_KIB_MAX, BACKUP_KEY_WORK_MAX, BACKUP_SCRYPT_LOG2N_MAX

MARK: Final = b"memwiki-backup-1 "
SALT_BYTES: Final = 16
_PIECE_BYTES: Final = 1024 * 1024
_TAG_BYTES: Final = 16
_KEY_BYTES: Final = 32
_KIB, _ROUNDS, _LANES = 128 * 1024, 3, 4
_HEAD = re.compile(rb"memwiki-backup-1 aes-256-gcm (argon2id|scrypt) (\d{1,8}) (\d{1,2}) (\d{1,2}) ([0-9a-f]{32})\n")


class BrokenSeal(ValueError):
    """The bytes are not what was sealed; `is_at_start` says that the passphrase may be another."""

    def __init__(self, reason: str, *, is_at_start: bool = False) -> None:
        self.is_at_start = is_at_start
        super().__init__(reason)


class SealingStream:
    """Takes bytes and writes them sealed; without `finish` the file is one that was cut off."""

    def __init__(self, out: BinaryIO, passphrase: str, salt: bytes) -> None:
        self._out = out
        self._head = MARK + f"aes-256-gcm argon2id {_KIB} {_ROUNDS} {_LANES} {salt.hex()}\n".encode()
        self._cipher = AESGCM(_derive(passphrase, _read_head(self._head)))
        self._held = bytearray()
        self._number = 0
        out.write(self._head)

    def write(self, content: bytes) -> int:
        """Take bytes; whole pieces go out at once."""
        self._held += content
        while len(self._held) > _PIECE_BYTES:
            self._seal(bytes(self._held[:_PIECE_BYTES]), is_last=False)
            del self._held[:_PIECE_BYTES]
        return len(content)

    def finish(self) -> None:
        """Write the last piece, by which a reader knows that nothing is missing."""
        self._seal(bytes(self._held), is_last=True)
        self._held.clear()

    def _seal(self, piece: bytes, *, is_last: bool) -> None:
        self._out.write(self._cipher.encrypt(_build_nonce(self._number, is_last=is_last), piece, self._head))
        self._number += 1


class OpeningStream:
    """Reads what `SealingStream` wrote.

    Raises:
        BrokenSeal: the passphrase is another, or the file was changed or cut.
    """

    def __init__(self, source: BinaryIO, passphrase: str) -> None:
        self._source = source
        self._head = source.readline(200)
        self._cipher = AESGCM(_derive(passphrase, _read_head(self._head)))
        self._number = 0
        self._next = source.read(_PIECE_BYTES + _TAG_BYTES)
        self._held = memoryview(b"")

    def read(self, size: int) -> bytes:
        """Read at most so many opened bytes; none at the end."""
        while not self._held and self._next:
            self._held = memoryview(self._open_next())
        found, self._held = self._held[:size], self._held[size:]
        return bytes(found)

    def _open_next(self) -> bytes:
        piece, self._next = self._next, self._source.read(_PIECE_BYTES + _TAG_BYTES)
        nonce = _build_nonce(self._number, is_last=not self._next)
        try:
            opened = self._cipher.decrypt(nonce, piece, self._head)
        except InvalidTag as error:
            raise BrokenSeal("it was changed or cut after it was written", is_at_start=self._number == 0) from error
        self._number += 1
        return opened


class _Way(NamedTuple):
    """How a key is made of a passphrase: by what, with how much memory, and with how much work."""

    name: bytes
    memory: int
    rounds: int
    lanes: int
    salt: bytes


def _read_head(head: bytes) -> _Way:
    found = _HEAD.fullmatch(head)
    if found is None:
        raise BrokenSeal("its first line is not that of an encrypted backup")
    way = _Way(found[1], int(found[2]), int(found[3]), int(found[4]), bytes.fromhex(found[5].decode()))
    memory_max = BACKUP_SCRYPT_LOG2N_MAX if way.name == b"scrypt" else BACKUP_ARGON2_KIB_MAX
    if way.memory > memory_max or not 0 < way.rounds * way.lanes <= BACKUP_KEY_WORK_MAX:
        raise BrokenSeal("it asks for more work on the passphrase than any backup needs")
    return way


def _derive(passphrase: str, way: _Way) -> bytes:
    secret, (name, memory, rounds, lanes, salt) = passphrase.encode("utf-8"), way
    try:
        if name == b"scrypt":
            return Scrypt(salt=salt, length=_KEY_BYTES, n=1 << memory, r=rounds, p=lanes).derive(secret)
        return low_level.hash_secret_raw(secret, salt, rounds, memory, lanes, _KEY_BYTES, low_level.Type.ID)
    except (ValueError, HashingError) as error:
        raise BrokenSeal("its first line asks for work on the passphrase that cannot be done") from error


def _build_nonce(number: int, *, is_last: bool) -> bytes:
    return number.to_bytes(11, "big") + (b"\x01" if is_last else b"\x00")
