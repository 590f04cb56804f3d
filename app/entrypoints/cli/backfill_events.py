"""Makes of a found transcript the events that its agent's hooks would have told, in the order of time."""

import heapq
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from app.agents import bounds
from app.agents.transcript import TranscriptEvent
from app.agents.transcript_forms import TranscriptForm
from app.domain import limits, redact
from app.entrypoints.cli.transcript_lines import FoundSession, Open, Tally, count_records


def list_events(session: FoundSession, form: TranscriptForm, tally: Tally) -> Iterator[TranscriptEvent]:
    """Read a session with its subagents, by time; its end comes last, and every event has a moment."""
    main = _read(session.open, form, tally)
    first = next(main, None)
    if first is None:
        return
    own_id = session.session_id or str(first.payload.get("session_id", ""))
    begun_at = first.at if _is_copy(first) else None
    streams = [_pair(_chain(first, main), session.changed_at)]
    streams += [_pair(_choose_subagents(_read(each, form, tally)), session.changed_at) for each in session.subagents]
    ending: TranscriptEvent | None = None
    for moment, event in heapq.merge(*streams, key=lambda pair: pair[0]):
        if begun_at and moment < begun_at.timestamp():
            # The session that this one goes on from tells it.
            continue
        named = _name(event, own_id, session.cwd, moment)
        if event.name in form.ends:
            ending = named
        else:
            yield named
            if ending and named.at and ending.at and named.at > ending.at:
                ending = replace(ending, at=named.at)
    if ending:
        yield ending


def render_payload(event: TranscriptEvent) -> bytes:
    """Write an event's payload as a hook's input is written."""
    return json.dumps(event.payload, ensure_ascii=False).encode("utf-8", "replace")


def render_line(facts: Mapping[str, object], checkout: Mapping[str, object], body: bytes) -> bytes:
    """Write an event as one of a batch: redacted, without private blocks and with bounded texts.

    The hook client does the same with what waits, slowly, since it has the standard library alone.
    """
    entry = {**facts, "checkout": _clean(checkout), "payload": _clean(json.loads(body))}
    return json.dumps(entry, ensure_ascii=False).encode("utf-8", "replace")


def _clean(value: object, name: str = "") -> object:
    if isinstance(value, str):
        return redact.redact_named(name, bounds.cut_text(redact.strip_private(value), limits.SPOOLED_TEXT_CHARS_MAX))
    if isinstance(value, dict):
        return {redact.redact_text(key): _clean(item, key) for key, item in value.items()}
    return [_clean(item, name) for item in value] if isinstance(value, list) else value


def _read(opening: Open, form: TranscriptForm, tally: Tally) -> Iterator[TranscriptEvent]:
    return form.read(count_records(opening(tally), form, tally))


def _is_copy(first: TranscriptEvent) -> bool:
    """Tell whether a session begins with a copy of another one that is here as well."""
    earlier = first.payload.get("previousSessionFile")
    return isinstance(earlier, str) and bool(earlier) and Path(earlier).is_file()


def _chain(first: TranscriptEvent, others: Iterable[TranscriptEvent]) -> Iterator[TranscriptEvent]:
    yield first
    yield from others


def _choose_subagents(events: Iterable[TranscriptEvent]) -> Iterator[TranscriptEvent]:
    return (event for event in events if event.payload.get("agent_id"))


def _pair(events: Iterable[TranscriptEvent], otherwise: float) -> Iterator[tuple[float, TranscriptEvent]]:
    """Give each event its moment; one that states none, or an earlier one, happened with the one before it."""
    last = 0.0
    for event in events:
        last = max(last, event.at.timestamp() if event.at else last or otherwise)
        yield last, event


def _name(event: TranscriptEvent, session_id: str, cwd: str, moment: float) -> TranscriptEvent:
    payload = {**event.payload, "session_id": session_id, "cwd": event.payload.get("cwd") or cwd}
    if "parent_session_id" in payload:
        payload["parent_session_id"] = session_id
    return TranscriptEvent(event.name, payload, datetime.fromtimestamp(moment, UTC))
