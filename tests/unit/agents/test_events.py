"""How an event is named, whose session it belongs to, and what becomes of what nobody knows."""

from datetime import UTC, datetime

import pytest

from app.agents import registry
from app.domain.errors import MalformedPayload, UnknownAgent
from app.domain.event import Actor, AgentName, Event, EventKind
from app.domain.limits import EXTRA_FIELD_BYTES_MAX, EXTRA_FIELDS_MAX, NATIVE_ID_CHARS_MAX
from tests.unit.agents import natives

AGENTS = [agent.name.value for agent in natives.CAPTURED]
STARTING = [agent.name.value for agent in natives.list_having(EventKind.SESSION_START, EventKind.TURN_END)]
UUID = "00000000-0000-4000-8000-000000000000"


def parse(agent: str, payload: dict[str, object], event_name: str = "") -> Event:
    return registry.find_agent(agent).parse_event(event_name, payload)


def name_kind(agent: str, kind: EventKind) -> str:
    return natives.find_native(registry.find_agent(agent), kind)


def test_every_agent_that_has_a_name_has_a_module() -> None:
    assert {agent.name for agent in registry.AGENTS} == set(AgentName)


def test_unknown_agent_is_a_named_error() -> None:
    with pytest.raises(UnknownAgent):
        registry.find_agent("emacs")


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("payload", [{}, {"session_id": None}, {"session_id": "  "}, {"session_id": ["x"]}])
def test_payload_without_any_session_is_malformed(agent: str, payload: dict[str, object]) -> None:
    with pytest.raises(MalformedPayload):
        parse(agent, payload, "Stop")


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(
    ("payload", "session_id"),
    [
        ({"session_id": "abc"}, "abc"),
        ({"session_id": 12345}, "12345"),
        ({"sessionId": "abc"}, "abc"),
        ({"thread-id": "abc"}, "abc"),
        ({"transcript_path": f"/home/dev/.claude/projects/p/{UUID}.jsonl"}, UUID),
        ({"transcript_path": f"C:\\x\\rollout-2026-11-30T08-32-33-{UUID}.jsonl"}, UUID),
    ],
)
def test_session_is_found_in_each_spelling(agent: str, payload: dict[str, object], session_id: str) -> None:
    assert parse(agent, payload, "Stop").agent_session_id == session_id


@pytest.mark.parametrize("agent", STARTING)
@pytest.mark.parametrize(
    ("in_payload", "in_address", "kind"),
    [
        (EventKind.TURN_END, EventKind.SESSION_START, EventKind.TURN_END),
        (None, EventKind.SESSION_START, EventKind.SESSION_START),
        ("BrandNew", EventKind.SESSION_START, EventKind.SESSION_START),
        (EventKind.TURN_END, "", EventKind.TURN_END),
        ("BrandNew", "AlsoNew", EventKind.OTHER),
        ("", "", EventKind.OTHER),
    ],
)
def test_known_name_in_the_payload_wins_over_the_address(
    agent: str, in_payload: EventKind | str | None, in_address: EventKind | str, kind: EventKind
) -> None:
    named, addressed = (
        name_kind(agent, given) if isinstance(given, EventKind) else given for given in (in_payload, in_address)
    )

    assert parse(agent, {"session_id": "s", "hook_event_name": named}, addressed or "").kind is kind


@pytest.mark.parametrize("agent", AGENTS)
def test_unknown_event_keeps_its_fields_and_counts_as_unknown(agent: str) -> None:
    event = parse(agent, {"session_id": "s", "hook_event_name": "SomeFutureEventV2", "detail": {"x": 1}})

    assert (event.kind, event.native_name) == (EventKind.OTHER, "SomeFutureEventV2")
    assert event.extra == (("detail", '{"x": 1}'),)
    assert registry.is_unknown_kind(event)


@pytest.mark.parametrize("agent", [agent.name.value for agent in natives.list_having(EventKind.OTHER)])
def test_known_event_beside_the_main_ones_does_not_count_as_unknown(agent: str) -> None:
    name = name_kind(agent, EventKind.OTHER)

    event = parse(agent, {"session_id": "s", "hook_event_name": name, "tool_name": "Bash", "x": 1})

    assert event.kind is EventKind.OTHER
    assert not registry.is_unknown_kind(event)
    assert registry.count_unknown_fields(event) == 0


