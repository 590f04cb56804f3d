"""Workspace and project names, their grammar, and `Scope`, the pair that every stored thing belongs to."""

import re
from dataclasses import dataclass, field
from datetime import datetime

from app.domain.errors import InvalidName
from app.domain.limits import NAME_CHARS_MAX

DEFAULT_WORKSPACE = "main"

# Letters of any script, digits, dot, hyphen and underscore; never a leading dot or hyphen.
_NAME = re.compile(r"[^\W_][\w.\-]*")


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """A workspace and one project in it, both as folder names under the wiki's root."""

    workspace: str
    project: str

    def __str__(self) -> str:
        return f"{self.workspace}/{self.project}"


@dataclass(frozen=True, slots=True)
class Project:
    """A project as state knows it, read-only once archived; `identities` are the repository keys that lead to it."""

    id: str
    scope: Scope
    created_at: datetime
    aliases: tuple[str, ...] = field(default=())
    identities: tuple[str, ...] = field(default=())
    archived_at: datetime | None = None
    is_restricted: bool = False


def parse_name(text: str, *, what: str = "name") -> str:
    """Check one workspace or project name.

    Raises:
        InvalidName: the text is empty, too long, or has a character that is no letter, digit, `.`, `-` or `_`.
    """
    if not text or len(text) > NAME_CHARS_MAX or not _NAME.fullmatch(text) or text.endswith("."):
        raise InvalidName(what, text)
    return text


def parse_scope(text: str, workspace: str = DEFAULT_WORKSPACE) -> Scope:
    """Read `project`, which is one of `workspace`, or `workspace/project`.

    Raises:
        InvalidName: either half breaks the grammar of names.
    """
    named, separator, project = text.partition("/")
    if separator:
        workspace = named
    else:
        project = text
    return Scope(parse_name(workspace, what="workspace"), parse_name(project, what="project"))
