"""What edits of a configuration file mean, apart from how it is written: the yardstick for every editor of text."""

import copy
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from app.agents.agent import ConfigEdit, EditAction


def apply_edits(value: object, edits: Iterable[ConfigEdit]) -> object:
    """Apply edits to a copy of a parsed file; tables that are missing on the way are made."""
    changed = copy.deepcopy(value)
    for edit in edits:
        changed = _apply(changed, edit)
    return changed


def check(text: str, parse: Callable[[str], object], wanted: object) -> str:
    """Let a changed text through only if it reads back as exactly what was meant.

    Raises:
        ValueError: it does not.
    """
    if normalize(parse(text)) != normalize(wanted):
        raise ValueError("this place is written in a form that must be changed by hand")
    return text


def normalize(value: object) -> object:
    """Make values comparable: the order of keys does not count, `nan` equals itself, what is empty says nothing."""
    if isinstance(value, Mapping):
        return sorted((str(key), normalize(below)) for key, below in value.items() if below not in ({}, [], None))
    return list(map(normalize, value)) if isinstance(value, list) else repr(value)


def _apply(value: Any, edit: ConfigEdit) -> object:  # noqa: ANN401 — any parsed file
    if not edit.keys:
        if edit.action is EditAction.APPEND:
            return [*(value or []), edit.value]
        return edit.value
    first, rest = edit.keys[0], ConfigEdit(edit.action, edit.keys[1:], edit.value)
    if edit.action is EditAction.REMOVE and not rest.keys:
        del value[first]
        return value
    if isinstance(first, int):
        value[first] = _apply(value[first], rest)
        return value
    value = {} if value is None else value
    value[first] = _apply(value.get(first), rest)
    return value
