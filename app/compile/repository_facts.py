"""What a repository says of itself, as the command line read it, and what can be read out of its documents."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.domain import legible

_FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})\s*([\w+-]*)")
_HEADING: Final = re.compile(r"^#{1,6}\s+(.+?)\s*#*\s*$")
_UNDERLINE: Final = re.compile(r"^(?:=+|-+)\s*$")
_ITEM: Final = re.compile(r"^(?:[-*+]|\d{1,3}[.)])\s+(.+)$")
# Badges, pictures, tags, tables and quotations say nothing in a sentence.
_NO_PROSE: Final = re.compile(r"^\s*(?:[!<>|\[]|---|===|\*\s*\*\s*\*|$)")
_SHELLS: Final = frozenset({"bash", "console", "sh", "shell", "shellsession", "terminal", "zsh"})
_FIELD: Final = re.compile(r"^[-*\s]*\**(?P<name>Status|Date)\**\s*:\s*\**\s*(?P<value>.+?)\s*$", re.IGNORECASE)


class FactKind(StrEnum):
    """What a document of a repository is."""

    README = "readme"
    DOCUMENT = "document"
    DECISION = "decision"
    CHANGELOG = "changelog"
    INSTRUCTIONS = "instructions"


@dataclass(frozen=True, slots=True)
class Document:
    """One document, by its path in the repository."""

    path: str
    kind: FactKind
    text: str


@dataclass(frozen=True, slots=True)
class HotFile:
    """A file that many commits changed, with what the latest of them said."""

    path: str
    commits: int
    changed_on: str
    subjects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """What git's log tells: `subjects` and `authors` are the latest and the busiest, days are ISO dates."""

    commits: int = 0
    begun_on: str = ""
    changed_on: str = ""
    is_cut: bool = False
    subjects: tuple[tuple[str, str], ...] = ()
    authors: tuple[tuple[str, int], ...] = ()
    hot_files: tuple[HotFile, ...] = ()


@dataclass(frozen=True, slots=True)
class RepositoryFacts:
    """All that was read; `folders` are those at the top with how many files each has, `left_out` counts documents."""

    documents: tuple[Document, ...] = ()
    folders: tuple[tuple[str, int], ...] = ()
    history: History = History()
    left_out: int = 0


def find_title(text: str) -> str:
    """Find a document's first heading; empty where it has none."""
    lines = list(_list_prose(text))
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if found := _HEADING.match(line):
            return legible.squeeze(found.group(1))
        if line.strip() and _UNDERLINE.match(below) and not _NO_PROSE.match(line):
            return legible.squeeze(line)
    return ""


def find_paragraph(text: str, heading: str = "") -> str:
    """Find the first paragraph of prose, below a heading of these words where some are given."""
    kept: list[str] = []
    is_there = not heading
    for line in _list_prose(text):
        found = _HEADING.match(line)
        if found and not kept:
            is_there = is_there or found.group(1).casefold().strip().rstrip(":") in heading.split("|")
            continue
        is_prose = is_there and not found and not _NO_PROSE.match(line) and not _FIELD.match(line)
        if is_prose and not _UNDERLINE.match(line):
            kept.append(line.strip())
        elif kept:
            break
    return legible.squeeze(" ".join(kept).replace("**", ""))


def list_items(text: str) -> list[str]:
    """List the items of a document's lists, one line each, with the lines that go on below them."""
    items: list[str] = []
    is_open = False
    for line in _list_prose(text):
        found = _ITEM.match(line.strip())
        if found:
            items.append(found.group(1))
        elif is_open and line.startswith((" ", "\t")) and line.strip():
            items[-1] += f" {line.strip()}"
        is_open = bool(found) or (is_open and bool(line.strip()))
    return [legible.squeeze(item.replace("**", "")) for item in items]


def list_commands(text: str) -> list[str]:
    """List the command lines that a document shows in blocks of shell."""
    commands: list[str] = []
    fence, is_shell = "", False
    for line in legible.clean_text(text).split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence, is_shell = mark.group(1), mark.group(2).casefold() in _SHELLS
        elif mark and mark.group(1).startswith(fence):
            fence, is_shell = "", False
        elif is_shell and (command := line.strip().removeprefix("$ ").strip()) and not command.startswith("#"):
            commands.append(command)
    return list(dict.fromkeys(commands))


def find_latest_entry(text: str) -> tuple[str, list[str]]:
    """Find the newest entry of a changelog that says something: its heading and its items."""
    title = ""
    lines: list[str] = []
    for line in [*_list_prose(text), "## "]:
        if line.startswith("## "):
            if items := list_items("\n".join(lines)):
                return title, items
            title, lines = legible.squeeze(line.removeprefix("## ")), []
        else:
            lines.append(line)
    return "", []


def find_field(text: str, name: str) -> str:
    """Find a line `Name: value` or the paragraph below a heading of that name, as decisions state their status."""
    for line in _list_prose(text):
        found = _FIELD.match(line)
        if found and found.group("name").casefold() == name:
            return legible.squeeze(found.group("value").strip("*"))
    return find_paragraph(text, name)


def _list_prose(text: str) -> Iterator[str]:
    """Give the lines that stand in no block of code and no frontmatter."""
    fence = ""
    lines = legible.clean_text(text).split("\n")
    if lines and lines[0].strip() == "---" and "---" in [line.strip() for line in lines[1:]]:
        lines = lines[[line.strip() for line in lines].index("---", 1) + 1 :]
    for line in lines:
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark.group(1)
        elif mark and mark.group(1).startswith(fence):
            fence = ""
        elif not fence:
            yield line
