"""Plans what becomes of an agent's hook file and of the file that lists its MCP servers."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from app.agents import hook_shapes
from app.agents.agent import Agent, ConfigEdit, ConfigFormat, EditAction, HookCall, HookFile, McpFile
from app.domain.errors import ForeignEntry
from app.entrypoints.cli import config_files, json_text, toml_text
from app.entrypoints.cli.config_files import FileChange

HOOKS, MCP = "hooks", "mcp entry"

_MARK = "\ufeff"


def plan_hook_file(agent: Agent, file: HookFile, calls: Mapping[str, HookCall]) -> FileChange:
    """Plan the hook file with exactly these of our hooks in it; without any, ours are taken out.

    Raises:
        ForeignEntry: the file is not what the agent reads.
        DiskRefused: the file cannot be read.
    """
    path = Path(file.path)
    before = config_files.read_file(path)
    snippet = json_text.apply_edits("{}", hook_shapes.plan_hooks({}, calls, file, agent)) if calls else ""
    settings = _parse(file, before, json_text.parse_json, snippet)
    edits = hook_shapes.plan_hooks(settings, calls, file, agent)
    has_own = bool(hook_shapes.plan_hooks(settings, {}, file, agent))
    return FileChange(path, HOOKS, before, _edit_json(before, edits), has_own=has_own)


def plan_mcp_file(file: McpFile, entry: Mapping[str, object]) -> FileChange:
    """Plan the list of MCP servers with our entry in it; an empty entry takes it out.

    Settings that a person added to our entry stay. Under our name, only an entry of our form is touched.

    Raises:
        ForeignEntry: the file is not what the agent reads, or our name is taken by another server.
        DiskRefused: the file cannot be read.
    """
    path = Path(file.path)
    before = config_files.read_file(path)
    is_toml = file.format is ConfigFormat.TOML
    snippet = _render_snippet(file, entry) if entry else ""
    parsed = _parse(file, before, toml_text.parse_toml if is_toml else json_text.parse_json, snippet)
    current = _find_entry(parsed, file)
    has_own = current is not None and file.is_own(current)
    if entry and current is not None and not has_own:
        raise ForeignEntry(file.path, f"another MCP server is called {file.keys[-1]!r}")
    wanted = _merge(current, entry) if entry else None
    if (wanted is None and not has_own) or wanted == current:
        return FileChange(path, MCP, before, before, has_own=has_own)
    if not is_toml:
        after = _edit_json(before, _plan_entry(parsed, file, wanted))
    else:
        after = _edit_toml(file, before, wanted, snippet)
    return FileChange(path, MCP, before, after, has_own=has_own)


def is_blank(change: FileChange) -> bool:
    """Tell whether a planned file holds nothing but empty brackets and white space."""
    text = (change.after or b"").decode("utf-8", "replace").lstrip(_MARK)
    return not text.strip() or "".join(text.split()) == "{}"


def _parse(place: HookFile | McpFile, content: bytes | None, parse: Callable[[str], object], snippet: str) -> object:
    try:
        return parse(config_files.decode_text(Path(place.path), content).removeprefix(_MARK))
    except ValueError as error:
        reason = f"the file is no plain {place.format.value.upper()} ({error}), and comments would be lost"
        raise ForeignEntry(place.path, f"{reason}; {_advise(snippet)}") from error


def _render_snippet(place: McpFile, entry: Mapping[str, object]) -> str:
    if place.format is ConfigFormat.TOML:
        return toml_text.render_table(place.keys, entry)
    group, name = place.keys
    return json.dumps({group: {name: entry}}, indent=2)


def _advise(snippet: str) -> str:
    return f"merge this into it by hand:\n{snippet}\n" if snippet else "remove memwiki's entries by hand"


def _find_entry(parsed: object, place: McpFile) -> object:
    if not isinstance(parsed, dict):
        raise ForeignEntry(place.path, "the file is no JSON object")
    group = parsed.get(place.keys[0], {})
    if not isinstance(group, dict):
        raise ForeignEntry(place.path, f'"{place.keys[0]}" is no table of servers')
    return group.get(place.keys[1])


def _merge(current: object, wanted: Mapping[str, object]) -> dict[str, object]:
    known = current if isinstance(current, dict) else {}
    below = {
        key: {**known[key], **value}
        for key, value in wanted.items()
        if isinstance(value, dict) and isinstance(known.get(key), dict)
    }
    return {**known, **wanted, **below}


def _plan_entry(parsed: object, place: McpFile, wanted: Mapping[str, object] | None) -> tuple[ConfigEdit, ...]:
    group_key, name = place.keys
    group = parsed.get(group_key) if isinstance(parsed, dict) else None
    if wanted is None:
        is_alone = isinstance(group, dict) and len(group) == 1
        return (ConfigEdit(EditAction.REMOVE, (group_key,) if is_alone else place.keys),)
    if group is None:
        return (ConfigEdit(EditAction.SET, (group_key,), {name: wanted}),)
    return (ConfigEdit(EditAction.SET, place.keys, wanted),)


def _edit_json(before: bytes | None, edits: tuple[ConfigEdit, ...]) -> bytes | None:
    if not edits:
        return before
    text = (before or b"").decode("utf-8")
    mark = _MARK if text.startswith(_MARK) else ""
    return (mark + json_text.apply_edits(text.removeprefix(_MARK), edits)).encode("utf-8")


def _edit_toml(place: McpFile, before: bytes | None, wanted: Mapping[str, object] | None, snippet: str) -> bytes:
    text = config_files.decode_text(Path(place.path), before)
    try:
        if wanted is None:
            return toml_text.remove_table(text, place.keys).encode("utf-8")
        return toml_text.set_table(text, place.keys, wanted).encode("utf-8")
    except ValueError as error:
        raise ForeignEntry(place.path, f"{error}; {_advise(snippet)}") from error
