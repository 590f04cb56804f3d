"""VS Code's Copilot: its hook payloads and tools, a hooks file of our own and its list of MCP servers.

It runs the hooks of Claude Code and of Copilot CLI as well, and Copilot CLI runs the ones that stand here; whose a
payload is shows in how it spells the session.
"""

import json
from collections.abc import Mapping

from app.agents import dialect, mcp_entries, own_files, places, prompt, start_context, tool_readers
from app.agents.agent import (
    MCP_ENTRY_NAME,
    AgentTraits,
    BriefPoint,
    BriefWay,
    Evidence,
    EvidenceKind,
    HookEvent,
    Link,
    McpFile,
    OwnFile,
    TokenUse,
    Wiring,
    build_command_hook,
)
from app.agents.dialect import Dialect
from app.agents.places import Home, Site, WiringScope
from app.domain.event import Actor, AgentName, Event, EventKind, Outcome

name: AgentName = AgentName.VSCODE_COPILOT
title: str = "VS Code Copilot"

_HOOK_EVENTS = tuple(
    HookEvent(event)
    for event in (
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "SubagentStart", "SubagentStop",
        "Stop",
    )
)  # fmt: skip

_HOME = Home(".copilot", variable="COPILOT_HOME")
_PROFILE = Home("Code/User", is_config=True, is_native=True)

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.DOCUMENTED),
    binaries=("code",),
    launch=None,
    homes=(_PROFILE,),
    session_files=("workspaceStorage/*/chatSessions/*.json*",),
    scopes=frozenset(WiringScope),
    hook_events=_HOOK_EVENTS,
    token=TokenUse.BRIDGE,
    brief=BriefWay(BriefPoint.SESSION_START, ("SessionStart",), "hookSpecificOutput.additionalContext"),
    has_session_end=False,
    reads_hooks_of=(AgentName.CLAUDE_CODE, AgentName.COPILOT_CLI),
    install_notes=(
        "Hooks are a preview in VS Code: its setting `chat.useHooks` may have to be on.",
        "VS Code runs the hooks of Claude Code and Copilot CLI as well: what several tell is stored once.",
    ),
    captures="prompts, tool calls with their results, turns, compactions, helpers and the session's start",
    misses=("What the agent answers and the session's end are not sent: a session ends by its idle time.",),
    instructions=".github/copilot-instructions.md",
)

_TOOL_FIELDS = frozenset({"tool_name", "tool_input", "tool_use_id"})
_DIALECT = Dialect(
    agent=name,
    kinds={
        "SessionStart": EventKind.SESSION_START,
        "UserPromptSubmit": EventKind.PROMPT,
        "PreToolUse": EventKind.TOOL_START,
        "PostToolUse": EventKind.TOOL_END,
        "PreCompact": EventKind.COMPACTION,
        "SubagentStart": EventKind.SUBAGENT_START,
        "SubagentStop": EventKind.SUBAGENT_END,
        "Stop": EventKind.TURN_END,
    },
    beside=frozenset({"ErrorOccurred", "Notification", "PermissionRequest", "SessionEnd"}),
    shared_fields=frozenset({"timestamp", "cwd", "transcript_path", "agent_id", "agent_type"}),
    fields={
        "SessionStart": frozenset({"source"}),
        "UserPromptSubmit": frozenset({"prompt"}),
        "PreToolUse": _TOOL_FIELDS,
        "PostToolUse": _TOOL_FIELDS | {"tool_response"},
        "PreCompact": frozenset({"trigger"}),
        "SubagentStop": frozenset({"stop_hook_active"}),
        "Stop": frozenset({"stop_hook_active"}),
    },
    marks=prompt.MachineMarks(
        tags=frozenset({
            "attachments", "attachment", "context", "editorContext", "environment_info", "reminder",
            "reminderInstructions", "system-reminder", "workspace_info", "hook_context",
        }),
        openings=(),
        recaps=(),
        idle_commands=frozenset({"/clear", "/help"}),
    ),
    tools={
        "runInTerminal": tool_readers.read_shell,
        "run_in_terminal": tool_readers.read_shell,
        "runTests": tool_readers.read_shell,
        "readFile": tool_readers.read_file,
        "read_file": tool_readers.read_file,
        "createFile": tool_readers.create_file,
        "create_file": tool_readers.create_file,
        "editFiles": tool_readers.edit_file,
        "insert_edit_into_file": tool_readers.edit_file,
        "replace_string_in_file": tool_readers.edit_file,
        "multi_replace_string_in_file": tool_readers.edit_file,
        "apply_patch": tool_readers.apply_patch,
        "grep_search": tool_readers.search_files,
        "file_search": tool_readers.search_files,
        "semantic_search": tool_readers.search_files,
        "list_dir": tool_readers.search_files,
        "fetch": tool_readers.ask_web,
        "fetch_webpage": tool_readers.ask_web,
        "runSubagent": tool_readers.start_subagent,
        "manage_todo_list": tool_readers.write_todos,
    },
    tool_outcome=Outcome.UNKNOWN,
)  # fmt: skip
known_events: frozenset[str] = _DIALECT.known_events


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload.

    Raises:
        MalformedPayload: no session id can be found.
    """
    return dialect.parse_event(_DIALECT, event_name, payload)


def takes_brief_at(event: Event) -> bool:
    """Tell whether printed text reaches a main session's model: only at its start."""
    return event.kind is EventKind.SESSION_START and event.actor is not Actor.SUBAGENT


def render_brief(event: Event, text: str) -> str:
    """Write the hook's output, which VS Code adds to the conversation."""
    return start_context.render_context("SessionStart", text) if takes_brief_at(event) else ""


def list_wiring(site: Site) -> Wiring:
    """Find the folder of hook files, and the profile's or the workspace's list of MCP servers."""
    project = places.find_project(site)
    folder = places.find_home(site, _HOME) / "hooks" if project is None else project / ".github" / "hooks"
    servers = places.find_home(site, _PROFILE) if project is None else project / ".vscode"
    entry = McpFile(
        str(servers / "mcp.json"), _build_mcp_entry, mcp_entries.is_own_entry, keys=("servers", MCP_ENTRY_NAME)
    )
    hooks = OwnFile(
        path=str(folder / "memwiki-vscode.json"),
        render=_render_hooks,
        is_own=own_files.holds_only_hooks(name),
        note="hooks of VS Code, in a file of their own",
    )
    return Wiring(files=(hooks,), mcp=(entry,))


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    shared: dict[str, object] = {"sessionId": session_id, "cwd": cwd, "transcript_path": f"{cwd}/{session_id}.json"}
    used: dict[str, object] = {
        "tool_name": "run_in_terminal",
        "tool_input": {"command": "true"},
        "tool_use_id": f"call_{session_id}",
        "tool_response": "",
    }
    events: tuple[tuple[str, dict[str, object]], ...] = (
        ("SessionStart", {"source": "new"}),
        ("UserPromptSubmit", {"prompt": words}),
        ("PostToolUse", used),
        ("Stop", {"stop_hook_active": False}),
    )
    return tuple((event, {"hookEventName": event, **shared, **more}) for event, more in events)


def _render_hooks(link: Link) -> str:
    hooks = {event.name: [build_command_hook(event, link.calls[event.name])] for event in _HOOK_EVENTS}
    return json.dumps({"hooks": hooks}, indent=2, ensure_ascii=False) + "\n"


def _build_mcp_entry(link: Link) -> dict[str, object]:
    """Build an entry without a secret: what VS Code expands in a header depends on its release."""
    return mcp_entries.build_bridge_entry({"type": "stdio"})(link)
