"""Redaction of whole events, of fields that their name gives away, and of what a person marked as private."""

import json
from dataclasses import replace

import pytest

from app.domain import redact
from app.domain.event import (
    Actor,
    AgentName,
    Event,
    EventKind,
    FileChange,
    FileTouch,
    TodoItem,
    ToolCall,
    ToolPurpose,
)
from tests.unit.domain import planted

NAME, KEY = planted.GITHUB
MARK = f"[redacted:{NAME}]"
CLEAN = Event(
    agent=AgentName.CLAUDE_CODE,
    kind=EventKind.TOOL_END,
    native_name="PostToolUse",
    agent_session_id="4be4285e-8c20-497b-a310-2993376c3413",
    actor=Actor.AGENT,
    cwd="/home/dev/shop",
    tool=ToolCall(name="Bash", purpose=ToolPurpose.SHELL, command="make test", output_text="12 passed"),
)


def test_an_event_without_a_secret_is_handed_back_as_it_is() -> None:
    assert redact.redact_event(CLEAN) is CLEAN


def test_every_text_of_an_event_is_redacted() -> None:
    tool = ToolCall(
        name=f"n {KEY}",
        purpose=ToolPurpose.OTHER,
        command=f"c {KEY}",
        files=(FileTouch(f"f {KEY}", FileChange.READ),),
        todos=(TodoItem(f"t {KEY}", is_done=False),),
        input_text=f"i {KEY}",
        output_text=f"o {KEY}",
    )
    event = replace(
        CLEAN,
        native_name=f"a {KEY}",
        cwd=f"/x/{KEY}",
        text=f"b {KEY}",
        reason=f"d {KEY}",
        native_id=f"e {KEY}",
        tool=tool,
        extra=((f"g {KEY}", f'"h {KEY}"'),),
    )

    redacted = redact.redact_event(event)

    assert KEY not in repr(redacted)
    assert repr(redacted) == repr(event).replace(KEY, MARK)


@pytest.mark.parametrize("name", ["db_password", "apiKey", "client_secret", "X-Auth-Token", "private-key"])
def test_a_field_that_its_name_gives_away_loses_its_value(name: str) -> None:
    event = replace(CLEAN, extra=((name, '"correcthorse42"'),))

    redacted = redact.redact_event(event)

    assert redacted.extra[0][0] == name
    assert redacted.extra[0][1] in {'"[redacted:password]"', '"[redacted:token]"', '"[redacted:key]"'}


def test_a_field_that_only_sounds_like_a_secret_keeps_its_value() -> None:
    event = replace(CLEAN, extra=(("max_tokens", "4096"), ("password", "null"), ("token_type", '"bearer"')))

    assert redact.redact_event(event) == event


def test_what_was_stored_is_read_back_unchanged() -> None:
    assert redact.restore_text(MARK) == MARK
    assert redact.restore_event(CLEAN) is CLEAN


PRIVATE = {
    "one block": ("a <private>b</private> c", "a [private] c"),
    "two blocks": ("<private>a</private>b<private>c</private>", "[private]b[private]"),
    "nested": ("a <private>b <private>c</private> d</private> e", "a [private] e"),
    "never closed": ("a <private>b\nc", "a [private]"),
    "nested and never closed": ("a <private>b <private>c</private> d", "a [private]"),
    "any case": ("a <PRIVATE>b</Private> c", "a [private] c"),
    "blanks in the mark": ("a < private >b</ private > c", "a [private] c"),
    "only closed": ("a</private> b", "a</private> b"),
    "none": ("private parts of a class < 3", "private parts of a class < 3"),
}


@pytest.mark.parametrize(("text", "expected"), PRIVATE.values(), ids=PRIVATE)
def test_what_a_person_marked_as_private_goes(text: str, expected: str) -> None:
    assert redact.strip_private(text) == expected


ESCAPED = {
    "a line's continuation": f"use {KEY[:9]}\\\n{KEY[9:]} now",
    "a quote": f'gh secret set X --body "{KEY[4:]}"',
    "a folded line": f"the key that this deployment uses from today on is {KEY[:20]}\n{KEY[20:]}\nok",
}


@pytest.mark.parametrize("text", ESCAPED.values(), ids=ESCAPED)
def test_what_json_escapes_in_an_unknown_field_is_read_as_it_was(text: str) -> None:
    event = replace(CLEAN, extra=(("odd", json.dumps({"deep": [text], "count": 1.0})),))

    redacted = redact.redact_event(event).extra[0][1]

    assert KEY[10:18] not in redacted
    assert KEY[22:30] not in redacted
    assert json.loads(redacted)["count"] == 1.0


def test_an_unknown_field_without_a_secret_keeps_its_spelling() -> None:
    event = replace(CLEAN, extra=(("odd", '{"a":"x\\ny",  "b": 1e3}'), ("key", KEY)))

    assert redact.redact_event(event).extra[0] == event.extra[0]


def test_a_file_named_by_the_half_of_a_secret_loses_its_name() -> None:
    command = f"the key that this deployment uses from today on is {KEY[:20]}\n> {KEY[20:]}\necho > kept.txt"
    tool = ToolCall(
        name="Bash",
        purpose=ToolPurpose.SHELL,
        command=command,
        files=(FileTouch(KEY[20:], FileChange.MODIFIED), FileTouch("kept.txt", FileChange.MODIFIED)),
    )

    redacted = redact.redact_event(replace(CLEAN, tool=tool)).tool

    assert redacted is not None
    assert [touch.path for touch in redacted.files] == ["[redacted:path]", "kept.txt"]


def test_the_classes_in_a_text_are_named_once_and_old_placeholders_are_none() -> None:
    assert redact.list_classes(f"{KEY} {MARK} {KEY}") == [NAME]
    assert redact.list_classes(MARK) == []
    assert redact.redact_named("db_password", "correcthorse42") == "[redacted:password]"
