"""What a hook prints: a brief at a main session's start, within its bound, and nothing anywhere else."""

import json

import pytest

from app.agents import registry
from app.domain.event import Event
from app.domain.limits import BRIEF_CHARS_MAX
from tests.unit.agents import natives

BRIEFED = [agent for agent in natives.CAPTURED if agent.traits.brief.events]
AGENTS = [agent.name.value for agent in BRIEFED]
# What else tells that it is the first event of its kind, where one comes again and again.
FIRST: dict[str, dict[str, object]] = {
    "antigravity": {"invocationNum": 0},
    "hermes": {"extra": {"user_message": "Look."}},
}
BRIEF = "<memwiki-brief kind='start'>\nHandoff: round half up.\n</memwiki-brief>"


def start(agent: str, name: str = "", **fields: object) -> Event:
    module = registry.find_agent(agent)
    name = name or module.traits.brief.events[0]
    return module.parse_event(name, {"session_id": "s", "hook_event_name": name, **FIRST.get(agent, {}), **fields})


def read_context(printed: str) -> str:
    """Find the text in whatever an agent wants around it."""
    if not printed.startswith("{"):
        return printed
    found = json.loads(printed)
    while not isinstance(found, str):
        # The text is the last thing in each of the forms.
        found = found[-1] if isinstance(found, list) else list(found.values())[-1]
    return found


@pytest.mark.parametrize("agent", AGENTS)
def test_brief_is_handed_over_where_the_agent_takes_it(agent: str) -> None:
    event = start(agent, source="startup")

    printed = registry.find_agent(agent).render_brief(event, BRIEF)

    assert registry.find_agent(agent).takes_brief_at(event)
    assert read_context(printed) == BRIEF


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini-cli"])
def test_brief_stands_below_the_hooks_own_output(agent: str) -> None:
    printed = registry.find_agent(agent).render_brief(start(agent), BRIEF)

    assert json.loads(printed) == {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": BRIEF}}


def test_brief_for_copilot_stands_at_the_top() -> None:
    printed = registry.find_agent("copilot-cli").render_brief(start("copilot-cli"), BRIEF)

    assert json.loads(printed) == {"additionalContext": BRIEF}


@pytest.mark.parametrize("agent", ["opencode", "pi"])
def test_a_plug_in_is_answered_with_nothing_but_the_text(agent: str) -> None:
    assert registry.find_agent(agent).render_brief(start(agent), BRIEF) == BRIEF


@pytest.mark.parametrize("agent", AGENTS)
def test_no_other_event_prints_anything(agent: str) -> None:
    module = registry.find_agent(agent)
    starts = {name for name in module.known_events if start(agent, name).kind is start(agent).kind}

    for name in [*sorted(module.known_events - starts), "BrandNew"]:
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

    context = read_context(printed)
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
