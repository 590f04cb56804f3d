"""Grok Build: a file of hooks that is ours alone, payloads in camel case, and MCP servers in its configuration.

What a hook prints reaches the model after a tool has run, and at no other moment.
"""

from collections.abc import Mapping

from app.agents import claude_words, dialect_agent, fields, mcp_entries, own_files, places, start_context, tool_readers
from app.agents.agent import (
    MCP_ENTRY_NAME,
    AgentTraits,
    BriefPoint,
    BriefWay,
    ConfigFormat,
    Evidence,
    EvidenceKind,
    HookEvent,
    Link,
    McpFile,
    OwnFile,
    Wiring,
)
from app.agents.dialect_agent import DialectAgent, Samples
from app.agents.places import Home, Site, WiringScope
from app.domain.event import AgentName

_NAME = AgentName.GROK
_HOME = Home(".grok", variable="GROK_HOME")
_HOOK_EVENTS = tuple(
    HookEvent(event)
    for event in (
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact",
        "PostCompact", "SubagentStart", "SubagentStop", "Stop", "SessionEnd",
    )
)  # fmt: skip
_FIELDS = {
    "toolName": "tool_name",
    "toolInput": "tool_input",
    "toolResult": "tool_response",
    "toolUseId": "tool_use_id",
    "toolCallId": "tool_call_id",
    "transcriptPath": "transcript_path",
    "permissionMode": "permission_mode",
    "lastAssistantMessage": "last_assistant_message",
    "stopHookActive": "stop_hook_active",
    "compactSummary": "compact_summary",
    "customInstructions": "custom_instructions",
    "subagentType": "agent_type",
    "agentId": "agent_id",
    "durationMs": "duration_ms",
    "promptId": "prompt_id",
}
_DIALECT = claude_words.build_dialect(
    _NAME,
    (event.name for event in _HOOK_EVENTS),
    tools={
        "run_terminal_command": tool_readers.read_shell,
        "bash": tool_readers.read_shell,
        "read_file": tool_readers.read_file,
        "write_file": tool_readers.write_file,
        "create_file": tool_readers.create_file,
        "edit_file": tool_readers.edit_file,
        "search_replace": tool_readers.edit_file,
        "grep": tool_readers.search_files,
        "list_dir": tool_readers.search_files,
        "web_search": tool_readers.ask_web,
        "web_fetch": tool_readers.ask_web,
        "todo_write": tool_readers.write_todos,
        "task": tool_readers.start_subagent,
    },
    fields=frozenset({"workspaceRoot"}),
    beside=("PermissionDenied", "StopFailure", "Notification"),
)


def _shape(event_name: str, payload: Mapping[str, object]) -> Mapping[str, object]:
    """Name fields as others do; what a helper does has its kind in it, or the session that sent it."""
    del event_name
    shaped = dialect_agent.rename(payload, _FIELDS)
    if "cwd" not in shaped and isinstance(root := payload.get("workspaceRoot"), str):
        shaped["cwd"] = root
    is_helper = shaped.get("agent_type") or fields.read_first(payload, *fields.PARENT_FIELDS)
    if is_helper and "agent_id" not in shaped:
        shaped["agent_id"] = payload.get("sessionId")
    return shaped


def _wire(site: Site) -> Wiring:
    project = places.find_project(site)
    folder = project / ".grok" if project else places.find_home(site, _HOME)
    hooks = OwnFile(
        str(folder / "hooks" / "memwiki.json"), _render_hooks, own_files.holds_only_hooks(_NAME), note="hooks"
    )
    entry = McpFile(
        str(folder / "config.toml"),
        mcp_entries.build_http_entry(fixed={"enabled": True}),
        mcp_entries.is_own_entry,
        ConfigFormat.TOML,
        ("mcp_servers", MCP_ENTRY_NAME),
    )
    return Wiring(files=(hooks,), mcp=(entry,))


def _render_hooks(link: Link) -> str:
    return own_files.render_hook_file(_HOOK_EVENTS, link)


def _sample(session_id: str, cwd: str, words: str) -> Samples:
    used = {
        "toolName": "Bash",
        "toolInput": {"command": "true"},
        "toolUseId": f"call_{session_id}",
        "toolResult": {"output": "", "exitCode": 0},
    }
    return dialect_agent.build_samples(
        {"sessionId": session_id, "cwd": cwd, "workspaceRoot": cwd},
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": words}),
        ("PostToolUse", used),
        ("Stop", {"lastAssistantMessage": "Done."}),
        ("SessionEnd", {"reason": "exit"}),
        named_by="hookEventName",
    )


AGENT = DialectAgent(
    name=_NAME,
    title="Grok Build",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.DOCUMENTED),
        binaries=("grok",),
        homes=(_HOME,),
        scopes=frozenset(WiringScope),
        hook_events=_HOOK_EVENTS,
        brief=BriefWay(BriefPoint.FIRST_TOOL_RESULT, ("PostToolUse",), "hookSpecificOutput.additionalContext"),
        reads_hooks_of=(AgentName.CLAUDE_CODE, AgentName.CURSOR),
        install_notes=(
            "Grok also runs the hooks of Claude Code and Cursor that it finds; an event that comes twice counts once.",
            "A project's hooks and servers count only after /hooks-trust.",
        ),
        doctor_notes=(
            "Settings of a folder between the repository's root and yours may outweigh the server's address.",
        ),
        misses=("The brief comes with the first tool's result: a session that uses no tool gets none.",),
    ),
    dialect=_DIALECT,
    wire=_wire,
    sample=_sample,
    shape=_shape,
    write_brief=lambda text: start_context.render_context("PostToolUse", text),
)
