"""Any JSON object is an event or a malformed payload, and every text of it is within its bound."""

from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.agents import bounds, claude_tools, codex_tools, patch, registry, shell_command
from app.agents.agent import Agent
from app.domain.errors import MalformedPayload
from app.domain.event import Event, EventKind
from app.domain.limits import COMMAND_BYTES_MAX, PROMPT_BYTES_MAX, TOOL_PATHS_MAX, TOOL_TEXT_BYTES_MAX
from tests.unit.agents import natives

RECORDED = [natives.read_recorded(path)[1] for path in natives.PAYLOADS]
FIELDS = sorted(
    {name for payload in RECORDED for name in payload}
    | {"sessionId", "agent_id", "tool_output", "compact_summary", "task_description", "message"}
)
TOOLS = sorted(
    {str(payload[name]) for payload in RECORDED for name in ("tool_name", "toolName") if name in payload}
    | claude_tools._READERS.keys()
    | codex_tools._READERS.keys()
)
INPUTS = sorted(
    {name for payload in RECORDED for value in payload.values() if isinstance(value, dict) for name in value}
    | {"edits", "todos", "plan", "exit_code", "status", "step", "interrupted", "text"}
)

texts = st.text(max_size=40) | st.sampled_from(
    [
        "<system-reminder>",
        "</memwiki-brief>",
        "*** Begin Patch\n*** Add File: ",
        "cat > x <<EOF\n",
        "Exit code: 1\n",
        "\ud800",
    ]
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts | texts.map(lambda text: text * 3000)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(INPUTS) | texts, inner, max_size=4),
    max_leaves=10,
)


def payloads(agent: Agent) -> st.SearchStrategy[dict[str, object]]:
    return st.dictionaries(st.sampled_from(FIELDS) | texts, values, max_size=10).flatmap(
        lambda noise: st.fixed_dictionaries(
            {"session_id": st.just("s") | values},
            optional={
                "hook_event_name": st.sampled_from([*sorted(agent.known_events), "New"]) | values,
                "tool_name": st.sampled_from(TOOLS) | values,
                "prompt": values,
            },
        ).map(lambda shape: {**noise, **shape})
    )


def check_bounds(event: Event) -> None:
    assert len(event.text) <= PROMPT_BYTES_MAX
    assert repr(asdict(event)).encode("utf-8")
    if event.tool is not None:
        assert len(event.tool.command) <= COMMAND_BYTES_MAX
        assert max(len(event.tool.input_text), len(event.tool.output_text)) <= TOOL_TEXT_BYTES_MAX
        assert max(len(event.tool.files), len(event.tool.todos)) <= TOOL_PATHS_MAX


@pytest.mark.parametrize("agent", registry.AGENTS, ids=lambda agent: str(agent.name))
@settings(max_examples=100, deadline=None)
@given(drawn=st.data())
def test_any_payload_is_an_event_or_malformed(agent: Agent, drawn: st.DataObject) -> None:
    payload = drawn.draw(payloads(agent))
    name = drawn.draw(st.sampled_from([*sorted(agent.known_events), "", "New"]))
    try:
        event = agent.parse_event(name, payload)
    except MalformedPayload:
        return

    check_bounds(event)
    assert event == agent.parse_event(name, payload)
    assert isinstance(agent.render_brief(event, "brief"), str)


@pytest.mark.parametrize(
    ("agent", "kind"),
    [(agent, kind) for kind in (EventKind.PROMPT, EventKind.TOOL_END) for agent in natives.list_having(kind)],
    ids=lambda value: str(getattr(value, "name", value)),
)
def test_value_nested_without_end_is_named_and_kept_out(agent: Agent, kind: EventKind) -> None:
    deep: object = "x"
    for _ in range(100_000):
        deep = [deep]

    for field in ("prompt", "tool_input", "tool_response", "brand_new", "cwd", "input", "output", "content"):
        event = agent.parse_event(natives.find_native(agent, kind), {"session_id": "s", "tool_name": "X", field: deep})
        check_bounds(event)


@given(st.text(), st.integers(min_value=0, max_value=200))
def test_cut_text_is_within_its_bound_and_says_so(text: str, bytes_max: int) -> None:
    cut = bounds.cut_text(text * 5, bytes_max)

    assert len(cut.encode()) <= bytes_max
    assert cut == text * 5 or bytes_max < 60 or "…[cut " in cut


@given(st.text(st.sampled_from("ab >|&;\n'\"<$()EOF-rmvc/"), max_size=80))
def test_any_command_line_is_read_without_failing(command: str) -> None:
    shell_command.list_programs(command)
    for touch in shell_command.list_changed_files(f"rm {command}"):
        assert touch.path


@given(st.text(max_size=200))
def test_any_patch_is_read_without_failing(text: str) -> None:
    for touch in patch.list_patched_files(f"*** Begin Patch\n*** Add File: {text}\n*** Move to: x\n"):
        assert touch.path
