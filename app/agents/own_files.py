"""Tells our own files from those of others: by a line that we write, or by holding our hooks and nothing else."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from app.agents import hook_shapes
from app.agents.agent import HookEvent, Link, build_command_hook
from app.domain.event import AgentName


def render_mark(agent: AgentName, comment: str) -> str:
    """Write the line by which a generated file is ours; `comment` begins a comment in its language."""
    return f"{comment} Written by memwiki install for {agent.value}; memwiki uninstall {agent.value} removes it."


def has_mark(agent: AgentName, comment: str) -> Callable[[str], bool]:
    """Tell a generated file by its line, whole and unchanged."""
    mark = render_mark(agent, comment)
    return lambda text: mark in text.splitlines()


def holds_only_hooks(agent: AgentName) -> Callable[[str], bool]:
    """Tell a JSON file of hooks by what it runs: only our client, for this agent, and at least once."""

    def is_own(text: str) -> bool:
        try:
            found = list(_list_hooks(json.loads(text)))
        except (ValueError, RecursionError):
            return False
        return bool(found) and all(hook_shapes.is_own_hook(hook, agent) for hook in found)

    return is_own


def render_manifest(agent: AgentName, manifest: Mapping[str, object]) -> str:
    """Write the JSON that introduces a plug-in of ours, with the line by which it is ours as its description."""
    return json.dumps({**manifest, "description": render_mark(agent, "").strip()}, indent=2) + "\n"


def is_manifest(agent: AgentName) -> Callable[[str], bool]:
    """Tell such a JSON file by its description."""

    def is_own(text: str) -> bool:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            return False
        return isinstance(found, dict) and found.get("description") == render_mark(agent, "").strip()

    return is_own


def render_hook_file(events: Sequence[HookEvent], link: Link) -> str:
    """Write a file of hooks alone, in Claude Code's shape."""
    calls = {
        event.name: build_command_hook(event, link.calls[event.name]) for event in events if event.name in link.calls
    }
    return json.dumps({"hooks": {name: [{"hooks": [hook]}] for name, hook in calls.items()}}, indent=2) + "\n"


def _list_hooks(value: object) -> Iterator[object]:
    """List everything that names a program to run or an address to post to, however deep it stands."""
    if isinstance(value, dict):
        if hook_shapes.is_hook(value):
            yield value
            return
        for below in value.values():
            yield from _list_hooks(below)
    elif isinstance(value, list):
        for below in value:
            yield from _list_hooks(below)
