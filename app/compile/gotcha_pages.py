"""The pages of errors that sessions fixed: which are due, where they lie, and to which of them one session leads."""

from collections.abc import Iterable, Iterator, Sequence

from app.compile import gotchas, knowledge, settling
from app.compile.gotchas import Look
from app.compile.knowledge import KnowledgePage, Subject
from app.compile.parts import CompileParts
from app.domain.lesson import Lesson, LessonKind, SeenLesson
from app.domain.limits_knowledge import SIGHTINGS_READ_MAX
from app.domain.page import PageKind, PagePath
from app.domain.pagepath import build_page_path, number_page_path
from app.domain.scope import Project
from app.domain.session import Session
from app.state import lessons


def list_lessons(parts: CompileParts, session: Session, look: Look) -> Iterator[Lesson]:
    """List the errors of a session, and those that earlier sessions left and this one fixed."""
    yield from gotchas.list_lessons(look)
    failed = parts.engine.read(lessons.list_latest, session.project_id, LessonKind.FAILURE, SIGHTINGS_READ_MAX)
    others = [seen for seen in failed if seen.session_id != session.id and seen.lesson.told_at <= session.started_at]
    yield from gotchas.list_late_fixes(look, _drop_fixed(parts, session, others))


def list_due(parts: CompileParts, subject: Subject, keys: Iterable[str]) -> list[KnowledgePage]:
    """Build the pages of these errors that enough sessions met."""
    groups = group_lessons(parts, subject, (LessonKind.FIX, LessonKind.FAILURE), keys)
    return [gotchas.build_page(subject, seen) for seen in groups.values() if _is_due(parts, seen)]


def foresee_fixed(parts: CompileParts, project: Project, session: Session, look: Look) -> list[PagePath]:
    """Tell where the pages of the errors lie, or are about to lie, that a session fixed.

    So a session's page leads to them from the beginning, also where learning makes them a moment later.
    """
    subject = Subject(project)
    fixed = [lesson for lesson in list_lessons(parts, session, look) if lesson.kind is LessonKind.FIX]
    known = group_lessons(parts, subject, (LessonKind.FIX, LessonKind.FAILURE), [lesson.key for lesson in fixed])
    found: set[PagePath | None] = set()
    for lesson in fixed:
        others = [seen for seen in known.get(lesson.key, ()) if seen.session_id != session.id]
        seen = sorted([*others, SeenLesson(session.id, session.page_path, session.owner, lesson)], key=order)
        page_id = knowledge.build_id(project.id, PageKind.GOTCHA, gotchas.build_page_key(lesson.key))
        path = parts.engine.read(lessons.find_page, page_id)
        if path is not None or _is_due(parts, seen):
            found.add(find_path(parts, gotchas.build_page(subject, seen), path))
    return sorted(path for path in found if path)


def find_path(parts: CompileParts, page: KnowledgePage, known: PagePath | None) -> PagePath | None:
    """Find where a page lies or is to lie; None for one that a person deleted."""
    scope = page.subject.project.scope
    if known is not None:
        if parts.wiki.find_page(scope, known) is not None:
            return known
        return settling.find_moved(parts, scope, page.id)
    wanted = build_page_path(page.kind, page.title)
    path, number = wanted, 1
    while (present := parts.wiki.find_page(scope, path)) is not None and present.id != page.id:
        number += 1
        path = number_page_path(wanted, number)
    return path


def group_lessons(
    parts: CompileParts,
    subject: Subject,
    kinds: Sequence[LessonKind],
    keys: Iterable[str],
    limit: int = SIGHTINGS_READ_MAX,
) -> dict[str, list[SeenLesson]]:
    """Group what sessions teach under some keys, the oldest first."""
    wanted = sorted(set(keys))
    groups: dict[str, list[SeenLesson]] = {}
    for kind in kinds if wanted else ():
        for seen in parts.engine.read(lessons.list_by_keys, subject.project.id, kind, wanted, limit):
            groups.setdefault(seen.lesson.key, []).append(seen)
    return {key: sorted(seen, key=order) for key, seen in sorted(groups.items())}


def order(seen: SeenLesson) -> tuple[object, ...]:
    """Order what sessions teach by time."""
    return (seen.lesson.told_at, seen.session_id, seen.lesson.kind.value)


def _is_due(parts: CompileParts, seen: Sequence[SeenLesson]) -> bool:
    least, fleeting = parts.thresholds.gotcha_sessions, parts.thresholds.gotcha_fleeting_sessions
    return gotchas.is_due(seen, sessions=least, fleeting_sessions=fleeting)


def _drop_fixed(parts: CompileParts, session: Session, failed: Sequence[SeenLesson]) -> list[SeenLesson]:
    """Leave out the failures that another session has fixed since."""
    keys = {seen.lesson.key for seen in failed}
    fixed = parts.engine.read(lessons.list_by_keys, session.project_id, LessonKind.FIX, keys, SIGHTINGS_READ_MAX)
    last = {seen.lesson.key: seen.lesson.told_at for seen in fixed if seen.session_id != session.id}
    return [seen for seen in failed if seen.lesson.key not in last or last[seen.lesson.key] < seen.lesson.told_at]
