"""Plans the edits of a hook file in any of the agents' shapes, and finds our hooks in it.

Ours are told by an exact mark, the client's path and the agent's name; what others registered is neither moved nor
changed.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.agents.agent import (
    Agent,
    ConfigEdit,
    EditAction,
    HookCall,
    HookEvent,
    HookFile,
    HookLayout,
    HookShape,
    HttpHook,
)
from app.domain.errors import ForeignEntry
from app.domain.event import AgentName

_COMMAND_FIELDS = ("command", "bash", "powershell")


@dataclass(frozen=True, slots=True)
class _Target:
    """One agent's hooks in one file."""

    shape: HookShape
    agent: AgentName
    path: str


def plan_hooks(settings: object, calls: Mapping[str, HookCall], file: HookFile, agent: Agent) -> tuple[ConfigEdit, ...]:
    """Plan the edits, to be applied in order, after which exactly `calls` are our hooks; none removes ours.

    Raises:
        ForeignEntry: the file or its hooks have another shape.
    """
    target = _Target(file.shape, agent.name, file.path)
    wanted = [(event, calls[event.name]) for event in agent.traits.hook_events if event.name in calls]
    found = _find_root(settings, target)
    plan = _plan_list if file.shape.layout is HookLayout.LISTED else _plan_table
    edits = plan(found, wanted, target)
    return (*_plan_preset(settings, file.shape), *edits) if wanted else tuple(edits)


def list_hooks(settings: object, shape: HookShape, agent: AgentName) -> tuple[tuple[str, HookCall], ...]:
    """List our hooks of this agent, by event; a file of another shape has none."""
    found: object = settings
    for key in shape.root:
        found = found.get(key) if isinstance(found, dict) else None
    if shape.layout is HookLayout.LISTED:
        return tuple(
            (str(hook.get(shape.event_field)), _read_call(hook))
            for hook in (found if isinstance(found, list) else [])
            if isinstance(hook, dict) and is_own_hook(hook, agent)
        )
    return tuple(
        (name, _read_call(hook))
        for name, groups in (found.items() if isinstance(found, dict) else ())
        if isinstance(groups, list)
        for hook in _list_own(groups, shape, name, agent)
    )


def is_hook(value: Mapping[str, object]) -> bool:
    """Tell whether a table stands for one hook: it names what is run or where is posted."""
    return any(isinstance(value.get(field), str | list) for field in (*_COMMAND_FIELDS, "url")) or isinstance(
        value.get("action"), dict
    )


def is_own_hook(hook: object, agent: AgentName) -> bool:
    """Tell whether a hook runs our client for this agent, or posts to our server for it."""
    if not isinstance(hook, dict):
        return False
    action = hook.get("action")
    if isinstance(action, dict) and is_own_hook(action, agent):
        return True
    if hook.get("type") == "http":
        mark = rf"/hook\?agent={re.escape(agent.value)}&event=\w+&by=memwiki$"
        return re.search(mark, str(hook.get("url"))) is not None
    return any(is_own_command(_read_words(hook, field), agent) for field in _COMMAND_FIELDS)


def is_own_command(command: str, agent: AgentName) -> bool:
    """Tell whether a command line runs our client for this agent."""
    mark = rf"[/\\]memwiki[/\\]hooks[/\\]send_event\.(?:py|sh)['\"]?\s+--agent\s+{re.escape(agent.value)}(?=\s|$)"
    return re.search(mark, command) is not None


def has_keys(settings: object, keys: Sequence[str]) -> bool:
    """Tell whether a parsed file has something at some keys."""
    found: object = settings
    for key in keys:
        if not isinstance(found, dict) or key not in found:
            return False
        found = found[key]
    return True


