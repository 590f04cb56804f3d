"""What several sessions teach together: run after a session's page, it brings the pages beyond the session up to date.

Everything is decided by content, so that a repetition, also after a crash, writes nothing twice.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final, TypeVar, assert_never

from app.compile import (
    changing,
    concept_pages,
    concepts,
    decisions,
    edits,
    gotcha_pages,
    gotchas,
    knowledge,
    procedures,
    renames,
    rule_candidates,
    session_end,
    settling,
    ties,
)
from app.compile import digest as digests
from app.compile import plan as plans
from app.compile.changing import Effect
from app.compile.gotchas import Look
from app.compile.knowledge import KnowledgePage, Subject
from app.compile.parts import CompileParts
from app.compile.purposes import CHECKS
from app.compile.settling import Pass
from app.compile.thresholds import Thresholds
from app.compile.timeline import read_timeline
from app.domain.event import Outcome
from app.domain.lesson import Lesson, LessonKind, SeenLesson
from app.domain.limits import STATE_WRITE_SECONDS_MAX
from app.domain.limits_knowledge import (
    KNOWLEDGE_PAGES_PER_SESSION_MAX,
    LESSONS_PER_SESSION_MAX,
    SIGHTINGS_READ_MAX,
    STEPS_READ_MAX,
)
from app.domain.limits_projects import LESSON_KEYS_MAX
from app.domain.page import Page, PageKind, PagePath
from app.domain.proposal import Ground, Proposal, ProposalKind, ProposalState
from app.domain.scope import Project
from app.domain.session import Session, SessionState
from app.state import lessons, projects, sessions
from app.state.engine import WriteConnection
from app.wiki.pages import Byline

T = TypeVar("T")

LEARN_SESSION: Final = session_end.LEARN_SESSION
_PLAN_TRIES = 3


@dataclass(frozen=True, slots=True)
class Taught:
    """What a session teaches, and the commands that passed in it."""

    lessons: tuple[Lesson, ...] = ()
    passes: tuple[Pass, ...] = ()


def learn_session(parts: CompileParts, session_id: str) -> None:
    """Bring what is known beyond one session up to what that session shows.

    Raises:
        DiskRefused: the disk is full, read-only or somebody else's; a later attempt finishes.
    """
    session = parts.engine.read(sessions.find_session, session_id)
    if session is None or not session.page_path:
        return
    if session.state is SessionState.OPEN:
        # Others may have left this to it.
        session_end.save_project_pages(parts, session)
        return
    project = parts.engine.read(projects.get_project, session.project_id)
    taught = read_session(parts, session)
    before = parts.engine.read(lessons.list_of_session, session.id, LESSONS_PER_SESSION_MAX)
    now = parts.clock.now()
    _write(parts, lambda conn: lessons.replace_lessons(conn, project.id, session.id, taught.lessons, now))
    touched = {(lesson.kind, lesson.key) for lesson in (*taught.lessons, *(seen.lesson for seen in before))}
    with parts.wiki.committer.together(session.id):
        renew_pages(parts, project, touched, session.id)
        parts.breathe()
        _link_fixes(parts, project, session, taught.lessons)
        _propose_rules(parts, project, taught.lessons)
        settling.note_passes(parts, project, session, taught.passes)
        said = settling.list_said(taught.lessons, _list_decision_paths(parts, project, taught.lessons), session)
        settling.note_stances(parts, project, session, said)
        session_end.save_project_pages(parts, session)


def list_touched_pages(project_id: str, taught: Sequence[SeenLesson]) -> tuple[list[str], list[str]]:
    """List the ids of the pages that a session's lessons went to, and of those that they said something of."""
    ids = {_build_page_id(project_id, seen.lesson.kind, seen.lesson.key) for seen in taught} - {""}
    said = (seen.lesson.key for seen in taught if seen.lesson.kind in {LessonKind.RENAME, LessonKind.TIE})
    return sorted(ids), sorted({_build_page_id(project_id, LessonKind.WORK, key) for key in said} - ids)


