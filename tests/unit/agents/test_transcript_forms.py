"""The agents' own transcripts, recorded from their real command lines, told as their hooks would have told them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agents import registry
from app.agents.transcript_forms import FORMS
from app.domain.event import Actor, AgentName, Event, EventKind, Outcome

RECORDED = Path(__file__).parents[2] / "data" / "transcripts"
AT = "2026-11-30T09:00:00.000Z"
AGENTS = sorted(FORMS)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


def list_recorded(agent: AgentName) -> list[str]:
    return (RECORDED / f"{agent}.jsonl").read_text(encoding="utf-8").splitlines()


def read(agent: AgentName, *records: object) -> list[Event]:
    told = FORMS[agent].read([each if isinstance(each, str) else json.dumps(each) for each in records])
    return [registry.find_agent(agent.value).parse_event(each.name, each.payload) for each in told]


def tell(events: list[Event]) -> list[tuple[EventKind, str]]:
    return [(event.kind, event.text or (event.tool.command if event.tool else "")) for event in events]


def codex(kind: str, **payload: object) -> dict[str, object]:
    return {"timestamp": AT, "type": kind, "payload": payload}


def say(role: str, text: str) -> dict[str, object]:
    return codex("response_item", type="message", role=role, content=[{"type": "input_text", "text": text}])


@pytest.mark.parametrize("agent", AGENTS)
def test_a_recorded_session_is_told_whole(agent: AgentName) -> None:
    events = read(agent, *list_recorded(agent))

    assert [event.kind for event in events] == [
        EventKind.SESSION_START,
        EventKind.PROMPT,
        *[EventKind.TOOL_END] * 3,
        EventKind.TURN_END,
        EventKind.SESSION_END,
    ]
    assert (events[1].text, events[1].actor) == ("Make totals round half up in prices.py", Actor.PERSON)
    assert events[-2].text == "Totals round half up now; the check still fails."
    looked, failed, edited = (event.tool for event in events if event.tool)
    assert (looked.command, looked.outcome) == ("cat prices.py", Outcome.SUCCEEDED)
    assert failed.outcome is Outcome.FAILED
    assert "AssertionError: totals must round half up" in failed.output_text
    assert [touch.path for touch in edited.files] == ["/home/dev/shop/prices.py"]


@pytest.mark.parametrize("agent", AGENTS)
def test_every_event_of_a_recorded_session_has_its_time_and_no_unknown_field(agent: AgentName) -> None:
    events = read(agent, *list_recorded(agent))

    times = [event.occurred_at for event in events]
    assert None not in times
    assert times == sorted(times, key=str)
    assert {event.extra for event in events} == {()}


@pytest.mark.parametrize("agent", AGENTS)
@given(lines=st.lists(ANYTHING.map(json.dumps) | st.text(max_size=30), max_size=8))
def test_no_line_makes_reading_fail(agent: AgentName, lines: list[str]) -> None:
    list(FORMS[agent].read([*list_recorded(agent)[:4], *lines]))


@pytest.mark.parametrize("agent", AGENTS)
@given(number=st.integers(0, 30), field=st.sampled_from(["type", "payload", "message", "content", "parts", "info"]))
def test_no_odd_field_makes_reading_fail(agent: AgentName, number: int, field: str) -> None:
    lines = list_recorded(agent)
    number %= len(lines)
    odd = {**json.loads(lines[number]), field: [["odd"], {"type": ["odd"]}]}

    list(FORMS[agent].read([*lines[:number], json.dumps(odd), *lines[number + 1 :]]))


def test_a_helper_of_codex_is_told_as_the_helper_of_its_session() -> None:
    call = codex("response_item", type="function_call", name="shell", arguments='{"command": ["ls"]}', call_id="c")
    answer = codex("response_item", type="function_call_output", call_id="c", output="a.py")
    about = codex("session_meta", id="h-1", session_id="s-1", cwd="/shop", thread_source="subagent")

    events = read(AgentName.CODEX, about, say("user", "Look."), call, answer, say("assistant", "Seen."))

    assert [(event.kind, event.agent_session_id, event.helper_id) for event in events] == [
        (EventKind.TOOL_END, "s-1", "h-1")
    ]


def test_codex_context_and_a_turn_that_was_broken_off_are_not_the_persons() -> None:
    events = read(
        AgentName.CODEX,
        codex("session_meta", id="s-1", cwd="/shop"),
        say("user", "<environment_context>\n  <cwd>/shop</cwd>\n</environment_context>"),
        say("user", "Fix it."),
        say("assistant", "I begin"),
        codex("event_msg", type="turn_aborted", reason="interrupted"),
    )

    assert tell(events)[1:-1] == [(EventKind.PROMPT, "Fix it.")]


def test_a_message_that_gemini_writes_twice_is_told_once() -> None:
    call = {"id": "c", "name": "run_shell_command", "args": {"command": "make"}, "status": "success", "result": []}
    events = read(
        AgentName.GEMINI_CLI,
        {"sessionId": "s-1", "startTime": AT, "kind": "main"},
        {"id": "1", "type": "user", "content": "Build it.", "timestamp": AT},
        {"id": "2", "type": "gemini", "content": "I run make.", "timestamp": AT},
        {"id": "2", "type": "gemini", "content": "I run make.", "timestamp": AT, "toolCalls": [call]},
        {"id": "2", "type": "gemini", "content": "I run make.", "timestamp": AT, "toolCalls": [call]},
    )

    assert tell(events)[1:-1] == [(EventKind.PROMPT, "Build it."), (EventKind.TOOL_END, "make")]


def test_what_opencode_summed_up_is_a_recap_and_no_report() -> None:
    events = read(
        AgentName.OPENCODE,
        {"info": {"id": "s-1", "directory": "/shop"}},
        {"info": {"id": "m-1", "role": "user"}, "parts": [{"type": "compaction"}]},
        {"info": {"id": "m-2", "role": "assistant", "summary": True}, "parts": [{"type": "text", "text": "So far."}]},
    )

    assert [event.kind for event in events] == [EventKind.SESSION_START, EventKind.COMPACTION, EventKind.SESSION_END]


def test_a_helper_of_opencode_belongs_to_its_parent() -> None:
    about = {"id": "h-1", "parentID": "s-1", "directory": "/shop"}
    events = read(AgentName.OPENCODE, {"info": about}, {"info": {"id": "m", "role": "user"}, "parts": []})

    assert {(event.agent_session_id, event.helper_id) for event in events} == {("s-1", "h-1")}
