"""Adds, replaces and removes entries of a YAML text and keeps every other byte, comments included.

Places are found in the parsed text's marks, so that only whole lines are put in or taken out; a collection in
brackets is changed by hand.
"""

from collections.abc import Iterable, Sequence

import yaml

from app.agents.agent import ConfigEdit, EditAction
from app.entrypoints.cli import edited_values

_UNFIT = "this place is written in a form that must be changed by hand"


def parse_yaml(text: str) -> object:
    """Read a whole file's text; blank text counts as an empty table.

    Raises:
        ValueError: the text is no single YAML document of plain values.
    """
    try:
        parsed = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(" ".join(str(error).split())) from error
    return {} if parsed is None else parsed


def apply_edits(text: str, edits: Iterable[ConfigEdit]) -> str:
    """Apply edits one after the other to a valid text; what is added stands behind the others.

    Raises:
        ValueError: the text writes a place in a form that must be changed by hand.
    """
    for edit in edits:
        wanted = edited_values.apply_edits(parse_yaml(text), [edit])
        text = edited_values.check(_apply_edit(text, edit), parse_yaml, wanted)
    return text


def render_yaml(value: object) -> str:
    """Write a value in lines, keys in their order."""
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, default_flow_style=False, width=1000)


def _apply_edit(text: str, edit: ConfigEdit) -> str:
    if edit.action is EditAction.REMOVE:
        return _remove(text, edit.keys)
    if edit.action is EditAction.APPEND:
        return _insert(text, edit.keys, None, edit.value)
    if _find(_compose(text), edit.keys) is not None:
        return _replace(text, edit)
    known = len(edit.keys) - 1
    while known and _find(_compose(text), edit.keys[:known]) is None:
        known -= 1
    value = edit.value
    for key in reversed(edit.keys[known + 1 :]):
        value = {key: value}
    return _insert(text, edit.keys[:known], edit.keys[known], value)


def _replace(text: str, edit: ConfigEdit) -> str:
    """Write an entry anew where the old one stood."""
    root = _compose(text)
    start, end = _find_lines(text, root, edit.keys)
    column = _find_column(root, edit.keys)
    last = edit.keys[-1]
    return text[:start] + _lay_out(text, None if isinstance(last, int) else last, edit.value, column) + text[end:]


def _remove(text: str, keys: Sequence[str | int]) -> str:
    start, end = _find_lines(text, _compose(text), keys)
    return text[:start] + text[end:]


def _insert(text: str, parent: Sequence[str | int], key: str | int | None, value: object) -> str:
    root = _compose(text)
    found = _find(root, parent) if root is not None else None
    if not parent:
        if root is not None and (not isinstance(root, yaml.MappingNode) or root.flow_style):
            raise ValueError(_UNFIT)
        gap = "" if not text or text.endswith("\n") else _newline(text)
        return f"{text}{gap}{_lay_out(text, key, value, 0)}"
    if not isinstance(found, yaml.CollectionNode):
        if found is None or found.value not in {"", "null", "~"}:
            raise ValueError(_UNFIT)
        return _fill_empty(text, root, parent, (key, value))
    if not found.value:
        return _fill_empty(text, root, parent, (key, value))
    if found.flow_style:
        raise ValueError(_UNFIT)
    last = len(found.value) - 1 if isinstance(found, yaml.SequenceNode) else found.value[-1][0].value
    _start, end = _find_lines(text, root, (*parent, last))
    gap = "" if text[:end].endswith("\n") else _newline(text)
    return text[:end] + gap + _lay_out(text, key, value, found.start_mark.column) + text[end:]


def _fill_empty(
    text: str, root: yaml.Node | None, parent: Sequence[str | int], entry: tuple[str | int | None, object]
) -> str:
    """Put the first entry below a key that has none yet, be it `key:`, `key: {}` or `key: null`."""
    key, value = entry
    start, end = _find_lines(text, root, parent)
    column = _find_column(root, parent)
    inner = {key: value} if key is not None else [value]
    return text[:start] + _lay_out(text, parent[-1], inner, column) + text[end:]


def _compose(text: str) -> yaml.Node | None:
    return yaml.compose(text, Loader=yaml.SafeLoader)


def _find(root: yaml.Node | None, keys: Sequence[str | int]) -> yaml.Node | None:
    found = root
    for key in keys:
        if isinstance(found, yaml.MappingNode):
            found = next((value for name, value in found.value if name.value == key), None)
        elif isinstance(found, yaml.SequenceNode) and isinstance(key, int) and key < len(found.value):
            found = found.value[key]
        else:
            return None
    return found


def _find_key(root: yaml.Node | None, keys: Sequence[str | int]) -> yaml.Node:
    """Find what begins an entry: its key, or its item."""
    parent = _find(root, keys[:-1])
    if not isinstance(parent, yaml.CollectionNode) or parent.flow_style:
        raise ValueError(_UNFIT)
    if isinstance(parent, yaml.SequenceNode) and isinstance(keys[-1], int):
        item: yaml.Node = parent.value[keys[-1]]
        return item
    found: yaml.Node = next(name for name, _value in parent.value if name.value == keys[-1])
    return found


def _find_column(root: yaml.Node | None, keys: Sequence[str | int]) -> int:
    parent = _find(root, keys[:-1])
    return int(parent.start_mark.column) if parent is not None else 0


def _find_lines(text: str, root: yaml.Node | None, keys: Sequence[str | int]) -> tuple[int, int]:
    """Find the lines of an entry, without the remarks and blank lines behind it."""
    start = _line_start(text, _find_key(root, keys).start_mark.index)
    node = _find(root, keys)
    end = max(_find_key(root, keys).end_mark.index if isinstance(keys[-1], str) else 0, _find_end(node))
    line_end = text.find("\n", end)
    return start, len(text) if line_end < 0 else line_end + 1


def _find_end(node: yaml.Node | None) -> int:
    """Find where a value's last character stands; a block's own mark is behind the remarks that follow it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style:
        pairs = node.value if isinstance(node, yaml.SequenceNode) else [part for pair in node.value for part in pair]
        return max(map(_find_end, pairs), default=node.start_mark.index)
    if node is None:
        return 0
    is_block = isinstance(node, yaml.ScalarNode) and node.style in {"|", ">"}
    return int(node.end_mark.index) - (1 if is_block else 0)


def _line_start(text: str, index: int) -> int:
    return text.rfind("\n", 0, index) + 1


def _lay_out(text: str, key: str | int | None, value: object, column: int) -> str:
    """Write an entry in whole lines at a column; without a key as an item of a list."""
    shown = render_yaml([value] if key is None else {key: value})
    return "".join(f"{' ' * column}{line}{_newline(text)}" for line in shown.splitlines())


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
