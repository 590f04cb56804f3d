"""Remove secrets from text; the only maker of `Redacted`, the only free text that state and wiki accept.

What counts as a secret is data in `redact_rules.py`. One pass of a `google-re2` set over a text tells which rules can
match; only those run, in `re`, which the hook client has as well, so that client and server redact alike.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from operator import itemgetter
from typing import NewType

import re2

from app.domain.event import Event, FileTouch, TodoItem, ToolCall
from app.domain.redact_rules import MARKS, NAMED, PLACEHOLDER, RULES, Rule

Redacted = NewType("Redacted", str)
RedactedEvent = NewType("RedactedEvent", Event)

# A placeholder can open the way for another rule, so rules run until nothing changes; no real text needs more than two.
_PASSES_MAX = 6

# Longer than any look-alike, so that a hostile text cannot have the same stretch judged again and again.
_LOOKALIKE_CHARS_MAX = 1024

_MARKS = re.compile(MARKS)
_PLACEHOLDER = re.compile(PLACEHOLDER)
_NAMED = tuple(
    (kind, re.compile(name, re.ASCII | re.DOTALL), re.compile(lookalike, re.ASCII | re.DOTALL))
    for kind, name, lookalike in NAMED
)
_PRIVATE_TAG = re.compile(r"<(/?)\s*private\s*>", re.IGNORECASE)


def redact_text(text: str) -> Redacted:
    """Replace every secret by a placeholder that names its class."""
    firing = _find_firing(text)
    if not firing:
        return Redacted(text)
    for _ in range(_PASSES_MAX):
        changed = _apply_rules(text, firing)
        if changed == text:
            break
        text = changed
        firing = _find_firing(text)
    return Redacted(text)


def redact_event(event: Event) -> RedactedEvent:
    """Redact every text that an event carries; one look at all of them together if none has a secret."""
    if not _find_firing("\n".join(_list_texts(event))):
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
    if "private" not in text.lower():
        return text
    kept, depth, start = [], 0, 0
    for tag in _PRIVATE_TAG.finditer(text):
        if tag[1] and depth:
            depth -= 1
            start = tag.end()
        elif not tag[1]:
            if not depth:
                kept += [text[start : tag.start()], "[private]"]
            depth += 1
    return "".join(kept) + ("" if depth else text[start:])


def restore_text(stored: str) -> Redacted:
    """Take back text that was redacted before state or wiki stored it."""
    return Redacted(stored)


def restore_event(event: Event) -> RedactedEvent:
    """Take back an event that was redacted before state stored it."""
    return RedactedEvent(event)


def _list_texts(event: Event) -> Iterable[str]:
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
    bare = value.strip('"')
    for kind, whole_name, lookalike in _NAMED:
        if whole_name.fullmatch(name) and not lookalike.fullmatch(bare) and not _PLACEHOLDER.fullmatch(bare):
            return redact_text(name), f'"[redacted:{kind}]"'
    return redact_text(name), redact_text(value)


@dataclass(frozen=True, slots=True)
class _Span:
    """A stretch of text that a rule holds for a secret; a lower `rank` is a more telling rule."""

    start: int
    end: int
    rank: int


@dataclass(frozen=True, slots=True)
class _Matcher:
    """A rule with its patterns compiled."""

    name: str
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None


@cache
def _compile_rule(rule: Rule) -> _Matcher:
    unless = re.compile(rule.unless, re.ASCII | re.DOTALL) if rule.unless else None
    return _Matcher(rule.name, re.compile(rule.pattern, re.ASCII), unless)


def _build_gate() -> re2.Set:
    """Build the set; its last member is the marks, which hide what the others look for."""
    options = re2.Options()
    options.max_mem = 64 << 20
    options.log_errors = False
    gate = re2.Set.SearchSet(options)
    for rule in RULES:
        gate.Add(rule.pattern)
    gate.Add(MARKS)
    gate.Compile()
    return gate


_GATE = _build_gate()
_MARKS_INDEX = len(RULES)


def _find_firing(text: str) -> list[int]:
    """List the rules that can match, in the order of the set; the marks count as one."""
    found = _GATE.Match(text.encode("utf-8", "replace")) or []
    if _MARKS_INDEX not in found:
        return sorted(found)
    bare = _GATE.Match(_MARKS.sub("", text).encode("utf-8", "replace")) or []
    return sorted(set(bare) - {_MARKS_INDEX})


def _apply_rules(text: str, firing: list[int]) -> str:
    """Replace what the firing rules find; they look at the text without its marks."""
    bare, origins = _strip_marks(text)
    placeholders = [found.span() for found in _PLACEHOLDER.finditer(bare)]
    spans = [
        whole
        for rank in firing
        for found in _find_secrets(_compile_rule(RULES[rank]), bare, rank)
        if (whole := _spare_placeholders(found, bare, placeholders))
    ]
    pieces, done = [], 0
    for span in _merge_spans(spans):
        start, end = _find_origin(origins, span.start), _find_origin(origins, span.end - 1) + 1
        pieces += [text[done:start], f"[redacted:{RULES[span.rank].name}]"]
        done = end
    return "".join(pieces) + text[done:]


def _strip_marks(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Take the marks out; the second value tells where each stretch of what is left begins, there and here."""
    pieces, origins, done, length = [], [], 0, 0
    for mark in _MARKS.finditer(text):
        if mark.start() > done:
            pieces.append(text[done : mark.start()])
            origins.append((length, done))
            length += mark.start() - done
        done = mark.end()
    pieces.append(text[done:])
    origins.append((length, done))
    return "".join(pieces), origins


def _find_origin(origins: list[tuple[int, int]], position: int) -> int:
    bare_start, start = origins[bisect_right(origins, position, key=itemgetter(0)) - 1]
    return start + position - bare_start


def _find_secrets(matcher: _Matcher, text: str, rank: int) -> Iterable[_Span]:
    position = 0
    while found := matcher.pattern.search(text, position):
        start, end = found.span(found.lastindex or 0)
        is_short = end - start <= _LOOKALIKE_CHARS_MAX
        if is_short and matcher.unless and matcher.unless.fullmatch(text, start, end):
            # A look-alike may have a secret in it, so the search goes on at its beginning, not after it.
            position = max(start, found.start() + 1)
            continue
        yield _Span(start, end, rank)
        position = max(end, found.start() + 1)


def _spare_placeholders(span: _Span, text: str, placeholders: list[tuple[int, int]]) -> _Span | None:
    """Widen a span to whole placeholders; there is nothing to redact if it has nothing else in it."""
    touched = [(start, end) for start, end in placeholders if start < span.end and end > span.start]
    if not touched:
        return span
    start, end = min(span.start, touched[0][0]), max(span.end, touched[-1][1])
    rest = _PLACEHOLDER.sub("", text[start:end])
    return _Span(start, end, span.rank) if any(character.isalnum() for character in rest) else None


def _merge_spans(spans: list[_Span]) -> list[_Span]:
    """Join spans that overlap; the most telling rule names the whole."""
    merged: list[_Span] = []
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        if merged and span.start < merged[-1].end:
            last = merged.pop()
            merged.append(_Span(last.start, max(last.end, span.end), min(last.rank, span.rank)))
        else:
            merged.append(span)
    return merged
