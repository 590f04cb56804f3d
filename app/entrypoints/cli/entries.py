"""The pieces that wiring an agent consists of: each knows its file, and how that looks with and without it."""

import glob
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from app.agents import hook_shapes
from app.agents.agent import (
    MCP_ENTRY_NAME,
    Agent,
    ConfigEdit,
    ConfigFormat,
    EditAction,
    HookFile,
    Link,
    McpFile,
    OwnFile,
    TokenUse,
)
from app.agents.places import Site
from app.domain.errors import AppError, ForeignEntry
from app.entrypoints.cli import config_files, config_text, edited_values

HOOKS, MCP, PLUGIN = "hooks", "mcp entry", "own file"

_PRIVATE = 0o600


@dataclass(frozen=True, slots=True)
class Edited:
    """A file's content after an edit, and whether something of ours stood in it before."""

    content: bytes | None
    has_own: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing of ours in one file; `edit` writes it for a link, and takes it out without one.

    `mode` is what the file's permissions become; `blanks` are texts, without white space, that are left of a file
    that held nothing but ours. `runs_client` says that the hook client is run from here.
    """

    path: Path
    purpose: str
    edit: Callable[[bytes | None, Link | None], Edited]
    mode: int | None = None
    blanks: frozenset[str] = frozenset({"", "{}"})
    runs_client: bool = False


def list_pieces(agent: Agent, site: Site) -> Iterator[Piece]:
    """List what an agent's wiring at a site consists of."""
    wiring = agent.list_wiring(site)
    for file in _expand(wiring.hooks):
        yield Piece(
            Path(file.path), HOOKS, partial(_edit_hooks, agent, file), blanks=_list_blanks(file), runs_client=True
        )
    for own in wiring.files:
        yield Piece(Path(own.path), PLUGIN, partial(_edit_own_file, own), mode=own.mode, runs_client=True)
    for listed in wiring.mcp:
        is_secret = agent.traits.token is TokenUse.LITERAL
        yield Piece(
            Path(listed.path),
            MCP,
            partial(_edit_servers, listed),
            mode=_PRIVATE if is_secret else None,
            blanks=_list_blanks(listed),
        )


def is_pattern_without_file(agent: Agent, site: Site) -> bool:
    """Tell whether an agent's hooks go into files that it has none of yet."""
    files = agent.list_wiring(site).hooks
    return bool(files) and all(file.is_pattern for file in files) and not _expand(files)


def _expand(files: Sequence[HookFile]) -> list[HookFile]:
    found: list[HookFile] = []
    for file in files:
        if file.is_pattern:
            folder, _, pattern = file.path.replace("\\", "/").rpartition("/")
            paths = sorted(Path(folder).glob(pattern)) if not glob.has_magic(folder) else []
            found += [replace(file, path=str(path), is_pattern=False) for path in paths]
        else:
            found.append(file)
    return found


def _list_blanks(file: HookFile | McpFile) -> frozenset[str]:
    preset = file.shape.preset if isinstance(file, HookFile) else file.preset
    left = edited_values.apply_edits({}, [ConfigEdit(EditAction.SET, keys, value) for keys, value in preset])
    return frozenset({"", "{}", json.dumps(left, separators=(",", ":"))})


def _edit_hooks(agent: Agent, file: HookFile, content: bytes | None, link: Link | None) -> Edited:
    """Put exactly the link's calls into the hook file; without a link ours are taken out.

    Raises:
        ForeignEntry: the file is not what the agent reads.
    """
    calls = link.calls if link else {}
    snippet = config_text.render(file.format, hook_shapes.plan_hooks({}, calls, file, agent)) if calls else ""
    settings = config_text.parse(file.path, file.format, content, snippet)
    edits = hook_shapes.plan_hooks(settings, calls, file, agent)
    has_own = bool(hook_shapes.plan_hooks(settings, {}, file, agent))
    return Edited(config_text.apply_edits(file.path, file.format, content, edits, snippet), has_own)


def _edit_servers(file: McpFile, content: bytes | None, link: Link | None) -> Edited:
    """Put our entry into the list of MCP servers; without a link it is taken out.

    Settings that a person added to our entry stay. Under our name, only an entry of our form is touched.

    Raises:
        ForeignEntry: the file is not what the agent reads, or our name is taken by another server.
    """
    entry = file.build(link) if link else None
    snippet = config_text.render(file.format, _plan_entry({}, file, entry)) if entry else ""
    parsed = config_text.parse(file.path, file.format, content, snippet)
    if not isinstance(parsed, dict):
        raise ForeignEntry(file.path, "the file is no table of settings")
    current = _find_entry(parsed, file)
    has_own = current is not None and file.is_own(_strip_name(current, file))
    if entry is not None and current is not None and not has_own:
        raise ForeignEntry(file.path, f"another MCP server is called {MCP_ENTRY_NAME!r}")
    wanted = _merge(current, entry) if entry is not None else None
    if (wanted is None and not has_own) or (wanted is not None and wanted == _strip_name(current, file)):
        return Edited(content, has_own)
    edits = _plan_entry(parsed, file, wanted)
    return Edited(config_text.apply_edits(file.path, file.format, content, edits, snippet), has_own)


