"""Apply redaction rules to a text, whoever holds the rules and whatever tells which of them can match.

The hook client carries a generated copy of this module, so that it speaks Python 3.8 and imports the standard library
alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

# A placeholder can open the way for another rule, so rules run until nothing changes; no real text needs more than two.
PASSES_MAX = 6
# Longer than any look-alike, so that a hostile text cannot have the same stretch judged again and again.
LOOKALIKE_CHARS_MAX = 1024


class Engine:
    """Rules with their patterns compiled when first needed.

    A rule is its class, hints, pattern and look-alikes; a named field is its class, name and look-alikes.
    """

    def __init__(
        self,
        marks: str,
        placeholder: str,
        rules: Sequence[tuple[str, Sequence[str], str, str]],
        named: Sequence[tuple[str, str, str]],
    ) -> None:
        self._marks, self._placeholder = re.compile(marks), re.compile(placeholder)
        self._rules, self._named = rules, named
        self._compiled: dict[str, re.Pattern[str]] = {}

    def redact(self, text: str, find_firing: Callable[[str], Sequence[int]]) -> str:
        """Replace every secret by a placeholder that names its class; `find_firing` lists the rules that can match."""
        for _ in range(PASSES_MAX):
            firing = find_firing(text)
            changed = self._apply_rules(text, firing) if firing else text
            if changed == text:
                break
            text = changed
        return text

    def find_hinted(self, text: str) -> list[int]:
        """List the rules that have a hint in the text, without its marks."""
        lowered = self.strip_marks(text).lower()
        return [rank for rank, rule in enumerate(self._rules) if any(hint in lowered for hint in rule[1])]

    def classify_field(self, name: str, value: str) -> str:
        """Name the class of the secret that a field's name gives away, if its value is no look-alike."""
        for kind, whole_name, lookalikes in self._named:
            if value and self._compile(whole_name).fullmatch(name) and not self._placeholder.fullmatch(value):
                return "" if self._is_lookalike(value, lookalikes) else kind
        return ""

    def strip_marks(self, text: str) -> str:
        """Take out what does not show but breaks a value into pieces."""
        return self._marks.sub("", text)

    def _apply_rules(self, text: str, firing: Sequence[int]) -> str:
        bare, origins = self._map_marks(text)
        fixed = [found.span() for found in self._placeholder.finditer(bare)]
        spans = [span for rank in firing for span in self._find_secrets(bare, rank, fixed)]
        pieces, done = [], 0
        for start, end, rank in _merge_spans(spans):
            first, last = _find_origin(origins, start), _find_origin(origins, end - 1) + 1
            pieces += [text[done:first], f"[redacted:{self._rules[rank][0]}]"]
            done = last
        return "".join(pieces) + text[done:]

    def _map_marks(self, text: str) -> tuple[str, list[tuple[int, int]]]:
        """Strip the marks; the second value tells where each stretch of what is left begins, there and here."""
        pieces, origins, done, length = [], [], 0, 0
        for mark in self._marks.finditer(text):
            if mark.start() > done:
                pieces.append(text[done : mark.start()])
                origins.append((length, done))
                length += mark.start() - done
            done = mark.end()
        return "".join([*pieces, text[done:]]), [*origins, (length, done)]

    def _find_secrets(self, text: str, rank: int, fixed: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
        pattern, position = self._compile(self._rules[rank][2]), 0
        found = pattern.search(text)
        while found:
            start, end = found.span(found.lastindex or 0)
            if self._is_lookalike(text[start:end], self._rules[rank][3]):
                # A look-alike may have a secret in it, so the search goes on at its beginning, not after it.
                position = max(start, found.start() + 1)
            else:
                position = max(end, found.start() + 1)
                start, end = _widen_span(start, end, fixed)
                if re.search(r"[^\W_]", self._placeholder.sub("", text[start:end])):
                    yield start, end, rank
            found = pattern.search(text, position)

    def _is_lookalike(self, text: str, lookalikes: str) -> bool:
        return len(text) <= LOOKALIKE_CHARS_MAX and bool(lookalikes and self._compile(lookalikes).fullmatch(text))

    def _compile(self, pattern: str) -> re.Pattern[str]:
        if pattern not in self._compiled:
            self._compiled[pattern] = re.compile(pattern, re.ASCII)
        return self._compiled[pattern]


def strip_private(text: str) -> str:
    """Put `[private]` in place of every `<private>` block; one that is never closed reaches to the end."""
    kept, depth, start = [], 0, 0
    for tag in re.finditer(r"(?i)<(/?)\s*private\s*>", text):
        if tag.group(1) and depth:
            depth, start = depth - 1, tag.end()
        elif not tag.group(1):
            kept += [] if depth else [text[start : tag.start()], "[private]"]
            depth += 1
    return "".join(kept) + ("" if depth else text[start:])


def _find_origin(origins: Sequence[tuple[int, int]], position: int) -> int:
    low, high = 0, len(origins)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if origins[middle][0] <= position else (low, middle)
    return origins[low][1] + position - origins[low][0]


def _widen_span(start: int, end: int, fixed: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Widen a span to the whole of each placeholder that it touches."""
    touched = [span for span in fixed if span[0] < end and span[1] > start]
    return (min(start, touched[0][0]), max(end, touched[-1][1])) if touched else (start, end)


def _merge_spans(spans: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Join spans that overlap; the rule of the lowest rank, which is the most telling one, names the whole."""
    merged: list[tuple[int, int, int]] = []
    for start, end, rank in sorted(spans):
        if merged and start < merged[-1][1]:
            first, last, other = merged.pop()
            merged.append((first, max(last, end), min(other, rank)))
        else:
            merged.append((start, end, rank))
    return merged
