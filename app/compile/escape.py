"""Foreign text as markdown: whatever it holds, it stays text and leaves the page's structure alone."""

import re

from app.compile import sentences

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
_NUMBER_START = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")


def escape_inline(text: str) -> str:
    """Put foreign text on one line; code spans that close are kept, all other markup is made plain."""
    line = sentences.squeeze(sentences.clean_text(text))
    parts: list[str] = []
    position = 0
    for span in _CODE_SPAN.finditer(line):
        parts.extend((_escape_plain(line[position : span.start()]), code_span(span.group(2))))
        position = span.end()
    parts.append(_escape_plain(line[position:]))
    joined = "".join(parts)
    joined = _LINE_START.sub(lambda match: "\\" + match.group(), joined)
    return _NUMBER_START.sub(r"\1\\\2", joined)


def code_span(text: str) -> str:
    """Show text as code on one line, inside more backticks than it has in a row."""
    line = sentences.squeeze(sentences.clean_text(text))
    if not line:
        return ""
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def fence_block(text: str, *, indent: str = "") -> str:
    """Show lines as they are, inside a fence that none of them can close."""
    ticks = "`" * max(3, _longest_run(text) + 1)
    lines = (f"{ticks}text", *sentences.clean_text(text).strip("\n").split("\n"), ticks)
    return "\n".join((indent + line).rstrip() for line in lines)


def quote_lines(text: str, *, indent: str = "") -> str:
    """Show paragraphs as a quotation; fenced lines in it become code line by line."""
    quoted: list[str] = []
    is_fenced = False
    for raw in sentences.clean_text(text).strip().split("\n"):
        line = raw.strip()
        if line.startswith(("```", "~~~")):
            is_fenced = not is_fenced
            continue
        shown = code_span(line) if is_fenced else escape_inline(line)
        if shown or (quoted and quoted[-1] != ""):
            quoted.append(shown)
    # Two blanks at a line's end keep the line break that the person typed.
    return "\n".join(f"{indent}> {line}  " if line else f"{indent}>" for line in quoted).rstrip()


def _escape_plain(text: str) -> str:
    return _MARKUP.sub(lambda match: "\\" + match.group(), _ENTITY.sub("&amp;", text))


def _longest_run(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)
