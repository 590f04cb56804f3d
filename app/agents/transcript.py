"""What a reader of an agent's own transcript yields: the events that its hooks would have told, one by one.

A reader is `read_transcript(lines)` in a module of its own beside its agent's; it never fails on odd lines.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from app.agents import fields


@dataclass(frozen=True, slots=True)
class TranscriptEvent:
    """One event as the agent's hook tells it, for its `parse_event`; `at` is when it happened, where that is known."""

    name: str
    payload: Mapping[str, object]
    at: datetime | None = None


def read_records(lines: Iterable[str]) -> Iterator[Mapping[str, object]]:
    """Read one JSON object a line; what is none is passed over, so that a cut last line costs itself alone."""
    for line in lines:
        try:
            found = fields.read_fields(json.loads(line))
        except (ValueError, RecursionError):
            continue
        if found:
            yield found
