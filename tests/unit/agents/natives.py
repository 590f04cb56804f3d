"""What each agent calls the same things, so that the tests of this folder speak of kinds and not of names."""

import json
from pathlib import Path

import pytest

from app.agents import registry
from app.agents.agent import Agent
from app.domain.event import EventKind

DATA = Path(__file__).parents[2] / "data"
_NAMES = tuple(agent.name.value for agent in registry.AGENTS)
PAYLOADS = [path for path in sorted((DATA / "hook-payloads").glob("*/*.json")) if path.parent.name.startswith(_NAMES)]
# Agents of whose sessions anything is told; the others have MCP alone.
CAPTURED = [agent for agent in registry.AGENTS if agent.traits.hook_events]
EACH = pytest.mark.parametrize("agent", CAPTURED, ids=lambda agent: agent.name.value)


def list_natives(agent: Agent, kind: EventKind) -> list[str]:
    """List an agent's own names of a kind of event, those that are registered first."""
    registered = [event.name for event in agent.traits.hook_events]
    names = [*registered, *sorted(agent.known_events - set(registered))]
    return [name for name in names if agent.parse_event(name, {"session_id": "-"}).kind is kind]


def list_registered(agent: Agent, kind: EventKind) -> list[str]:
    """List an agent's own names of a kind of event among those that are registered."""
    registered = {event.name for event in agent.traits.hook_events}
    return [name for name in list_natives(agent, kind) if name in registered]


def find_native(agent: Agent, kind: EventKind) -> str:
    """Find an agent's own name of a kind of event; one that has none is left out."""
    named = list_natives(agent, kind)
    if not named:
        pytest.skip(f"{agent.title} tells of no {kind}")
    return named[0]


def list_having(*kinds: EventKind) -> list[Agent]:
    """List the agents that tell of all these kinds of event."""
    return [agent for agent in CAPTURED if all(list_natives(agent, kind) for kind in kinds)]


def find_agent_of(path: Path) -> Agent:
    """Find whose payload a recording is; one agent may have several folders, which begin with its name."""
    return registry.find_agent(max((name for name in _NAMES if path.parent.name.startswith(name)), key=len))


def read_recorded(path: Path) -> tuple[str, dict[str, object]]:
    """Read a recording as its event's name, which the file's name begins with, and its payload."""
    known = find_agent_of(path).known_events
    parts = path.stem.removeprefix("event.").split(".")
    names = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((name for name in names if name in known), parts[0]), json.loads(path.read_text(encoding="utf-8"))


def name_case(path: Path) -> str:
    """Name a recording in a test's id."""
    return f"{path.parent.name}/{path.stem}"
