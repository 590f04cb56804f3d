"""Agents that reach the memory through MCP alone: nothing of their sessions is captured, and they ask for a brief."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from app.agents import fields
from app.agents.agent import AgentTraits, Wiring
from app.agents.places import Site
from app.domain.event import Actor, AgentName, Event, EventKind


@dataclass(frozen=True, slots=True)
class McpOnlyAgent:
    """An agent without hooks; what is sent in its name all the same is kept as it came."""

    name: AgentName
    title: str
    traits: AgentTraits
    wire: Callable[[Site], Wiring]
    known_events: frozenset[str] = frozenset()

    def parse_event(self, event_name: str, payload: Mapping[str, object]) -> Event:
        """Keep an event of which nothing is known.

        Raises:
            MalformedPayload: no session id can be found.
        """
        return Event(
            agent=self.name,
            kind=EventKind.OTHER,
            native_name=fields.choose_event_name(event_name, payload, self.known_events),
            agent_session_id=fields.read_session_id(payload),
            actor=Actor.MACHINE,
            cwd=fields.read_cwd(payload),
            extra=fields.collect_extra(payload, fields.SHARED_FIELDS),
        )

    def takes_brief_at(self, event: Event) -> bool:  # noqa: ARG002 — the protocol's
        """Tell that no event's answer reaches the model."""
        return False

    def render_brief(self, event: Event, text: str) -> str:  # noqa: ARG002 — the protocol's
        """Write nothing."""
        return ""

    def list_wiring(self, site: Site) -> Wiring:
        """Tell where the MCP entry stands."""
        return self.wire(site)

    def sample_events(self, session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:  # noqa: ARG002 — the protocol's
        """Build no session, since none is ever told of."""
        return ()
