"""What a hook prints: a brief at a main session's start, within its bound, and nothing anywhere else."""

import json

import pytest

from app.agents import registry
from app.domain.event import Event
from app.domain.limits import BRIEF_CHARS_MAX

AGENTS = [agent.name.value for agent in registry.AGENTS]
BRIEF = "<memwiki-brief kind='start'>\nHandoff: round half up.\n</memwiki-brief>"


def start(agent: str, name: str = "SessionStart", **fields: object) -> Event:
    return registry.find_agent(agent).parse_event(name, {"session_id": "s", "hook_event_name": name, **fields})


@pytest.mark.parametrize("agent", AGENTS)
def test_brief_is_handed_over_as_context_at_the_start(agent: str) -> None:
    event = start(agent, source="startup")

    printed = registry.find_agent(agent).render_brief(event, BRIEF)

    assert registry.find_agent(agent).takes_brief_at(event)
    assert json.loads(printed) == {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": BRIEF}}


@pytest.mark.parametrize("agent", AGENTS)
def test_no_other_event_prints_anything(agent: str) -> None:
    module = registry.find_agent(agent)

    for name in [*sorted(module.known_events - {"SessionStart"}), "BrandNew"]:
        event = start(agent, name)
        assert not module.takes_brief_at(event)
        assert module.render_brief(event, BRIEF) == ""


@pytest.mark.parametrize("agent", AGENTS)
def test_subagent_gets_no_brief(agent: str) -> None:
    event = start(agent, agent_id="a1")

    assert not registry.find_agent(agent).takes_brief_at(event)
    assert registry.find_agent(agent).render_brief(event, BRIEF) == ""


@pytest.mark.parametrize("agent", AGENTS)
def test_nothing_to_say_prints_nothing(agent: str) -> None:
    assert registry.find_agent(agent).render_brief(start(agent), "") == ""


@pytest.mark.parametrize("line", ["a line of text", '"quoted"\t\\', "日本語の行", "x" * 20_000])
@pytest.mark.parametrize("agent", AGENTS)
def test_long_brief_is_cut_at_a_line_and_stays_fenced(agent: str, line: str) -> None:
    text = "<memwiki-brief>\nfirst\n" + f"{line}\n" * 3000 + "</memwiki-brief>"

    printed = registry.find_agent(agent).render_brief(start(agent), text)

    context = json.loads(printed)["hookSpecificOutput"]["additionalContext"]
    assert len(printed) <= BRIEF_CHARS_MAX
    assert context.startswith("<memwiki-brief>\nfirst\n")
    assert context.endswith("</memwiki-brief>")
    assert "[cut here" in context
    assert set(context.split("\n")[2:-2]) <= {line}


def test_brief_at_the_bound_is_whole_and_one_past_it_is_cut() -> None:
    codex = registry.find_agent("codex")
    room = BRIEF_CHARS_MAX - len(codex.render_brief(start("codex"), "x")) + 1

    assert len(codex.render_brief(start("codex"), "x" * room)) == BRIEF_CHARS_MAX
    assert "[cut here" in codex.render_brief(start("codex"), "x" * (room + 1))


def test_a_brief_for_codex_is_bounded_in_bytes_because_codex_measures_those() -> None:
    text = "<memwiki-brief>\n" + "日本語の行\n" * 3000 + "</memwiki-brief>"

    printed = registry.find_agent("codex").render_brief(start("codex"), text)

    assert len(printed.encode()) <= BRIEF_CHARS_MAX
    assert len(printed.encode()) > BRIEF_CHARS_MAX * 0.9
