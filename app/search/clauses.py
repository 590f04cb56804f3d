"""What of a question is no text: `kind:decision`, `since:2026-05-01`, `-draft`; all else is literal, whatever it is."""

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

from app.domain.limits import CLAUSES_MAX
from app.domain.page import PageKind
from app.index import folding

# Left to right, whatever comes first: a clause, an exclusion, or a phrase, within which neither means anything. To be
# excluded, a word has three letters at least, so that the switches of a command (`rm -rf`) stay text, or two characters
# of a script without blanks.
_CLAUSE = r'(?P<name>path|kind|tag|agent|by|since|until|as-of|project|is):(?:"(?P<quoted>[^"]+)"|(?P<value>\S+))'
_WITHOUT = rf'-(?:"(?P<phrase>[^"]+)"|(?P<word>[^\W\d_]{{3,}}|[{folding.UNSPACED}]{{2,}}))(?!\S)'
_SIGNS = re.compile(rf'(?<!\S)(?:{_CLAUSE}|{_WITHOUT})|"[^"]+"|\u201c[^\u201c\u201d]+\u201d', re.IGNORECASE)
_PERIODS = {"d": 1, "w": 7, "m": 30, "y": 365}
_AGO = re.compile(r"(\d{1,4})([dwmy])")


class PageState(StrEnum):
    """What `is:` asks for."""

    SUPERSEDED = "superseded"
    PINNED = "pinned"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Clauses:
    """A question without its clauses, and what they ask; `said` are those that were understood, as they were typed.

    `text` is what is looked for; `typed` has beside that what is left out, `without`, where it stood.

    `since` is inclusive, `until` exclusive; `as_of` is the end of the moment at which things are looked at.
    """

    text: str
    typed: str = ""
    without: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    kinds: tuple[PageKind, ...] = ()
    tags: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    states: tuple[PageState, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    said: tuple[str, ...] = ()


def parse_clauses(text: str, now: datetime | None = None) -> Clauses:
    """Take the clauses out of any text; what cannot be understood stays in it. `now` is what `since:7d` counts from."""
    found = Clauses("")
    kept: list[str] = []
    typed: list[str] = []
    end = 0
    for match in _SIGNS.finditer(text):
        if len(found.said) + len(found.without) >= CLAUSES_MAX:
            break
        told = _read(found, match, now)
        # What begins a text with a hyphen is a switch or a literal.
        if told is None or not (match["name"] or text[: match.start()].strip()):
            continue
        before = text[end : match.start()]
        kept.append(before if match["name"] else before.rstrip())
        typed.append(before if match["name"] else text[end : match.end()])
        found, end = told, match.end()
    found = replace(found, text="".join((*kept, text[end:])), typed="".join((*typed, text[end:])))
    # An exclusion alone leaves nothing to look for; beside a filter, it is one more.
    is_whole = found.text.strip() or found.said or not found.without
    return found if is_whole else replace(found, text=found.typed, without=())


def _read(found: Clauses, match: re.Match[str], now: datetime | None) -> Clauses | None:
    """Read a clause or an exclusion; None for what is text."""
    if match["name"]:
        told = _add(found, match["name"].lower(), match["quoted"] or match["value"], now)
        return told and replace(told, said=(*found.said, match[0]))
    excluded = match["phrase"] or match["word"]
    return replace(found, without=tuple(dict.fromkeys((*found.without, excluded)))) if excluded else None


def parse_moment(text: str, now: datetime | None = None, *, is_end: bool = False) -> datetime | None:
    """Read a day, a month, a year, a moment or a time that has passed (`7d`); `is_end` takes the end of a period."""
    ago = _AGO.fullmatch(text.lower())
    if ago:
        return None if now is None else _go_back(now, int(ago[1]) * _PERIODS[ago[2]])
    for length, form in ((4, "%Y"), (7, "%Y-%m"), (10, "%Y-%m-%d")):
        if len(text) == length:
            try:
                start = datetime.strptime(text, form).replace(tzinfo=UTC)
            except ValueError:
                return None
            return _end_period(start, length) if is_end else start
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _go_back(now: datetime, days: int) -> datetime | None:
    try:
        return now - timedelta(days=days)
    except OverflowError:
        return None


def _end_period(start: datetime, length: int) -> datetime | None:
    try:
        if length == 4:  # noqa: PLR2004 - a year's digits
            return start.replace(year=start.year + 1)
        if length == 7:  # noqa: PLR2004 - a month's, with its year
            first = date(start.year + start.month // 12, start.month % 12 + 1, 1)
            return datetime(first.year, first.month, 1, tzinfo=UTC)
        return start + timedelta(days=1)
    except (ValueError, OverflowError):
        return None


def _add(found: Clauses, name: str, value: str, now: datetime | None) -> Clauses | None:
    """Add one clause; None if its value means nothing."""
    added: Clauses | None
    match name:
        case "path":
            added = replace(found, paths=(*found.paths, value))
        case "tag":
            added = replace(found, tags=(*found.tags, value))
        case "agent":
            added = replace(found, agents=(*found.agents, value))
        case "by":
            added = replace(found, authors=(*found.authors, value))
        case "project":
            added = replace(found, projects=(*found.projects, value))
        case "kind" | "is":
            added = _add_word(found, name, value.lower())
        case _:
            added = _add_moment(found, name, parse_moment(value, now, is_end=name != "since"))
    return added


def _add_moment(found: Clauses, name: str, moment: datetime | None) -> Clauses | None:
    if moment is None:
        return None
    if name == "since":
        return replace(found, since=moment)
    return replace(found, until=moment) if name == "until" else replace(found, as_of=moment)


def _add_word(found: Clauses, name: str, value: str) -> Clauses | None:
    try:
        if name == "kind":
            return replace(found, kinds=(*found.kinds, PageKind(value)))
        return replace(found, states=(*found.states, PageState(value)))
    except ValueError:
        return None
