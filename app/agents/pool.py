"""Pool (Poolside): hooks that a person pastes into a project's settings, and MCP servers in the person's own."""

import json

from app.agents import claude_words, dialect_agent, mcp_entries, places, tool_readers
from app.agents.agent import (
    MCP_ENTRY_NAME,
    AgentTraits,
    ConfigFormat,
    Evidence,
    EvidenceKind,
    HookEvent,
    Link,
    McpFile,
    Snippet,
    TokenUse,
    Wiring,
)
from app.agents.dialect_agent import DialectAgent, Samples
from app.agents.places import Home, Site, WiringScope
from app.domain.event import AgentName

_NAME = AgentName.POOL
_HOME = Home("poolside", is_config=True)
_HOOK_EVENTS = tuple(
    HookEvent(event) for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop")
)
_DIALECT = claude_words.build_dialect(
    _NAME,
    (event.name for event in _HOOK_EVENTS),
    tools={
        "shell": tool_readers.read_shell,
        "read": tool_readers.read_file,
        "write": tool_readers.write_file,
        "edit": tool_readers.edit_file,
        "grep": tool_readers.search_files,
        "glob": tool_readers.search_files,
    },
)


def _wire(site: Site) -> Wiring:
    """Tell what to paste into a project's settings, which others share; the person's own have the MCP server."""
    project = places.find_project(site)
    if project:
        return Wiring(snippets=(Snippet(str(project / ".poolside" / "settings.yaml"), _render_snippet),))
    entry = McpFile(
        str(places.find_home(site, _HOME) / "settings.yaml"),
        mcp_entries.build_bridge_entry(),
        mcp_entries.is_own_entry,
        ConfigFormat.YAML,
        ("mcp_servers", MCP_ENTRY_NAME),
    )
    return Wiring(mcp=(entry,), snippets=(Snippet(".poolside/settings.yaml", _render_snippet),))


def _render_snippet(link: Link) -> str:
    lines = ["hooks:"]
    for event in _HOOK_EVENTS:
        if event.name in link.calls:
            lines += [f"  {event.name}:", f"    - name: memwiki-{event.name}", '      matcher: "*"']
            lines += [f"      command: {json.dumps(link.calls[event.name])}", f"      timeout: {event.timeout_seconds}"]
    return "\n".join(lines) + "\n"


def _sample(session_id: str, cwd: str, words: str) -> Samples:
    used = {"tool_name": "shell", "tool_input": {"command": "true"}, "tool_response": ""}
    return dialect_agent.build_samples(
        {"session_id": session_id, "cwd": cwd},
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": words}),
        ("PostToolUse", used),
        ("Stop", {"stop_hook_active": False}),
    )


AGENT = DialectAgent(
    name=_NAME,
    title="Pool",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.ASSUMED),
        binaries=("pool",),
        homes=(_HOME,),
        scopes=frozenset(WiringScope),
        hook_events=_HOOK_EVENTS,
        token=TokenUse.BRIDGE,
        has_session_end=False,
        install_notes=("Paste the block of hooks into the settings of each repository that is to be captured.",),
        captures="prompts, tool calls with their results, turns and the session's start",
        misses=(
            "That a hook's output reaches the model is not documented: the agent has to ask for a brief through MCP.",
            "Compactions are not told, and a session ends by its idle time.",
        ),
        skills=".poolside",
    ),
    dialect=_DIALECT,
    wire=_wire,
    sample=_sample,
)
