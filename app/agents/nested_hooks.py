"""Plans the edits of a hook file in Claude Code's shape, which other agents share.

The shape is `{"hooks": {EVENT: [{"matcher"?: …, "hooks": [{"type": "command", "command": …, "timeout": …}]}]}}`.
What others registered is neither moved nor changed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from app.agents.agent import ConfigEdit, EditAction, HookEvent
from app.domain.errors import ForeignEntry
from app.domain.event import AgentName

_ROOT = "hooks"


def plan_hooks(
    settings: object, commands: Mapping[str, str], *, agent: AgentName, events: Sequence[HookEvent], path: str
) -> tuple[ConfigEdit, ...]:
    """Plan the edits after which exactly `commands` are our hooks of this agent; none removes ours.

    Raises:
        ForeignEntry: the file or its hooks have another shape.
    """
    if not isinstance(settings, dict):
        raise ForeignEntry(path, "the file is no JSON object")
    wanted = {event.name: _build_group(event, commands[event.name]) for event in events if event.name in commands}
    if _ROOT not in settings:
        return (ConfigEdit(EditAction.SET, (_ROOT,), {k: [v] for k, v in wanted.items()}),) if wanted else ()
    hooks = settings[_ROOT]
    if not isinstance(hooks, dict):
        raise ForeignEntry(path, '"hooks" is no JSON object')
    for name in wanted:
        if not isinstance(hooks.get(name, []), list):
            raise ForeignEntry(path, f'"hooks.{name}" is no list')

    edits: list[ConfigEdit] = []
    emptied: list[str] = []
    for name in [*hooks, *(name for name in wanted if name not in hooks)]:
        planned, is_emptied = _plan_event(name, hooks.get(name), wanted.get(name), agent)
        edits.extend(planned)
        emptied.extend([name] if is_emptied else [])
    if emptied and len(emptied) == len(hooks):
        return (ConfigEdit(EditAction.REMOVE, (_ROOT,)),)
    return tuple(edits)


def _build_group(event: HookEvent, command: str) -> dict[str, object]:
    hook = {"type": "command", "command": command, "timeout": event.timeout_seconds}
    return {"hooks": [hook]} if event.matcher is None else {"matcher": event.matcher, "hooks": [hook]}


def _plan_event(
    name: str, groups: object, wanted: dict[str, object] | None, agent: AgentName
) -> tuple[list[ConfigEdit], bool]:
    """Plan one event's edits, and tell whether they take its last group away."""
    if groups is None and wanted is not None:
        return [ConfigEdit(EditAction.SET, (_ROOT, name), [wanted])], False
    if not isinstance(groups, list):
        return [], False
    own = list(_find_own(groups, agent))
    if wanted is None:
        if own and all(_is_whole_group(groups[group], own, group) for group in range(len(groups))):
            return [ConfigEdit(EditAction.REMOVE, (_ROOT, name))], True
        return _plan_removal(name, groups, own), False
    if not own:
        return [ConfigEdit(EditAction.APPEND, (_ROOT, name), wanted)], False
    group, position = own[0]
    hook = _list_hooks(wanted)[0]
    edits = _plan_removal(name, groups, own[1:])
    if groups[group]["hooks"][position] != hook:
        edits.insert(0, ConfigEdit(EditAction.SET, (_ROOT, name, group, "hooks", position), hook))
    return edits, False


def _plan_removal(name: str, groups: list[object], own: Sequence[tuple[int, int]]) -> list[ConfigEdit]:
    """Plan the removals from the last to the first, so that earlier positions stay true."""
    edits: list[ConfigEdit] = []
    for group in sorted({group for group, _position in own}, reverse=True):
        if _is_whole_group(groups[group], own, group):
            edits.append(ConfigEdit(EditAction.REMOVE, (_ROOT, name, group)))
            continue
        positions = sorted((position for at, position in own if at == group), reverse=True)
        edits.extend(ConfigEdit(EditAction.REMOVE, (_ROOT, name, group, "hooks", at)) for at in positions)
    return edits


def _is_whole_group(group: object, own: Sequence[tuple[int, int]], index: int) -> bool:
    listed = _list_hooks(group)
    return bool(listed) and len(listed) == sum(at == index for at, _position in own)


def _find_own(groups: list[object], agent: AgentName) -> Iterator[tuple[int, int]]:
    for index, group in enumerate(groups):
        for position, hook in enumerate(_list_hooks(group)):
            if isinstance(hook, dict) and _is_own_command(hook.get("command"), agent):
                yield index, position


def _list_hooks(group: object) -> list[object]:
    listed = group.get("hooks") if isinstance(group, dict) else None
    return listed if isinstance(listed, list) else []


def _is_own_command(command: object, agent: AgentName) -> bool:
    mark = rf"[/\\]memwiki[/\\]hooks[/\\]send_event\.(?:py|sh)['\"]?\s+--agent\s+{re.escape(agent.value)}(?=\s|$)"
    return isinstance(command, str) and re.search(mark, command) is not None