def unlearn_session(parts: CompileParts, project: Project, page_ids: Collection[str], told: Collection[str]) -> None:
    """Bring pages up to date after the lessons of a session are gone; `told` are only those that it said something of.

    Raises:
        DiskRefused: the disk is full, read-only or somebody else's.
    """
    left = parts.engine.read(lessons.list_keys, project.id, LESSON_KEYS_MAX)
    wanted = {*page_ids, *told}
    touched = [each for each, page_id in zip(left, list_page_ids(project.id, left), strict=True) if page_id in wanted]
    kept = set(renew_pages(parts, project, touched, ""))
    taught_still = {page_id for page_id in list_page_ids(project.id, touched) if page_id}
    for page_id in sorted(page_ids):
        path = parts.engine.read(lessons.find_page, page_id)
        if path is None or path in kept:
            continue
        page = parts.wiki.find_page(project.scope, path)
        is_gone = page is None and page_id not in taught_still
        if page is not None and plans.is_ours(page) and not plans.list_edited(page):
            # By no name: history keeps what commits say.
            byline = Byline("memwiki", "Remove a page that nothing shows any more")
            parts.wiki.delete_page(project.scope, page.path, page.content_hash, byline)
            is_gone = True
        if is_gone:
            _write(parts, partial(lessons.delete_page, page_id=page_id))


def read_session(parts: CompileParts, session: Session) -> Taught:
    """Read a session once more: all that it teaches, and what passed in it."""
    log = edits.EditLog(session)
    timeline = read_timeline(session, log.watch(session_end.read_observations(parts, session)))
    # Without what it took over: these words are another session's, and leave with it.
    digest = digests.digest_timeline(session, timeline)
    if digest is None:
        return Taught()
    look = Look(timeline, digest, log.edits)
    met = list(gotcha_pages.list_lessons(parts, session, look))
    found: list[Lesson] = [
        *met,
        *decisions.list_lessons(digest),
        *rule_candidates.list_lessons(timeline, digest),
        *concepts.list_lessons(digest, renames.list_renames(timeline.runs)),
        *ties.list_lessons(timeline, digest, met),
        *procedures.list_lessons(timeline, digest),
    ]
    unique: dict[tuple[LessonKind, str], Lesson] = {}
    for lesson in found:
        unique.setdefault((lesson.kind, lesson.key), lesson)
    passed = (run for run in timeline.runs if run.outcome is Outcome.SUCCEEDED and run.line.purpose in CHECKS)
    passes = tuple(Pass(run.line, knowledge.find_time(digest, run.at)) for run in passed)
    return Taught(tuple(unique.values())[:LESSONS_PER_SESSION_MAX], passes)


def renew_pages(
    parts: CompileParts,
    project: Project,
    touched: Iterable[tuple[LessonKind, str]],
    session_id: str,
) -> list[PagePath]:
    """Build the pages of these lessons anew from all sessions that teach them; gives what was written."""
    keys: dict[LessonKind, list[str]] = {}
    for kind, key in sorted(touched):
        keys.setdefault(kind, []).append(key)
    written: list[PagePath | None] = []
    for page in islice(_list_due(parts, Subject(project), keys), KNOWLEDGE_PAGES_PER_SESSION_MAX):
        parts.breathe()
        written.append(save_page(parts, page, session_id))
    return [path for path in written if path]


def list_page_ids(project_id: str, taught: Iterable[tuple[LessonKind, str]]) -> list[str]:
    """List the ids of the pages that lessons of a project go to, in the order of the lessons; empty for none."""
    return [_build_page_id(project_id, kind, key) for kind, key in taught]


