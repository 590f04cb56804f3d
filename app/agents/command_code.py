"""Command Code: its hooks in Claude Code's shape, of which a prompt is none, and its list of MCP servers."""

from app.agents import claude_words, dialect_agent, mcp_entries, places, start_context, tool_readers
from app.agents.agent import (
    AgentTraits,
    BriefPoint,
    BriefWay,
    Evidence,
    EvidenceKind,
    HookEvent,
    HookFile,
    McpFile,
    TokenUse,
    Wiring,
)
from app.agents.dialect_agent import DialectAgent, Samples
from app.agents.places import Home, Site, WiringScope
from app.domain.event import AgentName

_NAME = AgentName.COMMAND_CODE
_HOME = Home(".commandcode")
# With a matcher the start and the end of a turn would not come.
_HOOK_EVENTS = tuple(HookEvent(event) for event in ("SessionStart", "PreToolUse", "PostToolUse", "Stop"))
_DIALECT = claude_words.build_dialect(
    _NAME,
    (event.name for event in _HOOK_EVENTS),
    tools={
        "shell_command": tool_readers.read_shell,
        "shell": tool_readers.read_shell,
        "read_file": tool_readers.read_file,
        "write_file": tool_readers.write_file,
        "edit_file": tool_readers.edit_file,
        "grep": tool_readers.search_files,
        "glob": tool_readers.search_files,
    },
)


def _wire(site: Site) -> Wiring:
    project = places.find_project(site)
    folder = project / ".commandcode" if project else places.find_home(site, _HOME)
    build = mcp_entries.build_http_entry(fixed={"transport": "http", "enabled": True})
    entry = McpFile(str(folder / "mcp.json"), build, mcp_entries.is_own_entry)
    return Wiring(hooks=(HookFile(str(folder / "settings.json")),), mcp=() if project else (entry,))


def _sample(session_id: str, cwd: str, words: str) -> Samples:
    """Build a session of one command; Command Code tells of no prompt, so `words` stand in the answer."""
    used = {
        "tool_name": "shell_command",
        "tool_input": {"command": "true"},
        "tool_response": "",
    }
    return dialect_agent.build_samples(
        {"session_id": session_id, "cwd": cwd, "transcript_path": f"{cwd}/{session_id}.jsonl"},
        ("SessionStart", {"source": "startup"}),
        ("PostToolUse", used),
        ("Stop", {"stop_hook_active": False, "last_assistant_message": words}),
    )


AGENT = DialectAgent(
    name=_NAME,
    title="Command Code",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.ASSUMED),
        binaries=("commandcode", "command-code", "cmdc"),
        homes=(_HOME,),
        scopes=frozenset(WiringScope),
        hook_events=_HOOK_EVENTS,
        # How its list of servers would name a variable is not documented.
        token=TokenUse.LITERAL,
        brief=BriefWay(BriefPoint.SESSION_START, ("SessionStart",), "hookSpecificOutput.additionalContext"),
        has_session_end=False,
        captures="tool calls with their results, turns and the session's start",
        misses=("Prompts are not told: such a session's goal is not known.", "A session ends by its idle time."),
    ),
    dialect=_DIALECT,
    wire=_wire,
    sample=_sample,
    write_brief=lambda text: start_context.render_context("SessionStart", text),
)
