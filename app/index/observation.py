"""`ObservationEntry`: what an observation becomes in the index, together with a little of what was said around it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache

from app.domain.event import Actor, EventKind, ToolPurpose
from app.domain.limits import OBSERVATION_TOOL_CHARS_MAX, OBSERVATION_WORDS_CHARS_MAX
from app.domain.session import Observation
from app.index import document, stems, tokens

_SHOWN = {
    EventKind.PROMPT: "prompt",
    EventKind.TURN_END: "answer",
    EventKind.SUBAGENT_END: "subagent's answer",
}


@dataclass(frozen=True, slots=True)
class ObservationEntry:
    """One observation as the index stores it; `shows` says in a word or two what it is."""

    id: int
    shows: str
    at: datetime
    text: str
    terms: tokens.Terms
    near: str = ""


def build_entries(observations: Iterable[Observation]) -> Iterator[ObservationEntry]:
    """Build entries of a session's observations, in their order; what shows neither words nor deeds has none."""
    window: list[ObservationEntry] = []
    for observation in observations:
        entry = _build_entry(observation)
        if entry is None:
            continue
        window.append(entry)
        if len(window) > 1:
            yield _place(window, len(window) - 2)
            window = window[-2:]
    if window:
        yield _place(window, len(window) - 1)


def build_moment(at: datetime) -> str:
    """Build the terms by which one asks for the day of a moment."""
    return _build_day(at.astimezone(UTC).date())


@lru_cache(maxsize=1024)
def _build_day(day: date) -> str:
    return " ".join(stems.list_stems(tokens.build_terms(f"{day:%A %d %B %Y %Y-%m-%d}").words.split()))


def _place(window: list[ObservationEntry], place: int) -> ObservationEntry:
    entry = window[place]
    near = document.build_near([each.terms.words.split() for each in window], place)
    return ObservationEntry(entry.id, entry.shows, entry.at, entry.text, entry.terms, near)


def _build_entry(observation: Observation) -> ObservationEntry | None:
    event = observation.event
    if event.actor is Actor.MACHINE:
        # Recaps and injected text repeat what stands elsewhere.
        return None
    at = event.occurred_at or observation.received_at
    shows = _SHOWN.get(event.kind, "")
    if shows:
        text = event.text[:OBSERVATION_WORDS_CHARS_MAX]
    elif event.kind is EventKind.TOOL_END and event.tool and event.tool.purpose is not ToolPurpose.MEMORY:
        shows = event.tool.name
        text = _read_tool(observation)
    else:
        return None
    terms = tokens.build_terms(text)
    return ObservationEntry(observation.id, shows, at, text, terms) if terms.words or terms.forms else None


def _read_tool(observation: Observation) -> str:
    tool = observation.event.tool
    assert tool is not None, "the caller looked"
    paths = "\n".join(dict.fromkeys(touch.path for touch in tool.files))
    asked = "\n".join(part for part in (tool.command, paths, tool.input_text) if part)
    room = OBSERVATION_TOOL_CHARS_MAX
    return "\n".join(part for part in (asked[:room], tool.output_text[:room]) if part)