def _list_due(
    parts: CompileParts, subject: Subject, keys: Mapping[LessonKind, Sequence[str]]
) -> Iterator[KnowledgePage]:
    """List the pages that are due, each kind when those before it are written: what a thing leads to comes first."""
    met = [*keys.get(LessonKind.FIX, ()), *keys.get(LessonKind.FAILURE, ())]
    yield from gotcha_pages.list_due(parts, subject, met)
    yield from _list_procedures(parts, subject, keys, parts.thresholds)
    yield from _list_decisions(parts, subject, keys)
    yield from concept_pages.list_due(parts, subject, keys)


def save_page(parts: CompileParts, page: KnowledgePage, session_id: str) -> PagePath | None:
    """Write a page through a plan; a page that a person deleted stays deleted. Gives its path if it is there."""
    project = page.subject.project
    known = parts.engine.read(lessons.find_page, page.id)
    path = gotcha_pages.find_path(parts, page, known)
    if path is None:
        return None
    byline = Byline("memwiki", f"{page.kind.value.capitalize()}: {page.title}", session_id)
    grounds = [Ground(seen.session_id, seen.page_path, seen.lesson.evidence) for seen in page.seen[-3:]]
    for _ in range(_PLAN_TRIES):
        present = parts.wiki.find_page(project.scope, path)
        plan = plans.list_changes(present, path, _build_fields(page, present), page.parts)
        if not plan.changes:
            break
        applied = changing.apply_plan(parts, project, plans.because(plan, "more sessions show it"), byline, grounds)
        if all(done.effect is not Effect.STALE for done in applied):
            break
    if known != path:
        _write(parts, lambda conn: lessons.upsert_page(conn, project.id, page.id, path))
    return path


def _build_fields(page: KnowledgePage, present: Page | None) -> dict[str, object]:
    """Build a page's fields; what verified it later than its own evidence stays."""
    fields = knowledge.build_fields(page)
    known = present.fields.get("verified_at") if present else None
    if isinstance(known, str) and known > str(fields.get("verified_at", "")):
        fields["verified_at"] = known
    relations = present.fields.get("relations") if present else None
    if isinstance(relations, Mapping):
        # What others say of the page stays beside what its sessions say, which may have been forgotten since.
        others = {name: said for name, said in relations.items() if name not in ties.RELATIONS}
        fields["relations"] = {**others, **(page.relations or {})} or None
    return fields


def _list_procedures(
    parts: CompileParts, subject: Subject, keys: Mapping[LessonKind, Sequence[str]], thresholds: Thresholds
) -> list[KnowledgePage]:
    """Build the touched sequences that are part of no longer one; a page that has become so is superseded."""
    touched = set(keys.get(LessonKind.STEPS, ()))
    if not touched:
        return []
    least, project = thresholds.procedure_sessions, subject.project
    weights = parts.engine.read(
        lessons.list_weights, project.id, LessonKind.STEPS, least=least, limit=SIGHTINGS_READ_MAX
    )
    keys_due = [key for key, _ in weights]
    groups = gotcha_pages.group_lessons(parts, subject, (LessonKind.STEPS,), keys_due, STEPS_READ_MAX)
    due = [seen for seen in groups.values() if procedures.is_due(seen, sessions=least)]
    covering = procedures.find_covering(due)
    for key, longer in covering.items():
        if longer:
            _supersede_procedure(parts, project, key, longer)
    return [
        procedures.build_page(subject, seen)
        for seen in due
        if seen[0].lesson.key in touched and not covering[seen[0].lesson.key]
    ]


def _supersede_procedure(parts: CompileParts, project: Project, key: str, longer: str) -> None:
    ids = [
        knowledge.build_id(project.id, PageKind.PROCEDURE, procedures.build_page_key(each)) for each in (key, longer)
    ]
    old, new = (parts.engine.read(lessons.find_page, page_id) for page_id in ids)
    page = parts.wiki.find_page(project.scope, old) if old and new else None
    if page is None or not plans.is_ours(page) or page.fields.get("pinned") is True:
        return
    if page.fields.get("superseded_by") != new:
        byline = Byline("memwiki", f"{page.title} is part of a longer procedure")
        settling.set_fields(parts, project.scope, page, {"superseded_by": new}, byline)


