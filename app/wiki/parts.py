"""A part of a page as one asks for it: the section under a heading, or a range of the text's lines."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.domain.errors import InvalidValue
from app.domain.page import Page

_LINES = re.compile(r"(?:lines?\s+)?L?(\d{1,9})(\s*[-\u2013]\s*L?(\d{1,9})?)?", re.IGNORECASE)
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*?)(?:[ \t]+#+)?[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# A refusal names no more headings than one reads.
_NAMED: Final = 20


@dataclass(frozen=True, slots=True)
class Part:
    """Some lines of a page's text; `first` and `last` count from 1, `total` is how many the text has."""

    text: str
    first: int
    last: int
    total: int


@dataclass(frozen=True, slots=True)
class _Heading:
    line: int
    level: int
    title: str


def find_part(page: Page, asked: str) -> Part:
    """Find what is asked for: `12-40`, `12-`, `12`, or a heading as the page has it, with or without its marks.

    Raises:
        InvalidValue: the page has neither such lines nor such a heading.
    """
    lines = page.body.splitlines()
    by_lines = _LINES.fullmatch(asked.strip())
    if by_lines:
        first, last = _read_range(by_lines, len(lines))
    else:
        first, last = _find_section(lines, asked)
    return Part("\n".join(lines[first - 1 : last]), first, last, len(lines))


def _read_range(found: re.Match[str], total: int) -> tuple[int, int]:
    first = int(found[1])
    last = int(found[3]) if found[3] else total if found[2] else first
    if not 1 <= first <= total or last < first:
        raise InvalidValue("part", f"lines that are not there; the page has {total}")
    return first, min(last, total)


def _find_section(lines: list[str], asked: str) -> tuple[int, int]:
    """Find a section with all that stands below it, up to the next heading of its own level."""
    wanted = _fold(asked.strip().lstrip("#"))
    headings = list(_walk_headings(lines))
    for place, heading in enumerate(headings):
        if _fold(heading.title) == wanted:
            after = (each.line for each in headings[place + 1 :] if each.level <= heading.level)
            return heading.line, next(after, len(lines) + 1) - 1
    known = "; ".join(heading.title for heading in headings[:_NAMED]) or "none"
    raise InvalidValue("part", f"a heading that is not there; give lines as 12-40, or one of: {known}")


def _walk_headings(lines: list[str]) -> Iterator[_Heading]:
    fence = ""
    for number, line in enumerate(lines, start=1):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
        elif not fence and (heading := _HEADING.match(line)):
            yield _Heading(number, len(heading[1]), heading[2])


def _fold(title: str) -> str:
    """Bring a heading to letters and digits, so that the anchor of a link names it too."""
    return "".join(filter(str.isalnum, title.casefold()))
