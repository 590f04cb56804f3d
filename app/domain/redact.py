"""Remove secrets from text; the only maker of `Redacted`, the only free text that state and wiki accept.

What counts as a secret is data in `redact_rules.py`, and `redact_engine.py` finds it. The gate tells which rules can
match a text; only those run, in `re`, which the hook client has as well, so that client and server redact alike.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NewType

from app.domain import redact_engine
from app.domain.event import Event, FileTouch, TodoItem, ToolCall
from app.domain.redact_engine import Engine
from app.domain.redact_gate import Gate, Sight
from app.domain.redact_rules import MARKS, NAMED, PLACEHOLDER, RULES

# Tells these rules from those of other releases, as a number that fits into 63 bits.
RULES_MARK: Final = int(hashlib.sha256(repr((MARKS, NAMED, PLACEHOLDER, RULES)).encode()).hexdigest()[:15], 16)

Redacted = NewType("Redacted", str)
RedactedEvent = NewType("RedactedEvent", Event)


def redact_text(text: str) -> Redacted:
    """Replace every secret by a placeholder that names its class."""
    return Redacted(_ENGINE.redact(text, _find_firing))


def redact_event(event: Event) -> RedactedEvent:
    """Redact every text that an event carries; one look at all of them together tells that none can have a secret."""
    # An empty line between two texts, so that none of them looks like the rest of another one's last line.
    if _is_clean("\n\n".join(_list_texts(event))):
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


def redact_named(name: str, value: str) -> Redacted:
    """Redact a value whose name alone may say that it is a secret, as in parsed JSON or YAML."""
    kind = _ENGINE.classify_field(name, value)
    return Redacted(f"[redacted:{kind}]") if kind else redact_text(value)


def list_classes(text: str) -> list[str]:
    """List the classes of the secrets in a text."""
    before = Counter(re.findall(PLACEHOLDER, text))
    return [found[10:-1] for found in Counter(re.findall(PLACEHOLDER, redact_text(text))) - before]


def strip_private(text: str) -> str:
    """Put `[private]` in place of every `<private>` block; one that is never closed reaches to the end."""
    return redact_engine.strip_private(text) if "<" in text else text


def restore_text(stored: str) -> Redacted:
    """Take back text that was redacted before state or wiki stored it."""
    return Redacted(stored)


def restore_event(event: Event) -> RedactedEvent:
    """Take back an event that was redacted before state stored it."""
    return RedactedEvent(event)


def _list_texts(event: Event) -> list[str]:
    texts = [event.native_name, event.agent_session_id, event.cwd, event.text, event.reason, event.native_id]
    for name, value in event.extra:
        texts.append(f'"{name}": {value}')
        texts += _list_escaped(_parse_escaped(value))
    tool = event.tool
    if tool is not None:
        texts += (tool.name, tool.command, tool.input_text, tool.output_text)
        texts += [touch.path for touch in tool.files]
        texts += [text for item in tool.todos for text in (item.text, item.key)]
    return texts


def _redact_tool(tool: ToolCall) -> ToolCall:
    command, given = redact_text(tool.command), redact_text(tool.input_text)
    # A file's name that was read out of a command can be the half of a secret, which nobody knows by itself.
    before, after = f"{tool.command}\n{tool.input_text}", f"{command}\n{given}"
    halves = {touch.path for touch in tool.files if touch.path in before and touch.path not in after}
    return replace(
        tool,
        name=redact_text(tool.name),
        command=command,
        files=tuple(_redact_touch(touch, is_half=touch.path in halves) for touch in tool.files),
        todos=tuple(TodoItem(redact_text(item.text), item.is_done, redact_text(item.key)) for item in tool.todos),
        input_text=given,
        output_text=redact_text(tool.output_text),
    )


def _redact_touch(touch: FileTouch, *, is_half: bool) -> FileTouch:
    path = redact_text(touch.path)
    return FileTouch("[redacted:path]" if is_half and path == touch.path else path, touch.change)


def _redact_field(name: str, value: str) -> tuple[str, str]:
    """Redact a field whose name alone may say that its JSON value is a secret."""
    kind = _ENGINE.classify_field(name, value.strip('"'))
    if kind:
        return redact_text(name), f'"[redacted:{kind}]"'
    parsed = _parse_escaped(value)
    cleaned = _redact_json(parsed)
    return redact_text(name), redact_text(value if cleaned == parsed else json.dumps(cleaned, ensure_ascii=False))


def _parse_escaped(value: str) -> object:
    """Read JSON whose escapes hide what its strings say; what has none or is no JSON, such as a cut one, is None."""
    try:
        return json.loads(value) if "\\" in value else None
    except (ValueError, RecursionError):
        return None


def _list_escaped(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _list_escaped(name)
            yield from _list_escaped(item)
    elif isinstance(value, list):
        for item in value:
            yield from _list_escaped(item)


def _redact_json(value: object, name: str = "") -> object:
    if isinstance(value, str):
        return redact_named(name, value)
    if isinstance(value, dict):
        return {redact_text(key): _redact_json(item, key) for key, item in value.items()}
    return [_redact_json(item, name) for item in value] if isinstance(value, list) else value


_ENGINE = Engine(MARKS, PLACEHOLDER, RULES, NAMED)
_GATE = Gate(RULES, MARKS)


def _is_clean(text: str) -> bool:
    """Tell by one look that no rule can match a text; most texts need no second one."""
    sight = _look(text)
    return not sight.ranks and not (sight.has_folds and any(redact_engine.list_folds(text)))


def _find_firing(text: str) -> Sequence[int]:
    sight = _look(text)
    return [*sight.ranks, len(RULES) + 1] if sight.has_folds else sight.ranks


def _look(text: str) -> Sight:
    sight = _GATE.look(text)
    if not sight.has_marks:
        return sight
    return _GATE.look(_ENGINE.strip_marks(text))._replace(has_folds=sight.has_folds)
