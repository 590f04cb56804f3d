"""The time that a question speaks of: `yesterday`, `two weeks ago`, `in May`; a hint for ranking, never a filter."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from app.search.rank import Period

_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_SHORT: Final = {name[:3]: number for number, name in enumerate(_MONTHS, start=1)}
_NAMES: Final = "|".join((*_MONTHS, *(name for name in _SHORT if name != "may")))
_WORDS: Final = re.compile(r"\b(today|yesterday|(?:last|this|past) (?:week|month|year))\b", re.IGNORECASE)
_UNITS: Final = "day|week|month|year"
_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_AGO: Final = re.compile(rf"\b(\d{{1,4}}|an?|{'|'.join(_NUMBERS)}) ({_UNITS})s? ago\b", re.IGNORECASE)
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY: Final = re.compile(rf"\b(?:last|on) ({'|'.join(_WEEKDAYS)})\b", re.IGNORECASE)
_DAY: Final = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_NAMED_DAY: Final = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)? ({_NAMES})\b\.?(?:,? (\d{{4}}))?", re.IGNORECASE)
_DAY_AFTER_NAME: Final = re.compile(rf"\b({_NAMES})\b\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}}))?", re.IGNORECASE)
_MONTH: Final = re.compile(rf"\b(?:in|during|since|of) ({_NAMES})\b\.?(?: (\d{{4}}))?", re.IGNORECASE)
_YEAR: Final = re.compile(r"\b(?:in|during) (\d{4})\b", re.IGNORECASE)


def find_period(text: str, now: datetime | None) -> Period | None:
    """Find the first time that a text speaks of; words that count from today need `now`."""
    readers: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], datetime | None], Period | None]], ...] = (
        (_DAY, _read_day),
        (_NAMED_DAY, _read_named_day),
        (_DAY_AFTER_NAME, _read_day_after_name),
        (_MONTH, _read_month),
        (_YEAR, _read_year),
        (_WORDS, _read_words),
        (_AGO, _read_ago),
        (_WEEKDAY, _read_weekday),
    )
    for pattern, read in readers:
        match = pattern.search(text)
        if match:
            try:
                found = read(match, now)
            except (ValueError, OverflowError):
                continue
            if found:
                return found
    return None


def _read_day(match: re.Match[str], _: datetime | None) -> Period:
    return _build(datetime(int(match[1]), int(match[2]), int(match[3]), tzinfo=UTC), 1, match[0])


def _read_named_day(match: re.Match[str], now: datetime | None) -> Period | None:
    return _read_parts(match[0], int(match[1]), match[2], match[3], now)


def _read_day_after_name(match: re.Match[str], now: datetime | None) -> Period | None:
    return _read_parts(match[0], int(match[2]), match[1], match[3], now)


def _read_parts(words: str, day: int, name: str, year: str | None, now: datetime | None) -> Period | None:
    month = _SHORT[name[:3].lower()]
    if year is None and now is None:
        return None
    return _build(_pick(int(year) if year else None, month, day, now), 1, words)


def _read_month(match: re.Match[str], now: datetime | None) -> Period | None:
    if match[2] is None and now is None:
        return None
    start = _pick(int(match[2]) if match[2] else None, _SHORT[match[1][:3].lower()], 1, now)
    return Period(start, (start + timedelta(days=31)).replace(day=1), match[0])


def _read_year(match: re.Match[str], _: datetime | None) -> Period:
    start = datetime(int(match[1]), 1, 1, tzinfo=UTC)
    return Period(start, start.replace(year=start.year + 1), match[0])


def _read_words(match: re.Match[str], now: datetime | None) -> Period | None:
    if now is None:
        return None
    today = _find_day(now)
    words = match[0].lower()
    week = today - timedelta(days=today.weekday())
    month = today.replace(day=1)
    year = month.replace(month=1)
    ways: Mapping[str, tuple[datetime, datetime]] = {
        "today": (today, today + timedelta(days=1)),
        "yesterday": (today - timedelta(days=1), today),
        "this week": (week, now + timedelta(days=1)),
        "last week": (week - timedelta(days=7), week),
        "past week": (today - timedelta(days=7), now + timedelta(days=1)),
        "this month": (month, now + timedelta(days=1)),
        "last month": ((month - timedelta(days=1)).replace(day=1), month),
        "past month": (today - timedelta(days=30), now + timedelta(days=1)),
        "this year": (year, now + timedelta(days=1)),
        "last year": (year.replace(year=year.year - 1), year),
        "past year": (today - timedelta(days=365), now + timedelta(days=1)),
    }
    return Period(*ways[words], match[0])


def _read_ago(match: re.Match[str], now: datetime | None) -> Period | None:
    """Read `3 days ago` as that day, and weeks, months and years as the whole ones that began so many before this."""
    if now is None:
        return None
    told, unit = match[1].lower(), match[2].lower()
    count = int(told) if told.isdigit() else _NUMBERS.index(told) + 1 if told in _NUMBERS else 1
    today = _find_day(now)
    if unit == "day":
        return _build(today - timedelta(days=count), 1, match[0])
    if unit == "week":
        return _build(today - timedelta(days=today.weekday() + 7 * count), 7, match[0])
    if unit == "year":
        start = today.replace(month=1, day=1, year=today.year - count)
        return Period(start, start.replace(year=start.year + 1), match[0])
    months = today.year * 12 + today.month - 1 - count
    start = today.replace(year=months // 12, month=months % 12 + 1, day=1)
    return Period(start, (start + timedelta(days=31)).replace(day=1), match[0])


def _read_weekday(match: re.Match[str], now: datetime | None) -> Period | None:
    """Read the latest such day before today."""
    if now is None:
        return None
    today = _find_day(now)
    back = (today.weekday() - _WEEKDAYS.index(match[1].lower()) - 1) % 7 + 1
    return _build(today - timedelta(days=back), 1, match[0])


def _find_day(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def _pick(year: int | None, month: int, day: int, now: datetime | None) -> datetime:
    """Take the latest such day that has begun where the year is not said."""
    if year is not None:
        return datetime(year, month, day, tzinfo=UTC)
    assert now is not None, "the caller looked"
    found = datetime(now.year, month, day, tzinfo=UTC)
    return found if found <= now else found.replace(year=now.year - 1)


def _build(start: datetime, days: int, words: str) -> Period:
    return Period(start, start + timedelta(days=days), words)
