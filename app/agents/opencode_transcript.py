"""OpenCode's own sessions, read as our plug-in would have told them.

OpenCode keeps them in a database, earlier releases in many small files; either is brought into lines before: the
session's own record, then each message with its parts, `{"info": …, "parts": […]}`, as `opencode export` writes them.
"""

from collections.abc import Iterable, Iterator, Mapping

from app.agents import fields
from app.agents.transcript import Reading, TranscriptEvent, list_fields, read_records

# What of a tool's answer says more than its output does.
_KEPT_METADATA = ("exit", "exists")


def read_transcript(lines: Iterable[str]) -> Iterator[TranscriptEvent]:
    """Read a session; one of a helper is told as its parent's."""
    reading = Reading("session.idle")
    for record in read_records(lines):
        head = fields.read_fields(record.get("info"))
        reading.note_time(fields.read_fields(head.get("time")).get("created"))
        if reading.shared:
            yield from _read_message(reading, head, list_fields(record.get("parts")))
        elif head.get("id"):
            yield _begin(reading, head)
    if reading.shared:
        yield from reading.close_turn()
    if reading.shared and "agent_id" not in reading.shared:
        yield reading.tell("session.ended", reason="dispose")


def _begin(reading: Reading, head: Mapping[str, object]) -> TranscriptEvent:
    reading.shared.update(session_id=head.get("id"), cwd=fields.read_text(head.get("directory")))
    if head.get("parentID"):
        reading.shared.update(agent_id=head.get("id"), parent_session_id=head.get("parentID"))
    return reading.tell("session.created", source="startup")


def _read_message(
    reading: Reading, head: Mapping[str, object], parts: list[Mapping[str, object]]
) -> Iterator[TranscriptEvent]:
    about = {"id": head.get("id"), "sessionID": reading.shared["session_id"]}
    if head.get("role") == "user":
        if any(part.get("type") == "compaction" for part in parts):
            return
        yield from reading.close_turn()
        yield reading.tell(
            "chat.message", input={"sessionID": about["sessionID"]}, output={"message": about, "parts": parts}
        )
    elif head.get("summary") is True:
        yield reading.tell("session.compacted", compact_summary=_join(parts))
    else:
        yield from _read_answer(reading, parts)
        reading.said = _join(parts) if head.get("finish") != "tool-calls" and not head.get("error") else ""


def _read_answer(reading: Reading, parts: list[Mapping[str, object]]) -> Iterator[TranscriptEvent]:
    for part in parts:
        state = fields.read_fields(part.get("state"))
        reading.note_time(fields.read_fields(state.get("time")).get("end"))
        if part.get("type") != "tool":
            continue
        if state.get("status") == "completed":
            yield _end_call(reading, part, state)
        elif state.get("status") == "error":
            yield reading.tell("tool.execute.error", properties={"part": part})


def _end_call(reading: Reading, part: Mapping[str, object], state: Mapping[str, object]) -> TranscriptEvent:
    measured = fields.read_fields(state.get("metadata"))
    kept = {name: measured[name] for name in _KEPT_METADATA if name in measured}
    return reading.tell(
        "tool.execute.after",
        input={
            "tool": part.get("tool"),
            "sessionID": reading.shared["session_id"],
            "callID": part.get("callID"),
            "args": state.get("input"),
        },
        output={"output": state.get("output"), "metadata": kept},
    )


def _join(parts: list[Mapping[str, object]]) -> str:
    told = [part for part in parts if part.get("type") == "text" and part.get("synthetic") is not True]
    return "\n".join(filter(None, (fields.read_text(part.get("text")) for part in told))).strip()
