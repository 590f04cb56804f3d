"""Codex CLI's own transcript (`~/.codex/sessions/…/rollout-*.jsonl`), read as the hooks would have told it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from app.agents import fields
from app.agents.transcript import Reading, TranscriptEvent, list_fields, read_records

_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_RESULTS = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output"})
_TURN_ENDS = frozenset({"task_complete", "turn_complete"})
# What Codex itself puts before a person's first words.
_CONTEXT = ("<environment_context>", "<user_instructions>", "# AGENTS.md instructions for", "<turn_aborted>")
_SHELLS = {"shell_command": "Bash", "container.exec": "Bash", "exec_command": "Bash", "shell": "Bash"}
# What stands above the output of a command, and says how it ended.
_HEADER = re.compile(r"\A(?:[^\n]*\n){0,8}?Process exited with code (?P<code>-?\d{1,10})\n(?:[^\n]*\n){0,4}?Output:\n")


@dataclass(slots=True)
class _Calls:
    """The calls that have no result yet, and the helper that the whole transcript is of, empty for none."""

    waiting: dict[str, Mapping[str, object]] = field(default_factory=dict)
    helper_id: str = ""


def read_transcript(lines: Iterable[str]) -> Iterator[TranscriptEvent]:
    """Read a rollout; one of a helper has its tool calls alone, told as the helper's."""
    reading, calls = Reading("Stop"), _Calls()
    for record in read_records(lines):
        payload = fields.read_fields(record.get("payload"))
        reading.note_time(record.get("timestamp"))
        if record.get("type") == "session_meta" and not reading.shared:
            yield from _begin(reading, calls, payload)
        if not reading.shared:
            continue
        for event in _read_record(reading, calls, str(record.get("type")), payload):
            if not calls.helper_id or event.name == "PostToolUse":
                yield event
    if reading.shared and not calls.helper_id:
        yield from reading.close_turn()
        yield reading.tell("SessionEnd", reason="other")


def _begin(reading: Reading, calls: _Calls, about: Mapping[str, object]) -> Iterator[TranscriptEvent]:
    own = fields.read_text(about.get("id")) or "unknown"
    root = fields.read_text(about.get("session_id")) or own
    if about.get("thread_source") == "subagent" or isinstance(about.get("source"), dict):
        calls.helper_id = own
    reading.shared.update(session_id=root if calls.helper_id else own, cwd=fields.read_text(about.get("cwd")))
    if calls.helper_id:
        reading.shared.update(agent_id=own, parent_session_id=root)
        return
    yield reading.tell("SessionStart", source="startup", forked_from_id=about.get("forked_from_id"))


def _read_record(
    reading: Reading, calls: _Calls, kind: str, payload: Mapping[str, object]
) -> Iterator[TranscriptEvent]:
    told = fields.read_name(payload.get("type"))
    match kind:
        case "turn_context":
            reading.shared["cwd"] = fields.read_text(payload.get("cwd")) or reading.shared["cwd"]
        case "compacted":
            yield reading.tell("PostCompact", trigger="auto")
        case "event_msg" if told in _TURN_ENDS:
            reading.said = fields.read_text(payload.get("last_agent_message")) or reading.said
            yield from reading.close_turn()
        case "event_msg" if told == "turn_aborted":
            reading.said = ""
        case "response_item":
            yield from _read_item(reading, calls, payload)
        case _:
            pass


def _read_item(reading: Reading, calls: _Calls, item: Mapping[str, object]) -> Iterator[TranscriptEvent]:
    kind = fields.read_name(item.get("type"))
    if kind in _CALLS:
        reading.said = ""
        calls.waiting[fields.read_text(item.get("call_id"))] = item
    elif kind in _RESULTS:
        yield from _end_call(reading, calls, item)
    elif item.get("role") == "user":
        yield from _hear_person(reading, item)
    elif item.get("role") == "assistant":
        reading.said = _join(item) or reading.said


def _hear_person(reading: Reading, item: Mapping[str, object]) -> Iterator[TranscriptEvent]:
    words = _join(item)
    if words and not words.startswith(_CONTEXT):
        yield from reading.close_turn()
        yield reading.tell("UserPromptSubmit", prompt=words)


def _join(item: Mapping[str, object]) -> str:
    parts = [fields.read_text(part.get("text")) for part in list_fields(item.get("content"))]
    return "\n".join(filter(None, parts)).strip()


def _end_call(reading: Reading, calls: _Calls, item: Mapping[str, object]) -> Iterator[TranscriptEvent]:
    use_id = fields.read_text(item.get("call_id"))
    call = calls.waiting.pop(use_id, None)
    if call is None:
        return
    name = fields.read_text(call.get("name")) or "shell"
    space = fields.read_text(call.get("namespace"))
    yield reading.tell(
        "PostToolUse",
        tool_name=f"{space}__{name}" if space.startswith("mcp__") else _SHELLS.get(name, name),
        tool_input=_read_input(call),
        tool_use_id=use_id,
        tool_response=_read_output(item.get("output")),
    )


def _read_input(call: Mapping[str, object]) -> object:
    """Read what a tool was given: JSON in a text, a bare text, or the action of a shell call."""
    given = fields.read_first(call, "arguments", "input", "action")
    if not isinstance(given, str):
        return given
    try:
        found = json.loads(given)
    except (ValueError, RecursionError):
        return {"command": given}
    return found if isinstance(found, dict) else {"command": given}


def _read_output(output: object) -> object:
    """Take the head that Codex writes above a command's output apart from it."""
    found = _HEADER.match(output) if isinstance(output, str) else None
    if found is None or not isinstance(output, str):
        return output
    return {"output": output[found.end() :], "exit_code": int(found.group("code"))}
