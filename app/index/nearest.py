"""The vectors of one model in memory, and which of them are nearest to a question.

Up to a number they are compared as they are; of more, first their signs.

Imported only where vectors are asked for: numpy takes a tenth of a second.
"""

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from app.domain.errors import StoreUnreadable
from app.domain.limits import (
    VECTOR_BLOCKS_MAX,
    VECTORS_EXACT_MAX,
    VECTORS_LOADED_PER_READ,
    VECTORS_RESCORED_MIN,
)
from app.index import vectors
from app.index.filters import Conditions
from app.index.vectors import Near, Owner, Stored

_STORED_TYPE: Final = "<f2"
_DIGITS: Final = 6

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Codes = npt.NDArray[np.uint8]


@dataclass(slots=True)
class _Block:
    ids: Numbers
    scopes: Numbers
    is_heard: npt.NDArray[np.bool_]
    rows: Floats | None
    codes: Codes | None


@dataclass(frozen=True, slots=True)
class _Among:
    """Which vectors are compared: of pages or of observations, of these scopes, and of these numbers alone."""

    is_heard: bool
    scope_ids: Collection[int] | None
    allowed: Collection[int] | None = None


def pack_vector(vector: bytes) -> bytes:
    """Bring a model's vector to the form in which it is stored, half as long."""
    return np.frombuffer(vector, dtype="<f4").astype(_STORED_TYPE).tobytes()


@dataclass(slots=True)
class Nearest:
    """The vectors of one embedder in one index file; not for two threads at once."""

    embedder: int
    birth: int
    _last_id: int = 0
    _blocks: list[_Block] = field(default_factory=list)

    def __len__(self) -> int:
        """Count the vectors in memory; some may stand for texts that are gone."""
        return sum(len(block.ids) for block in self._blocks)

    def read_new(self, connection: sqlite3.Connection) -> None:
        """Take in what was stored since; beyond the bound only signs are kept, 48 bytes a text."""
        while stored := vectors.list_stored(connection, self.embedder, self._last_id, VECTORS_LOADED_PER_READ):
            self._last_id = stored[-1].id
            block = _build_block(stored)
            if block is not None:
                self._blocks.append(block)
        if len(self) > VECTORS_EXACT_MAX:
            for block in self._blocks:
                block.codes = _sign(block.rows) if block.rows is not None else block.codes
                block.rows = None
        if len(self._blocks) > VECTOR_BLOCKS_MAX:
            self._blocks = [_join(self._blocks)]

    def find(
        self, connection: sqlite3.Connection, question: bytes, conditions: Conditions, limit: int, *, is_heard: bool
    ) -> list[Near]:
        """List the nearest texts that the filter lets through, nearest first, each page or observation once.

        The filter comes before the limit: where it lets few of the nearest through, all that it lets through are
        looked at.
        """
        asked = np.frombuffer(question, dtype="<f4")
        among = _Among(is_heard, conditions.scope_ids)
        likeness, is_all = self._list_nearest(connection, asked, among, 4 * limit)
        found = _pick(likeness, vectors.list_owners(connection, likeness, conditions, is_heard=is_heard))
        if not is_all and len(found) < limit:
            allowed = vectors.list_allowed(connection, self.embedder, conditions, is_heard=is_heard)
            likeness, _ = self._list_nearest(connection, asked, replace(among, allowed=allowed), 4 * limit)
            found = _pick(likeness, vectors.list_owners(connection, likeness, conditions, is_heard=is_heard))
        return found[:limit]

    def _list_nearest(
        self, connection: sqlite3.Connection, asked: Floats, among: _Among, wanted: int
    ) -> tuple[dict[int, float], bool]:
        """Find the likeness of the nearest; and whether there were no more than were wanted."""
        ids, scores = self._score_all(asked, among)
        is_exact = all(block.rows is not None for block in self._blocks)
        count = wanted if is_exact else max(wanted, VECTORS_RESCORED_MIN)
        chosen = np.argpartition(-scores, count)[:count] if len(scores) > count else np.arange(len(scores))
        if is_exact:
            return {int(ids[place]): round(float(scores[place]), _DIGITS) for place in chosen}, len(scores) <= count
        stored = vectors.list_vectors(connection, [int(ids[place]) for place in chosen])
        exact = {row_id: _compare(vector, asked) for row_id, vector in stored.items() if _fits(vector, asked)}
        return exact, len(scores) <= count

    def _score_all(self, asked: Floats, among: _Among) -> tuple[Numbers, Floats]:
        ids: list[Numbers] = [np.empty(0, dtype=np.int64)]
        scores: list[Floats] = [np.empty(0, dtype=np.float32)]
        sign = _sign(asked[np.newaxis, :])
        for block in self._blocks:
            mask = _mask(block, among)
            ids.append(block.ids[mask])
            if block.rows is not None:
                if block.rows.shape[1] != len(asked):
                    raise StoreUnreadable("the index (vectors)", "stored vectors are cut short")
                rows = block.rows if mask.all() else block.rows[mask]
                scores.append(rows @ asked)
            elif block.codes is not None:
                codes = block.codes if mask.all() else block.codes[mask]
                scores.append(-_count_differing(codes, sign).astype(np.float32))
        return np.concatenate(ids), np.concatenate(scores)


