"""What code on a page defines, and the languages that it is in: a function's name tells of it as a heading does."""

import re
from collections.abc import Iterator
from typing import Final

from app.domain.limits_search import DEFINITIONS_PER_PAGE_MAX

_MODIFIERS = r"(?:(?:async|export|default|public|private|protected|static|final|abstract|pub|override|inline)[ \t]+)*"
_KEYWORDS = r"def|class|func|fn|function|interface|struct|trait|enum|type|module"
# A receiver may stand before a method's name, and prose that begins with such a word has no bracket or colon behind.
_DEFINITION = re.compile(
    rf"^[ \t]*{_MODIFIERS}({_KEYWORDS})[ \t]+(?:\([^)\n]*\)[ \t]*)?([A-Za-z_]\w*)"
    r"(?=[ \t]*[(<:{=\[]|[^\n]*[{:][ \t]*$)",
    re.MULTILINE,
)
_DOCSTRING = re.compile(
    r"(?:[^:\n]|:(?![ \t]*\n)|\n(?![ \t]*\n))*:[ \t]*\n[ \t]*[rRuU]?(?:\"\"\"|''')\s*([^\n]+?)[ \t]*(?:\"\"\"|'''|$)",
    re.MULTILINE,
)
_COMMENT = re.compile(r"[ \t]*(?:///?!?|#|/?\*+)[ \t]?(.*?)(?:\*/)?[ \t]*")
_FENCE = re.compile(r"^[ \t]*(?:```+|~~~+)[ \t]*\{?\.?([A-Za-z][\w+#-]{0,15})", re.MULTILINE)
_PYTHON = re.compile(r"^[ \t]*(?:async[ \t]+)?def \w+\([^)]*\)[^\n:]*:[ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_DOCSTRING_CHARS: Final = 1000
_FULL_NAMES: Final = {
    "bash": "shell",
    "golang": "go",
    "js": "javascript",
    "jsx": "javascript",
    "kt": "kotlin",
    "ps1": "powershell",
    "py": "python",
    "python3": "python",
    "rb": "ruby",
    "rs": "rust",
    "sh": "shell",
    "ts": "typescript",
    "tsx": "typescript",
    "yml": "yaml",
    "zsh": "shell",
}


def list_definitions(text: str) -> tuple[str, ...]:
    """List what a text defines, each by its name and the first line of what is said of it, in their order."""
    found = (match for _, match in zip(range(DEFINITIONS_PER_PAGE_MAX), _DEFINITION.finditer(text), strict=False))
    return tuple(dict.fromkeys(f"{match[2]} {_find_summary(text, match)}".rstrip() for match in found))


def list_languages(text: str) -> tuple[str, ...]:
    """List the languages of a text's code; pages in a language seldom say its name, and questions do."""
    marked = (match[1].lower() for match in _FENCE.finditer(text))
    found = dict.fromkeys(name for mark in marked for name in (mark, _FULL_NAMES.get(mark, mark)))
    if _PYTHON.search(text):
        found["python"] = None
    return tuple(found)


def _find_summary(text: str, match: re.Match[str]) -> str:
    inside = _DOCSTRING.match(text, match.end(), match.end() + _DOCSTRING_CHARS)
    if inside:
        return inside[1]
    return next(reversed([*_walk_comments(text[: match.start()])]), "")


def _walk_comments(before: str) -> Iterator[str]:
    """Walk the comment that stands right above, from its last line to its first."""
    end = len(before.rstrip(" \t"))
    while end > 0:
        start = before.rfind("\n", 0, end - 1) + 1
        line = _COMMENT.fullmatch(before[start : end - 1])
        if line is None:
            return
        if line[1].strip("/* "):
            yield line[1].strip()
        end = start
