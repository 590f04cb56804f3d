"""The explicit table of agents: a new agent is one module and one line here."""

from app.agents import (
    amp,
    antigravity,
    claude_code,
    claude_desktop,
    cline,
    codex,
    command_code,
    continue_cli,
    copilot_cli,
    cursor,
    devin,
    droid,
    gemini_cli,
    goose,
    grok,
    hermes,
    kimi_code,
    kiro_cli,
    kiro_cli_v3,
    mistral_vibe,
    muse,
    omp,
    openclaw,
    opencode,
    pi,
    pool,
    qwen_code,
    swival,
    vscode_copilot,
    windsurf,
    zcode,
    zed,
    zero,
)
from app.agents.agent import Agent
from app.domain.errors import UnknownAgent
from app.domain.event import Event, EventKind

AGENTS: tuple[Agent, ...] = (
    claude_code,
    codex,
    gemini_cli,
    copilot_cli,
    opencode,
    pi,
    qwen_code,
    kimi_code,
    droid,
    cline,
    cursor,
    vscode_copilot,
    windsurf,
    kiro_cli,
    kiro_cli_v3,
    antigravity,
    goose.AGENT,
    amp.AGENT,
    devin.AGENT,
    grok.AGENT,
    omp,
    openclaw.AGENT,
    command_code.AGENT,
    zcode.AGENT,
    zero.AGENT,
    hermes.AGENT,
    pool.AGENT,
    claude_desktop.AGENT,
    zed.AGENT,
    continue_cli.AGENT,
    mistral_vibe.AGENT,
    swival.AGENT,
    muse.AGENT,
)

_BY_NAME = {agent.name.value: agent for agent in AGENTS}


def find_agent(name: str) -> Agent:
    """Look an agent up by its name on the wire.

    Raises:
        UnknownAgent: no module is registered under the name.
    """
    agent = _BY_NAME.get(name)
    if agent is None:
        raise UnknownAgent(name, tuple(_BY_NAME))
    return agent


def is_unknown_kind(event: Event) -> bool:
    """Tell whether the agent's module has never heard of the event's native name."""
    return event.kind is EventKind.OTHER and event.native_name not in _BY_NAME[event.agent.value].known_events


def count_unknown_fields(event: Event) -> int:
    """Count the payload's fields that the agent's module has never heard of."""
    return len(event.extra)
