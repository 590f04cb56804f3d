"""Tells a person's words in a prompt from what the agent's own machinery put there.

Agents send reminders, notifications, command output and recaps through the same event as typed prompts; none of
that may come back as something a person said. Each agent's module names its marks.
"""

import re
from dataclasses import dataclass
from functools import cache

from app.agents import bounds
from app.domain import fence
from app.domain.event import Actor
from app.domain.limits import PROMPT_BYTES_MAX, RECAP_BYTES_MAX, TOOL_TEXT_BYTES_MAX

_NAME_OPEN, _NAME_CLOSE = "<command-name>", "</command-name>"
_ARGS_OPEN, _ARGS_CLOSE = "<command-args>", "</command-args>"
_RECORD_TAGS = frozenset({"command-message", "command-contents"})


@dataclass(frozen=True, slots=True)
class MachineMarks:
    """How one agent's machinery marks what it writes.

    `tags` are names of XML-like blocks, `openings` the first words of whole prompts that no person wrote, `recaps`
    those of what stands for a conversation that was compacted, `idle_commands` slash commands that steer the agent
    itself and say nothing about the work.
    """

    tags: frozenset[str]
    openings: tuple[str, ...]
    recaps: tuple[str, ...]
    idle_commands: frozenset[str]


@dataclass(frozen=True, slots=True)
class PromptWords:
    """The bounded text of a prompt and whose it is."""

    text: str
    actor: Actor
    is_recap: bool = False


def read_prompt(raw: str, marks: MachineMarks) -> PromptWords:
    """Keep the person's words; where there are none, keep a bounded copy of the machine's as the machine's."""
    shown = fence.strip_fence(raw)
    words = _drop_blocks(_unwrap_command(shown), marks.tags).strip()
    is_idle = words in marks.idle_commands or (_NAME_OPEN in shown and words.startswith("/") and " " not in words)
    if words.startswith(marks.recaps):
        return PromptWords(bounds.cut_text(shown.strip(), RECAP_BYTES_MAX), Actor.MACHINE, is_recap=True)
    if not words or is_idle or words.startswith(marks.openings):
        return PromptWords(bounds.cut_text(shown.strip(), TOOL_TEXT_BYTES_MAX), Actor.MACHINE)
    return PromptWords(bounds.cut_text(words, PROMPT_BYTES_MAX), Actor.PERSON)


def _unwrap_command(text: str) -> str:
    """Turn a slash command's record into the line that was typed."""
    before, opened, rest = text.partition(_NAME_OPEN)
    name, closed, after = rest.partition(_NAME_CLOSE)
    if not opened or not closed:
        return text
    start, end = after.find(_ARGS_OPEN), after.rfind(_ARGS_CLOSE)
    arguments = ""
    if 0 <= start < end:
        arguments = after[start + len(_ARGS_OPEN) : end].strip()
        after = after[:start] + after[end + len(_ARGS_CLOSE) :]
    return _drop_blocks(f"{before}{name.strip()} {arguments}{after}", _RECORD_TAGS)


def _drop_blocks(text: str, tags: frozenset[str]) -> str:
    """Remove each marked block; one that is never closed reaches to the end if it opens a line.

    A mark in quotes or back-ticks is somebody writing about it.
    """
    if "<" not in text:
        return text
    closings = {tag: text.count(f"</{tag}>") for tag in tags}
    kept: list[str] = []
    depth = resume = 0
    open_tag = ""
    for mark in _compile_marks(tags).finditer(text):
        tag = mark.group("tag")
        is_closing = mark.group("slash") is not None
        closings[tag] -= is_closing
        if depth == 0:
            if is_closing or (closings[tag] <= 0 and mark.group("line") is None):
                continue
            kept.append(text[resume : mark.start()])
            open_tag, depth, resume = tag, 1, len(text)
        elif tag == open_tag:
            depth += -1 if is_closing else 1
            # Also where blocks of one kind are nested and one of them was cut, nothing after the last is lost.
            resume = mark.end() if is_closing else resume
    return "".join(kept) + text[resume:]


@cache
def _compile_marks(tags: frozenset[str]) -> re.Pattern[str]:
    names = "|".join(sorted(map(re.escape, tags)))
    return re.compile(rf"(?P<line>^[ \t]*)?(?<![`\"'])<(?P<slash>/)?(?P<tag>{names})(?:\s[^<>]*)?>", re.MULTILINE)
