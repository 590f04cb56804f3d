"""What a reader of an agent's own transcript yields: the events that its hooks would have told, one by one.

A reader is `read_transcript(lines)` in a module of its own beside its agent's; it never fails on odd lines. The table
of readers is in `transcript_forms`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.agents import fields


@dataclass(frozen=True, slots=True)
class TranscriptEvent:
    """One event as the agent's hook tells it, for its `parse_event`; `at` is when it happened, where that is known."""

    name: str
    payload: Mapping[str, object]
    at: datetime | None = None


@dataclass(slots=True)
class Reading:
    """How far a transcript has been read: what all its events say, and what the agent said since the last call.

    `end` names the event of a turn's end and `report` its field with the words; what was said before a tool call
    announces it, so that only words after all calls are a report.
    """

    end: str
    report: str = "last_assistant_message"
    shared: dict[str, object] = field(default_factory=dict)
    said: str = ""
    told_at: object = None

    def tell(self, name: str, **more: object) -> TranscriptEvent:
        """Build an event of the moment that was read last."""
        payload = {**self.shared, "hook_event_name": name, **more, "timestamp": self.told_at}
        return TranscriptEvent(name, payload, fields.read_time(self.told_at))

    def note_time(self, told: object) -> None:
        """Go on to the moment of a record, where it states one."""
        if fields.read_time(told) is not None:
            self.told_at = told

    def close_turn(self) -> Iterator[TranscriptEvent]:
        """Tell the end of a turn that has a report."""
        if self.said:
            yield self.tell(self.end, **{self.report: self.said})
        self.said = ""


def read_records(lines: Iterable[str]) -> Iterator[Mapping[str, object]]:
    """Read one JSON object a line; what is none is passed over, so that a cut last line costs itself alone."""
    for line in lines:
        try:
            found = fields.read_fields(json.loads(line))
        except (ValueError, RecursionError):
            continue
        if found:
            yield found


def list_fields(value: object) -> list[Mapping[str, object]]:
    """Take a list of objects; anything else is an empty one, and what is no object in it has no fields."""
    return list(map(fields.read_fields, value)) if isinstance(value, list) else []