def _edit_own_file(file: OwnFile, content: bytes | None, link: Link | None) -> Edited:
    """Write a file that is ours whole; without a link it is removed.

    Raises:
        ForeignEntry: a file that is not ours stands there.
    """
    has_own = content is not None and file.is_own(content.decode("utf-8", "replace"))
    if link is None:
        return Edited(None if has_own else content, has_own)
    if content is not None and content.strip() and not has_own:
        raise ForeignEntry(file.path, "a file that memwiki did not write stands here; move it away first")
    return Edited(file.render(link).encode("utf-8"), has_own)


def _find_entry(parsed: Mapping[str, object], file: McpFile) -> object:
    found: object = parsed
    keys = file.keys if file.listed_by else file.keys[:-1]
    for key in keys:
        if not isinstance(found, dict):
            raise ForeignEntry(file.path, f'what should hold "{key}" is no table')
        found = found.get(key)
        if found is None:
            return None
    if file.listed_by:
        if not isinstance(found, list):
            raise ForeignEntry(file.path, f'"{".".join(keys)}" is no list of servers')
        at = _find_listed(found, file)
        return None if at is None else found[at]
    if not isinstance(found, dict):
        raise ForeignEntry(file.path, f'"{".".join(keys)}" is no table of servers')
    return found.get(file.keys[-1])


def _find_listed(listed: Sequence[object], file: McpFile) -> int | None:
    own = (
        at for at, item in enumerate(listed) if isinstance(item, dict) and item.get(file.listed_by) == MCP_ENTRY_NAME
    )
    return next(own, None)


def _strip_name(entry: object, file: McpFile) -> object:
    if not file.listed_by or not isinstance(entry, dict):
        return entry
    return {key: value for key, value in entry.items() if key != file.listed_by}


def _merge(current: object, wanted: Mapping[str, object]) -> dict[str, object]:
    known = current if isinstance(current, dict) else {}
    if ("command" in known) != ("command" in wanted):
        return dict(wanted)
    below = {
        key: {**known[key], **value}
        for key, value in wanted.items()
        if isinstance(value, dict) and isinstance(known.get(key), dict)
    }
    return {**known, **wanted, **below}


def _plan_entry(
    parsed: Mapping[str, object], file: McpFile, wanted: Mapping[str, object] | None
) -> tuple[ConfigEdit, ...]:
    preset = [
        ConfigEdit(EditAction.SET, keys, value)
        for keys, value in file.preset
        if wanted is not None and not hook_shapes.has_keys(parsed, keys)
    ]
    if file.listed_by:
        return (*preset, _plan_listed(parsed, file, wanted))
    if wanted is not None:
        return (*preset, ConfigEdit(EditAction.SET, file.keys, dict(wanted)))
    keys = file.keys
    while file.format is not ConfigFormat.TOML and len(keys) > 1 and _is_alone(parsed, keys):
        keys = keys[:-1]
    return (ConfigEdit(EditAction.REMOVE, keys),)


def _plan_listed(parsed: Mapping[str, object], file: McpFile, wanted: Mapping[str, object] | None) -> ConfigEdit:
    keys = file.keys
    found: object = parsed
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    listed = found if isinstance(found, list) else []
    at = _find_listed(listed, file)
    if wanted is None:
        is_only = len(listed) == 1 and file.format is not ConfigFormat.TOML
        return ConfigEdit(EditAction.REMOVE, keys if is_only else (*keys, at or 0))
    item = {file.listed_by: MCP_ENTRY_NAME, **wanted}
    if at is not None:
        return ConfigEdit(EditAction.SET, (*keys, at), item)
    if listed:
        return ConfigEdit(EditAction.APPEND, keys, item)
    return ConfigEdit(EditAction.SET, keys, [item])


def _is_alone(parsed: Mapping[str, object], keys: Sequence[str]) -> bool:
    found: object = parsed
    for key in keys[:-1]:
        found = found.get(key) if isinstance(found, dict) else None
    return isinstance(found, dict) and len(found) == 1


def is_blank(content: bytes | None, blanks: frozenset[str]) -> bool:
    """Tell whether a file holds nothing but empty brackets, white space and what our own entries needed."""
    text = (content or b"").decode("utf-8", "replace").lstrip("\ufeff")
    return "".join(text.split()) in blanks


def find_own(agent: Agent, site: Site) -> list[Piece]:
    """Find the pieces that stand in their files; a file that cannot be understood has none."""
    found = []
    for piece in list_pieces(agent, site):
        try:
            if piece.edit(config_files.read_file(piece.path), None).has_own:
                found.append(piece)
        except AppError:
            continue
    return found
