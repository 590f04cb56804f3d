"""Agents whose hooks speak a dialect and do nothing else out of the ordinary: all that is theirs stands in tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from app.agents import dialect
from app.agents.agent import AgentTraits, Wiring
from app.agents.dialect import Dialect
from app.agents.places import Site
from app.domain.event import Actor, AgentName, Event, EventKind

Payload = Mapping[str, object]
Samples = tuple[tuple[str, dict[str, object]], ...]


def keep(event_name: str, payload: Payload) -> Payload:  # noqa: ARG001 — what `shape` may need
    """Leave a payload as it is."""
    return payload


def write_nothing(text: str) -> str:  # noqa: ARG001 — what `write_brief` is given
    """Write no output, for agents to whose model none gets through."""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DialectAgent:
    """An agent made of its facts.

    `shape` brings a payload into the form that `Dialect` speaks of. `write_brief` writes a hook's output at the events
    that `traits.brief` names. `sample` builds what of a sample session differs from event to event.
    """

    name: AgentName
    title: str
    traits: AgentTraits
    dialect: Dialect
    wire: Callable[[Site], Wiring]
    sample: Callable[[str, str, str], Samples]
    shape: Callable[[str, Payload], Payload] = keep
    write_brief: Callable[[str], str] = write_nothing

    @property
    def known_events(self) -> frozenset[str]:
        """The native names that the module has heard of."""
        return self.dialect.known_events

    def parse_event(self, event_name: str, payload: Payload) -> Event:
        """Read one hook's payload.

        Raises:
            MalformedPayload: no session id can be found.
        """
        return dialect.parse_event(self.dialect, event_name, self.shape(event_name, payload))

    def takes_brief_at(self, event: Event) -> bool:
        """Tell whether text answered to this event reaches the model of a main session."""
        is_own = event.actor is Actor.PERSON if event.kind is EventKind.PROMPT else event.actor is not Actor.SUBAGENT
        return is_own and event.native_name in self.traits.brief.events

    def render_brief(self, event: Event, text: str) -> str:
        """Write the hook's output; empty where the event cannot carry a brief."""
        return self.write_brief(text) if text and self.takes_brief_at(event) else ""

    def list_wiring(self, site: Site) -> Wiring:
        """Tell what stands where at a site."""
        return self.wire(site)

    def sample_events(self, session_id: str, cwd: str, words: str) -> Samples:
        """Build a short session as the agent itself would tell it."""
        return self.sample(session_id, cwd, words)


def rename(payload: Payload, names: Mapping[str, str]) -> dict[str, object]:
    """Give fields the names that dialects speak of; one that has its own value under that name keeps it."""
    renamed = {names[field]: value for field, value in payload.items() if field in names and value is not None}
    return renamed | {field: value for field, value in payload.items() if field not in names}


def build_samples(shared: Payload, *events: tuple[str, Payload], named_by: str = "hook_event_name") -> Samples:
    """Build payloads of the fields that all have, those of each, and the field that names the event."""
    return tuple((event, {**shared, named_by: event, **more}) for event, more in events)
