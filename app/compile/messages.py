"""What a report of an agent (or a person's prompt) says line by line: labels, lists, tasks and sentences."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.compile import sentences
from app.compile.cues import (
    AGENT_DECIDES,
    COURTESY,
    HEDGE,
    LABEL_RULES,
    LEAVES_OPEN,
    LEFT_TO_DO,
    PERSON_DECIDES,
    PERSON_REJECTS,
    REJECTS,
    Label,
)
from app.domain import legible
from app.domain.limits_compile import GIST_CHARS_MAX, OPTION_CHARS_MAX, OPTIONS_MAX, STATEMENT_CHARS_MAX

QUESTION_WORDS_MIN = 3
SENTENCE_WORDS_MIN = 3
GIST_CHARS_MIN = 80

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_HEADING = re.compile(r"^\s*#{1,6}\s+(.*?)\s*#*$")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[(?P<box>[ xX~-])\]\s+)?(?P<text>.*)$")
_SKIPPED = re.compile(r"^\s*(?:\||>|<!--)|^\s*(?:[-*_]\s*){3,}$")
_LABEL = re.compile(r"^\W{0,3}(?P<label>[^\W\d][\w'\u2019 ,()/-]{0,40}?)\s*[:\uff1a]\s*(?P<rest>.*)$")
_EMPHASIS = re.compile(r"(\*\*|__|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w))")
_SYMBOL_START = re.compile(r"^[\s✅❌⚠️✔✓✗☑🎉🚀📝🔧👍➡→•-]+")
_SOFT_WRAP_CHARS_MIN = 60
_QUESTION = re.compile(r"[?\uff1f؟][\"'”\u2019»)\]*_]*$")
_ANSWERED_AT_ONCE = re.compile(
    r"^(?:because|since|yes|no|nope|yep|it (?:is|was)|weil|ja|nein|porque|parce|因为|なぜなら)\b", re.IGNORECASE
)
_REFERS_BACK = re.compile(r"\b(?:which|welche[rs]?|quelle?|cuál|qual)\b|哪|どちら|どれ", re.IGNORECASE)
_OPTION = re.compile(
    r"^(?:option|approach|variant|alternative|opção|opción|opci[oó]n|variante|方案|选项|案|オプション) ?\w{1,2}\b",
    re.IGNORECASE,
)
_HOLLOW = re.compile(
    r"^(?:(?:all )?(?:done|set|good|fixed|finished|perfect|great|excellent|ok(?:ay)?|sure|yes"
    r"|you'?re (?:absolutely )?right"
    r"|(?:the |all )?(?:changes?|tasks?|implementation|work|update|fix) (?:is|are|has been|have been)"
    r" (?:now )?(?:complete|completed|done|finished)"
    r"|good (?:catch|question|point)|summary"
    r"|here(?:'s| is| are)\b.*|let me\b.*|now\b.{0,60}|i'?ll\b.*))[.!:]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class MessageLine:
    """One paragraph or list item; `label` is what its own words or its section announce, `is_done` its tick."""

    text: str
    label: Label | None = None
    is_item: bool = False
    is_done: bool | None = None


def parse_message(text: str) -> tuple[MessageLine, ...]:
    """Read markdown as people and agents write it; code blocks, tables and quotations are left out."""
    lines: list[MessageLine] = []
    section: Label | None = None
    is_section_of_list = False
    previous_blank = True
    for raw in _list_prose(text):
        if not raw.strip():
            previous_blank = True
            continue
        if heading := _HEADING.match(raw):
            section, is_section_of_list, previous_blank = _find_label(_plain(heading.group(1))), False, True
            continue
        item = _ITEM.match(raw)
        if is_section_of_list and previous_blank and item is None:
            section, is_section_of_list = None, False
        line, opened = _parse_line(raw, item, section)
        if opened is not None:
            section, is_section_of_list = opened, True
        elif lines and item is None and not previous_blank and _continues(lines[-1]):
            lines[-1] = MessageLine(
                f"{lines[-1].text} {line.text}", lines[-1].label, lines[-1].is_item, lines[-1].is_done
            )
        elif line.text:
            lines.append(line)
            is_section_of_list = is_section_of_list or (section is not None and item is not None)
        previous_blank = False
    return tuple(lines)


def list_agent_decisions(lines: Iterable[MessageLine]) -> tuple[str, ...]:
    """List what a report says was decided."""
    return _list_cued(lines, Label.DECISION, AGENT_DECIDES)


def list_agent_rejections(lines: Iterable[MessageLine]) -> tuple[str, ...]:
    """List what a report says was tried or weighed and dropped."""
    return _list_cued(lines, Label.REJECTED, REJECTS)


def list_person_decisions(lines: Iterable[MessageLine]) -> tuple[str, ...]:
    """List the sentences in which a person settles how something is to be; thinking aloud settles nothing."""
    return tuple(text for text in _list_cued(lines, Label.DECISION, PERSON_DECIDES) if not HEDGE.search(text))


def list_person_rejections(lines: Iterable[MessageLine]) -> tuple[str, ...]:
    """List the sentences in which a person sends work back."""
    return _list_cued(lines, Label.REJECTED, PERSON_REJECTS)


def list_open_questions(lines: tuple[MessageLine, ...]) -> tuple[str, ...]:
    """List what a report leaves to the person; a question that points back carries the options before it."""
    found: list[str] = []
    for at, line in enumerate(lines):
        if line.label is Label.QUESTION and line.is_done is not True:
            found.append(line.text)
        elif line.label is not Label.DONE:
            found.extend(_with_options(question, lines[:at]) for question in _list_questions(line.text))
    return _bounded(found)


def list_next_steps(lines: Iterable[MessageLine]) -> tuple[str, ...]:
    """List what a report leaves to do: unticked tasks, what stands under "next", what it says is missing."""
    found: list[str] = []
    for line in lines:
        is_listed = line.label is Label.NEXT and line.is_done is not True
        if is_listed or line.is_done is False:
            found.append(line.text)
        elif line.is_done is None and line.label in {None, Label.OTHER}:
            found.extend(part for part in _telling_sentences(line.text) if LEFT_TO_DO.search(part))
    return _bounded(found)


def find_gist(lines: Iterable[MessageLine]) -> str:
    """Find the first words of a report that say what was done or found."""
    telling = [
        part for line in lines for part in sentences.split_sentences(line.text) if not _HOLLOW.match(part.strip("*_ "))
    ]
    whole = (at for at, part in enumerate(telling) if sentences.count_words(part) >= SENTENCE_WORDS_MIN)
    gist: list[str] = []
    for part in telling[next(whole, 0) :]:
        # A short sentence says little alone, and "Committed as abc:" only announces what comes next.
        is_full = sum(map(len, gist)) >= GIST_CHARS_MIN and not gist[-1].endswith((":", "\uff1a"))
        if is_full:
            break
        gist.append(part)
    return legible.clip(" ".join(gist), GIST_CHARS_MAX)


def _list_prose(text: str) -> Iterator[str]:
    is_fenced = False
    for raw in legible.clean_text(text).split("\n"):
        if _FENCE.match(raw):
            is_fenced = not is_fenced
            yield ""
        elif not is_fenced:
            yield "" if _SKIPPED.match(raw) else raw


def _parse_line(raw: str, item: re.Match[str] | None, section: Label | None) -> tuple[MessageLine, Label | None]:
    """Read one line; the second value is the label of a section that the line opens and is not part of."""
    text = _plain(item.group("text") if item else raw)
    box = item.group("box") if item else None
    is_done = None if box is None else box in "xX"
    labelled = _LABEL.match(text)
    label = _find_label(labelled.group("label")) if labelled else None
    if labelled and label not in {None, Label.OTHER}:
        rest = labelled.group("rest").strip()
        if not rest:
            return MessageLine(""), label
        return MessageLine(_capitalise(rest), label, item is not None, is_done), None
    if text.endswith((":", "\uff1a")) and item is None and section is None:
        return MessageLine(text, None), None
    return MessageLine(text, section, item is not None, is_done), None


def _find_label(text: str) -> Label:
    wanted = legible.squeeze(text).strip(" :\uff1a.!")
    return next((label for label, rule in LABEL_RULES if rule.match(wanted)), Label.OTHER)


def _plain(text: str) -> str:
    return legible.squeeze(_SYMBOL_START.sub("", _EMPHASIS.sub("", text)))


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def _continues(line: MessageLine) -> bool:
    """Tell whether the next line belongs to the same paragraph: a long line without a stop was wrapped."""
    return len(line.text) >= _SOFT_WRAP_CHARS_MIN and not line.text.endswith(
        (".", "!", "?", ":", "。", "\uff01", "\uff1f")
    )


def _list_cued(lines: Iterable[MessageLine], label: Label, cue: re.Pattern[str]) -> tuple[str, ...]:
    found: list[str] = []
    for line in lines:
        if line.label is label:
            found.append(line.text)
        else:
            found.extend(part for part in _telling_sentences(line.text) if cue.search(part))
    return _bounded(found)


def _telling_sentences(text: str) -> tuple[str, ...]:
    return tuple(
        part
        for part in sentences.split_sentences(text)
        if not _QUESTION.search(part)
        and not part.endswith((":", "\uff1a"))
        and sentences.count_words(part) >= SENTENCE_WORDS_MIN
        and len(part) <= STATEMENT_CHARS_MAX
    )


def _list_questions(text: str) -> Iterator[str]:
    parts = sentences.split_sentences(text)
    for at, part in enumerate(parts):
        follows = parts[at + 1] if at + 1 < len(parts) else ""
        is_question = bool(_QUESTION.search(part)) and not _ANSWERED_AT_ONCE.match(follows)
        asks = is_question and sentences.count_words(part) >= QUESTION_WORDS_MIN and not COURTESY.search(part)
        if asks or LEAVES_OPEN.search(part):
            yield part


def _with_options(question: str, before: tuple[MessageLine, ...]) -> str:
    if not _REFERS_BACK.search(question):
        return question
    options: list[str] = []
    for line in reversed(before):
        if not line.is_item or len(options) == OPTIONS_MAX:
            break
        options.insert(0, legible.clip(line.text, OPTION_CHARS_MAX))
    # "Option A: …" above a block of code is no list item, and other text may stand between.
    named = [legible.clip(line.text, OPTION_CHARS_MAX) for line in before if _OPTION.match(line.text)]
    options = named[-OPTIONS_MAX:] or options
    return f"{question} ({'; '.join(options)})" if options else question


def _bounded(found: Iterable[str]) -> tuple[str, ...]:
    """Keep each statement once and within its bound."""
    kept: dict[str, str] = {}
    for text in found:
        shown = legible.clip(legible.squeeze(text), STATEMENT_CHARS_MAX)
        if key := sentences.normalise_key(shown):
            kept.setdefault(key, shown)
    return tuple(kept.values())
