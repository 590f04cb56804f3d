"""Decisions: what a person or a report says was settled, with what was not taken; a bare instruction is none."""

import re
from collections.abc import Iterator, Sequence

from app.compile import conversation, escape, knowledge, sentences, stances
from app.compile.cues import FILLER_PROMPT
from app.compile.knowledge import KnowledgePage, Subject
from app.compile.page_parts import PagePart
from app.compile.stances import Stance
from app.domain import legible
from app.domain.entity import parse_thing
from app.domain.lesson import Lesson, LessonKind, SeenLesson
from app.domain.limits_knowledge import (
    DECISION_QUESTION_CHARS_MAX,
    DECISION_TITLE_CHARS_MAX,
    DECISIONS_PER_SESSION_MAX,
    LESSON_KEY_CHARS_MAX,
)
from app.domain.page import PageKind
from app.domain.session import SessionDigest, Statement

WORDS_MIN = 4

_IN_ANSWER = re.compile(rf"^(?P<answer>.+) \({re.escape(conversation.IN_ANSWER_TO)}(?P<question>.+)\)$", re.DOTALL)
_DECIDED = re.compile(
    r"\b(?:decided|agreed|settled|opted|chose|chosen|picked|went with|source of truth|decision)\b|^decision\b"
    r"|\b(?:decid(?:imos|i|ido)|optei|optamos|escolhi|hemos decidido|decid[íi]|elegí|entschieden|gewählt)\b"
    r"|\b(?:choisi|décidé|retenu)\b"
    r"|决定|选择了|最终采用|ことにし|を採用|に決め|方針",
    re.IGNORECASE,
)
# What is asked about how to go on with the session, and answers that only send the agent on.
_PROCESS = re.compile(
    r"\b(?:what would you like|shall i|should i (?:proceed|continue|start|go)|ready (?:at|to)|proceed|continue"
    r"|plan (?:ready|updated)"
    r"|would you like me to|do you want me to|how would you like to (?:proceed|continue))\b",
    re.IGNORECASE,
)
_SENDS_ON = re.compile(
    r"^(?:yes|no|ok(?:ay)?|sure|start|go|proceed|continue|run|do it|skip|stop|done|both|all|none|other)\b",
    re.IGNORECASE,
)
# What an agent's menu adds to one of its options.
_RECOMMENDED = re.compile(r"\s*\((?:recommended|empfohlen|recomendad[oa]|recommandée?|推荐|推奨)\)\s*$", re.IGNORECASE)
_QUESTION = re.compile(r"[?\uff1f؟]")


def list_lessons(digest: SessionDigest) -> Iterator[Lesson]:
    """List what was decided in a session, as far as the words leave no doubt."""
    told: dict[str, Lesson] = {}
    for statement in digest.decisions:
        lesson = _build_lesson(statement, digest)
        if lesson is not None and lesson.key:
            told.setdefault(lesson.key, lesson)
    yield from list(told.values())[:DECISIONS_PER_SESSION_MAX]


def build_page_key(key: str) -> str:
    """Build what the page of a lesson is known by."""
    return f"decision {key}"


def build_page(subject: Subject, seen: Sequence[SeenLesson]) -> KnowledgePage:
    """Build the page of one decision."""
    first = seen[0]
    lesson = first.lesson
    whose = f"{first.owner or 'a person'}" if lesson.is_persons else "the agent"
    question = lesson.notes[0] if lesson.notes else ""
    stance = find_stance(lesson)
    said = f"> {escape.escape_inline(lesson.text)}\n"
    asked = f"The question was: {escape.escape_inline(question)}\n\n" if question else ""
    lead = (
        f"# {escape.escape_inline(lesson.title)}\n\nOn {lesson.told_at:%Y-%m-%d}, in {knowledge.link(first)},"
        f" {escape.escape_inline(whose)} settled this ({knowledge.render_range(lesson.evidence)}).\n\n{asked}{said}"
    )
    parts = [PagePart("", lead)]
    if stance.refused:
        parts.append(PagePart("Not taken", f"- {escape.escape_inline(stance.refused)}"))
    if lesson.files:
        changed = f"The session changed {knowledge.name_files(lesson.files)}."
        parts.append(PagePart("Where it was carried out", changed))
    parts.append(PagePart("Evidence", knowledge.render_evidence(seen, _describe)))
    things = [thing for thing in map(parse_thing, lesson.things) if thing]
    return KnowledgePage(
        kind=PageKind.DECISION,
        key=build_page_key(lesson.key),
        title=lesson.title,
        description=legible.clip(lesson.text, 200),
        parts=tuple(parts),
        seen=tuple(seen),
        subject=subject,
        things=tuple(things),
    )


def find_stance(lesson: Lesson) -> Stance:
    """Find what a decision is for and against."""
    return stances.find_stance(lesson.text)


def _build_lesson(statement: Statement, digest: SessionDigest) -> Lesson | None:
    answer = _IN_ANSWER.match(statement.text)
    text = _RECOMMENDED.sub("", legible.squeeze(answer["answer"] if answer else statement.text))
    question = legible.squeeze(answer["question"]) if answer else ""
    if not _is_decision(statement, text, question):
        return None
    title = f"{legible.clip(question, DECISION_QUESTION_CHARS_MAX)} {text}" if question else text
    title = title.rstrip(" .\u3002")
    return Lesson(
        kind=LessonKind.DECISION,
        key=sentences.normalise_key(f"{text} {question}")[:LESSON_KEY_CHARS_MAX],
        title=legible.clip(title[:1].upper() + title[1:], DECISION_TITLE_CHARS_MAX),
        told_at=knowledge.find_time(digest, statement.evidence[0]),
        evidence=statement.evidence,
        text=text,
        files=tuple(work.path for work in digest.files if work.evidence[-1] > statement.evidence[0])[:6],
        notes=(question,) if question else (),
        is_persons=statement.is_persons,
    )


def _is_decision(statement: Statement, text: str, question: str) -> bool:
    if FILLER_PROMPT.match(text) or _SENDS_ON.match(text):
        return False
    if question:
        # An answer settles what a real question asked, and what comes next is no such question.
        return bool(_QUESTION.search(question)) and not _PROCESS.search(question)
    if sentences.count_words(text) < WORDS_MIN or _QUESTION.search(text):
        return False
    stance = stances.find_stance(text)
    return bool(_DECIDED.search(text)) or bool(stance.chosen and stance.refused and statement.is_persons)


def _describe(seen: SeenLesson) -> str:
    return "said by a person" if seen.lesson.is_persons else "said in the agent's report"
