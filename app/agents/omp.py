"""OMP (oh-my-pi): pi's extension in the folders of its own, with the names that differ, and its list of MCP servers."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from app.agents import mcp_entries, pi, pi_extension, places, plugin_sender
from app.agents.agent import (
    AgentTraits,
    BriefPoint,
    BriefWay,
    Evidence,
    EvidenceKind,
    HookEvent,
    Link,
    McpFile,
    OwnFile,
    Shell,
    Wiring,
)
from app.agents.places import Home, Site, WiringScope
from app.domain.event import AgentName, Event

name: AgentName = AgentName.OMP
title: str = "OMP"

_HOME = Home(".omp/agent", variable="PI_CODING_AGENT_DIR")
_PROFILES = Home(".omp/profiles")
_PROFILE_VARIABLES = ("OMP_PROFILE", "PI_PROFILE")
# A turn's end has another name than in pi, and who works stands in a field of OMP's own.
_TURN_END, _PIS_TURN_END = "agent_end", "agent_settled"
_PIS_MODE = "...(context?.mode && { mode: context.mode }),"
_WHO = '...(context?.agent?.kind === "sub" && { agent_id: context.agent.id, agent_type: context.agent.name }),'

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.DOCUMENTED),
    binaries=("omp",),
    homes=(_HOME,),
    scopes=frozenset(WiringScope),
    hook_events=tuple(
        HookEvent(_TURN_END if event.name == _PIS_TURN_END else event.name) for event in pi.traits.hook_events
    ),
    shell=Shell.NONE,
    windows_shell=Shell.NONE,
    brief=BriefWay(BriefPoint.PLUGIN, ("session_start",), "our extension, a message of before_agent_start"),
    install_notes=(
        "OMP loads extensions at start: sessions that are open now are not captured.",
        "With PI_CODING_AGENT_DIR set, pi and OMP share a folder: wire one of them, or all is captured twice.",
    ),
    misses=("Commands that a person runs with ! are not captured.",),
)
known_events: frozenset[str] = pi.known_events


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read what the extension sent, as pi's is read.

    Raises:
        MalformedPayload: no session id can be found.
    """
    told = {field: _PIS_TURN_END if value == _TURN_END else value for field, value in payload.items()}
    event = pi.parse_event(_PIS_TURN_END if event_name == _TURN_END else event_name, told)
    native = _TURN_END if event.native_name == _PIS_TURN_END else event.native_name
    return replace(event, agent=name, native_name=native)


def takes_brief_at(event: Event) -> bool:
    """Tell whether the extension hands text on to the model of a main session: what it got at the start."""
    return pi.takes_brief_at(event)


def render_brief(event: Event, text: str) -> str:
    """Write the text that the extension hands on as a message of its own."""
    return pi.render_brief(event, text)


def list_wiring(site: Site) -> Wiring:
    """Find the folder of extensions, of which one is ours, and the list of MCP servers beside it."""
    project = places.find_project(site)
    folder = project / ".omp" if project else _find_folder(site)
    extension = OwnFile(
        str(folder / "extensions" / "memwiki-omp.js"), _render, partial(plugin_sender.is_own, name), note="extension"
    )
    build = mcp_entries.build_http_entry(fixed={"type": "http", "enabled": True})
    return Wiring(files=(extension,), mcp=(McpFile(str(folder / "mcp.json"), build, mcp_entries.is_own_entry),))


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    return tuple(
        (_TURN_END, {**payload, "type": _TURN_END, "hook_event_name": _TURN_END})
        if event == _PIS_TURN_END
        else (event, payload)
        for event, payload in pi.sample_events(session_id, cwd, words)
    )


def _find_folder(site: Site) -> PurePath:
    """Find the folder of the profile that is in force; a folder that is named outweighs profiles."""
    profile = next(filter(None, (site.env.get(variable, "").strip() for variable in _PROFILE_VARIABLES)), "")
    if profile and not site.env.get(_HOME.variable, "").strip():
        return places.find_home(site, _PROFILES) / profile / "agent"
    return places.find_home(site, _HOME)


def _render(link: Link) -> str:
    text = pi_extension.render(link, name).replace(f'"{_PIS_TURN_END}"', f'"{_TURN_END}"')
    return text.replace(_PIS_MODE, f"{_PIS_MODE}\n    {_WHO}")
