"""How pages stand to each other and to time: what contradicts what, what takes whose place, what holds still.

A contradiction is marked on both pages as a candidate for a person. Only words that say so themselves, or a person,
make one page take another's place. What a page's command verifies moves when that command passes again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from app.compile import commands, knowledge, sentences, stances
from app.compile.commands import CommandLine
from app.compile.parts import CompileParts
from app.compile.stances import Stance
from app.domain.entity import ThingKind, parse_thing
from app.domain.errors import FieldsUnreadable, PageChanged, PageNotFound, StoreUnreadable
from app.domain.lesson import Lesson, LessonKind
from app.domain.limits import FILES_NAMED_MAX, LIST_LIMIT_MAX, RELATED_KNOWLEDGE_PAGES_MAX
from app.domain.page import Page, PageKind, PagePath
from app.domain.scope import Project, Scope
from app.domain.session import Session
from app.index import catalog, naming
from app.index.entries import PageRow
from app.index.filters import PageFilter
from app.wiki.pages import Byline

_VERIFIED_KINDS: Final = (PageKind.GOTCHA, PageKind.PROCEDURE)
_STATING_KINDS: Final = (PageKind.RULE, PageKind.DECISION, PageKind.NOTE)
_KNOWING_KINDS: Final = (PageKind.RULE, PageKind.DECISION, PageKind.GOTCHA, PageKind.PROCEDURE, PageKind.NOTE)
_SENTENCES_READ: Final = 12


@dataclass(frozen=True, slots=True)
class Pass:
    """A command that passed, and when."""

    line: CommandLine
    at: datetime


@dataclass(frozen=True, slots=True)
class Said:
    """What a session states, and the page that tells it."""

    lesson: Lesson
    path: PagePath


def note_passes(parts: CompileParts, project: Project, session: Session, passes: Sequence[Pass]) -> None:
    """Move `verified_at` of the pages whose command passed in a session, once a day at most."""
    for row in _list_rows(parts, project.scope, _VERIFIED_KINDS) if passes else ():
        page = parts.wiki.find_page(project.scope, row.path)
        command = page.fields.get("command") if page else None
        if page is None or not isinstance(command, str) or page.fields.get("pinned") is True:
            continue
        passed_at = _find_pass(command, passes, is_whole=page.kind is PageKind.PROCEDURE)
        known = str(page.fields.get("verified_at") or "")
        if passed_at is not None and known[:10] < f"{passed_at:%Y-%m-%d}":
            byline = Byline("memwiki", f"Verified again: {page.title}", session.id)
            changes = {"verified_at": knowledge.iso(passed_at), "verified_by": f"session {session.id}"}
            set_fields(parts, project.scope, page, changes, byline)


def confirm_page(parts: CompileParts, scope: Scope, path: PagePath, person: str) -> Page:
    """Note that a person says that a page holds.

    Raises:
        PageNotFound: there is no such page.
        PageChanged: somebody else wrote it this moment.
        FieldsUnreadable: its frontmatter is broken, so it must not be rewritten.
        DiskRefused: the disk is full, read-only or somebody else's.
    """
    page = parts.wiki.read_page(scope, path)
    changes = {"verified_at": knowledge.iso(parts.clock.now()), "verified_by": person}
    byline = Byline(person, f"Confirm {page.title}")
    return parts.wiki.update_page_fields(scope, page.path, changes, page.content_hash, byline)


def note_stances(parts: CompileParts, project: Project, session: Session, told: Sequence[Said]) -> None:
    """Lay what a session states beside what pages state: opposites are marked on both, a change of mind supersedes."""
    stating = [(said, stances.find_stance(said.lesson.text)) for said in told]
    stating = [(said, stance) for said, stance in stating if stance.chosen or stance.refused]
    if not stating:
        return
    for row in _list_rows(parts, project.scope, _STATING_KINDS):
        page = parts.wiki.find_page(project.scope, row.path)
        if page is None:
            continue
        for said, stance in stating:
            if said.path == page.path or not _is_earlier(page, said.lesson):
                continue
            if any(stances.is_opposite(stance, other) for other in list_stances(page)):
                _mark(parts, project, session, said, page, is_replaced=stance.replaces)


def list_stances(page: Page) -> Iterator[Stance]:
    """List what a page is for and against: its title and its first sentences, quotations included."""
    yield stances.find_stance(page.title)
    lines = [line.lstrip("> ") for line in page.body.split("\n") if line.strip() and not line.startswith("#")]
    read = 0
    for line in lines[:_SENTENCES_READ]:
        for sentence in sentences.split_sentences(line):
            read += 1
            if read <= _SENTENCES_READ:
                yield stances.find_stance(sentence)


def set_fields(
    parts: CompileParts, scope: Scope, page: Page, changes: Mapping[str, object], byline: Byline
) -> Page | None:
    """Set some fields of a page unless somebody writes it this moment or broke it."""
    try:
        return parts.wiki.update_page_fields(scope, page.path, changes, page.content_hash, byline)
    except (PageChanged, PageNotFound, FieldsUnreadable):
        return None


def add_relation(page: Page, relation: str, target: str) -> Mapping[str, object] | None:
    """Build the fields that add a relation to those of a page; None where it is there."""
    present = page.fields.get("relations")
    relations: dict[str, object] = dict(present) if isinstance(present, Mapping) else {}
    targets = relations.get(relation)
    known = [targets] if isinstance(targets, str) else list(targets) if isinstance(targets, list) else []
    if target in known:
        return None
    return {"relations": {**relations, relation: [*known, target]}}


def find_moved(parts: CompileParts, scope: Scope, page_id: str) -> PagePath | None:
    """Find where somebody moved a page; None where it is gone."""
    wanted = PageFilter(scopes=(scope,))
    found = parts.wiki.index.read(partial(catalog.list_pages_by_id, page_id=page_id, wanted=wanted))
    return found[0].path if found else None


def list_known(parts: CompileParts, scope: Scope, key: str) -> list[tuple[str, str]]:
    """List paths and titles of the pages with knowledge that name a file."""
    thing = parse_thing(key)
    if thing is None or thing.kind is not ThingKind.FILE or parts.wiki.index.progress is not None:
        return []
    wanted = PageFilter((scope,), kinds=_KNOWING_KINDS, include_superseded=False)
    try:
        found = parts.wiki.index.read(
            partial(naming.list_naming, files=(thing.name,), wanted=wanted, limit=RELATED_KNOWLEDGE_PAGES_MAX)
        )
    except StoreUnreadable:
        return []
    return sorted((str(each.page.path), each.page.title) for each in found)[:FILES_NAMED_MAX]


def _find_pass(command: str, passes: Sequence[Pass], *, is_whole: bool) -> datetime | None:
    """Find when a command passed last; of a procedure every step must have."""
    wanted = [commands.parse_command(step) for step in command.split(" && ")] if is_whole else []
    wanted = wanted or [commands.parse_command(command)]
    found = [max((each.at for each in passes if commands.covers(each.line, line)), default=None) for line in wanted]
    times = [moment for moment in found if moment is not None]
    return min(times) if len(times) == len(wanted) else None


def _mark(
    parts: CompileParts, project: Project, session: Session, said: Said, page: Page, *, is_replaced: bool
) -> None:
    source = parts.wiki.find_page(project.scope, said.path)
    if source is None:
        return
    replaces = is_replaced and page.kind is PageKind.DECISION and source.kind is PageKind.DECISION
    byline = Byline("memwiki", f"{source.title} against {page.title}", session.id)
    relation = "supersedes" if replaces else "contradicts"
    added = add_relation(source, relation, page.path)
    if added:
        set_fields(parts, project.scope, source, added, byline)
    if page.fields.get("pinned") is True or page.findings:
        # The mark on the one page leads to the other; a pinned page is left as it is.
        return
    answered = {"superseded_by": said.path} if replaces else add_relation(page, relation, said.path)
    if answered:
        set_fields(parts, project.scope, page, answered, byline)


def _is_earlier(page: Page, lesson: Lesson) -> bool:
    told = str(page.fields.get("updated") or page.fields.get("created") or "")
    return not told or told <= knowledge.iso(lesson.told_at)


def _list_rows(parts: CompileParts, scope: Scope, kinds: tuple[PageKind, ...]) -> list[PageRow]:
    if parts.wiki.index.progress is not None:
        return []
    wanted = PageFilter(scopes=(scope,), kinds=kinds, include_superseded=False)
    try:
        return parts.wiki.index.read(partial(catalog.list_recent, wanted=wanted, limit=LIST_LIMIT_MAX))
    except StoreUnreadable:
        return []


def list_said(taught: Sequence[Lesson], paths: Mapping[str, PagePath], session: Session) -> list[Said]:
    """List what a session states: each decision on its own page, a wish on the session's."""
    return [
        Said(lesson, paths.get(lesson.key, PagePath(session.page_path)))
        for lesson in taught
        if lesson.kind in {LessonKind.DECISION, LessonKind.RULE} and lesson.is_persons
    ]
