"""Read the TOML of a marker file, in the hook client on any Python as well as on the server.

The standard library reads TOML only from 3.11 on, and importing its reader costs more than a marker's few lines do.
Dates are kept as text. The hook client carries a copy of this module, so that it speaks Python 3.8.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from app.domain import limits

_BLANK = re.compile(r"(?:[ \t]|#[^\n]*)*")
_SPACE = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([btnfr"\\])|[ \t]*\n[ \t\n]*)')
_ESCAPED = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}
_STRINGS = (
    re.compile(r'"""\n?((?:[^"\\]|\\[^\0]|""?(?!"))*"{0,2})"""(?!")'),
    re.compile(r"'{3}\n?((?:[^']|''?(?!'))*'{0,2})'{3}(?!')"),
    re.compile(r'"((?:[^"\\\n]|\\.)*)"'),
    re.compile(r"'([^'\n]*)'"),
)
_NUMBER = re.compile(r"[+-]?(?:0x[0-9a-fA-F](?:_?[0-9a-fA-F])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*)(?![\w.:-])")
_DECIMAL = re.compile(
    r"[+-]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?(?![\w.:-])|[+-]?(?:inf|nan)(?![\w.:-])"
)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d[0-9.:+Zz-]*)?(?![\w.:-])|\d\d:\d\d:\d\d[0-9.]*(?![\w.:-])")


class MarkerUnreadable(ValueError):
    """The text is no TOML, or states a thing twice; the message names the line."""


def parse_marker(text: str) -> dict[str, Any]:
    """Read a marker file.

    Raises:
        MarkerUnreadable: the text cannot be read to its end.
    """
    return _Reader(text.lstrip("\ufeff").replace("\r\n", "\n")).read()