def _list_decisions(
    parts: CompileParts, subject: Subject, keys: Mapping[LessonKind, Sequence[str]]
) -> list[KnowledgePage]:
    groups = gotcha_pages.group_lessons(parts, subject, (LessonKind.DECISION,), keys.get(LessonKind.DECISION, ()))
    return [decisions.build_page(subject, seen) for seen in groups.values()]


def _list_decision_paths(parts: CompileParts, project: Project, taught: Sequence[Lesson]) -> dict[str, PagePath]:
    pages = {lesson.key: _find_page_id(project, lesson) for lesson in taught if lesson.kind is LessonKind.DECISION}
    found = {key: parts.engine.read(lessons.find_page, page_id) for key, page_id in pages.items()}
    return {key: path for key, path in found.items() if path is not None}


def _find_page_id(project: Project, lesson: Lesson) -> str:
    return _build_page_id(project.id, lesson.kind, lesson.key)


def _build_page_id(project_id: str, kind: LessonKind, key: str) -> str:
    """Build the id of the page that a lesson goes to; empty for one that goes to none, or to one of many names."""
    match kind:
        case LessonKind.FIX | LessonKind.FAILURE:
            return knowledge.build_id(project_id, PageKind.GOTCHA, gotchas.build_page_key(key))
        case LessonKind.DECISION:
            return knowledge.build_id(project_id, PageKind.DECISION, decisions.build_page_key(key))
        case LessonKind.STEPS:
            return knowledge.build_id(project_id, PageKind.PROCEDURE, procedures.build_page_key(key))
        case LessonKind.WORK:
            return knowledge.build_id(project_id, PageKind.CONCEPT, concepts.build_page_key(key))
        case LessonKind.RULE | LessonKind.RENAME | LessonKind.TIE:
            return ""
        case _:
            assert_never(kind)


def _link_fixes(parts: CompileParts, project: Project, session: Session, taught: Sequence[Lesson]) -> None:
    """Note on a session's page which errors' pages it fixed."""
    path = PagePath(session.page_path)
    page = parts.wiki.find_page(project.scope, path)
    if page is None or page.findings:
        return
    fixed = (_find_page_id(project, lesson) for lesson in taught if lesson.kind is LessonKind.FIX)
    paths = (parts.engine.read(lessons.find_page, page_id) for page_id in fixed)
    present = page.fields.get("relations")
    relations: dict[str, object] = dict(present) if isinstance(present, Mapping) else {}
    relations["fixes"] = sorted({found for found in paths if found})
    told = {relation: targets for relation, targets in relations.items() if targets}
    if (told or None) != present:
        byline = Byline("memwiki", f"Say what {page.title} fixed", session.id)
        settling.set_fields(parts, project.scope, page, {"relations": told or None}, byline)


def _propose_rules(parts: CompileParts, project: Project, taught: Sequence[Lesson]) -> None:
    """Put what a person wished for good on the review list; nothing becomes a rule by itself."""
    keys = [lesson.key for lesson in taught if lesson.kind is LessonKind.RULE]
    for key, seen in gotcha_pages.group_lessons(parts, Subject(project), (LessonKind.RULE,), keys).items():
        lesson = seen[0].lesson
        wanted = Proposal(
            id=parts.ids.new_id(),
            project_id=project.id,
            kind=ProposalKind.RULE,
            key=changing.build_key(key),
            title=lesson.title,
            text=lesson.text,
            reason=f"said by a person in {knowledge.count(len(seen), 'session', 'sessions')}",
            state=ProposalState.WAITING,
            created_at=parts.clock.now(),
            grounds=tuple(Ground(each.session_id, each.page_path, each.lesson.evidence, each.owner) for each in seen),
        )
        _write(parts, partial(changing.put_proposal, wanted=wanted))


def _write(parts: CompileParts, job: Callable[[WriteConnection], T]) -> T:
    return parts.writer.submit(job).result(timeout=STATE_WRITE_SECONDS_MAX)
