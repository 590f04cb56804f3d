"""Concept stubs: a file, package, symbol or ticket that several sessions worked on, and how it stands."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.compile import escape, knowledge
from app.compile.knowledge import KnowledgePage, Subject
from app.compile.page_parts import PagePart
from app.compile.renames import Rename
from app.domain.entity import Thing, ThingKind, parse_thing
from app.domain.event import FileChange
from app.domain.lesson import Lesson, LessonKind, SeenLesson
from app.domain.limits_knowledge import (
    CONCEPT_TIES_MAX,
    CONCEPT_TOGETHER_MAX,
    LESSON_KEY_CHARS_MAX,
    TOGETHER_NEIGHBOURS_MAX,
)
from app.domain.page import PageKind
from app.domain.session import FileWork, SessionDigest

TOGETHER_SESSIONS_MIN = 2


@dataclass(frozen=True, slots=True)
class Tied:
    """Another page that a thing was said to depend on or to cause, and where that was said."""

    relation: str
    path: str
    said: str
    seen: SeenLesson


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a thing: paths and titles of pages with knowledge of it, and pages that it is tied to."""

    pages: Sequence[tuple[str, str]] = ()
    tied: Sequence[Tied] = ()


_HAS_PAGE = frozenset({ThingKind.FILE, ThingKind.SYMBOL, ThingKind.PACKAGE, ThingKind.TICKET})
_WORDS = {
    ThingKind.FILE: "A file",
    ThingKind.SYMBOL: "A name in the code",
    ThingKind.PACKAGE: "A package",
    ThingKind.TICKET: "A ticket",
}
_CHANGES = {FileChange.ADDED: "was added", FileChange.MODIFIED: "was changed", FileChange.DELETED: "was deleted"}
_IS_TEST = re.compile(
    r"(?:^|/)(?:tests?|__tests__|spec|integration_test)/|(?:_test|\.test|\.spec)\.\w+$|(?:^|/)test_[^/]*$"
)
# Files that every change touches say nothing about a project.
_NOISE_NAMES = frozenset(
    {"package-lock.json", "yarn.lock", "pnpm-lock.yaml", "poetry.lock", "uv.lock", "cargo.lock", "go.sum", "go.mod",
     "gemfile.lock", "composer.lock", ".gitignore", "__init__.py"}
)  # fmt: skip


def list_lessons(digest: SessionDigest, renames: Iterable[Rename] = ()) -> Iterator[Lesson]:
    """List what a session was about, and which files it gave another name."""
    works = {work.path: work for work in digest.files}
    names = [str(thing) for thing in digest.things if thing.kind is ThingKind.FILE]
    places = {name: place for place, name in enumerate(names)}
    for thing, at in digest.things.items():
        work = works.get(thing.name) if thing.kind is ThingKind.FILE else None
        yield Lesson(
            kind=LessonKind.WORK,
            key=str(thing)[:LESSON_KEY_CHARS_MAX],
            title=thing.name,
            told_at=knowledge.find_time(digest, max(at)),
            evidence=at,
            text=_describe_work(work) if work else "",
            command=work.verified_by if work else "",
            files=_list_neighbours(names, places.get(str(thing))),
            notes=(digest.title,),
            times=work.times if work else 1,
        )
    moved = [(work.moved_from, work.path, work.evidence) for work in digest.files if work.moved_from]
    for old, new, at in (*moved, *((rename.old, rename.new, (rename.at,)) for rename in renames)):
        yield Lesson(
            kind=LessonKind.RENAME,
            key=f"file:{old}"[:LESSON_KEY_CHARS_MAX],
            title=new,
            told_at=knowledge.find_time(digest, at[-1]),
            evidence=at,
        )


def may_have_page(key: str, sessions: int, *, least: int) -> bool:
    """Tell whether a thing is of a kind that pages are made for, and enough sessions were about it.

    Names in the code are mentioned easily, so these need twice as many; tests tell of what they test.
    """
    thing = parse_thing(key)
    if thing is None or thing.kind not in _HAS_PAGE or _IS_TEST.search(thing.name) or _is_noise(thing):
        return False
    return sessions >= (2 * least if thing.kind is ThingKind.SYMBOL else least)


def resolve_name(key: str, renames: Mapping[str, str]) -> str:
    """Follow a thing to the name that it has now."""
    seen = {key}
    while key in renames and renames[key] not in seen:
        key = renames[key]
        seen.add(key)
    return key


def build_renames(seen: Sequence[SeenLesson]) -> dict[str, str]:
    """Build which name each thing was given last; `seen` are renames, the latest first."""
    return {each.lesson.key: f"file:{each.lesson.title}" for each in reversed(seen)}


def list_former(key: str, renames: Mapping[str, str]) -> list[str]:
    """List the names that a thing had before, the latest first."""
    return [old for old in renames if old != key and resolve_name(old, renames) == key]


