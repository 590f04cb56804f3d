"""What a hit shows of a page: one line of its text around the query's terms, and where in it they stand."""

import bisect
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import AnyStr

from app.domain import limits
from app.domain.limits import SNIPPET_CHARS_MAX, SNIPPET_SCAN_CHARS
from app.index import folding, tokens
from app.index.folding import Offsets

_LEAD_CHARS = 50
_WORD_END_CHARS = 24
_READ_CHARS_MAX = 4 * SNIPPET_CHARS_MAX
# Less than that more is an error of adding up.
_LEAST_GAIN = 1e-9
_CUT = "\u2026"
_BLANKS = re.compile(r"\s+")
# Words that stand one blank apart, about as many as a line holds: as they follow each other in the text, they do there.
_SHOWN = re.compile(r"\S+(?:\s\S+){0,32}")
# Beside a word or a bracket, brackets are code and no link. Every alternative begins with its own character, and looks
# back from there: so most of a text is passed over without trying any.
_MARKS = (
    r"<!--.*?(?:-->|\Z)|\[\^[^\]\s]{1,64}\]:?[ \t]?|\\(?=[!-/:-@\[-`{-~])"
    r"|>(?<=^>) ?|-(?<=^-) (?:\[[ xX]\] )?|`(?<=^`)``[^\n`]*$|#(?<=^#)#{0,5}[ \t]+"
    r"|!\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\]|\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\]"
    r"|\*(?<![\w*]\*)\*(?=[^\s*])([^*\n\[\]\\]{1,300})(?<!\s)\*\*(?![\w*])"
    r"|!\[(?<![\w\])]!\[)([^\[\]\n]*)\]\([^()\n]*\)|\[(?<![\w\])]\[)([^\[\]\n]*)\]\([^()\n]*\)"
)
_MARKUP = re.compile(_MARKS, re.DOTALL | re.MULTILINE)
# Headings that are set in are rare, and the blanks at which they could begin are not.
_MARKUP_SET_IN = re.compile(
    _MARKS + r"| (?<=^ )[ \t]{0,2}#{1,6}[ \t]+|\t(?<=^\t)[ \t]{0,2}#{1,6}[ \t]+", re.DOTALL | re.MULTILINE
)
_SET_IN = re.compile(r"\n[ \t]{1,3}#")
_MARKED = re.compile(r"[\[#\\>`]|\*\*|<!--|^- ", re.MULTILINE)
_UNSHOWN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
# Folded ASCII text with a blank in place of all that stands between words.
_BETWEEN_WORDS = bytes(place if chr(place).isascii() and chr(place).isalnum() else 0x20 for place in range(256))


@dataclass(frozen=True, slots=True)
class Snippet:
    """One line of plain text; `marks` are the (start, end) of what matched, in order, never overlapping."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    """Words of a text, one blank apart; from each of `starts` on, a place in the text is `shifts` ahead of the line.

    It may be longer than what is shown of it.
    """

    text: str
    end: int
    starts: list[int]
    shifts: list[int]


def build_snippet(text: str, weights: Mapping[str, float]) -> Snippet:
    """Choose the stretch of a text with most of the terms' weight; its beginning where none stands in it."""
    for start in range(0, len(text), SNIPPET_SCAN_CHARS):
        part = text[start : start + SNIPPET_SCAN_CHARS]
        spans = _list_spans(part, weights, at_words=True) or _list_spans(part, weights, at_words=False)
        if spans:
            return _cut_out(part, _choose_start(spans, weights), [(begin, end) for begin, end, _ in spans])
    return _cut_out(text[:SNIPPET_SCAN_CHARS], 0, [])


def build_page_snippet(body: str, weights: Mapping[str, float]) -> Snippet:
    """Choose the stretch of a page, shown as its words.

    Footnote marks, comments, and the marks of headings, lists, quotations, fences, escapes, links and strong words are
    left out.
    """
    plain = _take_off_markup(body[:SNIPPET_SCAN_CHARS]) if _MARKED.search(body) else body
    found = build_snippet(plain, weights)
    # What is asked for may stand in a link's address alone, or further on.
    return found if found.marks or plain is body else build_snippet(body, weights)


def _take_off_markup(text: str) -> str:
    is_set_in = text.startswith((" ", "\t")) or _SET_IN.search(text)
    # Without brackets and asterisks there are no links or emphasis, of which words would stay.
    has_words = "[" in text or "**" in text
    return (_MARKUP_SET_IN if is_set_in else _MARKUP).sub(_keep_words if has_words else "", text)


def _keep_words(match: re.Match[str]) -> str:
    return match[match.lastindex] if match.lastindex else ""


def _list_spans(text: str, weights: Mapping[str, float], *, at_words: bool) -> list[tuple[int, int, str]]:
    """Find the terms in a text as it is, whatever its case, width and accents."""
    folded, offsets = folding.fold_with_offsets(text)
    words = _part_words(folded) if at_words else b""
    spans: list[tuple[int, int, str]] = []
    others: list[str] = []
    for term in weights:
        if words and term.isascii() and term.isalnum():
            asked = b" %b " % term.encode()
            spans += [(place, place + len(term), term) for place in _list_places(words, asked)]
        else:
            others.append(term)
    for term in others:
        is_free = not at_words or tokens.is_unspaced(term)
        opens, closes = term[0].isalnum() and not is_free, term[-1].isalnum() and not is_free
        for place in _list_places(folded, term):
            end = place + len(term)
            if opens and (before := folded[place - 1 : place]).isalnum() and not tokens.is_unspaced(before):
                continue
            # A letter beside a term makes it a part of a longer word.
            if closes and (behind := folded[end : end + 1]).isalnum() and not tokens.is_unspaced(behind):
                continue
            spans.append((place, end, term))
    if offsets is not None:
        spans = _bring_back(text, spans, offsets)
    spans.sort()
    return spans


