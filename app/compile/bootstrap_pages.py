"""A project's first pages, made of what its repository says of itself: an overview, its decisions, its busiest files.

The same facts always give the same pages. Everything in them is quoted from the repository, and marked as such.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from app.compile import escape, knowledge
from app.compile import repository_facts as facts
from app.compile.page_parts import PagePart
from app.compile.repository_facts import Document, FactKind, HotFile, RepositoryFacts
from app.domain import legible
from app.domain.entity import ThingKind, build_thing
from app.domain.limits import TITLE_CHARS_MAX
from app.domain.limits_past import (
    BOOTSTRAPPED_DECISIONS_MAX,
    BOOTSTRAPPED_FILES_MAX,
    BOOTSTRAPPED_ITEMS_MAX,
    BOOTSTRAPPED_SUMMARY_CHARS_MAX,
    BOOTSTRAPPED_TEXT_CHARS_MAX,
)
from app.domain.page import PageKind, PagePath
from app.domain.pagepath import build_page_path
from app.domain.scope import Project

TAG: Final = "bootstrapped"
SOURCE: Final = "repository:"
HOT_COMMITS_MIN: Final = 3
_BESIDE: Final = re.compile(r"(?:lock(?:\.\w+)?|\.sum|\.md|\.snap|changes\.\w+|\.gitignore)$", re.IGNORECASE)
_MADE: Final = "*Made from the repository itself, not from a session; a person may know better.*"


@dataclass(frozen=True, slots=True)
class FirstPage:
    """A page as it should be."""

    path: PagePath
    fields: Mapping[str, object]
    parts: tuple[PagePart, ...]


def build_pages(project: Project, known: RepositoryFacts) -> list[FirstPage]:
    """Build all pages: the decisions, the files, and the overview that leads to them."""
    told = [document for document in known.documents if document.kind is FactKind.DECISION]
    decisions = _build_decisions(project, told[:BOOTSTRAPPED_DECISIONS_MAX])
    files = [_build_file(project, file, known) for file in _choose_files(known)]
    return [*decisions, *files, _build_overview(project, known, decisions, files)]


def _choose_files(known: RepositoryFacts) -> list[HotFile]:
    """Choose the files that the work is about: what every change touches besides, such as documents, says nothing."""
    beside = {document.path for document in known.documents}
    found = [
        file
        for file in known.history.hot_files
        if file.commits >= HOT_COMMITS_MIN and file.path not in beside and not _BESIDE.search(file.path)
    ]
    return found[:BOOTSTRAPPED_FILES_MAX]


def _build_overview(
    project: Project, known: RepositoryFacts, decisions: Sequence[FirstPage], files: Sequence[FirstPage]
) -> FirstPage:
    title = f"Overview of {project.scope.project}"
    readme = _find_first(known, FactKind.README)
    said = facts.find_paragraph(readme.text) if readme else ""
    lead = (
        f"# {title}\n\n{_clip(said)} ({_name(readme.path)})\n\n{_MADE}" if readme and said else f"# {title}\n\n{_MADE}"
    )
    sections = {
        "How it is worked on": _list_lines(_tell_commands(known)),
        "What its agents are told": _list_lines(_tell_instructions(known)),
        "Where things are": _list_lines(f"`{name}/`: {count} files" for name, count in known.folders),
        "Decisions": _list_lines(_link(page) for page in decisions),
        "Busiest files": _list_lines(_link(page) for page in files),
        "Latest changes": _list_lines(_tell_changelog(known)),
        "Documents": _list_lines(_tell_documents(known)),
        "History": _list_lines(_tell_history(known)),
    }
    parts = [PagePart("", lead), *(PagePart(name, text) for name, text in sections.items() if text)]
    kind = PageKind.CONCEPT
    told = [document for document in known.documents if document.kind is not FactKind.DECISION]
    fields = _build_fields(project, kind, "overview", title, known) | {
        "description": legible.clip(said, BOOTSTRAPPED_SUMMARY_CHARS_MAX) or "What the repository says of itself.",
        "sources": [f"{SOURCE}{document.path}" for document in told[:BOOTSTRAPPED_ITEMS_MAX]] or [f"{SOURCE}git"],
    }
    return FirstPage(build_page_path(kind, title), _drop_empty(fields), tuple(parts))


def _build_decisions(project: Project, documents: Sequence[Document]) -> list[FirstPage]:
    pages: list[FirstPage] = []
    taken: set[PagePath] = set()
    for document in documents:
        path = build_page_path(PageKind.DECISION, PurePosixPath(document.path).stem)
        if path in taken:
            path = build_page_path(PageKind.DECISION, document.path)
        taken.add(path)
        pages.append(_build_decision(project, document, path))
    return pages


def _build_decision(project: Project, document: Document, path: PagePath) -> FirstPage:
    title = facts.find_title(document.text) or PurePosixPath(document.path).stem
    wordings = {
        "Context": "context|context and problem statement|problem|why|background",
        "Decision": "decision|decision outcome|we decided|what",
        "Consequences": "consequences|what follows|outcome",
    }
    found = {name: facts.find_paragraph(document.text, wording) for name, wording in wordings.items()}
    said = found["Decision"] or facts.find_paragraph(document.text)
    stated = {name: facts.find_field(document.text, name) for name in ("status", "date")}
    facts_told = "; ".join(f"{name} {escape.escape_inline(value[:80])}" for name, value in stated.items() if value)
    lead = f"# {escape.escape_inline(title)}\n\n{_clip(said)} ({_name(document.path)})\n\n{_MADE}"
    parts = [PagePart("", f"{lead}\n\n{facts_told}." if facts_told else lead)]
    parts += [PagePart(name, _clip(text)) for name, text in found.items() if text and text != said]
    fields = _build_fields(project, PageKind.DECISION, document.path, title) | {
        "description": legible.clip(said, BOOTSTRAPPED_SUMMARY_CHARS_MAX),
        "sources": [f"{SOURCE}{document.path}"],
        "entities": [str(build_thing(ThingKind.FILE, document.path))],
    }
    return FirstPage(path, _drop_empty(fields), tuple(parts))


def _build_file(project: Project, file: HotFile, known: RepositoryFacts) -> FirstPage:
    thing = build_thing(ThingKind.FILE, file.path)
    named = [document for document in known.documents if file.path in document.text]
    lead = (
        f"# {escape.escape_inline(file.path)}\n\nA file that {file.commits} commits changed,"
        f" the last on {file.changed_on}.\n\n{_MADE}"
    )
    sections = {
        "What was done": _list_lines(map(escape.escape_inline, file.subjects)),
        "Named in": _list_lines(_name(document.path) for document in named[:BOOTSTRAPPED_ITEMS_MAX]),
    }
    parts = [PagePart("", lead), *(PagePart(name, text) for name, text in sections.items() if text)]
    fields = _build_fields(project, PageKind.CONCEPT, str(thing), file.path) | {
        "description": f"A file that {file.commits} commits changed.",
        "sources": [f"{SOURCE}git", *(f"{SOURCE}{document.path}" for document in named[:BOOTSTRAPPED_ITEMS_MAX])],
        "entities": [str(thing)],
        "updated": file.changed_on,
    }
    return FirstPage(build_page_path(PageKind.CONCEPT, file.path), _drop_empty(fields), tuple(parts))


def _build_fields(
    project: Project, kind: PageKind, key: str, title: str, known: RepositoryFacts | None = None
) -> dict[str, object]:
    history = known.history if known else facts.History()
    return {
        "type": kind.value,
        "id": knowledge.build_id(project.id, kind, key),
        "kind": kind.value,
        "title": legible.clip(title, TITLE_CHARS_MAX),
        "tags": [kind.value, TAG],
        "created": history.begun_on,
        "updated": history.changed_on,
    }


def _drop_empty(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value not in ("", [])}


def _tell_commands(known: RepositoryFacts) -> Iterator[str]:
    for document in known.documents:
        if document.kind in {FactKind.README, FactKind.INSTRUCTIONS}:
            for command in facts.list_commands(document.text):
                yield f"{escape.code_span(legible.clip(command, 160))} ({_name(document.path)})"


def _tell_instructions(known: RepositoryFacts) -> Iterator[str]:
    for document in known.documents:
        if document.kind is FactKind.INSTRUCTIONS:
            for item in facts.list_items(document.text)[:BOOTSTRAPPED_ITEMS_MAX]:
                yield f"{escape.escape_inline(legible.clip(item, 240))} ({_name(document.path)})"


def _tell_changelog(known: RepositoryFacts) -> Iterator[str]:
    if changelog := _find_first(known, FactKind.CHANGELOG):
        title, items = facts.find_latest_entry(changelog.text)
        for item in items:
            yield f"{escape.escape_inline(title)}: {escape.escape_inline(legible.clip(item, 200))}"


def _tell_documents(known: RepositoryFacts) -> Iterator[str]:
    for document in known.documents:
        if document.kind in {FactKind.README, FactKind.DOCUMENT}:
            title = escape.escape_inline(legible.clip(facts.find_title(document.text), 120))
            yield f"{_name(document.path)}: {title}" if title else _name(document.path)


def _tell_history(known: RepositoryFacts) -> Iterator[str]:
    history = known.history
    if not history.commits:
        return
    least = "at least " if history.is_cut else ""
    yield f"{least}{history.commits} commits from {history.begun_on} to {history.changed_on}"
    people = ", ".join(f"{escape.escape_inline(name)} {count}" for name, count in history.authors)
    if people:
        yield f"commits by author: {people}"
    for day, subject in history.subjects:
        yield f"{day}: {escape.escape_inline(legible.clip(subject, 160))}"


def _find_first(known: RepositoryFacts, kind: FactKind) -> Document | None:
    return next((document for document in known.documents if document.kind is kind), None)


def _list_lines(items: Iterable[str]) -> str:
    lines = [f"- {item}" for item in dict.fromkeys(items)]
    more = len(lines) - BOOTSTRAPPED_ITEMS_MAX
    shown = lines[:BOOTSTRAPPED_ITEMS_MAX] + ([f"- and {more} more"] if more > 0 else [])
    return "\n".join(shown)


def _clip(text: str) -> str:
    return escape.escape_inline(legible.clip(text, BOOTSTRAPPED_TEXT_CHARS_MAX))


def _name(path: str) -> str:
    return escape.code_span(path)


def _link(page: FirstPage) -> str:
    title = legible.squeeze(re.sub(r"[|\[\]`]", " ", str(page.fields["title"])))
    return f"[[{page.path.removesuffix('.md')}|{title}]]"
