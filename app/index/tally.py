"""How often each term stands in a text, written in few parts so that a question about one term looks through one."""

from collections import Counter
from itertools import pairwise
from typing import Final

from app.domain.cheap import cheap_dataclass

_PARTS: Final = 16
# No term holds a blank of any kind.
_BETWEEN_PARTS, _BEFORE, _BEHIND = "\n", " ", "\t"


@cheap_dataclass(frozen=True, slots=True)
class Entry:
    """A term as it stands in a tally, and in which of its parts."""

    part: int
    text: str


def build_tally(text: str) -> str:
    """Count the terms of a text, which stand between blanks; a count of one is left out.

    A term that follows itself at once counts as `str.count` finds it between blanks: the two share the blank.
    """
    words = text.split()
    counts = Counter(words)
    for word in {word for word, next_word in pairwise(words) if word == next_word}:
        counts[word] = text.count(f" {word} ")
    parts: list[list[str]] = [[] for _ in range(_PARTS)]
    for word, count in counts.items():
        entry = build_entry(word)
        parts[entry.part].append(f"{entry.text}{count}" if count > 1 else entry.text)
    return _BETWEEN_PARTS.join("".join((*part, _BEFORE)) for part in parts)


def build_entry(term: str) -> Entry:
    """Make ready to look for a term in many tallies."""
    return Entry((ord(term[0]) + ord(term[-1])) % _PARTS, f"{_BEFORE}{term}{_BEHIND}")


def split_tally(tally: str) -> list[str]:
    """Take a tally apart; one of nothing has no parts."""
    return tally.split(_BETWEEN_PARTS) if tally else []


def find_count(parts: list[str], entry: Entry) -> int:
    """Find how often a term stands in the text whose tally this is."""
    part = parts[entry.part]
    place = part.find(entry.text)
    if place < 0:
        return 0
    start = place + len(entry.text)
    # Each part ends with a blank, and most terms stand in a text once.
    return 1 if part[start] == _BEFORE else int(part[start : part.find(_BEFORE, start)])