def _find_root(settings: object, target: _Target) -> object:
    """Find what holds the hooks: a table or list, or none where it is not there yet."""
    if not isinstance(settings, dict):
        raise ForeignEntry(target.path, "the file is no table of settings")
    found: object = settings
    for key in target.shape.root:
        if not isinstance(found, dict):
            raise ForeignEntry(target.path, f'what should hold "{key}" is no table')
        if key not in found:
            return None
        found = found[key]
    kind, said = (list, "list") if target.shape.layout is HookLayout.LISTED else (dict, "table")
    if not isinstance(found, kind):
        raise ForeignEntry(target.path, f'"{".".join(target.shape.root)}" is no {said}')
    return found


def _plan_preset(settings: object, shape: HookShape) -> list[ConfigEdit]:
    return [ConfigEdit(EditAction.SET, keys, value) for keys, value in shape.preset if not has_keys(settings, keys)]


def _plan_list(found: object, wanted: Sequence[tuple[HookEvent, HookCall]], target: _Target) -> list[ConfigEdit]:
    shape = target.shape
    hooks = [{shape.event_field: event.name, **shape.build(event, call)} for event, call in wanted]
    if not isinstance(found, list):
        return [ConfigEdit(EditAction.SET, shape.root, hooks)] if hooks else []
    own = [index for index, hook in enumerate(found) if is_own_hook(hook, target.agent)]
    if not hooks and own and len(own) == len(found):
        return [ConfigEdit(EditAction.REMOVE, shape.root)]
    waiting = list(hooks)
    edits: list[ConfigEdit] = []
    spare: list[int] = []
    for index in own:
        known = found[index]
        new = next((hook for hook in waiting if hook[shape.event_field] == known.get(shape.event_field)), None)
        if new is None:
            spare.append(index)
            continue
        waiting.remove(new)
        if new != known:
            edits.append(ConfigEdit(EditAction.SET, (*shape.root, index), new))
    edits.extend(ConfigEdit(EditAction.REMOVE, (*shape.root, index)) for index in reversed(spare))
    edits.extend(ConfigEdit(EditAction.APPEND, shape.root, hook) for hook in waiting)
    return edits


def _plan_table(found: object, wanted: Sequence[tuple[HookEvent, HookCall]], target: _Target) -> list[ConfigEdit]:
    shape = target.shape
    groups = {event.name: _build_group(event, call, shape) for event, call in wanted}
    if not isinstance(found, dict):
        return (
            [ConfigEdit(EditAction.SET, shape.root, {name: [group] for name, group in groups.items()})]
            if groups
            else []
        )
    for name in groups:
        if not isinstance(found.get(name, []), list):
            raise ForeignEntry(target.path, f'"{".".join((*shape.root, name))}" is no list')

    edits: list[ConfigEdit] = []
    emptied: list[str] = []
    for name in [*found, *(name for name in groups if name not in found)]:
        planned, is_emptied = _plan_event(name, found.get(name), groups.get(name), target)
        edits.extend(planned)
        emptied.extend([name] if is_emptied else [])
    if shape.root and emptied and len(emptied) == len(found):
        return [ConfigEdit(EditAction.REMOVE, shape.root)]
    return edits


def _build_group(event: HookEvent, call: HookCall, shape: HookShape) -> dict[str, object]:
    hook = shape.build(event, call)
    if _is_flat(shape, event.name):
        return hook
    return {"hooks": [hook]} if event.matcher is None else {"matcher": event.matcher, "hooks": [hook]}


def _is_flat(shape: HookShape, name: str) -> bool:
    return shape.layout is HookLayout.FLAT or name in shape.flat_events


