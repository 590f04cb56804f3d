"""What the hook client must know of each agent, as finished tables that it carries.

Which kind of event the agent's own event names stand for, what of the environment and of the agent's command line tells
a run without a person, whose hooks may be told no session's id, and how each takes a text at its session's start.
"""

from app.agents import fields, registry
from app.agents.agent import Agent, BriefPoint

KINDS: dict[str, dict[str, str]] = {
    agent.name.value: {
        event: agent.parse_event(event, {"session_id": "-"}).kind.value for event in sorted(agent.known_events)
    }
    for agent in registry.AGENTS
}
ONE_SHOT: dict[str, dict[str, list[str]]] = {
    agent.name.value: {name: sorted(values) for name, values in agent.traits.one_shot.variables}
    for agent in registry.AGENTS
    if agent.traits.one_shot.variables
}
# The agent's programs, and the words behind them.
ONE_SHOT_WORDS: dict[str, tuple[list[str], list[str]]] = {
    agent.name.value: (sorted(agent.traits.binaries), sorted(agent.traits.one_shot.words))
    for agent in registry.AGENTS
    if agent.traits.one_shot.words
}
UNNAMED: list[str] = [agent.name.value for agent in registry.AGENTS if not agent.traits.names_sessions]
SESSION_FIELDS: list[str] = list(fields.SESSION_FIELDS)
# Where the text stands in the forms of `NOTICES`.
NOTICE_PLACE = "MEMWIKI-NOTICE"


def _list_forms(agent: Agent) -> dict[str, str]:
    events = {name: agent.parse_event(name, {"session_id": "-"}) for name in sorted(agent.known_events)}
    told = {name: event for name, event in events.items() if agent.takes_brief_at(event)}
    return {name: agent.render_brief(event, NOTICE_PLACE) for name, event in told.items()}


NOTICES: dict[str, dict[str, str]] = {
    agent.name.value: _list_forms(agent)
    for agent in registry.AGENTS
    if agent.traits.brief.point is BriefPoint.SESSION_START
}
