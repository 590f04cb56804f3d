"""How pages word and mark things: moments and ages, sizes, titles with code in them, and what was left out."""

import re
from datetime import datetime
from typing import Final

from markupsafe import Markup, escape

from app.domain import legible
from app.domain.redact_rules import PLACEHOLDER

_REDACTED: Final = re.compile(f"({PLACEHOLDER})")
_CODE_SPAN: Final = re.compile(r"`([^\s`](?:[^`]*[^\s`])?)`")
# Asterisks beside a word are code, such as `2**3` or `f(**more)`.
_STRONG_SPAN: Final = re.compile(r"(?<![\w*])\*\*(?=[^\s*])([^*\n]{1,300})(?<!\s)\*\*(?![\w*])")
_STRONG: Final = Markup("<strong>{}</strong>")
_CODE: Final = Markup("<code>{}</code>")
_MARK: Final = Markup("<mark>{}</mark>")
_LEFT_OUT: Final = Markup('<span class="redacted" title="left out before it was stored">{}</span>')
_MOMENT: Final = Markup('<time datetime="{}" title="{} UTC" data-shows="{}">{}</time>')
_STEP: Final = 1000


def render_moment(moment: datetime | None) -> Markup:
    """Write a moment for people: the day and minute in UTC, exact to the second for machines."""
    return _render_time(moment, "moment", moment.strftime("%d %b %Y, %H:%M")) if moment else Markup("")


def render_clock(moment: datetime) -> Markup:
    """Write a moment of a day that is known: its hour and minute."""
    return _render_time(moment, "clock", moment.strftime("%H:%M"))


def render_age(moment: datetime | None, now: datetime) -> Markup:
    """Write how long ago a moment is, with the moment itself behind it."""
    return _render_time(moment, "age", tell_since(moment, now)) if moment else Markup("")


def tell_since(moment: datetime, now: datetime) -> str:
    """Say in words how long ago a moment is, the longer ago the rougher."""
    minutes = int((now - moment).total_seconds() // 60)
    if minutes < 1:
        return "just now"
    for name, length, most in (("minute", 1, 60), ("hour", 60, 24 * 60)):
        if minutes < most:
            return f"{count_of(minutes // length, name)} ago"
    return tell_age(moment, now)


def tell_age(moment: datetime, now: datetime) -> str:
    """Say in words how many days lie between, the longer ago the rougher."""
    days = max(0, (now.date() - moment.date()).days)
    for name, length in (("year", 365), ("month", 30)):
        if days >= 2 * length:
            return f"{days // length} {name}s ago"
    return ("today", "yesterday")[days] if days < 2 else f"{days} days ago"  # noqa: PLR2004 - both have a word


def count_of(number: int, noun: str) -> str:
    """Count things: `1 page`, `2 pages`, `1,200 pages`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def tell_size(size_bytes: int) -> str:
    """Say how large something is: `812 bytes`, `2.7 MB`."""
    amount = float(size_bytes)
    for unit in ("bytes", "kB", "MB", "GB"):
        if amount < _STEP:
            return f"{amount:.0f} {unit}" if unit == "bytes" or amount >= 100 else f"{amount:.1f} {unit}"  # noqa: PLR2004 - three digits say enough
        amount /= _STEP
    return f"{amount:,.1f} TB"


def render_inline(text: str) -> Markup:
    """Escape a text, set code and strong words in it as such, and mark what was left out of it."""
    parts = legible.close_code(text).split("`")
    if len(parts) % 2 == 0:
        return _mark_strong(text)
    return Markup("").join(_CODE.format(p) if i % 2 else _mark_strong(p) for i, p in enumerate(parts))


def tell_plainly(text: str) -> str:
    """Write a text where nothing can be set as code or strong, such as a window's title: without the marks of both."""
    parts = legible.close_code(text).split("`")
    if len(parts) % 2 == 0:
        return _STRONG_SPAN.sub(r"\1", text)
    return "".join(p if i % 2 else _STRONG_SPAN.sub(r"\1", p) for i, p in enumerate(parts))


def _mark_strong(text: str) -> Markup:
    parts = _STRONG_SPAN.split(text)
    return Markup("").join(_STRONG.format(mark_redacted(p)) if i % 2 else mark_redacted(p) for i, p in enumerate(parts))


def mark_redacted(text: str) -> Markup:
    """Escape a text and mark the places from which a secret was taken before it was stored."""
    if "[redacted:" not in text:
        return escape(text)
    parts = _REDACTED.split(text)
    return Markup("").join(_LEFT_OUT.format(p) if i % 2 else escape(p) for i, p in enumerate(parts))


def cut_line(text: str, length: int = 110) -> str:
    """Take the first line of a text, cut at a word where it is long."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= length else line[:length].rsplit(" ", 1)[0] + "…"


def mark_snippet(text: str, spans: object) -> Markup:
    """Mark the spans of a text that matched, as `mark_spans` does, and set what stands between backticks as code.

    A snippet may begin or end within code, so that a backtick opens code only before a word and closes it behind one.
    """
    found = sorted((int(start), int(end)) for start, end in spans) if isinstance(spans, list | tuple) else []
    out, at = Markup(""), 0
    for code in _CODE_SPAN.finditer(text):
        out += _mark_part(text, found, at, code.start()) + _CODE.format(_mark_part(text, found, *code.span(1)))
        at = code.end()
    return out + _mark_part(text, found, at, len(text))


def _mark_part(text: str, spans: list[tuple[int, int]], first: int, last: int) -> Markup:
    within = [(max(start, first) - first, min(end, last) - first) for start, end in spans]
    return mark_spans(text[first:last], [(start, end) for start, end in within if start < end])


def mark_spans(text: str, spans: object) -> Markup:
    """Escape a text and mark the spans of it that matched; a span is (start, end) in characters."""
    out, at = Markup(""), 0
    for start, end in spans if isinstance(spans, list | tuple) else ():
        out += text[at:start] + _MARK.format(text[start:end])
        at = end
    return out + text[at:]


def _render_time(moment: datetime, shows: str, said: str) -> Markup:
    exact = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    return _MOMENT.format(exact, moment.strftime("%d %b %Y, %H:%M:%S"), shows, said)
