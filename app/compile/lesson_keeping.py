"""Lets go of what sessions taught and nothing came of: no page rests on it, and no session has taught it for long.

What is repeated often keeps its latest sightings and the first; pages show no others.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from app.compile import concepts, learning
from app.compile.sealing import ArchiveParts
from app.domain.lesson import LessonKind
from app.domain.limits_knowledge import (
    LESSON_GROUPS_PER_LOOK,
    LESSON_GROUPS_PER_WRITE,
    SIGHTINGS_KEPT_MAX,
    SIGHTINGS_READ_MAX,
)
from app.state import lessons
from app.state.lessons import LessonGroup

# Their page may have been made under an earlier name of the thing.
_OF_THINGS = frozenset({LessonKind.WORK, LessonKind.RENAME, LessonKind.TIE})


def keep_lessons(parts: ArchiveParts, learned_before: datetime) -> int:
    """Let go of old lessons, few in each transaction; tells how many went."""
    gone, after = 0, None
    while True:
        found = parts.verbatim.engine.read(
            lessons.list_groups,
            most=SIGHTINGS_KEPT_MAX,
            learned_before=learned_before,
            after=after,
            limit=LESSON_GROUPS_PER_LOOK,
        )
        gone += _let_go(parts, found, learned_before)
        if len(found) < LESSON_GROUPS_PER_LOOK:
            return gone
        after = found[-1]


def _let_go(parts: ArchiveParts, found: Sequence[LessonGroup], learned_before: datetime) -> int:
    gone = 0
    for group in found:
        if group.sightings > SIGHTINGS_KEPT_MAX:
            gone += parts.write(lambda conn, group=group: lessons.thin_out_group(conn, group, SIGHTINGS_KEPT_MAX))  # type: ignore[misc]
    faded = [group for group in found if group.last_learned_at is None or group.last_learned_at < learned_before]
    unused = list(_list_unused(parts, faded))
    for start in range(0, len(unused), LESSON_GROUPS_PER_WRITE):
        some = unused[start : start + LESSON_GROUPS_PER_WRITE]
        gone += parts.write(lambda conn, some=some: lessons.delete_groups(conn, some, learned_before))  # type: ignore[misc]
    return gone


def _list_unused(parts: ArchiveParts, groups: Sequence[LessonGroup]) -> Iterator[LessonGroup]:
    """List those that no page rests on, whether it is there or a person deleted it."""
    engine = parts.verbatim.engine
    projects = {group.project_id for group in groups if group.kind in _OF_THINGS}
    renames = {project_id: _find_renames(parts, project_id) for project_id in sorted(projects)}
    page_ids = {group: _list_page_ids(group, renames.get(group.project_id, {})) for group in groups}
    known = engine.read(lessons.list_known_pages, [each for ids in page_ids.values() for each in ids])
    yield from (group for group, ids in page_ids.items() if known.isdisjoint(ids))


def _find_renames(parts: ArchiveParts, project_id: str) -> dict[str, str]:
    found = parts.verbatim.engine.read(lessons.list_latest, project_id, LessonKind.RENAME, SIGHTINGS_READ_MAX)
    return concepts.build_renames(found)


def _list_page_ids(group: LessonGroup, renames: dict[str, str]) -> list[str]:
    if group.kind not in _OF_THINGS:
        return learning.list_page_ids(group.project_id, [(group.kind, group.key)])
    name = concepts.resolve_name(group.key, renames)
    names = {group.key, name, *concepts.list_former(name, renames)}
    return learning.list_page_ids(group.project_id, [(LessonKind.WORK, each) for each in sorted(names)])
