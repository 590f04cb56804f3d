"""How much of a hit's two texts is shown: of what says the same words only one, of what adds some both, shortened."""

from typing import Final

from app.domain.limits import SNIPPET_CHARS_MAX
from app.domain.limits_search import HEARD_SNIPPET_CHARS_MAX, PAGE_SNIPPET_CHARS_MAX
from app.search.snippet import Snippet

_LEAD_CHARS: Final = 24
_CUT: Final = "\u2026"
_NOTHING: Final = Snippet("")


def share_room(page: Snippet, heard: Snippet) -> tuple[Snippet, Snippet]:
    """Choose what a hit shows of its page and of what was said, nothing where that adds no word of the question."""
    if page.marks and _list_marked(heard) <= _list_marked(page):
        return page, _NOTHING
    return shorten(page, PAGE_SNIPPET_CHARS_MAX), shorten(heard, HEARD_SNIPPET_CHARS_MAX)


def shorten(found: Snippet, chars_max: int) -> Snippet:
    """Keep the stretch of a snippet in which most of the words stand that matched."""
    text = found.text
    if len(text) <= chars_max:
        return found
    room = chars_max - 2 * len(_CUT)
    starts = [_find_word(text, max(0, begin - _LEAD_CHARS)) for begin, _ in found.marks] or [0]
    start = max(starts, key=lambda place: (len(_list_marked(found, place, place + room)), -place))
    blank = text.rfind(" ", start, start + room + 1)
    # A text without blanks is cut where the room ends.
    end = len(text) if len(text) - start <= room else blank if blank > start + room // 2 else start + room
    head = _CUT if start and not text.startswith(_CUT, start) else ""
    tail = "" if end == len(text) else _CUT
    shift = len(head) - start
    marks = tuple((begin + shift, stop + shift) for begin, stop in found.marks if start <= begin and stop <= end)
    return Snippet(head + text[start:end].rstrip() + tail, marks)


def _find_word(text: str, place: int) -> int:
    """Find where the word begins that stands at a place or behind it, if that is near."""
    if not place or text[place - 1].isspace():
        return place
    blank = text.find(" ", place, place + _LEAD_CHARS)
    return blank + 1 if blank >= 0 else place


def _list_marked(found: Snippet, start: int = 0, end: int = SNIPPET_CHARS_MAX) -> frozenset[str]:
    """List the distinct words that are marked within a stretch."""
    marks = [(begin, stop) for begin, stop in found.marks if start <= begin and stop <= end]
    return frozenset(found.text[begin:stop].casefold() for begin, stop in marks)
