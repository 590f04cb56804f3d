"""Plans the edits of a hook file in Claude Code's shape, which other agents share.

The shape is `{"hooks": {EVENT: [{"matcher"?: …, "hooks": [{"type": "command", "command": …, "timeout": …}]}]}}`.
What others registered is neither moved nor changed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from app.agents.agent import ConfigEdit, EditAction, HookCall, HookEvent, HttpHook
from app.domain.errors import ForeignEntry
from app.domain.event import AgentName

_ROOT = "hooks"


def plan_hooks(
    settings: object, calls: Mapping[str, HookCall], *, agent: AgentName, events: Sequence[HookEvent], path: str
) -> tuple[ConfigEdit, ...]:
    """Plan the edits after which exactly `calls` are our hooks of this agent; none removes ours.

    Raises:
        ForeignEntry: the file or its hooks have another shape.
    """
    if not isinstance(settings, dict):
        raise ForeignEntry(path, "the file is no JSON object")
    wanted = {event.name: _build_group(event, calls[event.name]) for event in events if event.name in calls}
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


def list_hooks(settings: object, agent: AgentName) -> tuple[tuple[str, HookCall], ...]:
    """List our hooks of this agent, by event; a file of another shape has none."""
    hooks = settings.get(_ROOT) if isinstance(settings, dict) else None
    if not isinstance(hooks, dict):
        return ()
    return tuple(
        (name, _read_call(groups[group]["hooks"][position]))
        for name, groups in hooks.items()
        if isinstance(groups, list)
        for group, position in _find_own(groups, agent)
    )


def _read_call(hook: Mapping[str, object]) -> HookCall:
    if hook.get("type") != "http":
        return str(hook["command"])
    allowed = hook.get("allowedEnvVars")
    return HttpHook(str(hook.get("url")), str(allowed[0]) if isinstance(allowed, list) and allowed else "")


def _build_group(event: HookEvent, call: HookCall) -> dict[str, object]:
    hook: dict[str, object]
    if isinstance(call, HttpHook):
        hook = {"type": "http", "url": call.url, "timeout": event.timeout_seconds}
        if call.token_env:
            hook |= {"headers": {"Authorization": f"Bearer ${call.token_env}"}, "allowedEnvVars": [call.token_env]}
    else:
        hook = {"type": "command", "command": call, "timeout": event.timeout_seconds}
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
            if isinstance(hook, dict) and (_is_own_command(hook.get("command"), agent) or _is_own_post(hook, agent)):
                yield index, position


def _list_hooks(group: object) -> list[object]:
    listed = group.get("hooks") if isinstance(group, dict) else None
    return listed if isinstance(listed, list) else []


def _is_own_command(command: object, agent: AgentName) -> bool:
    mark = rf"[/\\]memwiki[/\\]hooks[/\\]send_event\.(?:py|sh)['\"]?\s+--agent\s+{re.escape(agent.value)}(?=\s|$)"
    return isinstance(command, str) and re.search(mark, command) is not None


def _is_own_post(hook: Mapping[str, object], agent: AgentName) -> bool:
    mark = rf"/hook\?agent={re.escape(agent.value)}&event=\w+&by=memwiki"
    return hook.get("type") == "http" and re.search(f"{mark}$", str(hook.get("url"))) is not None
