"""Cursors: where the next page of an answer begins, as a word that belongs to one question."""

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass
from typing import Final

from app.domain.limits import CURSOR_CHARS_MAX
from app.domain.search_errors import CursorRejected

_MARK_CHARS: Final = 12


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


def _mark(question: str) -> str:
    return hashlib.sha256(question.encode("utf-8", "replace")).hexdigest()[:_MARK_CHARS]
