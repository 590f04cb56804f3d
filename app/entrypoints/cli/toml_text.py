"""Adds, replaces and removes tables of a TOML text and keeps every other byte, comments included."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import tomlkit

from app.agents.agent import ConfigEdit, EditAction
from app.entrypoints.cli import edited_values

_HEADER = re.compile(r"^[ \t]*\[")
_LISTED_HEADER = re.compile(r"^[ \t]*\[\[")


def parse_toml(text: str) -> dict[str, object]:
    """Read a whole file's text.

    Raises:
        ValueError: the text is no TOML.
    """
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def apply_edits(text: str, edits: Iterable[ConfigEdit]) -> str:
    """Apply edits one after the other to a valid text.

    A table of ours stands at the text's end, an item of a list of tables behind the list's others.

    Raises:
        ValueError: the text writes a place in a form that must be changed by hand.
    """
    for edit in edits:
        wanted = edited_values.apply_edits(parse_toml(text), [edit])
        text = edited_values.check(_apply_edit(text, edit), parse_toml, wanted)
    return text


def render_table(keys: Sequence[str], table: object) -> str:
    """Write a table with its header, or a list of tables with theirs."""
    nested: object = table
    for key in reversed(keys):
        nested = {key: nested}
    return tomlkit.dumps(nested) if isinstance(nested, Mapping) else ""


def find_table(parsed: Mapping[str, object], keys: Sequence[str]) -> object:
    """Find the value at some keys; none where a part of the way is missing.

    Raises:
        ValueError: a part of the way is no table.
    """
    found: object = parsed
    for key in keys:
        if not isinstance(found, Mapping):
            raise ValueError(f'"{".".join(keys[:-1])}" is no table')  # noqa: TRY004 — one error for unfit content
        found = found.get(key)
        if found is None:
            return None
    return found


def _apply_edit(text: str, edit: ConfigEdit) -> str:
    names = [key for key in edit.keys if isinstance(key, str)]
    place = edit.keys[-1]
    if edit.action is EditAction.REMOVE:
        return _cut_item(text, names, place) if isinstance(place, int) else _cut_tables(text, names)
    if edit.action is EditAction.APPEND:
        return _add_behind(text, render_table(names, [edit.value]))
    if isinstance(place, int):
        return _replace_item(text, names, place, edit.value)
    if isinstance(edit.value, Mapping | list):
        return _add_behind(_cut_tables(text, names), render_table(names, edit.value))
    return _set_plain(text, names, edit.value)


def _set_plain(text: str, names: Sequence[str], value: object) -> str:
    """Set a single value, which at the root has to stand before the first table."""
    document = tomlkit.parse(text)
    found: Mapping[str, object] = document
    for name in names[:-1]:
        below = found.get(name)
        if not isinstance(below, Mapping):
            raise ValueError("a table is missing that must be made by hand")  # noqa: TRY004 — one error for unfit content
        found = below
    if names[:-1] or names[-1] in document:
        found[names[-1]] = value  # type: ignore[index]  # the document's own tables can be changed
        return tomlkit.dumps(document)
    return f"{render_table(names, value)}{text}"


def _add_behind(text: str, block: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    if text and not text.endswith("\n"):
        text += newline
    return text + (newline if text else "") + block.replace("\n", newline)


@dataclass(slots=True)
class _Block:
    """The lines from a header to the next; `tail` has the blank lines and comments behind its last entry."""

    header: str
    lines: list[str]
    tail: list[str]


def _split_blocks(text: str) -> list[_Block]:
    blocks = [_Block("", [], [])]
    for line in text.splitlines(keepends=True):
        block = blocks[-1]
        if _HEADER.match(line):
            blocks.append(_Block(line, [line], []))
        elif line.strip() and not line.lstrip().startswith("#"):
            block.lines += [*block.tail, line]
            block.tail = []
        else:
            block.tail.append(line)
    return blocks


def _join_blocks(blocks: Iterable[_Block]) -> str:
    return "".join(line for block in blocks for line in (*block.lines, *block.tail))


def _cut_tables(text: str, names: Sequence[str]) -> str:
    """Take a table and all below it away, with the blank line before it."""
    blocks = _split_blocks(text)
    end = len(blocks)
    while end:
        start = end
        while start and _is_header_of(blocks[start - 1].header, names):
            start -= 1
        if start < end:
            _cut_range(blocks, start, end)
        end = start - 1 if start == end else start
    return _join_blocks(blocks)


def _cut_item(text: str, names: Sequence[str], index: int) -> str:
    blocks = _split_blocks(text)
    _cut_range(blocks, *_find_item(blocks, names, index))
    return _join_blocks(blocks)


def _replace_item(text: str, names: Sequence[str], index: int, value: object) -> str:
    blocks = _split_blocks(text)
    start, end = _find_item(blocks, names, index)
    newline = "\r\n" if "\r\n" in text else "\n"
    written = render_table(names, [value]).replace("\n", newline)
    blocks[start:end] = [_Block("", [written], blocks[end - 1].tail)]
    return _join_blocks(blocks)


def _find_item(blocks: Sequence[_Block], names: Sequence[str], index: int) -> tuple[int, int]:
    """Find the blocks of one item: its own, and those of the tables below it."""
    starts = [
        at
        for at, block in enumerate(blocks)
        if _LISTED_HEADER.match(block.header) and _is_header_of(block.header, names)
    ]
    starts = [at for at in starts if _is_exact(blocks[at].header, names)]
    if index >= len(starts):
        raise ValueError("the list is written in a form that must be changed by hand")
    start = end = starts[index]
    end += 1
    while end < len(blocks) and _is_header_of(blocks[end].header, names) and end not in starts:
        end += 1
    return start, end


def _cut_range(blocks: list[_Block], start: int, end: int) -> None:
    """Cut blocks out, with the blank line before them; what stood behind their last line belongs to what follows."""
    before = blocks[start - 1]
    if before.tail and not before.tail[-1].strip():
        before.tail.pop()
    before.tail += blocks[end - 1].tail
    del blocks[start:end]


def _is_header_of(line: str, names: Sequence[str]) -> bool:
    return re.match(rf"^[ \t]*\[\[?[ \t]*{_match_names(names)}[ \t]*[.\]]", line) is not None


def _is_exact(line: str, names: Sequence[str]) -> bool:
    return re.match(rf"^[ \t]*\[\[[ \t]*{_match_names(names)}[ \t]*\]\]", line) is not None


def _match_names(names: Sequence[str]) -> str:
    parts = (rf"(?:{re.escape(name)}|\"{re.escape(name)}\"|'{re.escape(name)}')" for name in names)
    return r"[ \t]*\.[ \t]*".join(parts)
