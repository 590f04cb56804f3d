"""`HeardText`: what an observation says, with its terms, as the index keeps it: compressed, and once."""

import sqlite3
from dataclasses import dataclass
from typing import Final

import msgspec
import zstandard

from app.index import stems
from app.index.observation import ObservationEntry

_LEVEL: Final = 6
_ENCODER: Final = msgspec.msgpack.Encoder()
_FIELDS: Final = msgspec.msgpack.Decoder(tuple[str, str, str, str, str])


@dataclass(frozen=True, slots=True)
class HeardText:
    """A text and its terms by field, joined by blanks, exactly as the full text was given them."""

    text: str
    own: str
    stems: str
    forms: str
    near: str


def build_heard_text(entry: ObservationEntry) -> HeardText:
    """Build what is kept of an entry."""
    own = entry.terms
    new_stems = " ".join(stems.list_new_stems(own))
    return HeardText(entry.text, own.words, new_stems, " ".join(own.forms), entry.near)


class Packer:
    """Makes bytes of texts; equal texts become equal bytes, so that what did not change is known by them."""

    def __init__(self) -> None:
        """Make ready for many texts, in one thread."""
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL)

    def render(self, heard: HeardText) -> bytes:
        """Write a text as bytes."""
        fields = (heard.text, heard.own, heard.stems, heard.forms, heard.near)
        return self._compressor.compress(_ENCODER.encode(fields))


class Unpacker:
    """Reads such bytes; made for each statement, since it serves one thread."""

    def __init__(self) -> None:
        """Make ready for many texts, in one thread."""
        self._decompressor = zstandard.ZstdDecompressor()

    def parse(self, body: bytes) -> HeardText:
        """Read a text.

        Raises:
            sqlite3.DatabaseError: the bytes are not what was written, as those of a damaged file.
        """
        try:
            return HeardText(*_FIELDS.decode(self._decompressor.decompress(body)))
        except (zstandard.ZstdError, msgspec.DecodeError) as error:
            raise sqlite3.DatabaseError(f"the text of an observation is damaged: {error}") from error
