"""What it takes to give a project another name, or to put one into another: pages by place, conflicts, the plan."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from app.domain.page import ContentHash, PageKind, PagePath
from app.domain.pagepath import KIND_FOLDERS, PROJECT_PATH, fold_path
from app.domain.scope import Scope

# Where a file goes that is left out: what is made anew, and a manifest that nobody wrote into.
DROPPED: Final = ""


class MoveKind(StrEnum):
    """A project gets another name, perhaps in another workspace, or becomes part of another."""

    RENAME = "rename"
    MERGE = "merge"


class ConflictKind(StrEnum):
    """What stands in the way; each has to be settled by a person before anything moves."""

    SAME_PROJECT = "same_project"
    NAME_TAKEN = "name_taken"
    FOLDER_TAKEN = "folder_taken"
    CLAIM_RUNNING = "claim_running"
    PAGE_EDITED = "page_edited"
    RIGHTS_DIFFER = "rights_differ"
    ONLY_READ = "only_read"


@dataclass(frozen=True, slots=True)
class Conflict:
    """One thing in the way, and what to do about it."""

    kind: ConflictKind
    subject: str
    advice: str


@dataclass(frozen=True, slots=True)
class Place:
    """A page by its project and its path there."""

    scope: Scope
    path: PagePath

    def __str__(self) -> str:
        return f"{self.scope}:{self.path}"


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A page whose links have to be written anew, where it was and is, and the text that this was decided for."""

    was: Place
    now: Place
    content_hash: ContentHash


@dataclass(frozen=True, slots=True)
class Move:
    """One move as it is written down before it begins; `paths` tells of every file that keeps no path where it goes.

    `pages` are those of the project that moves, by their paths before. After a merge, `project_id` is gone, and
    `into_id` has what it had.
    """

    id: str
    kind: MoveKind
    project_id: str
    source: Scope
    target: Scope
    actor: str
    begun_at: datetime
    context: str = ""
    into_id: str = ""
    paths: Mapping[str, str] = field(default_factory=dict)
    pages: tuple[PagePath, ...] = ()
    rewrites: tuple[Rewrite, ...] = ()

    def find_path(self, path: str) -> str:
        """Tell the path of a file of the moving project where it goes; empty for one that goes nowhere."""
        return self.paths.get(path, path)


def map_paths(sources: Collection[str], taken: Iterable[str], name: str, left_out: Collection[str]) -> dict[str, str]:
    """Find new paths for the files that cannot keep theirs in the other project: a number stands behind their names.

    Paths that some file system cannot tell apart count as one. The text of a manifest becomes a note named after the
    project.
    """
    used = {fold_path(path) for path in taken}
    own = {fold_path(path) for path in sources}
    found: dict[str, str] = {}
    for path in sorted(sources):
        wanted = f"{KIND_FOLDERS[PageKind.NOTE]}/{name}.md" if path == PROJECT_PATH else path
        if path in left_out:
            found[path] = DROPPED
            continue
        is_free = fold_path(wanted) not in used and (wanted == path or fold_path(wanted) not in own)
        new = wanted if is_free else _number(wanted, used | own)
        used.add(fold_path(new))
        if new != path:
            found[path] = new
    return found


def _number(path: str, used: Collection[str]) -> str:
    folder, slash, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    stem, dot, ending = (stem, dot, ending) if stem else (name, "", "")
    number = 2
    while fold_path(numbered := f"{folder}{slash}{stem}-{number}{dot}{ending}") in used:
        number += 1
    return numbered
