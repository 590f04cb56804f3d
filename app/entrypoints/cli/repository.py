"""Reads what a repository says of itself: its documents, its folders and git's log, within bounds and its policy."""

import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from app.capture import client_checkout, policy
from app.capture.policy import EventFacts, Policy
from app.compile.repository_facts import Document, FactKind, History, HotFile, RepositoryFacts
from app.domain import legible, limits, limits_past

_SUFFIXES: Final = frozenset({".adoc", ".md", ".mdc", ".mdx", ".markdown", ".rst", ".txt", ""})
_INSTRUCTIONS: Final = frozenset(
    {".clinerules", ".cursorrules", ".windsurfrules", "agents.md", "claude.md", "copilot-instructions.md", "gemini.md"}
)
_DECISIONS: Final = re.compile(
    r"(?:^|/)(?:adrs?|decisions?|decision-records?|architecture-decisions)/[^/]+\.\w+$", re.IGNORECASE
)
# What tests and examples hold is about no project of ours.
_MADE_UP: Final = re.compile(
    r"(?:^|/)(?:tests?|__tests__|spec|fixtures?|testdata|__fixtures__|examples?|samples?|node_modules|vendor)/",
    re.IGNORECASE,
)
_INDEXES: Final = frozenset({"index", "readme", "template"})
_DOCS: Final = re.compile(r"^(?:docs?|documentation)/", re.IGNORECASE)
_CHANGELOG: Final = re.compile(r"^(?:docs/)?(?:changelog|changes|history|news)\.\w+$", re.IGNORECASE)
_ROOT_DOCS: Final = re.compile(r"^(?:contributing|architecture|design|hacking|development)\.\w+$", re.IGNORECASE)
_RANKS: Final = (FactKind.README, FactKind.INSTRUCTIONS, FactKind.CHANGELOG, FactKind.DECISION, FactKind.DOCUMENT)
_COMMIT: Final = "\x01"


def read_repository(folder: str) -> RepositoryFacts:
    """Read a folder, of a git repository or of none; what its policy denies is not read.

    Raises:
        PolicyUnreadable: nobody knows what may be read.
    """
    stated = policy.find_policy(client_checkout.read_markers(folder), os.path.expanduser("~"))  # noqa: PTH111 — text
    files = [path for path in _list_files(folder) if _may_be_read(stated, folder, path)]
    documents, left_out = _read_documents(folder, files)
    return RepositoryFacts(
        documents=tuple(documents),
        folders=tuple(_count_folders(files)),
        history=_read_history(folder, frozenset(files)),
        left_out=left_out,
    )


def _may_be_read(stated: Policy, folder: str, path: str) -> bool:
    facts = EventFacts(kind="tool_end", cwd=folder, paths=(path,))
    return policy.decide(stated, facts).action != policy.DROP


def _list_files(folder: str) -> list[str]:
    """List the files that git has, else those of the folder itself and of its documents."""
    listed = _run_git(folder, "ls-files", "-z")
    if listed:
        return sorted(filter(None, listed.split("\0")))[: limits_past.BOOTSTRAP_FILES_LISTED_MAX]
    root = Path(folder)
    found = [path for pattern in ("*", "doc/**/*", "docs/**/*") for path in root.glob(pattern) if path.is_file()]
    return sorted({path.relative_to(root).as_posix() for path in found})[: limits_past.BOOTSTRAP_FILES_LISTED_MAX]


def _read_documents(folder: str, files: Sequence[str]) -> tuple[list[Document], int]:
    named = [(kind, path) for path in files if (kind := _find_kind(path))]
    named.sort(key=lambda each: (_RANKS.index(each[0]), each[1].count("/"), each[1]))
    documents: list[Document] = []
    room = limits_past.BOOTSTRAP_BYTES_MAX
    for kind, path in named[: limits_past.BOOTSTRAP_DOCUMENTS_MAX]:
        text = _read_text(Path(folder, path))
        room -= len(text.encode("utf-8", "replace"))
        if room < 0:
            break
        if text.strip():
            documents.append(Document(path, kind, text))
    return documents, len(named) - len(documents)


