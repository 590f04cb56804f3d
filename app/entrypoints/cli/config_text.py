"""Reads and edits configuration text in whichever format an agent writes; comments and layout stay."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from app.agents.agent import ConfigEdit, ConfigFormat
from app.domain.errors import ForeignEntry
from app.entrypoints.cli import config_files, edited_values, json_text, toml_text, yaml_text

_MARK = "\ufeff"
_PARSERS: dict[ConfigFormat, Callable[[str], object]] = {
    ConfigFormat.JSON: json_text.parse_json,
    ConfigFormat.PLAIN_JSON: json_text.parse_plain_json,
    ConfigFormat.TOML: toml_text.parse_toml,
    ConfigFormat.YAML: yaml_text.parse_yaml,
}
_EDITORS: dict[ConfigFormat, Callable[[str, Iterable[ConfigEdit]], str]] = {
    ConfigFormat.JSON: json_text.apply_edits,
    ConfigFormat.PLAIN_JSON: json_text.apply_edits,
    ConfigFormat.TOML: toml_text.apply_edits,
    ConfigFormat.YAML: yaml_text.apply_edits,
}


def parse(path: str, form: ConfigFormat, content: bytes | None, snippet: str) -> object:
    """Read a configuration file; one that is missing is an empty table.

    Raises:
        ForeignEntry: it is not in its agent's format; what a person can paste stands in the message.
    """
    try:
        return _PARSERS[form](config_files.decode_text(Path(path), content).removeprefix(_MARK))
    except ValueError as error:
        raise ForeignEntry(path, f"the file is no {form.value.upper()} ({error}); {_advise(snippet)}") from error


def apply_edits(
    path: str, form: ConfigFormat, content: bytes | None, edits: Sequence[ConfigEdit], snippet: str
) -> bytes | None:
    """Edit a configuration file that was read.

    Raises:
        ForeignEntry: its text has a form that only a person can change.
    """
    if not edits:
        return content
    text = (content or b"").decode("utf-8")
    mark = _MARK if text.startswith(_MARK) else ""
    try:
        return (mark + _EDITORS[form](text.removeprefix(_MARK), edits)).encode("utf-8")
    except ValueError as error:
        raise ForeignEntry(path, f"{error}; {_advise(snippet)}") from error


def render(form: ConfigFormat, edits: Sequence[ConfigEdit]) -> str:
    """Write what edits would put into an empty file, for a person to paste."""
    value = edited_values.apply_edits({}, edits)
    match form:
        case ConfigFormat.JSON | ConfigFormat.PLAIN_JSON:
            return json.dumps(value, indent=2, ensure_ascii=False)
        case ConfigFormat.TOML:
            return toml_text.render_table((), value)
        case ConfigFormat.YAML:
            return yaml_text.render_yaml(value)


def _advise(snippet: str) -> str:
    return f"merge this into it by hand:\n{snippet}\n" if snippet else "remove memwiki's entries by hand"
