"""Keeps texts from agents within their bounds and free of what no store can hold.

Secrets are looked for after the cut, so a cut falls on white space where some is near: half a token is harder
to recognise than a whole one.
"""

import json
import re
import unicodedata

_CUT_SLACK_CHARS = 256
_JOINERS = "\u200d\ufe0e\ufe0f"
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_ESCAPE_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)")


def clean_text(text: str) -> str:
    """Replace lone surrogates and NUL, which neither UTF-8 nor every database can hold."""
    if text.isascii() and "\x00" not in text:
        return text
    return _UNSTORABLE.sub("\ufffd", text)


def strip_escapes(text: str) -> str:
    """Remove a terminal's colour and title sequences, which hide words from search and secrets from redaction."""
    return _ESCAPE_SEQUENCE.sub("", text) if "\x1b" in text else text


def cut_text(text: str, bytes_max: int) -> str:
    """Keep the head and the tail of a long text with a visible mark between; the result is within the bound.

    The bound counts bytes of UTF-8; the cut falls between characters, and between words where some are near.
    """
    if len(text) <= bytes_max and (text.isascii() or _count_bytes(text) <= bytes_max):
        return text
    room = bytes_max - _count_bytes(_render_mark(len(text)))
    if room <= 0:
        return _take_head(text, bytes_max)
    head_end = _find_break(text, len(_take_head(text, room * 2 // 3)))
    tail_start = _find_resume(text, len(text) - len(_take_tail(text, room - room * 2 // 3)))
    return text[:head_end] + _render_mark(tail_start - head_end) + text[tail_start:]


def cut_line(text: str, chars_max: int) -> str:
    """Keep the head of a long single value, with an ellipsis in place of the rest."""
    return text if len(text) <= chars_max else text[: chars_max - 1] + "…"


def render_json(value: object) -> str:
    """Write any parsed JSON value as text; one that is nested too deeply is only named."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        return "[a value that cannot be written as JSON]"


def fit_lines(text: str, size_max: int, *, closing: str, notice: str, in_bytes: bool = False) -> str:
    """Cut a text at a line so that its JSON form fits, keeping the closing mark and saying that it was cut.

    The bound counts the JSON string without its quotes, since that is what an agent measures: in characters, or in
    bytes of UTF-8 with `in_bytes`.
    """
    if _measure(text, in_bytes=in_bytes) <= size_max:
        return text
    ending = f"\n{notice}\n{closing}" if closing in text else f"\n{notice}"
    room = size_max - _measure(ending, in_bytes=in_bytes)
    kept: list[str] = []
    for line in text.split("\n"):
        room -= _measure(line, in_bytes=in_bytes) + 2
        if room < 0 or closing in line:
            break
        kept.append(line)
    return "\n".join(kept) + ending


def _render_mark(chars: int) -> str:
    return f"\n…[cut {chars} characters]…\n"


def _count_bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def _take_head(text: str, bytes_max: int) -> str:
    head = text[:bytes_max]
    return head if head.isascii() else head.encode("utf-8", "replace")[:bytes_max].decode("utf-8", "ignore")


def _take_tail(text: str, bytes_max: int) -> str:
    tail = text[max(0, len(text) - bytes_max) :]
    encoded = tail.encode("utf-8", "replace")
    return encoded[max(0, len(encoded) - bytes_max) :].decode("utf-8", "ignore")


def _find_break(text: str, end: int) -> int:
    for position in range(end, max(end - _CUT_SLACK_CHARS, 1), -1):
        if text[position - 1].isspace():
            return position - 1
    while end and _is_joined(text, end):
        end -= 1
    return end


def _find_resume(text: str, start: int) -> int:
    for position in range(start, min(start + _CUT_SLACK_CHARS, len(text) - 1)):
        if text[position].isspace():
            return position + 1
    while start < len(text) and _is_joined(text, start):
        start += 1
    return start


def _is_joined(text: str, position: int) -> bool:
    """Tell whether a character shows as one with what stands before it: an accent, a joined emoji."""
    return bool(unicodedata.combining(text[position])) or text[position] in _JOINERS or text[position - 1] == "\u200d"


def _measure(text: str, *, in_bytes: bool) -> int:
    escaped = json.dumps(text, ensure_ascii=False)
    return (len(escaped.encode("utf-8", "replace")) if in_bytes else len(escaped)) - 2
