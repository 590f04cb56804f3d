"""Remove secrets from text; the only maker of `Redacted`, the only free text that state and wiki accept.

What counts as a secret is data in `redact_rules.py`, and `redact_engine.py` finds it. One pass of a `google-re2` set
over a text tells which rules can match; only those run, in `re`, which the hook client has as well, so that client and
server redact alike.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NewType

import re2

from app.domain import redact_engine
from app.domain.event import Event, FileTouch, TodoItem, ToolCall
from app.domain.redact_engine import Engine
from app.domain.redact_rules import MARKS, NAMED, PLACEHOLDER, RULES

Redacted = NewType("Redacted", str)
RedactedEvent = NewType("RedactedEvent", Event)

_GATE_BYTES_MAX = 64 * 1024 * 1024


def redact_text(text: str) -> Redacted:
    """Replace every secret by a placeholder that names its class."""
    return Redacted(_ENGINE.redact(text, _find_firing))


def redact_event(event: Event) -> RedactedEvent:
    """Redact every text that an event carries; one look at all of them together if none has a secret."""
    joined = "\n".join(_list_texts(event))
    if redact_text(joined) == joined:
        return RedactedEvent(event)
    return RedactedEvent(
        replace(
            event,
            native_name=redact_text(event.native_name),
            agent_session_id=redact_text(event.agent_session_id),
            cwd=redact_text(event.cwd),
            text=redact_text(event.text),
            reason=redact_text(event.reason),
            native_id=redact_text(event.native_id),
            tool=None if event.tool is None else _redact_tool(event.tool),
            extra=tuple(_redact_field(name, value) for name, value in event.extra),
        )
    )


def strip_private(text: str) -> str:
    """Put `[private]` in place of every `<private>` block; one that is never closed reaches to the end."""
    return redact_engine.strip_private(text) if "<" in text else text


def restore_text(stored: str) -> Redacted:
    """Take back text that was redacted before state or wiki stored it."""
    return Redacted(stored)


def restore_event(event: Event) -> RedactedEvent:
    """Take back an event that was redacted before state stored it."""
    return RedactedEvent(event)


def _list_texts(event: Event) -> Iterator[str]:
    yield from (event.native_name, event.agent_session_id, event.cwd, event.text, event.reason, event.native_id)
    for name, value in event.extra:
        yield f'"{name}": {value}'
    if event.tool is None:
        return
    yield from (event.tool.name, event.tool.command, event.tool.input_text, event.tool.output_text)
    yield from (touch.path for touch in event.tool.files)
    yield from (item.text for item in event.tool.todos)


def _redact_tool(tool: ToolCall) -> ToolCall:
    return replace(
        tool,
        name=redact_text(tool.name),
        command=redact_text(tool.command),
        files=tuple(FileTouch(redact_text(touch.path), touch.change) for touch in tool.files),
        todos=tuple(TodoItem(redact_text(item.text), item.is_done) for item in tool.todos),
        input_text=redact_text(tool.input_text),
        output_text=redact_text(tool.output_text),
    )


def _redact_field(name: str, value: str) -> tuple[str, str]:
    """Redact a field whose name alone may say that its JSON value is a secret."""
    kind = _ENGINE.classify_field(name, value.strip('"'))
    return redact_text(name), f'"[redacted:{kind}]"' if kind else redact_text(value)


def _build_gate() -> re2.Set:
    """Build the set; its last members are what may be base64 and the marks, which hide what the others look for."""
    options = re2.Options()
    options.max_mem = _GATE_BYTES_MAX
    options.log_errors = False
    gate = re2.Set.SearchSet(options)
    for rule in RULES:
        gate.Add(rule.pattern)
    gate.Add(redact_engine.ENCODED_HINT)
    gate.Add(MARKS)
    gate.Compile()
    return gate


_ENGINE = Engine(MARKS, PLACEHOLDER, RULES, NAMED)
_GATE = _build_gate()
_MARKS_RANK = len(RULES) + 1


def _find_firing(text: str) -> Sequence[int]:
    found = _match_gate(text)
    if _MARKS_RANK in found:
        found = [rank for rank in _match_gate(_ENGINE.strip_marks(text)) if rank != _MARKS_RANK]
    return sorted(found)


def _match_gate(text: str) -> Sequence[int]:
    # A lone surrogate has no UTF-8 form; no rule asks for one.
    return _GATE.Match(text.encode("utf-8", "replace")) or ()
