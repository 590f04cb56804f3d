"""The pages of things that several sessions worked on: which are due, under which name, and what they are tied to."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from app.compile import concepts, gotcha_pages, knowledge, settling, ties
from app.compile.concepts import Surroundings, Tied
from app.compile.knowledge import KnowledgePage, Subject
from app.compile.parts import CompileParts
from app.domain.lesson import LessonKind, SeenLesson
from app.domain.limits_knowledge import SIGHTINGS_READ_MAX
from app.domain.page import PageKind
from app.state import lessons

_CONCEPT = concepts.build_page_key("")


@dataclass(frozen=True, slots=True)
class _Stub:
    """What a page is built from, but for its ties."""

    names: Sequence[str]
    seen: Sequence[SeenLesson]
    known: Sequence[tuple[str, str]]


def list_due(
    parts: CompileParts, subject: Subject, keys: Mapping[LessonKind, Sequence[str]]
) -> Iterator[KnowledgePage]:
    """Build the stubs of what was worked on; a thing that was renamed is one thing, under its present name.

    Those of which it was said what they are tied to are built once more when the others are written.
    """
    renamed = parts.engine.read(lessons.list_latest, subject.project.id, LessonKind.RENAME, SIGHTINGS_READ_MAX)
    renames = concepts.build_renames(renamed)
    touched = (key for kind in (LessonKind.WORK, LessonKind.RENAME, LessonKind.TIE) for key in keys.get(kind, ()))
    pages: list[tuple[int, KnowledgePage]] = []
    again: list[Callable[[], KnowledgePage]] = []
    for name in sorted({concepts.resolve_name(key, renames) for key in touched}):
        names = (name, *concepts.list_former(name, renames))
        found = gotcha_pages.group_lessons(parts, subject, (LessonKind.WORK,), names)
        seen = sorted((each for group in found.values() for each in group), key=gotcha_pages.order)
        count = len({each.session_id for each in seen})
        if concepts.may_have_page(name, count, least=parts.thresholds.concept_sessions):
            known = settling.list_known(parts, subject.project.scope, name)
            build = partial(_build_page, parts, subject, renames, _Stub(names, seen, known))
            pages.append((count, build()))
            again.extend([build] if _was_tied(parts, subject, names) else [])
    yield from (page for _, page in sorted(pages, key=lambda pair: (-pair[0], pair[1].title)))
    yield from (build() for build in again)


def _build_page(parts: CompileParts, subject: Subject, renames: Mapping[str, str], stub: _Stub) -> KnowledgePage:
    tied = tuple(_list_tied(parts, subject, stub.names, renames))
    return concepts.build_page(subject, stub.names, stub.seen, Surroundings(stub.known, tied))


def _was_tied(parts: CompileParts, subject: Subject, names: Sequence[str]) -> bool:
    return bool(gotcha_pages.group_lessons(parts, subject, (LessonKind.TIE,), names))


def _list_tied(
    parts: CompileParts, subject: Subject, names: Sequence[str], renames: Mapping[str, str]
) -> Iterator[Tied]:
    """List the pages that a thing was said to be tied to, each once, as it was said last."""
    found = gotcha_pages.group_lessons(parts, subject, (LessonKind.TIE,), names)
    last: dict[tuple[str, str], Tied] = {}
    for seen in sorted((each for group in found.values() for each in group), key=gotcha_pages.order):
        for relation, key, said in ties.parse_ties(seen.lesson):
            path = parts.engine.read(lessons.find_page, _find_page_id(subject, key, renames))
            if path is not None:
                last[relation, path] = Tied(relation, path, said, seen)
    yield from (last[key] for key in sorted(last))


def _find_page_id(subject: Subject, key: str, renames: Mapping[str, str]) -> str:
    """Find the id of a page by its key; a thing that was renamed since has the page of its first name."""
    if not key.startswith(_CONCEPT):
        return knowledge.build_id(subject.project.id, PageKind.GOTCHA, key)
    name = concepts.resolve_name(key.removeprefix(_CONCEPT), renames)
    oldest = (name, *concepts.list_former(name, renames))[-1]
    return knowledge.build_id(subject.project.id, PageKind.CONCEPT, concepts.build_page_key(oldest))
