"""Which kind of event each agent's own event names stand for; the hook client carries the finished table."""

from app.agents import registry

KINDS: dict[str, dict[str, str]] = {
    agent.name.value: {
        event: agent.parse_event(event, {"session_id": "-"}).kind.value for event in sorted(agent.known_events)
    }
    for agent in registry.AGENTS
}
