"""A page's text in parts: what stands before the first `## ` heading, then one part for each such heading."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

HASH_CHARS = 16

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^## +(\S.*?)[ \t]*#*[ \t]*$")


@dataclass(frozen=True, slots=True)
class PagePart:
    """One part with its heading line; the lead has an empty heading."""

    heading: str
    text: str


def split_parts(body: str) -> list[PagePart]:
    """Split a body so that the parts joined are the body again; a heading inside a code block is none."""
    parts: list[PagePart] = []
    heading, fence = "", ""
    lines: list[str] = []
    for line in body.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
        found = None if fence or mark else _HEADING.match(line.rstrip("\r\n"))
        if found:
            parts.append(PagePart(heading, "".join(lines)))
            heading, lines = found[1], []
        lines.append(line)
    return [*parts, PagePart(heading, "".join(lines))]


def join_parts(parts: Sequence[PagePart]) -> str:
    """Put parts together with one blank line between them; untouched text keeps its bytes."""
    body = ""
    for part in parts:
        if body and part.text and not body.endswith("\n\n"):
            body += "\n" if body.endswith("\n") else "\n\n"
        body += part.text
    return body


def render_part(heading: str, text: str) -> PagePart:
    """Write a part anew."""
    shown = text.strip("\n")
    return PagePart(heading, f"## {heading}\n\n{shown}\n" if heading else f"{shown}\n")


def hash_part(part: PagePart) -> str:
    """Tell a part's text by a short hash; blank lines around it and the kind of line ends do not count."""
    plain = part.text.replace("\r\n", "\n").strip()
    return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()[:HASH_CHARS]


def find_part(parts: Sequence[PagePart], heading: str) -> int | None:
    """Find the part of a heading; the first where there are several."""
    return next((at for at, part in enumerate(parts) if part.heading == heading), None)
