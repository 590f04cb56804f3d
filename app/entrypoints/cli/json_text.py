"""Edits JSON text in place: what an edit does not name keeps its bytes, order and layout.

The text is valid JSON before and after; re-writing the whole file would reformat what others wrote.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.agents.agent import ConfigEdit, EditAction

_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\r\n]*")
_FIRST_INDENT = re.compile(r"\n([ \t]+)\S")
_TIGHT_COLON = re.compile(r'":\S')
_LOOSE_COLON = re.compile(r'":\s')
_DEFAULT_INDENT = "  "


@dataclass(frozen=True, slots=True)
class _Entry:
    """One member or item of a container, by its positions in the text; `start` is the key's or the value's."""

    key: str | int
    start: int
    value_start: int
    value_end: int


@dataclass(frozen=True, slots=True)
class _Container:
    """An object or a list in the text, from its opening to its closing bracket."""

    start: int
    entries: tuple[_Entry, ...]
    end: int


def parse_json(text: str) -> object:
    """Read a whole file's text; blank text counts as an empty object.

    Raises:
        ValueError: the text is no JSON, or nested too deeply.
    """
    try:
        return json.loads(text) if text.strip() else {}
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def apply_edits(text: str, edits: Iterable[ConfigEdit]) -> str:
    """Apply edits one after the other to a valid text."""
    for edit in edits:
        text = _apply_edit(text if text.strip() else "{}\n", edit)
    return text


def _apply_edit(text: str, edit: ConfigEdit) -> str:
    match edit.action:
        case EditAction.APPEND:
            container = _find_container(text, edit.keys)
            return _insert(text, container, "", edit.value)
        case EditAction.REMOVE:
            return _remove(text, _find_container(text, edit.keys[:-1]), edit.keys[-1])
        case EditAction.SET:
            container = _find_container(text, edit.keys[:-1])
            entry = _pick(container, edit.keys[-1])
            if entry is None:
                return _insert(text, container, json.dumps(edit.keys[-1], ensure_ascii=False), edit.value)
            indent = _find_indent(text, container)
            shown = _render(text, edit.value, indent, is_tight=indent is None and _is_tight(text))
            return text[: entry.value_start] + shown + text[entry.value_end :]


def _find_container(text: str, keys: Sequence[str | int]) -> _Container:
    container = _read_container(text, _skip_blanks(text, 0))
    for key in keys:
        entry = _pick(container, key)
        if entry is None:
            raise KeyError(key)
        container = _read_container(text, entry.value_start)
    return container


def _read_container(text: str, start: int) -> _Container:
    entries: list[_Entry] = []
    position = _skip_blanks(text, start + 1)
    while text[position] not in "}]":
        entry_start, key = position, len(entries)
        if text[start] == "{":
            key, position = _DECODER.raw_decode(text, position)
            position = _skip_blanks(text, _skip_blanks(text, position) + 1)
        _value, value_end = _DECODER.raw_decode(text, position)
        entries.append(_Entry(key, entry_start, position, value_end))
        position = _skip_blanks(text, value_end)
        if text[position] == ",":
            position = _skip_blanks(text, position + 1)
    return _Container(start, tuple(entries), position)


def _pick(container: _Container, key: str | int) -> _Entry | None:
    """Find an entry; of a repeated key every reader of JSON takes the last."""
    return next((entry for entry in reversed(container.entries) if entry.key == key), None)


def _insert(text: str, container: _Container, key: str, value: object) -> str:
    """Put an entry behind the last one, laid out as that one is."""
    indent = _find_indent(text, container)
    is_tight = indent is None and _is_tight(text)
    member = f"{key}{':' if is_tight else ': '}" if key else ""
    shown = member + _render(text, value, indent, is_tight=is_tight)
    newline = _find_newline(text)
    if container.entries:
        gap = newline + indent if indent is not None else "" if is_tight else " "
        end = container.entries[-1].value_end
        return f"{text[:end]},{gap}{shown}{text[end:]}"
    if indent is not None:
        shown = f"{newline}{indent}{shown}{newline}{indent.removesuffix(_find_unit(text))}"
    return text[: container.start + 1] + shown + text[container.end :]


def _remove(text: str, container: _Container, key: str | int) -> str:
    entry = _pick(container, key)
    if entry is None:
        raise KeyError(key)
    position = container.entries.index(entry)
    if len(container.entries) == 1:
        return text[: container.start + 1] + text[container.end :]
    if position == 0:
        return text[: entry.start] + text[container.entries[1].start :]
    return text[: container.entries[position - 1].value_end] + text[entry.value_end :]


def _find_indent(text: str, container: _Container) -> str | None:
    """Find the white space before each entry of a container; none if its entries share a line."""
    if container.entries:
        last = container.entries[-1]
        before = container.entries[-2].value_end if len(container.entries) > 1 else container.start + 1
        gap = text[before : last.start]
        return gap.rpartition("\n")[2].lstrip(",") if "\n" in gap else None
    # A file on one line stays on one line, unless it is empty.
    if "\n" not in text.strip() and container.start > _skip_blanks(text, 0):
        return None
    line = text[: container.start].rpartition("\n")[2]
    return line[: len(line) - len(line.lstrip())].lstrip("\ufeff") + _find_unit(text)


def _render(text: str, value: object, indent: str | None, *, is_tight: bool) -> str:
    if indent is None:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":") if is_tight else None)
    shown = json.dumps(value, ensure_ascii=False, indent=_find_unit(text))
    return shown.replace("\n", _find_newline(text) + indent)


def _is_tight(text: str) -> bool:
    """Tell whether a file on one line has no blanks after its colons, as in `{"a":1,"b":2}`."""
    return _TIGHT_COLON.search(text) is not None and _LOOSE_COLON.search(text) is None


def _find_unit(text: str) -> str:
    found = _FIRST_INDENT.search(text)
    return found.group(1) if found else _DEFAULT_INDENT


def _find_newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _skip_blanks(text: str, position: int) -> int:
    match = _BLANKS.match(text, position)
    return match.end() if match else position
