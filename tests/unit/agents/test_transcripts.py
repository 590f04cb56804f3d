"""Claude Code's own transcripts, told as its hooks would have told them."""

import json

from hypothesis import given
from hypothesis import strategies as st

from app.agents import claude_code, claude_transcript
from app.domain.event import Actor, Event, EventKind, TodoItem, ToolPurpose

AT = "2026-11-30T09:00:00.000Z"
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


def write(kind: str, content: object, **more: object) -> str:
    message = {"role": kind, "content": content}
    return json.dumps({"type": kind, "sessionId": "s-1", "cwd": "/shop", "timestamp": AT, "message": message, **more})


def use(tool: str, use_id: str = "use-1", **given: object) -> list[dict[str, object]]:
    return [{"type": "tool_use", "id": use_id, "name": tool, "input": given}]


def result(text: str, use_id: str = "use-1", *, is_error: bool = False) -> list[dict[str, object]]:
    return [{"type": "tool_result", "tool_use_id": use_id, "content": text, "is_error": is_error}]


def say(text: str) -> list[dict[str, object]]:
    return [{"type": "text", "text": text}]


def read(*lines: str) -> list[Event]:
    return [claude_code.parse_event(told.name, told.payload) for told in claude_transcript.read_transcript(lines)]


def tell(events: list[Event]) -> list[tuple[EventKind, str]]:
    return [(event.kind, event.text or (event.tool.command if event.tool else "")) for event in events]


def test_a_turn_is_told_from_its_prompt_to_its_report() -> None:
    events = read(
        write("user", "Fix it."),
        write("assistant", say("I look first.")),
        write("assistant", use("Bash", command="pytest -q")),
        write("user", result("1 passed"), toolUseResult={"stdout": "1 passed", "stderr": ""}),
        write("assistant", say("It is fixed.")),
    )

    assert tell(events) == [
        (EventKind.SESSION_START, ""),
        (EventKind.PROMPT, "Fix it."),
        (EventKind.TOOL_END, "pytest -q"),
        (EventKind.TURN_END, "It is fixed."),
        (EventKind.SESSION_END, ""),
    ]
    assert events[1].occurred_at is not None
    assert {event.agent_session_id for event in events} == {"s-1"}


def test_a_turn_that_was_interrupted_has_no_report() -> None:
    events = read(
        write("user", "Fix it."),
        write("assistant", say("I think that")),
        write("user", say("[Request interrupted by user]")),
        write("user", "Do it another way."),
        write("assistant", use("Bash", command="make")),
    )

    assert tell(events)[1:-1] == [(EventKind.PROMPT, "Fix it."), (EventKind.PROMPT, "Do it another way.")]


def test_recaps_and_expanded_commands_are_no_prompts() -> None:
    recap = "This session is being continued from a previous conversation. Basket done."
    events = read(
        write("user", "Fix it."),
        write("user", "# The whole text of a slash command", isMeta=True),
        write("user", recap, isCompactSummary=True),
    )

    assert [event.kind for event in events if event.actor is Actor.PERSON] == [EventKind.PROMPT]
    assert EventKind.COMPACTION in {event.kind for event in events}


def test_helpers_are_told_as_helpers() -> None:
    inside = {"type": "assistant", "message": {"role": "assistant", "content": use("Bash", "use-9", command="ls")}}
    answered = {"type": "user", "message": {"role": "user", "content": result("a.py", "use-9")}}
    progress = [
        json.dumps(
            {"type": "progress", "timestamp": AT, "data": {"type": "agent_progress", "agentId": "h", "message": m}}
        )
        for m in (inside, answered)
    ]

    events = read(write("user", "Fix it."), *progress)

    assert [event.helper_id for event in events if event.actor is Actor.SUBAGENT] == ["h"]


def test_a_failed_call_and_an_answered_question_are_told() -> None:
    events = read(
        write("user", "Fix it."),
        write("assistant", use("Edit", file_path="/shop/a.py")),
        write("user", result("No such text", is_error=True)),
        write("assistant", use("AskUserQuestion", "use-2", questions=[])),
        write("user", result('User has answered your questions: "Which folder?"="docs/out". Go on.', "use-2")),
    )

    failed, asked = (event.tool for event in events if event.tool is not None)
    assert (failed.files, failed.output_text) == ((), "No such text")
    assert (asked.purpose, asked.output_text) == (ToolPurpose.QUESTION, "Which folder? → docs/out")


@given(lines=st.lists(ANYTHING.map(json.dumps) | st.text(max_size=30), max_size=8))
def test_no_line_makes_reading_fail(lines: list[str]) -> None:
    list(claude_transcript.read_transcript([write("user", "Fix it."), *lines]))


@given(message=ANYTHING, kind=st.sampled_from(["user", "assistant"]))
def test_no_message_makes_reading_fail(message: object, kind: str) -> None:
    list(claude_transcript.read_transcript([json.dumps({"type": kind, "message": message, "cwd": message})]))


def test_tasks_that_are_told_one_by_one_have_their_keys() -> None:
    events = read(
        write("user", "Fix it."),
        write("assistant", use("TaskCreate", subject="Cover the form")),
        write("user", result("Task #1 created"), toolUseResult={"task": {"id": "1", "subject": "Cover the form"}}),
        write("assistant", use("TaskUpdate", "use-2", taskId="1", status="completed")),
        write("user", result("Updated task #1", "use-2")),
    )

    todos = [event.tool.todos for event in events if event.tool is not None]
    assert todos == [(TodoItem("Cover the form", is_done=False, key="1"),), (TodoItem("", is_done=True, key="1"),)]