def test_unknown_fields_are_kept_within_their_bounds() -> None:
    fields: dict[str, object] = {f"new_{number}": "x" * 10_000 for number in range(100)}

    event = parse("codex", {"session_id": "s", "hook_event_name": "Stop", **fields})

    assert len(event.extra) == EXTRA_FIELDS_MAX
    assert all(len(value) <= EXTRA_FIELD_BYTES_MAX for _name, value in event.extra)


def test_fields_of_another_shape_are_kept_as_they_can_be() -> None:
    payload: dict[str, object] = {
        "session_id": 12345, "hook_event_name": "PostToolUse", "cwd": None, "tool_name": "Bash", "tool_input": "ls",
        "tool_response": 7, "tool_use_id": {"x": 1}, "prompt": "lost?",
    }  # fmt: skip

    event = parse("claude-code", payload)

    assert event.tool is not None
    assert (event.tool.command, event.tool.output_text, event.native_id, event.cwd) == ("ls", "7", "", "")
    assert event.extra == (("prompt", '"lost?"'),)


def test_text_that_no_store_can_hold_is_made_storable() -> None:
    event = parse("codex", {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "a\ud800b\x00c"})

    assert event.text.encode("utf-8").decode("utf-8") == "a\ufffdb\ufffdc"


def test_long_identifier_is_bounded() -> None:
    assert len(parse("codex", {"session_id": "s" * 1000}, "Stop").agent_session_id) == NATIVE_ID_CHARS_MAX


@pytest.mark.parametrize("agent", STARTING)
@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_start_says_why_it_started(agent: str, source: str) -> None:
    name = name_kind(agent, EventKind.SESSION_START)

    event = parse(agent, {"session_id": "s", "hook_event_name": name, "source": source})

    assert (event.kind, event.reason) == (EventKind.SESSION_START, source)


def test_compaction_summary_is_the_machines() -> None:
    event = parse("claude-code", {"session_id": "s", "hook_event_name": "PostCompact", "trigger": "auto",
                                  "compact_summary": "we fixed it"})  # fmt: skip

    assert (event.kind, event.actor, event.text, event.reason) == (
        EventKind.COMPACTION, Actor.MACHINE, "we fixed it", "auto",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("agent", "kind"),
    [
        (agent.name.value, kind)
        for agent in natives.CAPTURED
        for kind in EventKind
        if kind is not EventKind.OTHER and natives.list_natives(agent, kind)
    ],
)
def test_event_of_a_subagent_stays_with_its_parents_session(agent: str, kind: EventKind) -> None:
    name = name_kind(agent, kind)

    event = parse(agent, {"session_id": "parent", "hook_event_name": name, "agent_id": "a1", "prompt": "x"})

    assert (event.actor, event.agent_session_id) == (Actor.SUBAGENT, "parent")


@pytest.mark.parametrize(
    ("given", "moment"),
    [
        ("2026-11-30T12:00:00Z", datetime(2026, 11, 30, 12, tzinfo=UTC)),
        ("2026-11-30T13:00:00+01:00", datetime(2026, 11, 30, 12, tzinfo=UTC)),
        ("2026-11-30T12:00:00", datetime(2026, 11, 30, 12, tzinfo=UTC)),
        (1796040000, datetime(2026, 11, 30, 12, tzinfo=UTC)),
        (1796040000000, datetime(2026, 11, 30, 12, tzinfo=UTC)),
        ("soon", None),
        (1e300, None),
        (float("nan"), None),
        (True, None),
        ("0001-01-01T00:00:00+23:59", None),
    ],
)
def test_time_is_read_in_each_form(given: object, moment: datetime | None) -> None:
    assert parse("claude-code", {"session_id": "s", "timestamp": given}, "Stop").occurred_at == moment


@pytest.mark.parametrize(
    ("payload", "runner"),
    [
        ({"session_id": "s", "hook_event_name": "Stop"}, AgentName.CLAUDE_CODE),
        ({"session_id": "s", "hook_event_name": "stop", "cursor_version": "3.20"}, AgentName.CURSOR),
        ({"sessionId": "s", "hookEventName": "Stop"}, AgentName.VSCODE_COPILOT),
    ],
    ids=["Claude Code itself", "Cursor", "VS Code"],
)
def test_who_runs_the_hook_files_of_claude_code_is_told_by_the_payload(
    payload: dict[str, object], runner: AgentName
) -> None:
    assert registry.find_agent("claude-code").parse_event("Stop", payload).agent is runner
