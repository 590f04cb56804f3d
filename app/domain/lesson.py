"""`Lesson`: what one session teaches about something that others may teach too; repeats meet under one key."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class LessonKind(StrEnum):
    """What was learned: an error and its fix, one without, steps that worked, a choice, a wish, what was worked on.

    `RENAME` is a file's other name, `TIE` what a thing was said to depend on or to cause.
    """

    FIX = "fix"
    FAILURE = "failure"
    STEPS = "steps"
    DECISION = "decision"
    RULE = "rule"
    WORK = "work"
    RENAME = "rename"
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing that one session shows; `key` is equal for repeats, `evidence` are observations of the session.

    `text` is what is told (an excerpt, a sentence), `notes` are further lines whose meaning is the kind's: the steps,
    the alternatives, the causes. `is_fleeting` marks errors that come and go while code is written.
    """

    kind: LessonKind
    key: str
    title: str
    told_at: datetime
    evidence: tuple[int, ...]
    text: str = ""
    command: str = ""
    files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    change: str = ""
    things: tuple[str, ...] = ()
    times: int = 1
    is_persons: bool = False
    is_fleeting: bool = False


@dataclass(frozen=True, slots=True)
class SeenLesson:
    """A lesson with the session that it comes from, and where that session's page lies."""

    session_id: str
    page_path: str
    owner: str
    lesson: Lesson
