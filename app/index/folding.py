"""One character at a time to the form that search compares: case, width, accents and optional vowel marks gone."""

import bisect
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

# Scripts written without blanks between words (and hangul, whose words carry their particles).
UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e81-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17d3\u17e0-\u17e9"
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua48c\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U0003ffff"
)


def _list_marks() -> str:
    # Marks outside the scripts above; scanning only where Unicode has any keeps the import at a millisecond.
    places = (
        *range(0x300, 0xE00),
        *range(0xF00, 0x1000),
        *range(0x1350, 0x1360),
        *range(0x1700, 0x2000),
        *range(0x20D0, 0x20F1),
        *range(0xA66F, 0xAC00),
        *range(0xFE20, 0xFE30),
        *range(0x10A00, 0x11A00),
    )
    unspaced = re.compile(f"[{UNSPACED}]")
    chars = (chr(place) for place in places)
    # The joiners stand inside words of Persian and of Indian scripts.
    return "\u200c\u200d" + "".join(
        char for char in chars if unicodedata.category(char)[0] == "M" and not unspaced.match(char)
    )


MARKS = _list_marks()

# What changes a letter's sound in writing but not the word: Latin, Greek and Cyrillic accents, Hebrew and Arabic
# vowel points. Vowel signs of Thai or Hindi are letters in all but name and stay.
_OPTIONAL_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u2060\ufeff"
    "\u00ad\ufe00-\ufe0f\ufe20-\ufe2f\u05f3\u05f4]"
)
# Letters that Unicode does not take apart.
_STROKES = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "æ": "ae", "œ": "oe", "\u0131": "i", "þ": "th", "ð": "d"}
)
# Emoji and other pictures (So), skin tones (Sk), lone surrogates and control characters carry no words.
_SILENT = frozenset({"So", "Cs", "Cc", "Co", "Cn"})


class _FoldTable(dict[int, str]):
    """A translation table that learns each character the first time it is met."""

    def __missing__(self, place: int) -> str:
        folded = _fold_char(chr(place))
        if len(self) < 100_000:  # noqa: PLR2004 - every letter in use fits; hostile text must not fill memory
            self[place] = folded
        return folded


def _fold_char(char: str) -> str:
    if unicodedata.category(char) in _SILENT or "\U0001f3fb" <= char <= "\U0001f3ff":
        return ""
    apart = unicodedata.normalize("NFKD", char.casefold())
    kept = _OPTIONAL_MARKS.sub("", apart).translate(_STROKES).casefold()
    return unicodedata.normalize("NFC", kept)


_TABLE = _FoldTable()
_APART = re.compile("[^\x00-\x7f]+")
_ASCII = bytes(range(128))
# The one letter whose lower case depends on where in its word it stands.
_FINAL = "\u03a3"


def fold(text: str) -> str:
    """Bring text to the form in which `Größe`, `GROSSE` and `grosse` are the same."""
    return text.lower() if text.isascii() else text.translate(_TABLE)


@dataclass(frozen=True, slots=True)
class Offsets:
    """Where the characters of a folded text came from: from each of `starts` on, one after the other from `places`."""

    starts: list[int]
    places: list[int]

    def find(self, place: int) -> int:
        """Find where a folded character came from."""
        last = bisect.bisect_right(self.starts, place) - 1
        return self.places[last] + place - self.starts[last]

    def find_span(self, start: int, end: int) -> tuple[int, int]:
        """Find where some folded characters came from, of which there is one at least."""
        last = bisect.bisect_right(self.starts, start) - 1
        shift = self.places[last] - self.starts[last]
        is_within = last + 1 == len(self.starts) or end <= self.starts[last + 1]
        return start + shift, end + shift if is_within else self.find(end - 1) + 1


def fold_with_offsets(text: str) -> tuple[str, Offsets | None]:
    """Fold and tell for each folded character where it came from; None where nothing moved."""
    if text.isascii():
        return text.lower(), None
    others = list_beyond_ascii(text)
    if all(len(_TABLE[ord(char)]) == 1 and unicodedata.category(char)[0] != "M" for char in others):
        return _fold_in_place(text, others), None
    return _replace_all(text, others) or _fold_piecewise(text), _list_offsets(text, others)


def _fold_piecewise(text: str) -> str:
    pieces: list[str] = []
    end = 0
    for match in _APART.finditer(text):
        pieces.append(text[end : match.start()].lower())
        pieces.append(match[0].translate(_TABLE))
        end = match.end()
    pieces.append(text[end:].lower())
    return "".join(pieces)


def _replace_all(text: str, others: Collection[str]) -> str:
    """Fold by replacing each of the few characters that lower case alone does not fold; empty if that is not enough."""
    replaced: dict[str, str] = {}
    for char in others:
        lower, folded = char.lower(), _TABLE[ord(char)]
        if char == _FINAL or len(lower) != 1 or (lower != folded and not folded.isascii()):
            return ""
        # What is put in is ASCII, so that no later replacement finds it.
        if lower != folded and replaced.setdefault(lower, folded) != folded:
            return ""
    lowered = text.lower()
    for lower, folded in replaced.items():
        lowered = lowered.replace(lower, folded)
    return lowered


def _list_offsets(text: str, others: Collection[str]) -> Offsets:
    """Tell where the folded characters came from: only beside those that become none or several does anything move."""
    offsets = Offsets([0], [0])
    moving = "".join(char for char in others if len(_TABLE[ord(char)]) != 1)
    shift = 0
    for match in re.finditer(f"[{re.escape(moving)}]", text) if moving else ():
        place = match.start()
        size = len(_TABLE[ord(match[0])])
        offsets.starts.extend(range(place + shift, place + shift + size + 1))
        offsets.places.extend([*[place] * size, place + 1])
        shift += size - 1
    return offsets


def list_beyond_ascii(text: str) -> frozenset[str]:
    """List the characters of a text that are not ASCII, each once, without looking at the others one by one."""
    if text.isascii():
        return frozenset()
    return frozenset(text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass"))


def _fold_in_place(text: str, others: Collection[str]) -> str:
    """Fold a text each of whose characters becomes one; `others` are those of them that are not ASCII."""
    # Mostly a few dashes and quotation marks, which stay as they are: then all that folding does is lower the case.
    if all(char.lower() == _TABLE[ord(char)] for char in others) and _FINAL not in others:
        return text.lower()
    return _fold_piecewise(text)


def remove_silent(text: str) -> str:
    """Take out emoji, control characters and lone surrogates, which no term may hold."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char for char in text if _TABLE[ord(char)] or char.isspace() or _OPTIONAL_MARKS.match(char))
