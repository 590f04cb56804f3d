"""Edits JSON text in place, with or without comments: what an edit does not name keeps its bytes, order and layout.

Comments and trailing commas, as in JSONC, are read as blanks of the same length, so that every position found in
the plain text is one of the original's.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.agents.agent import ConfigEdit, EditAction
from app.entrypoints.cli import edited_values

_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\r\n]*")
_FIRST_INDENT = re.compile(r"\n([ \t]+)[^\s/*]")
_TIGHT_COLON = re.compile(r'":\S')
_LOOSE_COLON = re.compile(r'":\s')
_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_STRING_OR_LAST_COMMA = re.compile(r'"(?:[^"\\\n]|\\.)*"|,(?=[ \t\r\n]*[}\]])', re.DOTALL)
_LINE_REST = re.compile(r"[ \t]*(?:/\*[^\n]*?\*/[ \t]*)*(?://[^\r\n]*)?")
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
    plain = _blank_out(text)
    try:
        return json.loads(plain) if plain.strip() else {}
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def parse_plain_json(text: str) -> object:
    """Read a file that its agent refuses whole over one comment or last comma; blank text counts as an empty object.

    Raises:
        ValueError: the text is no JSON, or it is with comments.
    """
    parsed = parse_json(text)
    if _blank_out(text) != text:
        raise ValueError("its agent reads no file with comments or last commas, so that this one has no effect")
    return parsed


def apply_edits(text: str, edits: Iterable[ConfigEdit]) -> str:
    """Apply edits one after the other to a valid text.

    Raises:
        ValueError: the text is written in a form that must be changed by hand.
    """
    wanted, listed = parse_json(text), list(edits)
    if not _blank_out(text).strip():
        text = f"{text}\n{{}}\n" if text.strip() and not text.endswith("\n") else f"{text}{{}}\n"
    for edit in listed:
        text = _apply_edit(text, edit)
    return edited_values.check(text, parse_json, edited_values.apply_edits(wanted, listed))


def _blank_out(text: str) -> str:
    """Replace comments and trailing commas by blanks; line ends stay."""
    if "/" in text:
        text = _STRING_OR_COMMENT.sub(
            lambda found: found[0] if found[0][0] == '"' else re.sub(r"[^\r\n]", " ", found[0]), text
        )
    return _STRING_OR_LAST_COMMA.sub(lambda found: found[0] if found[0][0] == '"' else " ", text)


def _apply_edit(text: str, edit: ConfigEdit) -> str:
    plain = _blank_out(text)
    match edit.action:
        case EditAction.APPEND:
            container = _find_container(plain, edit.keys)
            return _insert(text, plain, container, "", edit.value)
        case EditAction.REMOVE:
            return _remove(text, plain, _find_container(plain, edit.keys[:-1]), edit.keys[-1])
        case EditAction.SET:
            return _set(text, plain, edit)


def _set(text: str, plain: str, edit: ConfigEdit) -> str:
    container, value = _find_container(plain, ()), edit.value
    for depth, key in enumerate(edit.keys):
        entry = _pick(container, key)
        is_last = depth == len(edit.keys) - 1
        if entry is None:
            for below in reversed(edit.keys[depth + 1 :]):
                value = {below: value}
            return _insert(text, plain, container, json.dumps(key, ensure_ascii=False), value)
        if is_last:
            indent = _find_indent(plain, container)
            shown = _render(plain, value, indent, is_tight=indent is None and _is_tight(plain))
            return text[: entry.value_start] + shown + text[entry.value_end :]
        container = _read_container(plain, entry.value_start)
    return text


def _find_container(plain: str, keys: Sequence[str | int]) -> _Container:
    container = _read_container(plain, _skip_blanks(plain, 0))
    for key in keys:
        entry = _pick(container, key)
        if entry is None:
            raise KeyError(key)
        container = _read_container(plain, entry.value_start)
    return container


def _read_container(plain: str, start: int) -> _Container:
    entries: list[_Entry] = []
    position = _skip_blanks(plain, start + 1)
    while plain[position] not in "}]":
        entry_start, key = position, len(entries)
        if plain[start] == "{":
            key, position = _DECODER.raw_decode(plain, position)
            position = _skip_blanks(plain, _skip_blanks(plain, position) + 1)
        _value, value_end = _DECODER.raw_decode(plain, position)
        entries.append(_Entry(key, entry_start, position, value_end))
        position = _skip_blanks(plain, value_end)
        if plain[position] == ",":
            position = _skip_blanks(plain, position + 1)
    return _Container(start, tuple(entries), position)


def _pick(container: _Container, key: str | int) -> _Entry | None:
    """Find an entry; of a repeated key every reader of JSON takes the last."""
    return next((entry for entry in reversed(container.entries) if entry.key == key), None)


def _insert(text: str, plain: str, container: _Container, key: str, value: object) -> str:
    """Put an entry behind the last one, and behind what is said of that on its line, laid out as that one is."""
    indent = _find_indent(plain, container)
    is_tight = indent is None and _is_tight(plain)
    member = f"{key}{':' if is_tight else ': '}" if key else ""
    shown = member + _render(plain, value, indent, is_tight=is_tight)
    newline = _find_newline(text)
    if container.entries:
        return _insert_behind(text, plain, container, shown, indent)
    inside = text[container.start + 1 : container.end]
    if indent is not None:
        outer = newline + indent.removesuffix(_find_unit(plain))
        if inside.strip():
            return (
                f"{text[: container.start + 1]}{inside.rstrip()}{newline}{indent}{shown}{outer}{text[container.end :]}"
            )
        shown = f"{newline}{indent}{shown}{outer}"
    elif inside.strip():
        shown = f"{inside}{newline}{shown}"
    return text[: container.start + 1] + shown + text[container.end :]


def _insert_behind(text: str, plain: str, container: _Container, shown: str, indent: str | None) -> str:
    end = container.entries[-1].value_end
    newline = _find_newline(text)
    comma_at = _find_comma(text, plain, end, container.end)
    anchor = end if comma_at is None else comma_at + 1
    remark = _LINE_REST.match(text, anchor)
    gap = newline + indent if indent is not None else "" if _is_tight(plain) else " "
    if remark and remark[0].strip():
        anchor = remark.end()
        gap = newline + (indent or "") if "//" in remark[0] else gap
    comma, last = (",", "") if comma_at is None else ("", ",")
    return f"{text[:end]}{comma}{text[end:anchor]}{gap}{shown}{last}{text[anchor:]}"


def _remove(text: str, plain: str, container: _Container, key: str | int) -> str:
    entry = _pick(container, key)
    if entry is None:
        raise KeyError(key)
    at, entries = container.entries.index(entry), container.entries
    if len(entries) == 1:
        start, end = container.start + 1, container.end
    elif at == 0:
        start, end = entry.start, entries[1].start
    else:
        start, end = entries[at - 1].value_end, entry.value_end
    if text[start:end] == plain[start:end]:
        return text[:start] + text[end:]
    return _remove_among_remarks(text, plain, container, at)


def _remove_among_remarks(text: str, plain: str, container: _Container, at: int) -> str:
    """Take one entry and one comma away, with its line where it has one, and leave every remark."""
    entry = container.entries[at]
    start, end = entry.start, entry.value_end
    comma_at = _find_comma(text, plain, end, container.end)
    if comma_at is not None and _LINE_REST.fullmatch(text[end:comma_at]) and "/" not in text[end:comma_at]:
        end, comma_at = comma_at + 1, None
    elif at:
        comma_at = _find_comma(text, plain, container.entries[at - 1].value_end, start)
    line_start = text.rfind("\n", 0, start) + 1
    rest = _LINE_REST.match(text, end)
    if rest and not text[line_start:start].strip() and not rest[0].strip() and text[rest.end() :][:1] in {"\r", "\n"}:
        # The break before the line goes, as it came with the entry.
        start, end = line_start - len(_find_newline(text)), rest.end()
    text = text[:start] + text[end:]
    return text if comma_at is None else text[:comma_at] + text[comma_at + 1 :]


def _find_comma(text: str, plain: str, start: int, end: int) -> int | None:
    """Find the comma between an entry's end and the next entry or bracket; remarks have none."""
    for position in range(start, end):
        if plain[position] == ",":
            return position
        # A last comma is blank in the plain text, as remarks are.
        if text[position] == "," and not _is_in_remark(text, start, position):
            return position
    return None


