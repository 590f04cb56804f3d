"""Cursors: where the next page of an answer begins, as a word that belongs to one question."""

import base64
import binascii
import hashlib
import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.domain.limits import CURSOR_CHARS_MAX
from app.domain.scope import Scope
from app.domain.search_errors import CursorRejected
from app.index.entries import Place

_MARK_CHARS: Final = 12
# A number that SQLite can hold, and a time with its zone.
_PLACE: Final = re.compile(r"(\S+\+00:00) (\d{1,18}) ([^:/ ]+)/([^:/ ]+):(.+)", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last hit that was shown and how many came before the next; found again by its name, else by the count."""

    shown: int
    last: str


def render_cursor(cursor: Cursor, question: str) -> str:
    """Write a cursor for a question."""
    told = json.dumps([_mark(question), cursor.shown, cursor.last], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(told.encode()).decode().rstrip("=")


def parse_cursor(text: str, question: str) -> Cursor:
    """Read a cursor.

    Raises:
        CursorRejected: it is none of ours, or belongs to another question.
    """
    try:
        if len(text) > CURSOR_CHARS_MAX:
            raise CursorRejected
        mark, shown, last = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, TypeError, binascii.Error, RecursionError) as error:
        raise CursorRejected from error
    is_ours = mark == _mark(question) and type(shown) is int and shown >= 0 and isinstance(last, str)
    if not is_ours:
        raise CursorRejected
    return Cursor(shown, last)


def render_place(place: Place) -> str:
    """Write the place of a listed hit, so that it can be gone on from even if that page changes or goes."""
    return f"{place.updated_at.isoformat()} {place.observation} {place.scope}:{place.path}"


def parse_place(text: str) -> Place:
    """Read a place.

    Raises:
        CursorRejected: it is none of ours.
    """
    found = _PLACE.fullmatch(text)
    if found is None:
        raise CursorRejected
    try:
        # Half a surrogate pair cannot be asked for.
        text.encode("utf-8")
        moment, said, workspace, project, path = found.groups()
        return Place(datetime.fromisoformat(moment), Scope(workspace, project), path, int(said))
    except ValueError as error:
        raise CursorRejected from error


def _mark(question: str) -> str:
    return hashlib.sha256(question.encode("utf-8", "replace")).hexdigest()[:_MARK_CHARS]
