"""Kiro CLI 2: its hooks stand in each of the person's agent files; what it shares with 3 is in `kiro_engine`."""

from collections.abc import Mapping

from app.agents import kiro_engine, places
from app.agents.agent import (
    AgentTraits,
    BriefPoint,
    BriefWay,
    Evidence,
    EvidenceKind,
    HookCall,
    HookEvent,
    HookFile,
    HookLayout,
    HookShape,
    OneShot,
    Wiring,
)
from app.agents.places import Site, WiringScope
from app.domain.event import AgentName, Event, EventKind
from app.domain.limits_faces import KIRO_OUTPUT_BYTES_MAX

name: AgentName = AgentName.KIRO_CLI
title: str = "Kiro CLI 2"

_NAMES = {
    EventKind.SESSION_START: "agentSpawn",
    EventKind.PROMPT: "userPromptSubmit",
    EventKind.TOOL_START: "preToolUse",
    EventKind.TOOL_END: "postToolUse",
    EventKind.TURN_END: "stop",
}
_HOOK_EVENTS = tuple(HookEvent(event) for event in _NAMES.values())
_DIALECT = kiro_engine.build_dialect(name, {event: kind for kind, event in _NAMES.items()}, frozenset({"sessionEnd"}))

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.DOCUMENTED),
    binaries=("kiro-cli",),
    homes=(kiro_engine.HOME,),
    scopes=frozenset(WiringScope),
    hook_events=_HOOK_EVENTS,
    brief=BriefWay(BriefPoint.SESSION_START, ("agentSpawn",), "plain text"),
    one_shot=OneShot("`kiro-cli chat --no-interactive` sends the same events", words=frozenset({"--no-interactive"})),
    has_session_end=False,
    install_notes=(
        "Kiro CLI 2 has its hooks in agent files: those that are in ~/.kiro/agents now are wired, and none is made.",
        "After making another agent, install again.",
    ),
    captures="prompts, tool calls with their results, turns with what the agent answers, and the session's start",
    misses=("No session end is sent: a session ends by its idle time.", "Compactions and helpers are not sent."),
)
known_events: frozenset[str] = _DIALECT.known_events


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload.

    Raises:
        MalformedPayload: no session id can be found; not every release sends one.
    """
    return kiro_engine.parse_event(_DIALECT, event_name, payload)


def takes_brief_at(event: Event) -> bool:
    """Tell whether printed text reaches a main session's model: only when its agent starts."""
    return kiro_engine.takes_brief_at(event)


def render_brief(event: Event, text: str) -> str:
    """Write the hook's output: the text alone, and nothing where there is none."""
    return kiro_engine.render_brief(event, text)


def list_wiring(site: Site) -> Wiring:
    """Find every agent's file that is there, and the list of MCP servers."""
    project = places.find_project(site)
    folder = places.find_home(site, kiro_engine.HOME) if project is None else project / ".kiro"
    hooks = HookFile(
        str(folder / "agents" / "*.json"), shape=HookShape(HookLayout.FLAT, build=_build_hook), is_pattern=True
    )
    return Wiring(hooks=(hooks,), mcp=(kiro_engine.build_mcp_file(site),))


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    return kiro_engine.build_sample(_NAMES, session_id, cwd, words)


def _build_hook(event: HookEvent, call: HookCall) -> dict[str, object]:
    """Build a hook without a matcher, since an empty one matches nothing; its limit is in milliseconds."""
    hook: dict[str, object] = {"command": call, "timeout_ms": event.timeout_seconds * 1000}
    return {**hook, "max_output_size": KIRO_OUTPUT_BYTES_MAX} if event.name == _NAMES[EventKind.SESSION_START] else hook
