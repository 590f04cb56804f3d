"""Marks of evidence in running text: `(o12-o15)` on a page that sessions taught opens the first observation."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from markdown_it.token import Token

# The first and the last observation that a page names of a session, and the address of that session.
Source = tuple[int, int, str]

_SOURCE: Final = re.compile(r"session:([\w.\-]{1,200})#o(\d{1,18})-o(\d{1,18})", re.ASCII)
RANGE: Final = re.compile(r"\((o(\d{1,18})(?:-o?\d{1,18})?)\)")


def list_sources(fields: Mapping[str, object], sessions_url: str) -> tuple[Source, ...]:
    """List the sessions that a page says it rests on."""
    given = fields.get("sources")
    matches = (_SOURCE.fullmatch(text) for text in given if isinstance(text, str)) if isinstance(given, list) else ()
    return tuple((int(match[2]), int(match[3]), f"{sessions_url}/{match[1]}") for match in matches if match)


def find_address(sources: Sequence[Source], number: int) -> str:
    """Find the session of an observation; empty where the page names none."""
    return next((url for first, last, url in sources if first <= number <= last), "")


def mark_ranges(children: Sequence[Token], sources: Sequence[Source]) -> list[Token]:
    """Turn what names observations in a line's text into links; within a link there is no other."""
    marked: list[Token] = []
    depth = 0
    for child in children:
        depth += child.nesting if child.type in {"link_open", "link_close"} else 0
        marked += _split(child, sources) if child.type == "text" and not depth else [child]
    return marked


def _split(text: Token, sources: Sequence[Source]) -> Iterator[Token]:
    at = 0
    for match in RANGE.finditer(text.content):
        number = int(match[2])
        address = find_address(sources, number)
        if address:
            yield _build_text(text.content[at : match.start()])
            opening = Token(
                "link_open", "a", 1, attrs={"class": "evidence", "href": f"{address}?at={number}#o{number}"}
            )
            opening.meta = {"is_placed": True}
            yield from (opening, _build_text(match[1]), Token("link_close", "a", -1))
            at = match.end()
    yield _build_text(text.content[at:])


def _build_text(content: str) -> Token:
    token = Token("text", "", 0)
    token.content = content
    return token
