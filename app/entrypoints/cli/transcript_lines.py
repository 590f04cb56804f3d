"""Reads transcripts line by line without ever holding a whole one, and counts what could not be told of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from app.agents.transcript_forms import TranscriptForm
from app.domain import limits, limits_past
from app.domain.event import AgentName


class _Head(msgspec.Struct):
    type: object = ""


_HEAD = msgspec.json.Decoder(_Head)


@dataclass(slots=True)
class Tally:
    """What of transcripts was passed over: lines that are no JSON or too long, and records of kinds nobody knows."""

    unreadable_lines: int = 0
    long_lines: int = 0
    unknown_records: Counter[str] = field(default_factory=Counter)


Open = Callable[[Tally], Iterator[str]]


@dataclass(frozen=True, slots=True)
class FoundSession:
    """One session that an agent left on this machine.

    `open` reads its transcript and each of `subagents` that of a helper of it; `path` is what a person is shown. `cwd`
    and `session_id` are what the place of the file tells, empty where the transcript itself does. `flaw` says why it
    cannot be told.
    """

    agent: AgentName
    path: str
    open: Open
    changed_at: float
    size: int
    subagents: tuple[Open, ...] = ()
    session_id: str = ""
    cwd: str = ""
    flaw: str = ""


def read_lines(path: Path, tally: Tally) -> Iterator[str]:
    """Read a file's lines; one beyond the bound is passed over in pieces and counted."""
    with path.open("rb") as file:
        while line := file.readline(limits_past.TRANSCRIPT_LINE_BYTES_MAX + 1):
            if len(line) > limits_past.TRANSCRIPT_LINE_BYTES_MAX:
                tally.long_lines += 1
                while line and not line.endswith(b"\n"):
                    line = file.readline(limits_past.TRANSCRIPT_LINE_BYTES_MAX)
                continue
            yield line.decode("utf-8", "replace")


def read_document(path: Path, tally: Tally) -> str:
    """Read a file that is one document; one beyond the bound counts as a line that is too long."""
    if path.stat().st_size > limits_past.TRANSCRIPT_LINE_BYTES_MAX:
        tally.long_lines += 1
        return ""
    return path.read_text(encoding="utf-8", errors="replace")


def count_records(lines: Iterable[str], form: TranscriptForm, tally: Tally) -> Iterator[str]:
    """Hand lines on, and count those that their reader will not understand."""
    for line in lines:
        if not line.strip():
            continue
        try:
            kind = _HEAD.decode(line).type
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            tally.unreadable_lines += 1
            continue
        is_known = not isinstance(kind, str) or not kind or kind in form.known_records
        if not is_known and len(tally.unknown_records) < limits_past.UNKNOWN_RECORDS_NAMED_MAX:
            tally.unknown_records[str(kind)[: limits.EXTRA_NAME_CHARS_MAX]] += 1
        yield line