def build_page_key(key: str) -> str:
    """Build what the page of a lesson is known by."""
    return f"thing {key}"


def build_page(
    subject: Subject, names: Sequence[str], seen: Sequence[SeenLesson], known: Surroundings
) -> KnowledgePage:
    """Build the stub of one thing, of its present name and those that it had before, the latest first."""
    former = names[1:]
    thing = parse_thing(names[0])
    assert thing is not None, "lessons of work have such keys"
    newest = list(reversed(seen))
    sessions = knowledge.count_sessions(seen)
    lead = (
        f"# {escape.escape_inline(thing.name)}\n\n{_WORDS[thing.kind]} that"
        f" {sessions} worked on, first on {seen[0].lesson.told_at:%Y-%m-%d}"
        f" and last on {seen[-1].lesson.told_at:%Y-%m-%d}.\n"
    )
    if former:
        before = knowledge.name_files([name.partition(":")[2] for name in former])
        lead += f"\nBefore, it was called {before}.\n"
    parts = [PagePart("", lead), PagePart("Latest state", _render_state(newest[0]))]
    if known.pages:
        lines = [f"- [[{path}]] {escape.escape_inline(title)}" for path, title in known.pages]
        parts.append(PagePart("What is known", "\n".join(lines)))
    if known.tied:
        parts.append(PagePart("Ties", "\n".join(map(_render_tied, known.tied[:CONCEPT_TIES_MAX]))))
    together = _list_together(thing, seen)
    if together:
        parts.append(PagePart("Changed together with", "\n".join(together)))
    parts.append(PagePart("Evidence", knowledge.render_evidence(seen, _describe)))
    return KnowledgePage(
        kind=PageKind.CONCEPT,
        key=build_page_key(names[-1]),
        title=thing.name,
        description=f"{_WORDS[thing.kind]} that {sessions} worked on.",
        parts=tuple(parts),
        seen=tuple(seen),
        subject=subject,
        things=(thing, *(found for found in map(parse_thing, former) if found)),
        relations=_list_relations(known.tied),
        tags=(thing.kind.value,),
    )


def _list_neighbours(names: Sequence[str], place: int | None) -> tuple[str, ...]:
    """List the files that a session turned to just before and after one; in a long session the others tell little."""
    if place is None:
        return ()
    return tuple(names[max(0, place - TOGETHER_NEIGHBOURS_MAX) : place + TOGETHER_NEIGHBOURS_MAX + 1])


def _list_relations(tied: Sequence[Tied]) -> dict[str, list[str]]:
    relations: dict[str, list[str]] = {}
    for each in tied:
        relations.setdefault(each.relation, []).append(each.path)
    return {relation: sorted(set(paths)) for relation, paths in sorted(relations.items())}


def _render_tied(tied: Tied) -> str:
    words = tied.relation.replace("_", " ")
    seen_at = f"{knowledge.link(tied.seen)} ({knowledge.render_range(tied.seen.lesson.evidence)})"
    return f"- {words} [[{tied.path}]], said in {seen_at}: {escape.escape_inline(tied.said)}"


def _is_noise(thing: Thing | str) -> bool:
    return str(thing).rpartition("/")[2].partition(":")[2 if "/" not in str(thing) else 0].casefold() in _NOISE_NAMES


def _describe_work(work: FileWork) -> str:
    return f"{_CHANGES.get(work.change, 'was changed')} in {knowledge.count(work.times, 'edit', 'edits')}"


def _render_state(last: SeenLesson) -> str:
    lesson = last.lesson
    title = f" ({escape.escape_inline(lesson.notes[0])})" if lesson.notes else ""
    told = lesson.text or "was part of the work"
    seen_at = f"({knowledge.render_range(lesson.evidence)})"
    line = f"It {told} on {lesson.told_at:%Y-%m-%d}, in {knowledge.link(last)}{title} {seen_at}."
    if lesson.command:
        return f"{line} {escape.code_span(lesson.command)} passed afterwards."
    return f"{line} No check that passed afterwards is known." if lesson.text else line


def _list_together(thing: Thing, seen: Sequence[SeenLesson]) -> list[str]:
    counts = Counter(name for each in seen for name in set(each.lesson.files) if name != str(thing))
    often = [(name, number) for name, number in counts.items() if number >= TOGETHER_SESSIONS_MIN]
    often.sort(key=lambda pair: (-pair[1], pair[0]))
    return [
        f"- {escape.code_span(name.partition(':')[2])}, in {knowledge.count(number, 'session', 'sessions')}"
        for name, number in often[:CONCEPT_TOGETHER_MAX]
        if not _is_noise(name)
    ]


def _describe(seen: SeenLesson) -> str:
    lesson = seen.lesson
    title = escape.escape_inline(lesson.notes[0]) if lesson.notes else "worked on it"
    return f"{title}; it {lesson.text}" if lesson.text else title
