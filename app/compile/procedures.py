"""Procedures: the same commands, in the same order, passed in several sessions."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.compile import entities, escape, knowledge
from app.compile.commands import parse_command
from app.compile.knowledge import KnowledgePage, Subject
from app.compile.page_parts import PagePart
from app.compile.purposes import CHECKS, FORMATTERS, Purpose
from app.compile.timeline import Run, Timeline
from app.domain import legible
from app.domain.entity import ThingKind, build_thing
from app.domain.event import Outcome
from app.domain.lesson import Lesson, LessonKind, SeenLesson
from app.domain.limits_knowledge import (
    PROCEDURE_SEQUENCES_PER_SESSION_MAX,
    PROCEDURE_STEP_CHARS_MAX,
    PROCEDURE_STEPS_MAX,
    PROCEDURE_TITLE_CHARS_MAX,
)
from app.domain.page import PageKind
from app.domain.session import SessionDigest

STEPS_MIN = 2


@dataclass(frozen=True, slots=True)
class _Step:
    """One command that passed, where it did last."""

    at: int
    command: str
    is_check: bool
    is_formatter: bool


_COUNTED = CHECKS | {Purpose.INSTALL, Purpose.RUN}
_TITLES = {
    Purpose.TEST: "test",
    Purpose.BUILD: "build",
    Purpose.LINT: "lint",
    Purpose.INSTALL: "install",
    Purpose.RUN: "run",
}


def list_lessons(timeline: Timeline, digest: SessionDigest) -> Iterator[Lesson]:
    """List the sequences of two and more steps that passed one after the other in a session.

    Checks that do not depend on each other are run in any order, so a sequence is known by its set of steps.
    """
    passed = _list_passed(timeline.runs)
    told: dict[str, Lesson] = {}
    for length in range(PROCEDURE_STEPS_MAX, STEPS_MIN - 1, -1):
        for start in range(len(passed) - length + 1):
            steps = passed[start : start + length]
            if any(step.is_check for step in steps) and sum(not step.is_formatter for step in steps) >= STEPS_MIN:
                lesson = _build_lesson(steps, digest)
                told.setdefault(lesson.key, lesson)
    yield from list(told.values())[:PROCEDURE_SEQUENCES_PER_SESSION_MAX]


def is_due(seen: Sequence[SeenLesson], *, sessions: int) -> bool:
    """Tell whether enough sessions went the same way."""
    return len({each.session_id for each in seen}) >= sessions


def find_covering(groups: Sequence[Sequence[SeenLesson]]) -> dict[str, str]:
    """Find for each sequence the longer one that takes its place: at least half of its sessions went through it.

    Sequences that stand for themselves have an empty answer.
    """
    longest_first = sorted(groups, key=lambda seen: (-len(seen[0].lesson.notes), seen[0].lesson.key))
    kept: list[Sequence[SeenLesson]] = []
    covering: dict[str, str] = {}
    for seen in longest_first:
        steps, sessions = set(seen[0].lesson.notes), {each.session_id for each in seen}
        longer = (other for other in kept if steps < set(other[0].lesson.notes))
        over = (other for other in longer if 2 * len(sessions & {each.session_id for each in other}) >= len(sessions))
        found = next((other[0].lesson.key for other in over), "")
        covering[seen[0].lesson.key] = found
        if not found:
            kept.append(seen)
    return covering


def build_page_key(key: str) -> str:
    """Build what the page of a lesson is known by."""
    return f"steps {key}"


def build_page(subject: Subject, seen: Sequence[SeenLesson]) -> KnowledgePage:
    """Build the page of one sequence."""
    steps = Counter(each.lesson.notes for each in seen).most_common(1)[0][0]
    purposes = list(dict.fromkeys(map(_name_step, steps)))
    named = ", then ".join([", ".join(purposes[:-1]), purposes[-1]] if len(purposes) > 1 else purposes)
    title = legible.clip(f"{named[:1].upper()}{named[1:]}: {', '.join(steps)}", PROCEDURE_TITLE_CHARS_MAX)
    sessions = knowledge.count_sessions(seen)
    last = seen[-1].lesson.told_at
    lines = [f"{number}. {escape.code_span(step)}" for number, step in enumerate(steps, 1)]
    told = f"These commands passed one after the other in {sessions}, last on {last:%Y-%m-%d}."
    lead = f"# {escape.escape_inline(title)}\n\n{told}\n"
    return KnowledgePage(
        kind=PageKind.PROCEDURE,
        key=build_page_key(seen[0].lesson.key),
        title=title,
        description=f"{len(steps)} commands that passed one after the other in {sessions}.",
        parts=(
            PagePart("", lead),
            PagePart("Steps", "\n".join(lines)),
            PagePart("Evidence", knowledge.render_evidence(seen, lambda _: "all of them passed")),
        ),
        seen=tuple(seen),
        subject=subject,
        things=tuple(
            dict.fromkeys(build_thing(ThingKind.COMMAND, entities.name_command(parse_command(step))) for step in steps)
        ),
        verified_at=last,
        command=" && ".join(steps),
    )


def _name_step(step: str) -> str:
    return "format" if FORMATTERS.match(step) else _TITLES.get(parse_command(step).purpose, "run")


def _list_passed(runs: Sequence[Run]) -> list[_Step]:
    """List the steps that passed, each where it passed last; a line of several steps is taken apart."""
    latest: dict[str, _Step] = {}
    for run in runs:
        for step in _list_steps(run):
            latest.pop(step.command, None)
            if run.outcome is Outcome.SUCCEEDED:
                latest[step.command] = step
    return list(latest.values())


def _list_steps(run: Run) -> Iterator[_Step]:
    if "||" in run.line.key or "<<" in run.line.key or run.line.is_lookup:
        return
    for segment in run.line.segments:
        purpose, is_formatter = parse_command(segment).purpose, bool(FORMATTERS.match(segment))
        if (purpose in _COUNTED or is_formatter) and len(segment) <= PROCEDURE_STEP_CHARS_MAX:
            yield _Step(run.at, segment, purpose in CHECKS, is_formatter)


def _build_lesson(steps: Sequence[_Step], digest: SessionDigest) -> Lesson:
    told = tuple(step.command for step in steps)
    return Lesson(
        kind=LessonKind.STEPS,
        key=hashlib.sha256("\n".join(sorted(told)).encode()).hexdigest()[:32],
        title=", ".join(told)[:200],
        told_at=knowledge.find_time(digest, steps[-1].at),
        evidence=tuple(dict.fromkeys(step.at for step in steps)),
        notes=told,
    )