class _Reader:
    """A text and how far it has been read."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        # Tables that are complete as they stand: inline ones, and those that had a heading.
        self._closed: set[int] = set()

    def read(self) -> dict[str, Any]:
        root: dict[str, Any] = {}
        table = root
        if _CONTROL.search(self._text):
            raise MarkerUnreadable("a control character stands in it")
        self._skip(_SPACE)
        while self._at < len(self._text):
            if self._take("[["):
                table = self._open_list(root)
            elif self._take("["):
                table = self._open_table(root)
            else:
                self._read_pair(table, 0)
            self._skip(_BLANK)
            if self._at < len(self._text) and not self._take("\n"):
                raise self._fault("the line should end here")
            self._skip(_SPACE)
        return root

    def _open_table(self, root: dict[str, Any]) -> dict[str, Any]:
        keys = self._read_keys("]")
        parent = self._descend(root, keys[:-1], is_heading=True)
        table = parent.setdefault(keys[-1], {})
        if not isinstance(table, dict) or id(table) in self._closed:
            raise self._fault("this is stated twice")
        self._closed.add(id(table))
        return table

    def _open_list(self, root: dict[str, Any]) -> dict[str, Any]:
        keys = self._read_keys("]")
        if not self._take("]"):
            raise self._fault("two brackets should close")
        parent = self._descend(root, keys[:-1], is_heading=True)
        tables = parent.setdefault(keys[-1], [])
        if not isinstance(tables, list) or id(tables) in self._closed:
            raise self._fault("this is stated twice")
        table: dict[str, Any] = {}
        tables.append(table)
        return table

    def _read_pair(self, table: dict[str, Any], depth: int) -> None:
        keys = self._read_keys("=")
        self._skip(_BLANK)
        target = self._descend(table, keys[:-1], is_heading=False)
        if keys[-1] in target:
            raise self._fault("this is stated twice")
        target[keys[-1]] = self._read_value(depth)

    def _descend(self, table: dict[str, Any], keys: list[str], *, is_heading: bool) -> dict[str, Any]:
        for key in keys:
            found = table.setdefault(key, {})
            if is_heading and isinstance(found, list) and found and id(found) not in self._closed:
                found = found[-1]
            if not isinstance(found, dict) or (not is_heading and id(found) in self._closed):
                raise self._fault("this is stated twice")
            table = found
        return table

    def _read_keys(self, end: str) -> list[str]:
        keys = []
        while True:
            self._skip(_BLANK)
            bare = _BARE_KEY.match(self._text, self._at)
            if bare:
                self._at = bare.end()
                keys.append(bare.group(0))
            elif _STRINGS[2].match(self._text, self._at) or _STRINGS[3].match(self._text, self._at):
                keys.append(self._read_string())
            else:
                raise self._fault("a name should stand here")
            self._skip(_BLANK)
            if self._take(end):
                return keys
            if not self._take("."):
                raise self._fault("'%s' should stand here" % end)

    def _read_value(self, depth: int) -> object:
        if depth > limits.MARKER_DEPTH_MAX:
            raise self._fault("this is nested too deep")
        opening = self._text[self._at : self._at + 1]
        if opening and opening in "\"'":
            return self._read_string()
        if self._take("["):
            return self._read_list(depth + 1)
        if self._take("{"):
            return self._read_inline_table(depth + 1)
        for word, value in (("true", True), ("false", False)):
            if re.compile(word + r"(?![\w.:-])").match(self._text, self._at):
                self._at += len(word)
                return value
        for pattern, convert in ((_NUMBER, _to_integer), (_DECIMAL, _to_number), (_MOMENT, str)):
            found = pattern.match(self._text, self._at)
            if found:
                self._at = found.end()
                return convert(found.group(0))
        raise self._fault("no value stands here")

    def _read_string(self) -> str:
        for pattern in _STRINGS:
            found = pattern.match(self._text, self._at)
            if found:
                self._at = found.end()
                return found.group(1) if found.group(0).startswith("'") else self._unescape(found.group(1))
        raise self._fault("a string does not end")

    def _unescape(self, text: str) -> str:
        pieces: list[str] = []
        done = 0
        while True:
            start = text.find("\\", done)
            if start < 0:
                return "".join([*pieces, text[done:]])
            found = _ESCAPE.match(text, start)
            digits = (found.group(1) or found.group(2) or "") if found else ""
            if not found or int(digits or "0", 16) > sys.maxunicode or re.match("(?i)(?:0000)?d[89a-f]", digits):
                raise self._fault("a backslash escapes nothing that is known")
            pieces += [text[done:start], chr(int(digits, 16)) if digits else _ESCAPED.get(found.group(3), "")]
            done = found.end()

    def _read_list(self, depth: int) -> list[object]:
        values: list[object] = []
        while True:
            self._skip(_SPACE)
            if self._take("]"):
                self._closed.add(id(values))
                return values
            values.append(self._read_value(depth))
            self._skip(_SPACE)
            if not self._take(",") and not self._text.startswith("]", self._at):
                raise self._fault("a list does not end")

    def _read_inline_table(self, depth: int) -> dict[str, Any]:
        table: dict[str, Any] = {}
        self._skip(_BLANK)
        while not self._take("}"):
            self._read_pair(table, depth)
            self._skip(_BLANK)
            is_more = self._take(",")
            self._skip(_BLANK)
            if is_more == self._text.startswith("}", self._at):
                raise self._fault("a table does not end")
        self._close(table)
        return table

    def _close(self, value: object) -> None:
        self._closed.add(id(value))
        for item in value.values() if isinstance(value, dict) else ():
            self._close(item)

    def _take(self, mark: str) -> bool:
        is_there = self._text.startswith(mark, self._at)
        self._at += len(mark) if is_there else 0
        return is_there

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _fault(self, reason: str) -> MarkerUnreadable:
        return MarkerUnreadable("line %d: %s" % (self._text.count("\n", 0, self._at) + 1, reason))


def _to_integer(text: str) -> int:
    return int(text, 0)


def _to_number(text: str) -> float:
    return int(text) if re.match(r"[+-]?[\d_]+$", text) else float(text)
