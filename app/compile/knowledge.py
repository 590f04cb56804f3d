"""What all pages beyond the session share: how they name their evidence, sessions and files, and their frontmatter."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.compile import escape, messages, sentences
from app.compile.page_parts import PagePart
from app.domain import legible
from app.domain.entity import Thing
from app.domain.lesson import SeenLesson
from app.domain.limits import FILES_NAMED_MAX, TITLE_CHARS_MAX
from app.domain.limits_knowledge import KNOWLEDGE_SOURCES_MAX, SIGHTINGS_KEPT_MAX, SIGHTINGS_SHOWN_MAX
from app.domain.page import PageKind
from app.domain.scope import Project
from app.domain.session import SessionDigest

ID_CHARS = 26


@dataclass(frozen=True, slots=True)
class Subject:
    """The project that a page is about."""

    project: Project


@dataclass(frozen=True, slots=True)
class KnowledgePage:
    """A page as it should be; `key` makes its id, so that it is found wherever somebody moved it.

    `command` is what verifies it when it passes again.
    """

    kind: PageKind
    key: str
    title: str
    description: str
    parts: tuple[PagePart, ...]
    seen: tuple[SeenLesson, ...]
    subject: Subject
    things: tuple[Thing, ...] = ()
    relations: Mapping[str, list[str]] | None = None
    verified_at: datetime | None = None
    command: str = ""
    tags: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The page's id: the same for the same subject in the same project."""
        return build_id(self.subject.project.id, self.kind, self.key)


def build_id(project_id: str, kind: PageKind, key: str) -> str:
    """Build the id of a page from what it is about."""
    return hashlib.sha256(f"{project_id}\x00{kind.value}\x00{key}".encode()).hexdigest()[:ID_CHARS]


def build_fields(page: KnowledgePage) -> dict[str, object]:
    """Build a page's frontmatter."""
    first, last = page.seen[0], page.seen[-1]
    fields: dict[str, object] = {
        "type": page.kind.value,
        "id": page.id,
        "kind": page.kind.value,
        "title": legible.clip(legible.squeeze(page.title), TITLE_CHARS_MAX),
        "description": legible.squeeze(page.description),
        "tags": [page.kind.value, *page.tags],
        "entities": [str(thing) for thing in page.things],
        "relations": dict(page.relations or {}),
        "command": page.command,
        "sources": list_sources(page.seen),
        "sessions": len({seen.session_id for seen in page.seen}),
        "created": iso(first.lesson.told_at),
        "updated": iso(last.lesson.told_at),
        "verified_at": iso(page.verified_at) if page.verified_at else "",
    }
    return {name: value for name, value in fields.items() if value not in ("", [], {})}


def list_sources(seen: Sequence[SeenLesson]) -> list[str]:
    """List the evidence as session pages do: each session with the range of its observations, the latest last."""
    sources = [
        f"session:{each.session_id}#o{min(each.lesson.evidence)}-o{max(each.lesson.evidence)}"
        for each in seen
        if each.lesson.evidence
    ]
    return list(dict.fromkeys(sources))[-KNOWLEDGE_SOURCES_MAX:]


def render_evidence(seen: Sequence[SeenLesson], describe: Callable[[SeenLesson], str]) -> str:
    """List the sessions that a page rests on, the latest first; what is too much to show is counted."""
    newest = list(reversed(seen))
    lines = [
        f"- {each.lesson.told_at:%Y-%m-%d}, {link(each)}: {describe(each)} ({render_range(each.lesson.evidence)})"
        for each in newest[:SIGHTINGS_SHOWN_MAX]
    ]
    left = len(newest) - len(lines)
    return "\n".join([*lines, f"- and {left} earlier"] if left else lines)


def link(seen: SeenLesson) -> str:
    """Link to the page of a session, or name the session where it has none."""
    return f"[[{seen.page_path}]]" if seen.page_path else f"session {escape.code_span(seen.session_id)}"


def render_range(evidence: Sequence[int]) -> str:
    """Name observations as session pages do."""
    if not evidence:
        return "no observation"
    first, last = min(evidence), max(evidence)
    return f"o{first}" if first == last else f"o{first}-o{last}"


def name_files(files: Sequence[str]) -> str:
    """Name a few files and count the rest."""
    named = [escape.code_span(file) for file in files[:FILES_NAMED_MAX]]
    left = len(files) - len(named)
    if left:
        return f"{', '.join(named)} and {left} more"
    return " and ".join([", ".join(named[:-1]), named[-1]]) if len(named) > 1 else "".join(named) or "no file"


def list_sentences(text: str) -> list[str]:
    """List the sentences of a report, without its code, tables and quotations."""
    return [part for line in messages.parse_message(text) for part in sentences.split_sentences(line.text)]


def find_time(digest: SessionDigest, at: int) -> datetime:
    """Find when an observation was made; the session's last moment where it is no evidence."""
    found = next((sighting.at for sighting in digest.sightings if sighting.id == at), None)
    return found or digest.sightings[-1].at


def count(number: int, one: str, many: str) -> str:
    """Count things in words."""
    return f"{number} {one if number == 1 else many}"


def count_sessions(seen: Sequence[SeenLesson]) -> str:
    """Count sessions in words; of what very many teach, only some are kept."""
    number = len({each.session_id for each in seen})
    return f"{number} sessions or more" if number >= SIGHTINGS_KEPT_MAX else count(number, "session", "sessions")


def iso(moment: datetime) -> str:
    """Write a moment as frontmatter has it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
