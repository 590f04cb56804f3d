"""What a session says in so many words: that one thing depends on another, or causes an error or another thing.

Both must be things that the session itself was about, and they stand on either side of the verb; anything vaguer is
no evidence. What an agent named as the cause of an error that it fixed, in a file that it changed for it, is one too.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.compile import concepts, entities, gotchas, knowledge
from app.compile.timeline import Timeline
from app.domain import legible
from app.domain.entity import Thing, ThingKind
from app.domain.lesson import Lesson, LessonKind
from app.domain.limits_knowledge import (
    LESSON_KEY_CHARS_MAX,
    TIE_CHARS_MAX,
    TIE_SENTENCE_CHARS_MAX,
    TIES_PER_SESSION_MAX,
)
from app.domain.session import SessionDigest

DEPENDS_ON: Final = "depends_on"
CAUSES: Final = "causes"
RELATIONS: Final = frozenset({DEPENDS_ON, CAUSES})

# A path is looked for from where it begins and no further than paths go: a long run of letters is read once.
_NAME = (
    r"(?:`(?P<{0}>[^`\n]{{2,80}})`"
    r"|(?P<{0}2>#\d{{1,6}}|[A-Z][A-Z0-9]{{1,9}}-\d{{1,6}}|(?<![\w@./-])[\w@./-]{{0,200}}\w\.[a-z]{{1,5}}))"
)
_ONE, _OTHER = _NAME.format("one"), _NAME.format("other")
_BETWEEN = r"\s+(?:(?:now|also|still|directly|itself|jetzt|auch|ahora|agora)\s+)?"
_ARTICLE = r"(?:(?:the|a|an|der|die|das|el|la|o|le)\s+)?(?:(?:file|package|module|error|function|Datei)\s+)?"
_SAYS: Final = tuple(
    (re.compile(f"{_ONE}{_BETWEEN}(?:{verb})\\s+{_ARTICLE}{_OTHER}"), relation, is_backward)
    for verb, relation, is_backward in (
        (
            (
                r"depends on|requires|needs|relies on|is blocked by|hängt ab von|braucht|benötigt"
                r"|depende de|requiere|requer|dépend de"
            ),
            DEPENDS_ON,
            False,
        ),
        (r"causes|caused|breaks|broke|triggers|triggered|verursacht|causa|causó|causou|provoque", CAUSES, False),
        (
            (
                r"(?:is|was) caused by|comes from|came from|(?:fails|failed|broke) because of|wird verursacht durch"
                r"|es causado por|é causado por|est causé par"
            ),
            CAUSES,
            True,
        ),
    )
)
_QUESTION = re.compile(r"[?\uff1f]\W*$")


@dataclass(frozen=True, slots=True)
class Tie:
    """That one thing stands in a relation to a page, known by its key, and the sentence that says so."""

    subject: Thing
    relation: str
    page_key: str
    at: int
    said: str


def list_lessons(timeline: Timeline, digest: SessionDigest, fixes: Sequence[Lesson]) -> Iterator[Lesson]:
    """List what a session ties to each thing; one lesson for each thing."""
    fixes = [lesson for lesson in fixes if lesson.kind is LessonKind.FIX]
    ties = {(tie.subject, tie.relation, tie.page_key): tie for tie in _list_ties(timeline, digest, fixes)}
    for subject in dict.fromkeys(tie.subject for tie in ties.values()):
        of_it = [tie for tie in ties.values() if tie.subject == subject][:TIES_PER_SESSION_MAX]
        yield Lesson(
            kind=LessonKind.TIE,
            key=str(subject)[:LESSON_KEY_CHARS_MAX],
            title=subject.name,
            told_at=knowledge.find_time(digest, of_it[-1].at),
            evidence=tuple(dict.fromkeys(tie.at for tie in of_it)),
            notes=tuple(tie.said for tie in of_it),
            things=tuple(f"{tie.relation} {tie.page_key}" for tie in of_it),
        )


def parse_ties(lesson: Lesson) -> Iterator[tuple[str, str, str]]:
    """Take a lesson's ties apart: the relation, the key of the page, and what was said."""
    for tied, said in zip(lesson.things, lesson.notes, strict=False):
        relation, _, page_key = tied.partition(" ")
        yield relation, page_key, said


def _list_ties(timeline: Timeline, digest: SessionDigest, fixes: Sequence[Lesson]) -> Iterator[Tie]:
    for at, sentence in _list_sentences(timeline):
        for pattern, relation, is_backward in _SAYS:
            for match in pattern.finditer(sentence):
                one, other = (_find_thing(match[name] or match[f"{name}2"], digest.things) for name in ("one", "other"))
                subject, target = (other, one) if is_backward else (one, other)
                page_key = _find_page_key(target, fixes) if target else ""
                if subject and page_key and subject != target:
                    yield Tie(subject, relation, page_key, at, legible.clip(sentence, TIE_CHARS_MAX))
    for lesson in fixes:
        yield from _list_causes(lesson, digest)


def _list_sentences(timeline: Timeline) -> Iterator[tuple[int, str]]:
    for words in (*timeline.prompts, *timeline.reports):
        for sentence in knowledge.list_sentences(words.text):
            if len(sentence) <= TIE_SENTENCE_CHARS_MAX and not _QUESTION.search(sentence):
                yield words.at, sentence


def _find_thing(name: str, things: Iterable[Thing]) -> Thing | None:
    """Find which of a session's things a name means: its whole name, or the only file that ends so."""
    plain = name.strip().removesuffix("()")
    named = [thing for thing in things if thing.name == plain and thing.kind is not ThingKind.COMMIT]
    if named:
        return named[0]
    ends = [thing for thing in things if thing.kind is ThingKind.FILE and thing.name.endswith(f"/{plain}")]
    errors = [thing for thing in things if thing.kind is ThingKind.ERROR and thing.name.split(" ")[0] == plain]
    found = ends or errors
    return found[0] if len(found) == 1 else None


def _find_page_key(target: Thing, fixes: Sequence[Lesson]) -> str:
    """Find by which key the page of a thing is known: a concept's, or that of an error that the session fixed."""
    if target.kind is not ThingKind.ERROR:
        return concepts.build_page_key(str(target))
    met = (lesson for lesson in fixes if entities.name_error(lesson.title) == target.name)
    return next((gotchas.build_page_key(lesson.key) for lesson in met), "")


def _list_causes(lesson: Lesson, digest: SessionDigest) -> Iterator[Tie]:
    """List the files that were named as the cause of an error and changed to fix it."""
    files = {thing.name: thing for thing in digest.things if thing.kind is ThingKind.FILE}
    for cause in lesson.notes:
        for file in lesson.files:
            name = file.rpartition("/")[2]
            if file in files and re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", cause):
                at = lesson.evidence[-1] if lesson.evidence else 0
                yield Tie(files[file], CAUSES, gotchas.build_page_key(lesson.key), at, cause)
