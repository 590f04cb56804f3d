"""Gemini CLI's own transcripts (`~/.gemini/tmp/…/chats/session-*`), read as the hooks would have told it.

A message is written again when its tools have answered, under the same id. The transcript does not name its folder.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from app.agents import fields
from app.agents.transcript import Reading, TranscriptEvent, list_fields, read_records

# What Gemini itself writes in a person's place.
_CONTEXT = ("<session_context>", "System: Please continue.")


@dataclass(slots=True)
class _Seen:
    """The ids of messages and of tool calls that were told."""

    messages: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)


def split_chat(text: str) -> Iterator[str]:
    """Make lines of a chat that is one JSON document; a broken one has none."""
    try:
        whole = fields.read_fields(json.loads(text))
    except (ValueError, RecursionError):
        return
    yield json.dumps({name: value for name, value in whole.items() if name != "messages"})
    for message in list_fields(whole.get("messages")):
        yield json.dumps(message)


def read_transcript(lines: Iterable[str]) -> Iterator[TranscriptEvent]:
    """Read a chat; one of a subagent, which does not say whose it is, has no events."""
    reading, seen = Reading("AfterAgent", "prompt_response"), _Seen()
    for record in read_records(lines):
        if not reading.shared:
            if not record.get("sessionId") or record.get("kind") == "subagent":
                return
            reading.shared["session_id"] = fields.read_text(record.get("sessionId"))
            reading.note_time(record.get("startTime"))
            yield reading.tell("SessionStart", source="startup")
            continue
        changed = fields.read_fields(record.get("$set")).get("messages")
        for message in list_fields(changed) if changed is not None else [record]:
            yield from _read_message(reading, seen, message)
    if reading.shared:
        yield from reading.close_turn()
        yield reading.tell("SessionEnd", reason="exit")


def _read_message(reading: Reading, seen: _Seen, message: Mapping[str, object]) -> Iterator[TranscriptEvent]:
    reading.note_time(message.get("timestamp"))
    kind, message_id = message.get("type"), fields.read_text(message.get("id"))
    if kind == "user" and message_id not in seen.messages:
        seen.messages.add(message_id)
        yield from _hear_person(reading, message)
    elif kind == "gemini":
        calls = list_fields(message.get("toolCalls"))
        for call in calls:
            if (call_id := fields.read_text(call.get("id"))) not in seen.calls:
                seen.calls.add(call_id)
                yield _end_call(reading, call)
        reading.said = "" if calls else fields.read_text(message.get("content")).strip() or reading.said


def _hear_person(reading: Reading, message: Mapping[str, object]) -> Iterator[TranscriptEvent]:
    content = message.get("content")
    parts = [{"text": content}] if isinstance(content, str) else list_fields(content)
    words = "\n".join(filter(None, (fields.read_text(part.get("text")) for part in parts))).strip()
    if words and not words.startswith(_CONTEXT):
        yield from reading.close_turn()
        yield reading.tell("BeforeAgent", prompt=words)


def _end_call(reading: Reading, call: Mapping[str, object]) -> TranscriptEvent:
    reading.note_time(call.get("timestamp"))
    answers = [
        fields.read_fields(fields.read_fields(part.get("functionResponse")).get("response"))
        for part in list_fields(call.get("result"))
    ]
    told = next(iter(answers), {})
    text = fields.read_text(fields.read_first(told, "output", "error", "content"))
    answer: dict[str, object] = {"llmContent": text, "returnDisplay": call.get("resultDisplay")}
    if call.get("status") != "success":
        answer = {"llmContent": "", "error": {"message": text or fields.read_text(call.get("status"))}}
    return reading.tell("AfterTool", tool_name=call.get("name"), tool_input=call.get("args"), tool_response=answer)
