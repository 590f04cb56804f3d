"""Apply redaction rules to a text, whoever holds the rules and whatever tells which of them can match.

The hook client carries a generated copy of this module, so that it speaks Python 3.8 and imports the standard library
alone.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterator, Sequence

from app.domain.limits_client import LOOKALIKE_CHARS_MAX, REDACTION_PASSES_MAX

# No program folds shorter lines, and the ends of short ones are no reason to read on.
FOLD_COLUMNS_MIN = 50

# Twelve characters of ASCII in base64, whose high bits leave few letters at three of four places.
ENCODED_HINT = "(?:[CDI-Za-f][AC-HQS-Xgi-nwyz0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/]){4}"
# All of what may be base64, over several lines where a program folds it.
_ENCODED = re.compile(
    r"(?:[A-Za-z0-9+/]{60,76}(?:\\+r)?(?:\\*\r?\n[ \t>+]{0,12}|\\+n))*"
    "(?:[A-Za-z0-9+/_-]{20,}={0,2}|[A-Za-z0-9+/_-]{1,19}={1,2})"
)
_PRINTABLE = re.compile(rb"[\t\n\r -~]{12,}")
# The end of a line, and what the next one begins with if a key goes on there.
_FOLD = re.compile(r"\n[ \t>+]{0,12}([\w+/.~-]{4,})(?:={1,2}(?![\w\"'$]))?(?![\w+/.~(:=-])", re.ASCII)
_NOT_FOLDED = " \t\"'`,;:()[]{}<>|"
# What every fold has, in a form that a linear matcher can look for: a word of four characters or more behind it that
# has a digit, or a capital after a small letter.
_W = "[0-9A-Za-z_+/.~-]"
FOLD_HINT = (
    "[^ \t\"'`,;:()\\[\\]{}<>|\r\n]\r?\n[ \t>+]{0,12}"
    f"(?:[0-9]{_W}{{3}}|{_W}[0-9]{_W}{{2}}|{_W}{{2}}[0-9]{_W}|{_W}{{3,}}[0-9]"
    f"|[a-z][A-Z]{_W}{{2}}|{_W}[a-z][A-Z]{_W}|{_W}{{2,}}[a-z][A-Z])"
)
_DRAWN = re.compile(
    r"(?=\S*[0-9])(?=\S*[A-Za-z])(?![a-z]+-?v?[0-9.]+\Z)\S+"
    "|(?=[A-Za-z]*[a-z][A-Z])(?!(?:[A-Z]{0,4}[a-z]{2,20})(?:[A-Z]{1,4}[a-z]{2,20})*[A-Z]{0,4}\\Z)[A-Za-z]{6,}"
    "|(?=[A-Za-z]*[a-z][A-Z]{2}[a-z])[A-Za-z]{8,}"
)


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
        """Replace every secret by a placeholder that names its class.

        `find_firing` lists the rules that can match; the next number stands for what may be base64, and the one after
        it for lines that may go on in the next.
        """
        for _ in range(REDACTION_PASSES_MAX):
            changed = self._redact_once(text, find_firing)
            if changed == text:
                break
            text = changed
        return text

    def find_hinted(self, text: str) -> list[int]:
        """List what can be in a text, as `redact` takes it: rules by their hints in it without its marks."""
        bare = self.strip_marks(text)
        lowered = bare.lower()
        ranks = [rank for rank, rule in enumerate(self._rules) if any(hint in lowered for hint in rule[1])]
        # Looking for the ends of lines themselves costs less here than for their hint.
        return [*ranks, *([len(self._rules)] if re.search(ENCODED_HINT, bare) else ()), len(self._rules) + 1]

    def classify_field(self, name: str, value: str) -> str:
        """Name the class of the secret that a field's name gives away, if its value is no look-alike."""
        for kind, whole_name, lookalikes in self._named:
            if value and self._compile(whole_name).fullmatch(name) and not self._placeholder.fullmatch(value):
                return "" if self._is_lookalike(value, lookalikes) else kind
        return ""

    def strip_marks(self, text: str) -> str:
        """Take out what does not show but breaks a value into pieces."""
        return self._marks.sub("", text)

    def _redact_once(self, text: str, find_firing: Callable[[str], Sequence[int]]) -> str:
        firing = find_firing(text)
        folds_rank = len(self._rules) + 1
        folds = list(list_folds(text)) if folds_rank in firing else []
        if not folds and all(rank == folds_rank for rank in firing):
            return text
        bare, origins = _cut_out(text, [mark.span() for mark in self._marks.finditer(text)])
        spans = self._find_all(bare, firing)
        if len(self._rules) in firing:
            spans += self._find_encoded(bare, find_firing)
        if folds or bare != text:
            spans += self._find_folded(bare, find_firing, spans)
        pieces, done = [], 0
        for start, end, rank in _merge_spans(spans):
            first, last = _find_origin(origins, start), _find_origin(origins, end - 1) + 1
            pieces += [text[done:first], f"[redacted:{self._rules[rank][0]}]"]
            done = last
        return "".join(pieces) + text[done:]

    def _find_all(self, text: str, firing: Sequence[int]) -> list[tuple[int, int, int]]:
        fixed = [found.span() for found in self._placeholder.finditer(text)]
        return [span for rank in firing if rank < len(self._rules) for span in self._find_secrets(text, rank, fixed)]

    def _find_encoded(self, text: str, find_firing: Callable[[str], Sequence[int]]) -> Iterator[tuple[int, int, int]]:
        """Find what is base64 of a text with a secret; the whole of it has to go."""
        runs: list[tuple[int, int]] = []
        starts: list[int] = []
        decoded = ""
        for run in _ENCODED.finditer(text):
            for part in _decode_run(run.group()):
                runs.append(run.span())
                starts.append(len(decoded))
                decoded += f"{part}\n\n"
        if decoded:
            for start, _, rank in self._find_all(decoded, find_firing(decoded)):
                yield (*runs[_find_last(starts, start)], rank)

    def _find_folded(
        self, text: str, find_firing: Callable[[str], Sequence[int]], known: Sequence[tuple[int, int, int]]
    ) -> Iterator[tuple[int, int, int]]:
        """Find secrets that go on in the next line, since a terminal or a mail program folded theirs."""
        folds = list(list_folds(text))
        joined, origins = _cut_out(text, folds)
        if not folds:
            return
        for start, end, rank in self._find_all(joined, find_firing(joined)):
            first, last = _find_origin(origins, start), _find_origin(origins, end - 1) + 1
            crossed = [fold for fold in folds if first < fold[0] and fold[1] < last]
            if crossed and not any(crossed[0][1] <= other[0] < last for other in known):
                yield first, last, rank

    def _find_secrets(self, text: str, rank: int, fixed: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
        pattern, position = self._compile(self._rules[rank][2]), 0
        firsts = [first for first, _ in fixed]
        found = pattern.search(text)
        while found:
            start, end = found.span(found.lastindex or 0)
            if self._is_lookalike(text[start:end], self._rules[rank][3]):
                # A look-alike may have a secret in it, so the search goes on at its beginning, not after it.
                position = max(start, found.start() + 1)
            else:
                position = max(end, found.start() + 1)
                start, end = _widen_span(start, end, fixed, firsts)
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


def list_folds(text: str) -> Iterator[tuple[int, int]]:
    """List the ends of lines behind which a word goes on that nobody wrote."""
    # Few lines begin with such a word, so that looking for one first costs next to nothing.
    for found in _FOLD.finditer(text):
        if not _DRAWN.fullmatch(found.group(1)):
            continue
        at = found.start()
        begin = text.rfind("\n", 0, at) + 1
        end = at - text.endswith("\r", begin, at)
        if end - begin >= FOLD_COLUMNS_MIN and text[end - 1] not in _NOT_FOLDED:
            yield end, found.start(1)


def _decode_run(run: str) -> Iterator[str]:
    """Read a run as base64 that begins at any of its first four characters; what is no text is left out."""
    packed = re.sub(r"\\+[rn]|[\s>\\]", "", run).rstrip("=").replace("-", "+").replace("_", "/")
    for offset in range(4):
        size = (len(packed) - offset) // 4 * 4
        rest = packed[offset + size :]
        whole = packed[offset : offset + size] + (rest + "=" * (4 - len(rest)) if len(rest) > 1 else "")
        for part in _PRINTABLE.findall(binascii.a2b_base64(whole)):
            yield part.decode("ascii")


def _cut_out(text: str, marks: Sequence[tuple[int, int]]) -> tuple[str, tuple[list[int], list[int]]]:
    """Cut marks out of a text; the second value tells where each stretch of what is left begins, here and there."""
    pieces, here, there, done, length = [], [], [], 0, 0
    for start, end in marks:
        if start > done:
            pieces.append(text[done:start])
            here.append(length)
            there.append(done)
            length += start - done
        done = end
    return "".join([*pieces, text[done:]]), ([*here, length], [*there, done])


def _find_origin(origins: tuple[Sequence[int], Sequence[int]], position: int) -> int:
    rank = _find_last(origins[0], position)
    return origins[1][rank] + position - origins[0][rank]


def _find_last(starts: Sequence[int], position: int) -> int:
    """Find the last of ascending starts that is not behind a position."""
    low, high = 0, len(starts)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if starts[middle] <= position else (low, middle)
    return low


def _widen_span(start: int, end: int, fixed: Sequence[tuple[int, int]], firsts: Sequence[int]) -> tuple[int, int]:
    """Widen a span to the whole of each placeholder that it touches."""
    rank = _find_last(firsts, end - 1)
    while fixed and rank >= 0 and start < fixed[rank][1] and fixed[rank][0] < end:
        start, end, rank = min(start, fixed[rank][0]), max(end, fixed[rank][1]), rank - 1
    return start, end


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
