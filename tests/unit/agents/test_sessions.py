"""Whose session an event is: the parent's for helpers, a new one that names the one before it, and where it works."""

import pytest

from app.agents import registry
from app.agents.agent import Agent
from app.domain.errors import MalformedPayload
from app.domain.event import Actor, Event, EventKind
from tests.unit.agents import natives


def each_with(*kinds: EventKind) -> pytest.MarkDecorator:
    """Run a test for each agent that tells of these kinds of event."""
    return pytest.mark.parametrize("agent", natives.list_having(*kinds), ids=lambda agent: agent.name.value)


def parse(agent: Agent, kind: EventKind, payload: dict[str, object]) -> Event:
    return agent.parse_event(natives.find_native(agent, kind), payload)


@each_with(EventKind.TOOL_END)
@pytest.mark.parametrize("flag", [{"isSidechain": True}, {"is_sidechain": True}, {"agent_id": "h1"}])
@pytest.mark.parametrize("parent", ["parent_session_id", "parentSessionId", "rootSessionId"])
def test_a_helpers_event_belongs_to_the_session_that_sent_it(
    agent: Agent, flag: dict[str, object], parent: str
) -> None:
    event = parse(agent, EventKind.TOOL_END, {"session_id": "own", parent: "main", "tool_name": "Bash", **flag})

    assert (event.agent_session_id, event.actor, event.continues) == ("main", Actor.SUBAGENT, "")
    assert event.extra == ()


@each_with(EventKind.SESSION_START)
def test_a_helper_without_a_parent_is_a_helper_all_the_same(agent: Agent) -> None:
    event = parse(agent, EventKind.SESSION_START, {"session_id": "own", "isSidechain": True})

    assert (event.agent_session_id, event.actor) == ("own", Actor.SUBAGENT)
    assert not agent.takes_brief_at(event)


@each_with(EventKind.PROMPT)
@pytest.mark.parametrize("value", [False, None, "", 0, "no"])
def test_who_is_no_helper_is_none(agent: Agent, value: object) -> None:
    payload: dict[str, object] = {"session_id": "own", "parent_session_id": "main", "isSidechain": value}
    event = parse(agent, EventKind.PROMPT, {**payload, "prompt": "Go on."})

    assert (event.agent_session_id, event.actor) == ("own", Actor.PERSON)


@each_with(EventKind.SESSION_START, EventKind.TURN_END)
@pytest.mark.parametrize("field", ["previous_session_id", "resumedFrom", "forked_from_id", "parent_session_id"])
def test_a_session_that_goes_on_names_the_one_before(agent: Agent, field: str) -> None:
    payload: dict[str, object] = {"session_id": "new", field: "old", "source": "resume"}

    assert parse(agent, EventKind.SESSION_START, payload).continues == "old"
    assert parse(agent, EventKind.SESSION_START, payload | {field: "new"}).continues == ""
    assert parse(agent, EventKind.TURN_END, payload).continues == ""


@each_with(EventKind.TURN_END)
@pytest.mark.parametrize("field", ["workspace_roots", "workspaceRoots", "workspace_folders"])
def test_without_a_folder_the_first_of_the_workspace_is_meant(agent: Agent, field: str) -> None:
    roots = ["/home/dev/shop", "/home/dev/other"]

    assert parse(agent, EventKind.TURN_END, {"session_id": "s", field: roots}).cwd == "/home/dev/shop"
    assert parse(agent, EventKind.TURN_END, {"session_id": "s", field: roots, "cwd": "/x"}).cwd == "/x"
    assert parse(agent, EventKind.TURN_END, {"session_id": "s", field: []}).cwd == ""
    assert parse(agent, EventKind.TURN_END, {"session_id": "s", field: [5]}).cwd == ""


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("claude-code", "This session is being continued from a previous conversation that ran out of context."),
        ("codex", "Another language model started to solve this problem and produced a summary."),
    ],
)
def test_a_recap_that_comes_as_a_prompt_is_a_recap(agent: str, words: str) -> None:
    event = registry.find_agent(agent).parse_event("UserPromptSubmit", {"session_id": "s", "prompt": words})

    assert (event.kind, event.actor) == (EventKind.COMPACTION, Actor.MACHINE)
    assert event.text.startswith(words)


def test_a_parent_alone_is_no_session_of_somebody_who_is_no_helper() -> None:
    with pytest.raises(MalformedPayload):
        registry.find_agent("codex").parse_event("Stop", {"parent_session_id": "main"})