def _mask(block: _Block, among: _Among) -> npt.NDArray[np.bool_]:
    mask = block.is_heard if among.is_heard else ~block.is_heard
    if among.scope_ids is not None:
        mask = mask & np.isin(block.scopes, np.array(sorted(among.scope_ids), dtype=np.int64))
    if among.allowed is not None:
        mask = mask & np.isin(block.ids, np.array(sorted(among.allowed), dtype=np.int64))
    return mask


def _build_block(stored: Sequence[Stored]) -> _Block | None:
    """Build a block of what is sound; a vector that was cut short is left out."""
    sizes = [len(each.vector) for each in stored]
    size = max(set(sizes), key=sizes.count)
    sound = [each for each in stored if len(each.vector) == size and size % 2 == 0]
    if not sound:
        return None
    rows = np.frombuffer(b"".join(each.vector for each in sound), dtype=_STORED_TYPE)
    return _Block(
        np.array([each.id for each in sound], dtype=np.int64),
        np.array([each.scope_id for each in sound], dtype=np.int64),
        np.array([each.observation > 0 for each in sound], dtype=np.bool_),
        rows.reshape(len(sound), size // 2).astype(np.float32),
        None,
    )


def _join(blocks: Sequence[_Block]) -> _Block:
    rows = [block.rows for block in blocks if block.rows is not None]
    codes = [block.codes for block in blocks if block.codes is not None]
    return _Block(
        np.concatenate([block.ids for block in blocks]),
        np.concatenate([block.scopes for block in blocks]),
        np.concatenate([block.is_heard for block in blocks]),
        np.concatenate(rows) if rows else None,
        np.concatenate(codes) if codes else None,
    )


def _sign(rows: Floats) -> Codes:
    return np.packbits(rows > 0, axis=1)


def _count_differing(codes: Codes, sign: Codes) -> npt.NDArray[np.int32]:
    """Count the bits in which each code differs from one, eight bytes at a time where they divide."""
    if codes.shape[1] % np.dtype(np.uint64).itemsize == 0:
        wide = np.bitwise_count(codes.view(np.uint64) ^ sign.view(np.uint64))
        # Column by column, of which there are six: along rows so short adding up costs more than all else.
        differing: npt.NDArray[np.int32] = np.zeros(len(wide), dtype=np.int32)
        for column in range(wide.shape[1]):
            differing += wide[:, column]
        return differing
    summed: npt.NDArray[np.int32] = np.bitwise_count(codes ^ sign).sum(axis=1, dtype=np.int32)
    return summed


def _fits(vector: bytes, asked: Floats) -> bool:
    return len(vector) == 2 * len(asked)


def _compare(vector: bytes, asked: Floats) -> float:
    return round(float(np.frombuffer(vector, dtype=_STORED_TYPE).astype(np.float32) @ asked), _DIGITS)


def _pick(likeness: Mapping[int, float], owners: Mapping[int, Sequence[Owner]]) -> list[Near]:
    """Keep the nearest piece of each page or observation; equals stand by their place."""
    found = [Near(owner, likeness[row_id]) for row_id, listed in owners.items() for owner in listed]
    found.sort(key=lambda near: (-near.likeness, near.owner.place, near.owner.observation, near.owner.start))
    kept: dict[tuple[int, int], Near] = {}
    for near in found:
        kept.setdefault((near.owner.page if not near.owner.observation else 0, near.owner.observation), near)
    return list(kept.values())