def _bring_back(text: str, spans: list[tuple[int, int, str]], offsets: Offsets) -> list[tuple[int, int, str]]:
    """Bring spans of a folded text to the text that it was made of."""
    found = [(*offsets.find_span(start, end), term) for start, end, term in spans]
    if any(map(_hangs, folding.list_beyond_ascii(text))):
        return [(start, _pass_marks(text, end), term) for start, end, term in found]
    return found


def _part_words(folded: str) -> bytes:
    """Put a blank in place of all that stands between words, and one before the first; empty if more than ASCII counts.

    What is neither letter nor digit parts words in any script, and so does a script without blanks.
    """
    others = folding.list_beyond_ascii(folded)
    if any(char.isalnum() and not tokens.is_unspaced(char) for char in others):
        return b""
    return b" %b " % folded.encode("ascii", "replace").translate(_BETWEEN_WORDS)


def _list_places(text: AnyStr, wanted: AnyStr) -> list[int]:
    """List where a text has something, its first places up to a bound."""
    places: list[int] = []
    find, place = text.find, -1
    while len(places) < limits.SNIPPET_OCCURRENCES_MAX and (place := find(wanted, place + 1)) >= 0:
        places.append(place)
    return places


def _pass_marks(text: str, end: int) -> int:
    while end < len(text) and _hangs(text[end]):
        end += 1
    return end


def _choose_start(spans: list[tuple[int, int, str]], weights: Mapping[str, float]) -> int:
    """Slide a window over the matches and keep the first with the greatest weight of distinct terms."""
    width = SNIPPET_CHARS_MAX - _LEAD_CHARS
    best, best_start = -1.0, 0
    inside = dict.fromkeys({term for _, _, term in spans}, 0)
    most = sum(map(weights.__getitem__, inside))
    weight, last, count = 0.0, 0, len(spans)
    for first, (start, _, leaving) in enumerate(spans):
        limit = start + width
        while last < count and spans[last][1] <= limit:
            term = spans[last][2]
            if not inside[term]:
                weight += weights[term]
            inside[term] += 1
            last += 1
        if weight > best + _LEAST_GAIN:
            best, best_start = weight, start
            if best + _LEAST_GAIN >= most:
                # It has all of them, so that none further on has more.
                break
        if last <= first:
            last = first + 1
        elif inside[leaving] == 1:
            inside[leaving] = 0
            weight -= weights[leaving]
        else:
            inside[leaving] -= 1
    return best_start


def _cut_out(text: str, match_start: int, spans: list[tuple[int, int]]) -> Snippet:
    start = _find_begin(text, match_start)
    line = _read_line(text, start)
    head = _CUT if text[:start].strip() else ""
    room = SNIPPET_CHARS_MAX - len(head) - len(_CUT)
    shown = line.text[: _find_end(line.text, room)].rstrip()
    is_cut = len(shown) < len(line.text) or bool(text[line.end : line.end + _READ_CHARS_MAX].strip())
    marks = _place_marks(spans, line, len(head), len(head) + len(shown))
    return Snippet(head + shown + (_CUT if is_cut else ""), marks)


def _read_line(text: str, start: int) -> _Line:
    """Read words from `start` on as one line, each blank once; more than its width may have to be read."""
    pieces: list[str] = []
    starts: list[int] = []
    shifts: list[int] = []
    length, end = 0, start
    for match in _SHOWN.finditer(text, start, min(len(text), start + _READ_CHARS_MAX)):
        words = " ".join(match[0].split())
        starts.append(match.start())
        shifts.append(match.start() - length)
        pieces.append(words if words.isprintable() else _UNSHOWN.sub("\ufffd", words))
        length += len(words) + 1
        end = match.end()
        if length > SNIPPET_CHARS_MAX:
            break
    return _Line(" ".join(pieces), end, starts, shifts)


def _find_begin(text: str, match_start: int) -> int:
    """Step back from a match to the beginning of its line or of a word, within reach."""
    low = max(0, match_start - _LEAD_CHARS)
    newline = text.rfind("\n", low, match_start)
    if newline >= 0:
        return newline + 1
    if low == 0:
        return 0
    blank = _BLANKS.search(text, low, match_start)
    start = blank.end() if blank else low
    while start < match_start and _hangs(text[start]):
        start += 1
    return start


def _find_end(line: str, room: int) -> int:
    if len(line) <= room:
        return len(line)
    blank = line.rfind(" ", room - _WORD_END_CHARS, room + 1)
    if blank > 0:
        return blank
    end = room
    while end > 0 and _hangs(line[end]):
        end -= 1
    return end


def _hangs(char: str) -> bool:
    """Tell whether a character belongs to the one before it: a mark, a joiner, or a picture's modifier."""
    return (
        unicodedata.category(char)[0] == "M"
        or char in "\u200c\u200d\ufe0e\ufe0f"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
    )


def _place_marks(spans: list[tuple[int, int]], line: _Line, first: int, last: int) -> tuple[tuple[int, int], ...]:
    """Bring spans of the text, in order, to spans between `first` and `last` of the line; neighbours become one."""
    marks: list[tuple[int, int]] = []
    if not line.starts:
        return ()
    for start, end in spans[bisect.bisect_left(spans, (line.starts[0], 0)) :]:
        if start >= line.end:
            break
        if end > line.end:
            continue
        shift = line.shifts[bisect.bisect_right(line.starts, start) - 1]
        begin, stop = start - shift + first, end - shift + first
        if stop > last:
            continue
        if marks and begin <= marks[-1][1]:
            marks[-1] = (marks[-1][0], max(stop, marks[-1][1]))
        else:
            marks.append((begin, stop))
    return tuple(marks)
