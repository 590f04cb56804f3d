"""Finds the pages that hold words side by side, without a pass over all that hold each of them, where few can."""

import json
import math
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from app.domain.limits_search import PHRASE_PAGES_MAX, STRETCH_PAGES_MAX, STRETCH_WORDS_MAX
from app.index.entries import Sighting
from app.index.filters import Conditions

_COLUMNS: Final = "{title headings names body}"
_HOLDING: Final = "SELECT rowid FROM page_text WHERE page_text MATCH ? LIMIT ?"
_TEXTS: Final = """
SELECT t.id, t.title, t.headings, t.names, t.body, d.sz FROM page_terms t JOIN page_text_docsize d ON d.id = t.id
 WHERE t.id IN (SELECT value FROM json_each(?)) LIMIT ?"""
_PASSING: Final = """
SELECT p.id FROM pages p JOIN scopes s ON s.id = p.scope_id
 WHERE p.id IN (SELECT value FROM json_each(?)) AND {conditions} ORDER BY s.workspace, s.project, p.path LIMIT ?"""
# FTS5's own sums: how many rows there are, then how many terms each column has.
_AVERAGES: Final = "SELECT block FROM page_text_data WHERE id = 1"
# What a phrase weighs by the column that it stands in, and how BM25 lets repeats and length count, as in `streams.py`.
_WEIGHTS: Final = (5.0, 2.0, 3.0, 1.0)
_SATURATION, _LENGTH_SHARE = 1.2, 0.75
_LEAST_RARITY: Final = 1e-6


def list_phrase(
    connection: sqlite3.Connection, words: Sequence[str], counts: Mapping[str, int], conditions: Conditions, limit: int
) -> list[Sighting] | None:
    """List the pages that hold these words side by side, best BM25 first; None where full text has to be asked.

    Full text reads all places of all words twice for that. A stretch of the rarest words is looked for first: where
    few pages hold that, their texts tell, and `counts` is on how many pages each word stands.
    """
    for length in range(2, min(len(words), STRETCH_WORDS_MAX) + 1):
        pages_max = PHRASE_PAGES_MAX if length == len(words) else STRETCH_PAGES_MAX
        stretches = [words[start : start + length] for start in range(len(words) - length + 1)]
        rarest = min(stretches, key=lambda stretch: sum(counts.get(word, 0) for word in stretch))
        rows = connection.execute(_HOLDING, (f'{_COLUMNS} : "{" ".join(rarest)}"', pages_max + 1))
        pages = [page for (page,) in rows]
        if len(pages) <= pages_max:
            return _rank_holding(connection, pages, f" {' '.join(words)} ", conditions)[:limit]
    return None


def _rank_holding(
    connection: sqlite3.Connection, pages: Collection[int], phrase: str, conditions: Conditions
) -> list[Sighting]:
    """Rank those of the pages that hold a phrase, as FTS5 ranks them; equals stand by scope and path."""
    if not pages:
        return []
    found: dict[int, tuple[float, int]] = {}
    for page, *columns, sizes in connection.execute(_TEXTS, (json.dumps(sorted(pages)), len(pages))):
        places = [_count_places(f" {column} ", phrase) for column in columns]
        if any(places):
            found[page] = (
                sum(weight * count for weight, count in zip(_WEIGHTS, places, strict=True)),
                sum(_read_numbers(sizes)),
            )
    if not found:
        return []
    rows, *totals = _read_numbers(connection.execute(_AVERAGES).fetchone()[0])
    mean = sum(totals) / rows
    rarity = math.log((rows - len(found) + 0.5) / (len(found) + 0.5))
    rarity = rarity if rarity > 0 else _LEAST_RARITY
    scores = {
        page: rarity
        * (often * (_SATURATION + 1))
        / (often + _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * size / mean))
        for page, (often, size) in found.items()
    }
    passing = connection.execute(
        _PASSING.format(conditions=conditions.sql), (json.dumps(sorted(scores)), *conditions.values, len(scores))
    )
    return sorted((Sighting(page, scores[page]) for (page,) in passing), key=lambda each: -each.score)


def _count_places(text: str, phrase: str) -> int:
    """Count where a phrase begins; two that follow each other share a blank, or words."""
    count, place = 0, text.find(phrase)
    while place >= 0:
        count, place = count + 1, text.find(phrase, place + 1)
    return count


def _read_numbers(block: bytes) -> list[int]:
    """Read numbers as SQLite writes them: seven bits a byte, all but the last with the highest bit set.

    None of them has the nine bytes from which on the last one counts whole.
    """
    numbers, value = [], 0
    for byte in block:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:  # noqa: PLR2004 - the highest bit
            numbers.append(value)
            value = 0
    return numbers
