"""Kiro CLI 3: its hooks stand in a file of our own; what it shares with 2 is in `kiro_engine`."""

import json
from collections.abc import Mapping

from app.agents import kiro_engine, own_files, places
from app.agents.agent import (
    AgentTraits,
    BriefPoint,
    BriefWay,
    Evidence,
    EvidenceKind,
    HookEvent,
    Link,
    OneShot,
    OwnFile,
    Wiring,
)
from app.agents.places import Site, WiringScope
from app.domain.event import AgentName, Event, EventKind

name: AgentName = AgentName.KIRO_CLI_V3
title: str = "Kiro CLI 3"

_NAMES = {
    EventKind.SESSION_START: "SessionStart",
    EventKind.PROMPT: "UserPromptSubmit",
    EventKind.TOOL_START: "PreToolUse",
    EventKind.TOOL_END: "PostToolUse",
    EventKind.TURN_END: "Stop",
}
_HOOK_EVENTS = tuple(HookEvent(event) for event in _NAMES.values())
_DIALECT = kiro_engine.build_dialect(
    name,
    {event: kind for kind, event in _NAMES.items()},
    frozenset(
        {"Manual", "PostFileCreate", "PostFileDelete", "PostFileSave", "PostTaskExec", "PreTaskExec", "SessionEnd"}
    ),
)

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.DOCUMENTED),
    binaries=("kiro-cli", "kiro"),
    homes=(kiro_engine.HOME,),
    scopes=frozenset(WiringScope),
    hook_events=_HOOK_EVENTS,
    brief=BriefWay(BriefPoint.SESSION_START, ("SessionStart",), "plain text"),
    one_shot=OneShot("`kiro-cli chat --no-interactive` sends the same events", words=frozenset({"--no-interactive"})),
    has_session_end=False,
    install_notes=(
        "Kiro CLI 3 reads its hook files at start: sessions that are open now are not captured.",
        "Kiro CLI 3 still runs hooks in agent files: with both engines wired, what both tell is stored once.",
    ),
    captures="prompts, tool calls with their results, turns with what the agent answers, and the session's start",
    misses=("No session end is sent: a session ends by its idle time.", "Compactions and helpers are not sent."),
)
known_events: frozenset[str] = _DIALECT.known_events


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload.

    Raises:
        MalformedPayload: no session id can be found.
    """
    return kiro_engine.parse_event(_DIALECT, event_name, payload)


def takes_brief_at(event: Event) -> bool:
    """Tell whether printed text reaches a main session's model: only at its start."""
    return kiro_engine.takes_brief_at(event)


def render_brief(event: Event, text: str) -> str:
    """Write the hook's output: the text alone, and nothing where there is none."""
    return kiro_engine.render_brief(event, text)


def list_wiring(site: Site) -> Wiring:
    """Find the hook file of our own, and the list of MCP servers."""
    project = places.find_project(site)
    folder = places.find_home(site, kiro_engine.HOME) if project is None else project / ".kiro"
    hooks = OwnFile(
        path=str(folder / "hooks" / "memwiki.json"),
        render=_render_hooks,
        is_own=own_files.holds_only_hooks(name),
        note="hooks of Kiro CLI 3, in a file of their own",
    )
    return Wiring(files=(hooks,), mcp=(kiro_engine.build_mcp_file(site),))


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    return kiro_engine.build_sample(_NAMES, session_id, cwd, words)


def _render_hooks(link: Link) -> str:
    hooks = [
        {
            "name": f"memwiki-{event.name}",
            "trigger": event.name,
            "action": {"type": "command", "command": link.calls[event.name]},
            "timeout": event.timeout_seconds,
            "enabled": True,
        }
        for event in _HOOK_EVENTS
    ]
    return json.dumps({"version": "v1", "hooks": hooks}, indent=2, ensure_ascii=False) + "\n"
