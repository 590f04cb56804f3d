"""What `memwiki doctor` plays: each agent's sample session is one that its module knows, and its hooks are found."""

import pytest

from app.agents import hook_shapes
from app.agents.agent import Agent, HookFile, HttpHook
from app.agents.places import Site
from app.domain.event import EventKind
from app.entrypoints.cli import json_text
from tests.unit.agents import natives


def find_hook_file(agent: Agent) -> HookFile:
    return agent.list_wiring(Site("/home/dev", {})).hooks[0]


# With what a session begins that tells of no start.
FIRST = (EventKind.SESSION_START, EventKind.PROMPT, EventKind.TOOL_START)

HOOKED = pytest.mark.parametrize(
    "agent",
    [agent for agent in natives.CAPTURED if agent.list_wiring(Site("/home/dev", {})).hooks],
    ids=lambda agent: agent.name.value,
)


@natives.EACH
def test_a_sample_session_is_understood_whole(agent: Agent) -> None:
    samples = agent.sample_events("s1", "/tmp/x", "Look at s1")

    events = [agent.parse_event(name, payload) for name, payload in samples]

    kinds = [event.kind for event in events]
    told = {kind for kind in EventKind if natives.list_registered(agent, kind)}
    assert kinds[0] is next(kind for kind in FIRST if kind in told)
    assert kinds[-1] is (EventKind.SESSION_END if agent.traits.has_session_end else EventKind.TURN_END)
    assert {EventKind.PROMPT, EventKind.TOOL_END} & told <= set(kinds)
    assert EventKind.OTHER not in kinds
    assert all(event.extra == () for event in events)
    assert {event.agent_session_id for event in events} == {"s1"}
    assert {event.text for event in events if event.kind is EventKind.PROMPT} <= {"Look at s1"}
    assert any("Look at s1" in repr(event) for event in events)
    assert agent.takes_brief_at(events[0]) is (samples[0][0] in agent.traits.brief.events)


@natives.EACH
def test_a_sample_session_uses_events_that_are_registered(agent: Agent) -> None:
    registered = {event.name for event in agent.traits.hook_events}

    assert {name for name, _ in agent.sample_events("s1", "/tmp/x", "")} <= registered


@HOOKED
def test_the_hooks_that_were_planned_are_found_again(agent: Agent) -> None:
    line = f"python3 /home/dev/memwiki/hooks/send_event.py --agent {agent.name} --event"
    calls = {event.name: f"{line} {event.name} || exit 0" for event in agent.traits.hook_events}
    text = json_text.apply_edits("{}", hook_shapes.plan_hooks({}, calls, find_hook_file(agent), agent))

    found = dict(hook_shapes.list_hooks(json_text.parse_json(text), find_hook_file(agent).shape, agent.name))
    assert found.keys() == calls.keys()
    # An agent that waits for a decision has it printed behind the call, which itself stands whole.
    assert all(calls[name] in str(call) for name, call in found.items())


@HOOKED
def test_hooks_that_post_are_found_again_with_the_name_of_their_token(agent: Agent) -> None:
    address = f"http://127.0.0.1:7470/hook?agent={agent.name}&event="
    calls = {name: HttpHook(f"{address}{name}&by=memwiki", "MEMWIKI_ACCESS_TOKEN") for name in agent.traits.http_events}
    text = json_text.apply_edits("{}", hook_shapes.plan_hooks({}, calls, find_hook_file(agent), agent))

    assert dict(hook_shapes.list_hooks(json_text.parse_json(text), find_hook_file(agent).shape, agent.name)) == calls


@HOOKED
@pytest.mark.parametrize("settings", [None, [], {}, {"hooks": 1}, {"hooks": {"Stop": 1}}, {"hooks": {"Stop": [{}]}}])
def test_a_file_of_another_shape_has_no_hooks(agent: Agent, settings: object) -> None:
    assert hook_shapes.list_hooks(settings, find_hook_file(agent).shape, agent.name) == ()
