"""Adds, replaces and removes one table of a TOML text and keeps every other byte, comments included."""

import re
import tomllib
from collections.abc import Mapping, Sequence

import tomlkit

_HEADER = re.compile(r"^[ \t]*\[")


def parse_toml(text: str) -> dict[str, object]:
    """Read a whole file's text.

    Raises:
        ValueError: the text is no TOML.
    """
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def set_table(text: str, keys: Sequence[str], table: Mapping[str, object]) -> str:
    """Put a table of its own at the end of the text, in place of the one it may have.

    Raises:
        ValueError: the text writes this place in a form that cannot take or lose a table of its own.
    """
    wanted = _with_table(parse_toml(text), keys, table)
    kept = remove_table(text, keys)
    newline = "\r\n" if "\r\n" in kept else "\n"
    if kept and not kept.endswith("\n"):
        kept += newline
    gap = newline if kept else ""
    changed = kept + gap + render_table(keys, table).replace("\n", newline)
    return _check(changed, wanted)


def remove_table(text: str, keys: Sequence[str]) -> str:
    """Take a table and the tables below it away, with the blank line before it; comments after it stay.

    Raises:
        ValueError: the text writes this place in a form that cannot lose a table of its own.
    """
    parsed = parse_toml(text)
    if find_table(parsed, keys) is None:
        return text
    kept: list[str] = []
    waiting: list[str] = []
    is_inside = False
    for line in text.splitlines(keepends=True):
        if _HEADER.match(line):
            is_own = _is_header_of(line, keys)
            if is_own and not is_inside and kept and not kept[-1].strip():
                kept.pop()
            kept.extend([] if is_own else waiting)
            is_inside, waiting = is_own, []
        if not is_inside:
            kept.append(line)
        elif line.strip() and not line.lstrip().startswith("#"):
            waiting = []
        else:
            waiting.append(line)
    return _check("".join([*kept, *waiting]), _with_table(parsed, keys, None))


def render_table(keys: Sequence[str], table: Mapping[str, object]) -> str:
    """Write a table with its header."""
    nested: dict[str, object] = dict(table)
    for key in reversed(keys):
        nested = {key: nested}
    return tomlkit.dumps(nested)


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


def _is_header_of(line: str, keys: Sequence[str]) -> bool:
    parts = (rf"(?:{re.escape(key)}|\"{re.escape(key)}\"|'{re.escape(key)}')" for key in keys)
    dotted = r"[ \t]*\.[ \t]*".join(parts)
    return re.match(rf"^[ \t]*\[[ \t]*{dotted}[ \t]*[.\]]", line) is not None


def _with_table(
    parsed: Mapping[str, object], keys: Sequence[str], table: Mapping[str, object] | None
) -> dict[str, object]:
    """Copy a parsed text with the table set or, given none, left out."""
    changed = dict(parsed)
    first, *rest = keys
    if rest:
        below = changed.get(first, {})
        if not isinstance(below, Mapping):
            raise ValueError(f'"{first}" is no table')
        table = _with_table(below, rest, table)
    changed.pop(first, None)
    return changed if table is None else {**changed, first: table}


def _check(text: str, wanted: Mapping[str, object]) -> str:
    """Let a change through only if it reads back as exactly what was meant."""
    if _normalize(parse_toml(text)) != _normalize(wanted):
        raise ValueError("this place is written in a form that must be changed by hand")
    return text


def _normalize(value: object) -> object:
    """Make values comparable: order does not count, `nan` equals itself, an empty table says nothing."""
    if isinstance(value, Mapping):
        return sorted((key, _normalize(below)) for key, below in value.items() if below != {})
    return list(map(_normalize, value)) if isinstance(value, list) else repr(value)
