"""A stretch of one session as a model asks for it and reads it: `o12-15`, word for word, within a bound."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.errors import InvalidValue
from app.domain.event import Outcome
from app.domain.limits import SESSION_STRETCH_MAX
from app.domain.limits_faces import STRETCH_CHARS_MAX
from app.domain.session import Observation, Session
from app.entrypoints.mcp.texts import fence_recalled

_LAST_ID = 2**63 - 1
_STRETCH = re.compile(r"\[?\^?o?(\d{1,18})(\s*[-\u2013]\s*(?:o?(\d{1,18}))?)?\]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Observations from the first to the last, by their ids; both are meant."""

    first: int = 1
    last: int = _LAST_ID


def parse_stretch(text: str) -> Stretch:
    """Read `o12`, `o12-15`, `o12-`, or a footnote's mark as it stands in a page; empty means all.

    Raises:
        InvalidValue: it is none of these.
    """
    if not text.strip():
        return Stretch()
    found = _STRETCH.fullmatch(text.strip())
    if found is None:
        raise InvalidValue(
            "observations", "name them as a page's footnotes do: o12, o12-15, or o12- for all from there"
        )
    first = int(found[1])
    last = int(found[3]) if found[3] else _LAST_ID if found[2] else first
    if last < first:
        raise InvalidValue("observations", f"o{last} comes before o{first}")
    return Stretch(max(first, 1), last)


def render_stretch(session: Session, project: str, listed: Sequence[Observation], wanted: Stretch, start: int) -> str:
    """Render as many observations as fit, and say how to go on; `start` cuts into the first of them."""
    blocks: list[str] = []
    room = STRETCH_CHARS_MAX
    going_on = ""
    for observation in listed:
        if observation.id > wanted.last:
            break
        text = render_observation(observation)[start:]
        if len(text) > room and blocks:
            going_on = f"go on with observations={_name(Stretch(observation.id, wanted.last))}"
            break
        blocks.append(text[:room])
        if len(text) > room:
            going_on = f"o{observation.id} goes on; read on with observations=o{observation.id} start={start + room}"
            break
        room, start = room - len(text), 0
    else:
        if len(listed) == SESSION_STRETCH_MAX and listed[-1].id < wanted.last:
            going_on = f"there may be more; go on with observations={_name(Stretch(listed[-1].id + 1, wanted.last))}"
    if not blocks:
        return f"Session {session.id} has no observations {_name(wanted)}."
    head = f"session {session.id} ({session.agent} in {project}, {session.state})"
    recalled = fence_recalled("\n\n".join([head, *blocks]))
    return f"{recalled}\n({going_on})" if going_on else recalled


def render_observation(observation: Observation) -> str:
    """Render all that was kept of one event: when, who, what, and every text in full."""
    event, tool = observation.event, observation.event.tool
    lines = [f"o{observation.id} {observation.received_at:%Y-%m-%d %H:%M:%S} {event.actor} {event.kind}"]
    lines += [event.text] if event.text else []
    lines += [f"reason: {event.reason}"] if event.reason else []
    if tool is not None:
        exit_code = "" if tool.exit_code is None else f", exit code {tool.exit_code}"
        outcome = "" if tool.outcome is Outcome.UNKNOWN else f" {tool.outcome}"
        lines.append(f"{tool.name}{outcome}{exit_code}")
        lines += [f"$ {tool.command}"] if tool.command else []
        lines += [f"{touch.change} {touch.path}" for touch in tool.files]
        lines += [f"[{'x' if item.is_done else ' '}] {item.text}" for item in tool.todos]
        lines += [text for text in (tool.input_text, tool.output_text) if text]
    return "\n".join(lines)


def _name(stretch: Stretch) -> str:
    if stretch.last == _LAST_ID:
        return f"o{stretch.first}-"
    return f"o{stretch.first}" if stretch.first == stretch.last else f"o{stretch.first}-{stretch.last}"