def _find_kind(path: str) -> FactKind | None:
    name = PurePosixPath(path)
    if name.name.casefold() in _INSTRUCTIONS or path.casefold().startswith((".cursor/rules/", ".clinerules/")):
        return FactKind.INSTRUCTIONS
    if name.suffix.casefold() not in _SUFFIXES:
        return None
    if _CHANGELOG.match(path):
        return FactKind.CHANGELOG
    if _DECISIONS.search(path) and not _MADE_UP.search(path):
        return None if name.stem.casefold() in _INDEXES else FactKind.DECISION
    if name.stem.casefold() == "readme":
        return FactKind.README if "/" not in path else FactKind.DOCUMENT
    return FactKind.DOCUMENT if (name.suffix and _DOCS.match(path)) or _ROOT_DOCS.match(path) else None


def _read_text(path: Path) -> str:
    """Read a document's beginning; a link is not followed out of the repository, and what is no text says nothing."""
    try:
        if path.is_symlink() or not path.is_file():
            return ""
        with path.open("rb") as file:
            raw = file.read(limits_past.BOOTSTRAP_DOCUMENT_BYTES_MAX)
    except OSError:
        return ""
    return "" if b"\0" in raw else raw.decode("utf-8", "ignore")


def _count_folders(files: Sequence[str]) -> list[tuple[str, int]]:
    counts = Counter(path.partition("/")[0] for path in files if "/" in path)
    largest = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return largest[: limits_past.BOOTSTRAP_FOLDERS_MAX]


@dataclass(slots=True)
class _Counted:
    """What is counted of one file."""

    commits: int = 0
    changed_on: str = ""
    subjects: list[str] = field(default_factory=list)


def _read_history(folder: str, files: frozenset[str]) -> History:
    """Read the latest commits; files that are there no more, or may not be named, do not count."""
    log = _run_git(
        folder, "-c", "core.quotePath=false", "log", "--no-merges", "--no-renames", "--name-only",
        f"--max-count={limits_past.BOOTSTRAP_COMMITS_MAX}", f"--format={_COMMIT}%as%x00%aN%x00%s",
    )  # fmt: skip
    days: list[str] = []
    subjects: list[tuple[str, str]] = []
    authors: Counter[str] = Counter()
    counted: dict[str, _Counted] = {}
    for day, author, subject, touched in _split_log(log):
        days.append(day)
        authors[author] += 1
        subjects.append((day, subject))
        for path in touched:
            if path in files:
                _count(counted.setdefault(path, _Counted()), day, subject)
    hot = sorted(counted.items(), key=lambda each: (-each[1].commits, each[0]))[: limits_past.BOOTSTRAP_HOT_FILES_MAX]
    busiest = sorted(authors.items(), key=lambda each: (-each[1], each[0]))[: limits_past.BOOTSTRAP_AUTHORS_MAX]
    return History(
        commits=len(days),
        begun_on=min(days, default=""),
        changed_on=max(days, default=""),
        is_cut=len(days) == limits_past.BOOTSTRAP_COMMITS_MAX,
        subjects=tuple(subjects[: limits_past.BOOTSTRAP_SUBJECTS_MAX]),
        authors=tuple(busiest),
        hot_files=tuple(HotFile(path, each.commits, each.changed_on, tuple(each.subjects)) for path, each in hot),
    )


def _count(counted: _Counted, day: str, subject: str) -> None:
    counted.commits += 1
    counted.changed_on = max(counted.changed_on, day)
    if len(counted.subjects) < limits_past.BOOTSTRAP_SUBJECTS_PER_FILE_MAX and subject not in counted.subjects:
        counted.subjects.append(subject)


def _split_log(log: str) -> Iterator[tuple[str, str, str, list[str]]]:
    for entry in log.split(_COMMIT)[1:]:
        head, _, rest = entry.partition("\n")
        day, _, more = head.partition("\0")
        author, _, subject = more.partition("\0")
        cut = legible.clip(legible.squeeze(subject), limits_past.BOOTSTRAP_SUBJECT_CHARS_MAX)
        yield day, author[: limits.NAME_CHARS_MAX], cut, [path for path in rest.split("\n") if path]


def _run_git(folder: str, *words: str) -> str:
    """Ask git; nothing where it is not there, has no answer, or takes too long."""
    try:
        done = subprocess.run(
            ["git", "-C", folder, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"},
            timeout=limits.GIT_COMMAND_SECONDS_MAX,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return "" if done.returncode else done.stdout.decode("utf-8", "replace")
