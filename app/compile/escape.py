"""Foreign text as markdown: whatever it holds, it stays text and leaves the page's structure alone."""

import re
from collections.abc import Iterator

from app.domain import legible

_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_BACKTICKS = re.compile(r"`+")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_MARKUP = re.compile(
    r"""
    [\\\[\]*~$`]            # links, footnotes, wikilinks, emphasis, mathematics, code
  | <(?=[A-Za-z/!?])        # HTML, comments, fences of recalled text
  | (?<![^\W_])_ | _(?![^\W_])  # emphasis, but not the underscore inside a name
  | %(?=%) | (?<=%)%        # comments in Obsidian
  | =(?==) | (?<==)=        # highlights in Obsidian
  | \#(?=[^\W\d_])          # tags in Obsidian
    """,
    re.VERBOSE,
)
# What would open a heading, list, quote, rule, table, fence or setext underline at a line's start.
_LINE_START = re.compile(r"^(?:#{1,6}(?=\s|$)|[-+=|>](?=.?)|:(?=\s)|~~~)")
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
_ITEM = re.compile(r"^((?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)(\S.*)$")
# Stands before lines of code while a quotation is put together; no text has it.
_CODE_MARK = "\x00"
_NUMBER_START = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")


def escape_inline(text: str) -> str:
    """Put foreign text on one line; code spans that close are kept, all other markup is made plain."""
    return _guard_start(_escape_line(text))


def _escape_line(text: str) -> str:
    line = legible.close_code(legible.squeeze(legible.clean_text(text)))
    parts: list[str] = []
    position = 0
    for span in _CODE_SPAN.finditer(line):
        parts.extend((_escape_plain(line[position : span.start()]), code_span(span.group(2))))
        position = span.end()
    parts.append(_escape_plain(line[position:]))
    return "".join(parts)


def _guard_start(line: str) -> str:
    """Keep a line from opening a heading, list, quotation, table or rule."""
    guarded = _LINE_START.sub(lambda match: "\\" + match.group(), line)
    return _NUMBER_START.sub(r"\1\\\2", guarded)


def code_span(text: str) -> str:
    """Show text as code on one line, inside more backticks than it has in a row."""
    line = legible.squeeze(legible.clean_text(text))
    if not line:
        return ""
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def fence_block(text: str, *, indent: str = "") -> str:
    """Show lines as they are, inside a fence that none of them can close."""
    ticks = "`" * max(3, _longest_run(text) + 1)
    lines = (f"{ticks}text", *legible.clean_text(text).strip("\n").split("\n"), ticks)
    return "\n".join((indent + line).rstrip() for line in lines)


def quote_lines(text: str) -> str:
    """Show paragraphs and flat lists as a quotation; code stays code, in a fence that none of its lines closes."""
    quoted: list[str] = []
    code: list[str] | None = None
    for raw in legible.clean_text(text).strip().split("\n"):
        is_mark = raw.strip().startswith(("```", "~~~"))
        if is_mark and code is None:
            code = []
        elif is_mark and code is not None:
            quoted.extend(_fence_quoted(code))
            code = None
        elif code is not None:
            code.append(raw)
        else:
            shown = _quote_line(raw.strip())
            if shown or (quoted and quoted[-1]):
                quoted.append(shown)
    quoted.extend(_fence_quoted(code or []))
    while quoted and not quoted[-1]:
        quoted.pop()
    return "\n".join(_join_quoted(quoted))


def _fence_quoted(code: list[str]) -> list[str]:
    return [_CODE_MARK + line for line in fence_block("\n".join(code)).split("\n")] if any(map(str.strip, code)) else []


def _join_quoted(quoted: list[str]) -> Iterator[str]:
    """Put the quotation mark before each line; a line end that somebody typed inside a paragraph is kept."""
    for line, after in zip(quoted, [*quoted, ""][1:], strict=False):
        if line.startswith(_CODE_MARK):
            yield f"> {line.removeprefix(_CODE_MARK)}".rstrip()
        elif line and after and not after.startswith(_CODE_MARK) and not _ITEM.match(after):
            yield f"> {line}\\"
        else:
            yield f"> {line}".rstrip()


def _quote_line(line: str) -> str:
    """Keep what is harmless inside a quotation and helps to read it: list marks, ticks and pairs of bold marks."""
    if heading := _HEADING.match(line):
        return f"**{_escape_line(heading.group(1).replace('**', ''))}**"
    item = _ITEM.match(line)
    # With more than one blank behind its mark, what an item says would be code.
    mark, rest = (" ".join(item.group(1).split()) + " ", item.group(2)) if item else ("", line)
    pieces = rest.split("**")
    # An odd number of marks leaves one open, which would run on.
    if len(pieces) % 2 == 0 or "`" in rest:
        return mark + escape_inline(rest.replace("**", "") if "`" in rest else rest)
    shown = [_with_edges(piece, _escape_line(piece)) for piece in pieces]
    return mark + _guard_start("**".join(shown).strip())


def _with_edges(piece: str, made: str) -> str:
    """Put back the blanks around a piece that escaping has trimmed."""
    return f"{' ' if piece[:1].isspace() else ''}{made}{' ' if piece[-1:].isspace() and made else ''}"


def _escape_plain(text: str) -> str:
    return _MARKUP.sub(lambda match: "\\" + match.group(), _ENTITY.sub("&amp;", text))


def _longest_run(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)
