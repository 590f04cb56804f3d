"""Holds a session's page against what people read out of the session: which facts it tells, what it says wrongly."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from app.bench import compile_labels
from app.bench.compile_labels import Fact, SessionLabels
from app.domain import legible

# In which sections a fact may stand; the lead is the part above the first section.
_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "goal": ("", "Goal"),
    "asked": ("Goal",),
    "outcome": ("",),
    "report": ("Outcome",),
    "commit": ("Outcome",),
    "file": ("What changed",),
    "command": ("Commands",),
    "error": ("Errors and fixes",),
    "decision": ("Decisions",),
    "rejected": ("Decisions",),
    "question": ("Open questions",),
    "next": ("Next steps",),
}
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_MARK = re.compile(r"\s?\[\^[^\]]+\]")
_ESCAPED = re.compile(r"\\([^\w\s])")
_CODE = re.compile(r"^- (`+)\s?(.+?)\s?\1(?!`)")
_COMMIT = re.compile(r"^- Committed `([0-9a-f]{7,40})`")
_LABEL = re.compile(r"^\*\*(.+?)\.\*\*", re.MULTILINE)
_REPAIR = re.compile(r"^- Make (.+) pass")
_NOT_TOLD = ("- … and", "- Not listed")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one page: facts told and missing, statements made and those of them that are wrong."""

    told: int
    missing: tuple[Fact, ...]
    statements: int
    wrong: tuple[str, ...]


@dataclass(slots=True)
class _Page:
    """A page's body by section, each as the statements that it makes."""

    sections: dict[str, list[str]] = field(default_factory=dict)


def judge_page(body: str, labels: SessionLabels) -> Verdict:
    """Judge one page's body."""
    page = _read_page(body)
    facts = list(compile_labels.list_facts(labels))
    missing = [fact for fact in facts if not _is_told(fact, page, body)]
    wrong = [*_list_wrong_files(page, labels), *_list_wrong_commits(page, labels), *_list_wrong_ends(page, labels)]
    wrong.extend(f"says {text!r}" for text in labels.never if _plain(text) in _plain(body))
    is_right = _find_outcome(body) in labels.outcomes
    if not is_right:
        wrong.append(f"outcome {_find_outcome(body)!r}")
        missing.append(Fact("outcome", labels.outcomes))
    statements = sum(len(made) for title, made in page.sections.items() if title != "Provenance")
    return Verdict(len(facts) + 1 - len(missing), tuple(missing), statements, tuple(wrong))


def list_files(body: str) -> tuple[str, ...]:
    """List the files that a page names as changed; a folder is none."""
    made = _read_page(body).sections.get("What changed", ())
    named = (match.group(2) for line in made if (match := _CODE.match(line)))
    return tuple(path for path in named if not path.endswith("/"))


def _read_page(body: str) -> _Page:
    page = _Page()
    marks = list(_HEADING.finditer(body))
    starts = [("", 0), *((mark.group(1), mark.end()) for mark in marks)]
    ends = [*(mark.start() for mark in marks), len(body)]
    for (title, start), end in zip(starts, ends, strict=True):
        page.sections[title] = list(_split_statements(body[start:end]))
    return page


def _split_statements(text: str) -> Iterator[str]:
    """Split a section: a list item with what is indented below it is one statement, and so is a paragraph."""
    current: list[str] = []
    for line in text.split("\n"):
        is_new = line.startswith("- ") or (not line.strip() and not _goes_on(current))
        if is_new and current:
            yield "\n".join(current)
            current = []
        if line.strip():
            current.append(line)
    if current:
        yield "\n".join(current)


def _goes_on(current: Sequence[str]) -> bool:
    # A fenced excerpt belongs to the item above it, blank lines included.
    return bool(current) and current[0].startswith("- ")


def _is_told(fact: Fact, page: _Page, body: str) -> bool:
    words = [_plain(word) for word in fact.words]
    if fact.kind == "any":
        return all(word in _plain(body) for word in words)
    if fact.kind == "report":
        whole = _plain("\n".join(page.sections.get("Outcome", ())))
        return all(word in whole for word in words)
    made = [text for title in _SECTIONS[fact.kind] for text in page.sections.get(title, ())]
    if fact.kind == "goal":
        made.append("\n".join(made))
    return any(all(word in _plain(text) for word in words) for text in made)


def _plain(text: str) -> str:
    bare = _MARK.sub("", text).replace("`", "").replace("**", "").replace("\n> ", "\n")
    return legible.squeeze(_ESCAPED.sub(r"\1", bare)).casefold()


def _list_wrong_files(page: _Page, labels: SessionLabels) -> Iterator[str]:
    if labels.files is None:
        return
    for line in page.sections.get("What changed", ()):
        named = _CODE.match(line)
        if named and not any(_is_same_file(named.group(2), path) for path in labels.files):
            yield f"file {named.group(2)}"


def _is_same_file(shown: str, labelled: str) -> bool:
    return shown == labelled or shown.endswith(("/", f"/{labelled}"))


def _list_wrong_commits(page: _Page, labels: SessionLabels) -> Iterator[str]:
    for line in page.sections.get("Outcome", ()):
        made = _COMMIT.match(line)
        if made and not any(made.group(1).startswith(known) for known in labels.commits):
            yield f"commit {made.group(1)}"


def _list_wrong_ends(page: _Page, labels: SessionLabels) -> Iterator[str]:
    """List what a page calls failing at the end and nobody else does."""
    if labels.failing is None:
        return
    for line in page.sections.get("Next steps", ()):
        repair = _REPAIR.match(line)
        if repair and not any(known in _plain(repair.group(1)) for known in labels.failing):
            yield f"failing {repair.group(1)}"


def _find_outcome(body: str) -> str:
    found = _LABEL.search(body)
    return found.group(1).casefold() if found else ""
