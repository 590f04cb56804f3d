"""Writes the hook output by which agents take context at a session's start, within what each of them keeps of it."""

import json
from collections.abc import Callable

from app.agents import bounds
from app.domain.fence import BRIEF_CLOSE
from app.domain.limits import BRIEF_CHARS_MAX

_NOTICE = "[cut here; search the memory for the rest]"


def render_context(event_name: str, text: str, *, in_bytes: bool = False) -> str:
    """Write Claude Code's form: one object, at most `BRIEF_CHARS_MAX` characters, or bytes, in all."""
    return render_wrapped(
        lambda fitted: {"hookSpecificOutput": {"hookEventName": event_name, "additionalContext": fitted}},
        text,
        in_bytes=in_bytes,
    )


def render_top_level(text: str) -> str:
    """Write Copilot's form: one object with nothing but the context."""
    return render_wrapped(lambda fitted: {"additionalContext": fitted}, text)


def render_plain(text: str) -> str:
    """Write the text alone, for plug-ins that hand it on themselves."""
    return bounds.fit_lines(text, BRIEF_CHARS_MAX, closing=BRIEF_CLOSE, notice=_NOTICE) if text else ""


def render_wrapped(wrap: Callable[[str], dict[str, object]], text: str, *, in_bytes: bool = False) -> str:
    """Write an object around a text; what is too long is cut at a line."""
    if not text:
        return ""
    room = BRIEF_CHARS_MAX - len(json.dumps(wrap("")))
    fitted = bounds.fit_lines(text, room, closing=BRIEF_CLOSE, notice=_NOTICE, in_bytes=in_bytes)
    return json.dumps(wrap(fitted), ensure_ascii=False)