def _plan_event(
    name: str, groups: object, wanted: dict[str, object] | None, target: _Target
) -> tuple[list[ConfigEdit], bool]:
    """Plan one event's edits, and tell whether they take its last group away."""
    place = (*target.shape.root, name)
    if groups is None and wanted is not None:
        return [ConfigEdit(EditAction.SET, place, [wanted])], False
    if not isinstance(groups, list):
        return [], False
    own = list(_find_own(groups, target.shape, name, target.agent))
    if wanted is None:
        if own and all(_is_whole(groups[group], own, group) for group in range(len(groups))):
            return [ConfigEdit(EditAction.REMOVE, place)], True
        return _plan_removal(place, groups, own), False
    if not own:
        return [ConfigEdit(EditAction.APPEND, place, wanted)], False
    at, hook = own[0], wanted if _is_flat(target.shape, name) else _list_nested(wanted)[0]
    edits = _plan_removal(place, groups, own[1:])
    if _look_up(groups, at) != hook:
        edits.insert(0, ConfigEdit(EditAction.SET, (*place, *at), hook))
    return edits, False


def _plan_removal(
    place: tuple[str, ...], groups: list[object], own: Sequence[tuple[str | int, ...]]
) -> list[ConfigEdit]:
    """Plan the removals from the last to the first, so that earlier positions stay true."""
    edits: list[ConfigEdit] = []
    for group in sorted({int(at[0]) for at in own}, reverse=True):
        if _is_whole(groups[group], own, group):
            edits.append(ConfigEdit(EditAction.REMOVE, (*place, group)))
            continue
        positions = sorted((int(at[-1]) for at in own if at[0] == group), reverse=True)
        edits.extend(ConfigEdit(EditAction.REMOVE, (*place, group, "hooks", at)) for at in positions)
    return edits


def _is_whole(group: object, own: Sequence[tuple[str | int, ...]], index: int) -> bool:
    """Tell whether all of a group is ours; a hook that stands without a group is one."""
    mine = [at for at in own if at[0] == index]
    if mine and len(mine[0]) == 1:
        return True
    listed = _list_nested(group)
    return bool(listed) and len(listed) == len(mine)


def _find_own(groups: list[object], shape: HookShape, name: str, agent: AgentName) -> Iterator[tuple[str | int, ...]]:
    """Find our hooks below an event, as the keys that lead to each."""
    for index, group in enumerate(groups):
        if _is_flat(shape, name):
            if is_own_hook(group, agent):
                yield (index,)
            continue
        for position, hook in enumerate(_list_nested(group)):
            if is_own_hook(hook, agent):
                yield (index, "hooks", position)


def _list_own(groups: list[object], shape: HookShape, name: str, agent: AgentName) -> Iterator[dict[str, object]]:
    for at in _find_own(groups, shape, name, agent):
        hook = _look_up(groups, at)
        if isinstance(hook, dict):
            yield hook


def _look_up(found: object, keys: Sequence[str | int]) -> object:
    for key in keys:
        if isinstance(found, list) and isinstance(key, int):
            found = found[key]
        elif isinstance(found, dict):
            found = found.get(key)
    return found


def _list_nested(group: object) -> list[object]:
    listed = group.get("hooks") if isinstance(group, dict) else None
    return listed if isinstance(listed, list) else []


def _read_words(hook: Mapping[str, object], field: str) -> str:
    """Read what a hook runs as one line: a command, or a program with its arguments."""
    command, arguments = hook.get(field), hook.get("args")
    if isinstance(command, list | tuple):
        return shlex.join(map(str, command))
    if not isinstance(command, str):
        return ""
    return shlex.join([command, *map(str, arguments)]) if isinstance(arguments, list | tuple) else command


def _read_call(hook: Mapping[str, object]) -> HookCall:
    if hook.get("type") == "http":
        allowed = hook.get("allowedEnvVars")
        return HttpHook(str(hook.get("url")), str(allowed[0]) if isinstance(allowed, list) and allowed else "")
    action = hook.get("action")
    if isinstance(action, dict):
        return _read_call(action)
    command, arguments = hook.get("command"), hook.get("args")
    if isinstance(arguments, list):
        return (str(command), *map(str, arguments))
    if isinstance(command, list):
        return tuple(map(str, command))
    return str(next((hook[field] for field in _COMMAND_FIELDS if isinstance(hook.get(field), str)), ""))
