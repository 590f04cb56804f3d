"""Devin's command line: its hooks in Claude Code's shape, and its list of MCP servers in the same settings."""

from app.agents import claude_words, dialect_agent, mcp_entries, places, start_context, tool_readers
from app.agents.agent import (
    AgentTraits,
    BriefPoint,
    BriefWay,
    Evidence,
    EvidenceKind,
    HookEvent,
    HookFile,
    HookShape,
    McpFile,
    TokenUse,
    Wiring,
)
from app.agents.dialect_agent import DialectAgent, Samples
from app.agents.places import Home, Site, WiringScope
from app.domain.event import AgentName

_NAME = AgentName.DEVIN
_HOME = Home("devin", is_config=True)
_HOOK_EVENTS = tuple(
    HookEvent(event)
    for event in (
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostCompaction", "Stop", "SessionEnd",
    )
)  # fmt: skip
_DIALECT = claude_words.build_dialect(
    _NAME,
    (event.name for event in _HOOK_EVENTS),
    tools={
        "exec": tool_readers.read_shell,
        "read": tool_readers.read_file,
        "write": tool_readers.write_file,
        "edit": tool_readers.edit_file,
        "notebook_edit": tool_readers.edit_file,
        "grep": tool_readers.search_files,
        "glob": tool_readers.search_files,
        "web_fetch": tool_readers.ask_web,
        "web_search": tool_readers.ask_web,
        "todo_write": tool_readers.write_todos,
    },
    beside=("PermissionRequest",),
)


def _shape(event_name: str, payload: dialect_agent.Payload) -> dialect_agent.Payload:
    """Let a tool's answer say whether it succeeded, which it does in an object of its own."""
    del event_name
    answer = payload.get("tool_response")
    stated = answer.get("success") if isinstance(answer, dict) else None
    if not isinstance(answer, dict) or not isinstance(stated, bool):
        return payload
    told = answer.get("output") or answer.get("error")
    return {**payload, "success": stated, "tool_response": told if isinstance(told, str) else answer}


def _wire(site: Site) -> Wiring:
    """Find the settings of all work, which hold both, or a project's two files, of which one is its hooks alone."""
    project = places.find_project(site)
    folder = project / ".devin" if project else places.find_home(site, _HOME)
    settings = str(folder / "config.json")
    alone = HookFile(str(folder / "hooks.v1.json"), shape=HookShape(root=()))
    entry = McpFile(settings, mcp_entries.build_bridge_entry(), mcp_entries.is_own_entry)
    return Wiring(hooks=(alone if project else HookFile(settings),), mcp=(entry,))


def _sample(session_id: str, cwd: str, words: str) -> Samples:
    used = {
        "tool_name": "exec",
        "tool_input": {"command": "true", "shell_id": "main"},
        "tool_response": {"success": True, "output": "", "error": None},
    }
    return dialect_agent.build_samples(
        {"session_id": session_id, "cwd": cwd},
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": words}),
        ("PostToolUse", used),
        ("Stop", {"stop_hook_active": False}),
        ("SessionEnd", {"reason": "exit"}),
    )


AGENT = DialectAgent(
    name=_NAME,
    title="Devin CLI",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.DOCUMENTED),
        binaries=("devin",),
        homes=(_HOME,),
        scopes=frozenset(WiringScope),
        hook_events=_HOOK_EVENTS,
        token=TokenUse.BRIDGE,
        names_sessions=False,
        brief=BriefWay(BriefPoint.SESSION_START, ("SessionStart",), "hookSpecificOutput.additionalContext"),
        reads_hooks_of=(AgentName.CLAUDE_CODE,),
        install_notes=(
            "Devin also runs the hooks of Claude Code that it finds; an event that comes twice counts once.",
        ),
        doctor_notes=(
            "Devin's documents name no session in what hooks are told: the hook client names one from its start on.",
        ),
        misses=("What the agent answers is not sent.",),
    ),
    dialect=_DIALECT,
    wire=_wire,
    sample=_sample,
    shape=_shape,
    write_brief=lambda text: start_context.render_context("SessionStart", text),
)
