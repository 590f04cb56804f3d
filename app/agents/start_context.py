"""Writes the hook output by which Claude Code and Codex take context at a session's start."""

import json

from app.agents import bounds
from app.domain.fence import BRIEF_CLOSE
from app.domain.limits import BRIEF_CHARS_MAX

_NOTICE = "[cut here; search the memory for the rest]"


def render_context(event_name: str, text: str, *, in_bytes: bool = False) -> str:
    """Write one JSON object of at most `BRIEF_CHARS_MAX` characters, or bytes, in all; longer text is cut at a line."""
    if not text:
        return ""
    room = BRIEF_CHARS_MAX - len(_render_object(event_name, ""))
    return _render_object(
        event_name, bounds.fit_lines(text, room, closing=BRIEF_CLOSE, notice=_NOTICE, in_bytes=in_bytes)
    )


def _render_object(event_name: str, text: str) -> str:
    output = {"hookSpecificOutput": {"hookEventName": event_name, "additionalContext": text}}
    return json.dumps(output, ensure_ascii=False)
