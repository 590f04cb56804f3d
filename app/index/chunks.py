"""A long page in pieces: lines that follow each other, up to a size, each piece with its place in the text."""

from collections.abc import Iterator
from dataclasses import dataclass

from app.domain.limits import CHUNK_CHARS_MAX, CHUNKED_PAGE_CHARS_MIN, CHUNKS_PER_PAGE_MAX


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a text, from `start` up to `end` in characters."""

    start: int
    end: int
    text: str


def build_chunks(body: str) -> tuple[Chunk, ...]:
    """Cut a long text into pieces; a short one is a piece in itself and has none."""
    if len(body) < CHUNKED_PAGE_CHARS_MIN:
        return ()
    return tuple(chunk for _, chunk in zip(range(CHUNKS_PER_PAGE_MAX), _cut(body), strict=False))


def _cut(body: str) -> Iterator[Chunk]:
    start = end = 0
    for line in body.splitlines(keepends=True):
        # A heading begins a piece of its own, unless the one before it is still small.
        is_full = end - start + len(line) > CHUNK_CHARS_MAX
        is_new_part = line.startswith("#") and 2 * (end - start) > CHUNK_CHARS_MAX
        if end > start and (is_full or is_new_part):
            yield Chunk(start, end, body[start:end])
            start = end
        end += len(line)
        while end - start > CHUNK_CHARS_MAX:
            yield Chunk(start, start + CHUNK_CHARS_MAX, body[start : start + CHUNK_CHARS_MAX])
            start += CHUNK_CHARS_MAX
    if end > start:
        yield Chunk(start, end, body[start:end])
