"""Foreign text as markdown: whatever it holds, it stays text and leaves the page's structure alone."""

import re

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
_NUMBER_START = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")


def escape_inline(text: str) -> str:
    """Put foreign text on one line; code spans that close are kept, all other markup is made plain."""
    return _guard_start(_escape_line(text))


def _escape_line(text: str) -> str:
    line = legible.squeeze(legible.clean_text(text))
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
    """Show paragraphs and flat lists as a quotation; fenced lines in it become code line by line."""
    quoted: list[str] = []
    is_fenced = False
    for raw in legible.clean_text(text).strip().split("\n"):
        line = raw.strip()
        if line.startswith(("```", "~~~")):
            is_fenced = not is_fenced
            continue
        shown = code_span(line) if is_fenced else _quote_line(line)
        if shown or (quoted and quoted[-1]):
            quoted.append(shown)
    while quoted and not quoted[-1]:
        quoted.pop()
    # A line end inside a paragraph is one that somebody typed; a backslash keeps it.
    follows = [*quoted, ""][1:]
    return "\n".join(
        f"> {line}\\" if line and after and not _ITEM.match(after) else f"> {line}".rstrip()
        for line, after in zip(quoted, follows, strict=True)
    )


def _quote_line(line: str) -> str:
    """Keep what is harmless inside a quotation and helps to read it: list marks, ticks and pairs of bold marks."""
    if heading := _HEADING.match(line):
        return f"**{_escape_line(heading.group(1).replace('**', ''))}**"
    item = _ITEM.match(line)
    mark, rest = (item.group(1), item.group(2)) if item else ("", line)
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
