"""The bytes of a sealed segment: JSON lines in one zstd frame, and around that, where a key is given, AES-256-GCM.

Without a key the file is what `zstd -dc` reads. With one, a first line of text names the key; the nonce, the
encrypted frame and its tag follow. The frame has a checksum of its own, and the tag covers the first line too.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec
import zstandard
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from app.domain.limits import SEGMENT_CONTENT_BYTES_MAX
from app.state.raw_keys import RawKey

NONCE_BYTES: Final = 12
_LEVEL: Final = 6
_MARK: Final = b"memwiki-raw-1 aes-256-gcm "


class StoredLine(msgspec.Struct, frozen=True):
    """One observation as state stored it, and as a line of a segment; the event is text that nobody has touched."""

    id: int
    session_id: str
    received_at: datetime
    event: msgspec.Raw


_LINE = msgspec.json.Decoder(StoredLine)
_ENCODER = msgspec.json.Encoder()


class BrokenSegment(ValueError):
    """The bytes are not what was sealed; the store that read them says which file it was."""


def encode_lines(lines: Sequence[StoredLine]) -> bytes:
    """Write observations as JSON, one a line."""
    return b"".join(_ENCODER.encode(line) + b"\n" for line in lines)


def decode_lines(content: bytes) -> list[StoredLine]:
    """Read observations back.

    Raises:
        BrokenSegment: a line is none.
    """
    try:
        return [_LINE.decode(line) for line in content.split(b"\n") if line]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BrokenSegment(f"it has a line that is no observation: {error}") from error


def seal_content(content: bytes, key: RawKey | None, nonce: bytes) -> bytes:
    """Compress, and encrypt if there is a key; a nonce is used once."""
    frame = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress(content)
    if key is None:
        return frame
    head = _build_head(key.id)
    return head + nonce + AESGCM(key.secret).encrypt(nonce, frame, head)


def open_content(sealed: bytes, key: RawKey | None) -> bytes:
    """Decrypt and decompress.

    Raises:
        BrokenSegment: the bytes were changed, cut, or sealed with another key.
    """
    frame = sealed if key is None else _decrypt(sealed, key)
    try:
        if zstandard.frame_content_size(frame) > SEGMENT_CONTENT_BYTES_MAX:
            raise BrokenSegment("it says that it is larger than any segment is")
        return zstandard.ZstdDecompressor().decompress(
            frame, max_output_size=SEGMENT_CONTENT_BYTES_MAX, allow_extra_data=False
        )
    except zstandard.ZstdError as error:
        raise BrokenSegment(f"it cannot be decompressed: {error}") from error


def _decrypt(sealed: bytes, key: RawKey) -> bytes:
    head = _build_head(key.id)
    nonce, body = sealed[len(head) : len(head) + NONCE_BYTES], sealed[len(head) + NONCE_BYTES :]
    if not sealed.startswith(head) or len(nonce) < NONCE_BYTES:
        raise BrokenSegment(f"it does not begin as a segment under key {key.id} does")
    try:
        return AESGCM(key.secret).decrypt(nonce, body, head)
    except InvalidTag as error:
        raise BrokenSegment("its seal does not hold: it was changed after it was encrypted") from error


def _build_head(key_id: str) -> bytes:
    return _MARK + key_id.encode() + b"\n"
