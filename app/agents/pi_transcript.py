"""pi's own transcript (`~/.pi/agent/sessions/…/*.jsonl`), read as our extension would have told it.

A session that goes on from another begins with a copy of it; its start names the file that it was copied from.
"""

from collections.abc import Iterable, Iterator, Mapping

from app.agents import fields
from app.agents.transcript import Reading, TranscriptEvent, list_fields, read_records

_BROKEN_OFF = frozenset({"aborted", "error"})


def read_transcript(lines: Iterable[str]) -> Iterator[TranscriptEvent]:
    """Read a session, its branches in the order in which they were written."""
    reading = Reading("agent_settled")
    calls: dict[str, Mapping[str, object]] = {}
    for record in read_records(lines):
        reading.note_time(record.get("timestamp"))
        if record.get("type") == "session" and not reading.shared:
            yield _begin(reading, record)
        elif reading.shared and record.get("type") == "compaction":
            yield reading.tell("session_compact", compact_summary=record.get("summary"), reason="auto")
        elif reading.shared and record.get("type") == "message":
            yield from _read_message(reading, calls, fields.read_fields(record.get("message")))
    if reading.shared:
        yield from reading.close_turn()
        yield reading.tell("session_shutdown", reason="quit")


def _begin(reading: Reading, record: Mapping[str, object]) -> TranscriptEvent:
    session_id = fields.read_text(record.get("id")) or "unknown"
    reading.shared.update(session_id=session_id, cwd=fields.read_text(record.get("cwd")))
    earlier = fields.read_first(record, "parentSession", "branchedFrom")
    reason = "fork" if earlier else "startup"
    return reading.tell("session_start", reason=reason, previousSessionFile=earlier)


def _read_message(
    reading: Reading, calls: dict[str, Mapping[str, object]], message: Mapping[str, object]
) -> Iterator[TranscriptEvent]:
    match message.get("role"):
        case "user":
            yield from reading.close_turn()
            yield reading.tell("input", text=_join(message.get("content")), source="interactive")
        case "assistant":
            _hear(reading, calls, message)
        case "toolResult":
            yield _end_call(reading, calls.pop(fields.read_text(message.get("toolCallId")), {}), message)
        case _:
            pass


def _hear(reading: Reading, calls: dict[str, Mapping[str, object]], message: Mapping[str, object]) -> None:
    asked = [part for part in list_fields(message.get("content")) if part.get("type") == "toolCall"]
    calls.update({fields.read_text(part.get("id")): part for part in asked})
    is_report = not asked and fields.read_name(message.get("stopReason")) not in _BROKEN_OFF
    reading.said = _join(message.get("content")) if is_report else ""


def _end_call(reading: Reading, call: Mapping[str, object], message: Mapping[str, object]) -> TranscriptEvent:
    return reading.tell(
        "tool_result",
        toolName=message.get("toolName") or call.get("name"),
        toolCallId=message.get("toolCallId"),
        input=call.get("arguments"),
        content=message.get("content"),
        isError=message.get("isError") is True,
    )


def _join(content: object) -> str:
    if isinstance(content, str):
        return content.strip()
    parts = [fields.read_text(part.get("text")) for part in list_fields(content) if part.get("type") == "text"]
    return "\n".join(filter(None, parts)).strip()
