"""How our hooks are recognised among others', and that limits are in the units that agents read."""

import pytest

from app.agents import hook_shapes
from app.agents.agent import Agent, ConfigEdit, ConfigFormat, EditAction, HookLayout
from app.agents.places import Site
from tests.unit.agents import natives

COMMAND = "/usr/bin/python3 -I -S '/home/o b/memwiki/hooks/send_event.py' --agent {agent} --event Stop --url http://x"


def has_nested_hooks(agent: Agent) -> bool:
    files = agent.list_wiring(Site("/home/dev", {})).hooks
    return any(
        file.format is ConfigFormat.JSON
        and (file.shape.layout, file.shape.root, file.shape.flat_events) == (HookLayout.NESTED, ("hooks",), frozenset())
        for file in files
    )


NESTED = [agent for agent in natives.CAPTURED if has_nested_hooks(agent)]


def settings_with(command: str) -> dict[str, object]:
    return {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}}


def plan_removal(agent: Agent, command: str) -> tuple[ConfigEdit, ...]:
    file = agent.list_wiring(Site("/home/dev", {})).hooks[0]
    return hook_shapes.plan_hooks(settings_with(command.format(agent=agent.name.value)), {}, file, agent)


@pytest.mark.parametrize("agent", NESTED, ids=lambda agent: str(agent.name))
def test_own_hook_is_recognised_and_removed(agent: Agent) -> None:
    [edit] = plan_removal(agent, COMMAND)

    assert (edit.action, edit.keys) == (EditAction.REMOVE, ("hooks",))


@pytest.mark.parametrize("agent", NESTED, ids=lambda agent: str(agent.name))
@pytest.mark.parametrize(
    "command",
    [
        "/opt/send_event.py --agent {agent} --event Stop",
        "/home/x/hooks/send_event.py --agent {agent} --event Stop",
        "/home/memwiki/hooks/send_event.py --agent other-agent --event Stop",
        "/home/memwiki/hooks/send_event.py --agent {agent}-next --event Stop",
        "echo memwiki hooks send_event.py --agent {agent}",
        "",
    ],
)
def test_hook_of_others_is_left_alone(agent: Agent, command: str) -> None:
    assert plan_removal(agent, command) == ()


@natives.EACH
def test_limits_of_hooks_are_seconds_that_nobody_waits_for(agent: Agent) -> None:
    assert all(1 <= event.timeout_seconds <= 10 for event in agent.traits.hook_events)
    assert {event.name for event in agent.traits.hook_events} <= agent.known_events
