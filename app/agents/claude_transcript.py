"""Claude Code's own transcript (`~/.claude/projects/…/*.jsonl`), read as the hooks would have told it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from app.agents import fields
from app.agents.transcript import TranscriptEvent, read_records

_TYPES = frozenset({"user", "assistant"})
_INTERRUPTED = "[Request interrupted by user"


@dataclass(slots=True)
class _Thread:
    """What is pending in the main conversation or in a helper's: tool uses without a result, and the last words."""

    uses: dict[str, Mapping[str, object]] = field(default_factory=dict)
    said: str = ""


@dataclass(slots=True)
class _Reading:
    session_id: str = ""
    shared: dict[str, object] = field(default_factory=dict)
    threads: dict[str, _Thread] = field(default_factory=dict)

    def tell(self, name: str, record: Mapping[str, object], **more: object) -> TranscriptEvent:
        told = record.get("timestamp")
        payload = {**self.shared, "hook_event_name": name, **more, "timestamp": told}
        return TranscriptEvent(name, payload, fields.read_time(told))

    def thread_of(self, helper_id: str) -> _Thread:
        return self.threads.setdefault(helper_id, _Thread())


def read_transcript(lines: Iterable[str]) -> Iterator[TranscriptEvent]:
    """Read a transcript; helpers' lines are told as helpers', and an unfinished last turn has no end."""
    reading = _Reading()
    last: Mapping[str, object] = {}
    for whole in read_records(lines):
        record, helper_id = _unwrap(whole)
        if fields.read_name(record.get("type")) not in _TYPES:
            continue
        if not reading.session_id:
            yield from _begin(reading, whole)
        reading.shared["cwd"] = fields.read_text(whole.get("cwd")) or reading.shared.get("cwd", "")
        last = record
        if record["type"] == "assistant":
            _hear(reading.thread_of(helper_id), record)
        else:
            yield from _answer(reading, record, helper_id)
    if reading.session_id:
        yield from _close_turn(reading, last)
        yield reading.tell("SessionEnd", last, reason="other")


def _unwrap(whole: Mapping[str, object]) -> tuple[Mapping[str, object], str]:
    """Find the message of a line and the helper that it is of; a helper's may stand inside a report of progress."""
    told = fields.read_fields(whole.get("data"))
    if whole.get("type") == "progress" and told.get("type") == "agent_progress":
        helper_id = fields.read_text(told.get("agentId")) or "helper"
        return {"timestamp": whole.get("timestamp"), **fields.read_fields(told.get("message"))}, helper_id
    is_helper = whole.get("isSidechain") is True
    return whole, (fields.read_text(whole.get("agentId")) or "helper") if is_helper else ""


def _begin(reading: _Reading, record: Mapping[str, object]) -> Iterator[TranscriptEvent]:
    reading.session_id = fields.read_text(record.get("sessionId")) or "unknown"
    reading.shared.update(session_id=reading.session_id, cwd=fields.read_text(record.get("cwd")))
    yield reading.tell("SessionStart", record, source="startup")


def _list_blocks(record: Mapping[str, object]) -> list[Mapping[str, object]]:
    content = fields.read_fields(record.get("message")).get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [fields.read_fields(block) for block in content] if isinstance(content, list) else []


def _hear(thread: _Thread, record: Mapping[str, object]) -> None:
    for block in _list_blocks(record):
        if block.get("type") == "text":
            thread.said = fields.read_text(block.get("text")).strip() or thread.said
        elif block.get("type") == "tool_use":
            thread.uses[fields.read_text(block.get("id"))] = block
            # What was said before a tool call announces it; only words after all calls are a report.
            thread.said = ""


def _answer(reading: _Reading, record: Mapping[str, object], helper_id: str) -> Iterator[TranscriptEvent]:
    for block in _list_blocks(record):
        if block.get("type") == "tool_result":
            yield from _end_use(reading, record, block, helper_id)
        elif block.get("type") == "text" and not helper_id:
            yield from _hear_person(reading, record, fields.read_text(block.get("text")))


def _hear_person(reading: _Reading, record: Mapping[str, object], text: str) -> Iterator[TranscriptEvent]:
    if record.get("isCompactSummary") is True:
        yield reading.tell("PostCompact", record, trigger="auto", compact_summary=text)
        return
    if record.get("isMeta") is True:
        return
    if text.startswith(_INTERRUPTED):
        reading.thread_of("").said = ""
        return
    yield from _close_turn(reading, record)
    prompt_id = fields.read_text(fields.read_first(record, "promptId", "uuid"))
    yield reading.tell("UserPromptSubmit", record, prompt=text, prompt_id=prompt_id)


def _close_turn(reading: _Reading, record: Mapping[str, object]) -> Iterator[TranscriptEvent]:
    thread = reading.thread_of("")
    if thread.said:
        yield reading.tell("Stop", record, last_assistant_message=thread.said, stop_hook_active=False)
    thread.said = ""


def _end_use(
    reading: _Reading, record: Mapping[str, object], block: Mapping[str, object], helper_id: str
) -> Iterator[TranscriptEvent]:
    use_id = fields.read_text(block.get("tool_use_id"))
    use = reading.thread_of(helper_id).uses.pop(use_id, None)
    if use is None:
        return
    told: dict[str, object] = {
        "tool_name": use.get("name"),
        "tool_input": use.get("input"),
        "tool_use_id": use_id,
        **({"agent_id": helper_id} if helper_id else {}),
    }
    if block.get("is_error") is True:
        yield reading.tell("PostToolUseFailure", record, **told, error=fields.read_text(block.get("content")))
        return
    # The record's own field has the shape that hooks send; the block has only its text.
    answered = record.get("toolUseResult")
    result = answered if isinstance(answered, Mapping) else {"content": block.get("content")}
    yield reading.tell("PostToolUse", record, **told, tool_response=result)
