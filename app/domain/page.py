"""`Page`, `PagePath` and their parts: what a markdown file in the wiki is once it has been read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NewType

from app.domain.scope import Scope

# Relative to the project's folder, POSIX separators, ends in `.md`; made by `app.domain.pagepath.parse_page_path`.
PagePath = NewType("PagePath", str)

# SHA-256 of the file's bytes as 64 hex digits; the empty text stands for "no file".
ContentHash = NewType("ContentHash", str)


class PageKind(StrEnum):
    """What a page is; a file whose `kind` or folder says nothing is a note."""

    PROJECT = "project"
    INDEX = "index"
    SESSION = "session"
    CONCEPT = "concept"
    DECISION = "decision"
    GOTCHA = "gotcha"
    PROCEDURE = "procedure"
    RULE = "rule"
    NOTE = "note"
    SLOT = "slot"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a file's content; `code` is stable, `detail` is for people."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link as written: `target` without label and heading; `is_wiki` for `[[…]]`."""

    target: str
    label: str = ""
    is_wiki: bool = True


@dataclass(frozen=True, slots=True)
class Revision:
    """One commit as far as it concerns a page; `id` is git's hash, `session_id` whose work it came from."""

    id: str
    at: datetime
    author: str
    message: str
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class BlamedLine:
    """A line of a page and the commit that it is from; numbers begin at 1."""

    number: int
    text: str
    revision_id: str


@dataclass(frozen=True, slots=True)
class Page:
    """One file of the wiki, read and understood as far as it can be.

    `fields` are the frontmatter's values as YAML gives them (dates as ISO text); it is empty where the block is
    missing or does not parse, and `findings` says so. `body` is the text after the frontmatter, decoded with
    replacement where needed.
    """

    scope: Scope
    path: PagePath
    kind: PageKind
    title: str
    body: str
    content_hash: ContentHash
    id: str = ""
    tags: tuple[str, ...] = ()
    description: str = ""
    fields: Mapping[str, object] = field(default_factory=dict)
    headings: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    findings: tuple[Finding, ...] = ()