def _is_in_remark(text: str, start: int, position: int) -> bool:
    return any(found.start() <= position < found.end() for found in _STRING_OR_COMMENT.finditer(text, start))


def _find_indent(plain: str, container: _Container) -> str | None:
    """Find the white space before each entry of a container; none if its entries share a line."""
    if container.entries:
        last = container.entries[-1]
        before = container.entries[-2].value_end if len(container.entries) > 1 else container.start + 1
        gap = plain[before : last.start]
        return gap.rpartition("\n")[2].lstrip(",") if "\n" in gap else None
    # A file on one line stays on one line, unless it is empty.
    if "\n" not in plain.strip() and container.start > _skip_blanks(plain, 0):
        return None
    line = plain[: container.start].rpartition("\n")[2]
    return line[: len(line) - len(line.lstrip())].lstrip("\ufeff") + _find_unit(plain)


def _render(plain: str, value: object, indent: str | None, *, is_tight: bool) -> str:
    if indent is None:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":") if is_tight else None)
    shown = json.dumps(value, ensure_ascii=False, indent=_find_unit(plain))
    return shown.replace("\n", _find_newline(plain) + indent)


def _is_tight(plain: str) -> bool:
    """Tell whether a file on one line has no blanks after its colons, as in `{"a":1,"b":2}`."""
    return _TIGHT_COLON.search(plain) is not None and _LOOSE_COLON.search(plain) is None


def _find_unit(plain: str) -> str:
    found = _FIRST_INDENT.search(plain)
    return found.group(1) if found else _DEFAULT_INDENT


def _find_newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _skip_blanks(plain: str, position: int) -> int:
    match = _BLANKS.match(plain, position)
    return match.end() if match else position
