"""Encrypts a stream under a passphrase, in pieces that can be neither changed, reordered nor cut off unnoticed.

The file begins with a line of text: `memwiki-backup-1 aes-256-gcm scrypt LOG2N R P SALT`. The key is scrypt's of the
passphrase and the salt. Pieces of 1 MiB follow, each sealed by AES-256-GCM with a tag of 16 bytes; the nonce is the
piece's number in 11 bytes and one byte that is 1 for the last piece, and the first line is authenticated with each.
"""

import re
from typing import BinaryIO, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from app.domain.limits import BACKUP_SCRYPT_LOG2N_MAX

MARK: Final = b"memwiki-backup-1 "
SALT_BYTES: Final = 16
_PIECE_BYTES: Final = 1024 * 1024
_TAG_BYTES: Final = 16
_LOG2N, _R, _P = 17, 8, 1
_HEAD = re.compile(rb"memwiki-backup-1 aes-256-gcm scrypt (\d{1,2}) (\d{1,2}) (\d{1,2}) ([0-9a-f]{32})\n")


class BrokenSeal(ValueError):
    """The bytes are not what was sealed; `is_at_start` says that the passphrase may be another."""

    def __init__(self, reason: str, *, is_at_start: bool = False) -> None:
        self.is_at_start = is_at_start
        super().__init__(reason)


class SealingStream:
    """Takes bytes and writes them sealed; without `finish` the file is one that was cut off."""

    def __init__(self, out: BinaryIO, passphrase: str, salt: bytes) -> None:
        self._out = out
        self._head = MARK + f"aes-256-gcm scrypt {_LOG2N} {_R} {_P} {salt.hex()}\n".encode()
        self._cipher = AESGCM(_derive(passphrase, salt, _LOG2N, _R, _P))
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
        found = _HEAD.fullmatch(self._head)
        if found is None:
            raise BrokenSeal("its first line is not that of an encrypted backup")
        log2n, r, p = (int(found[number]) for number in (1, 2, 3))
        if log2n > BACKUP_SCRYPT_LOG2N_MAX or not log2n or not 0 < r * p <= _R * 4:
            raise BrokenSeal("it asks for more work on the passphrase than any backup needs")
        self._cipher = AESGCM(_derive(passphrase, bytes.fromhex(found[4].decode()), log2n, r, p))
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


def _derive(passphrase: str, salt: bytes, log2n: int, r: int, p: int) -> bytes:
    return Scrypt(salt=salt, length=32, n=1 << log2n, r=r, p=p).derive(passphrase.encode("utf-8"))


def _build_nonce(number: int, *, is_last: bool) -> bytes:
    return number.to_bytes(11, "big") + (b"\x01" if is_last else b"\x00")
