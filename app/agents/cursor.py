"""Cursor: its hook payloads and tools, its hooks file and its list of MCP servers; it runs Claude Code's hooks too."""

from collections.abc import Mapping
from dataclasses import replace

from app.agents import dialect, fields, mcp_entries, places, prompt, start_context, tool_readers
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
    McpFile,
    OneShot,
    Shell,
    Wiring,
)
from app.agents.dialect import Dialect
from app.agents.launch import Launch
from app.agents.places import Home, Site, WiringScope
from app.agents.tool_use import ToolUse
from app.domain.event import Actor, AgentName, Event, EventKind, Outcome, ToolCall

name: AgentName = AgentName.CURSOR
title: str = "Cursor"

_HOOK_EVENTS = tuple(
    HookEvent(event)
    for event in (
        "sessionStart", "beforeSubmitPrompt", "preToolUse", "postToolUse", "postToolUseFailure", "subagentStart",
        "subagentStop", "preCompact", "afterAgentResponse", "stop", "sessionEnd",
    )
)  # fmt: skip

_HOME = Home(".cursor")

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.DOCUMENTED),
    binaries=("cursor", "cursor-agent"),
    launch=Launch("cursor-agent", resume=("--resume={id}",)),
    homes=(_HOME,),
    session_files=("projects/*/agent-transcripts/*/*.jsonl",),
    scopes=frozenset(WiringScope),
    hook_events=_HOOK_EVENTS,
    windows_shell=Shell.POWERSHELL,
    brief=BriefWay(BriefPoint.SESSION_START, ("sessionStart",), "additional_context"),
    one_shot=OneShot("`cursor-agent -p` sends few of the events", words=frozenset({"-p", "--print"})),
    reads_hooks_of=(AgentName.CLAUDE_CODE,),
    install_notes=(
        "Cursor looks at its hooks when the file is saved; for the MCP entry, start it again.",
        "Cursor runs Claude Code's hooks as well: what both tell is stored once.",
    ),
    misses=("The command line, `cursor-agent`, sends few of the events.",),
)

_MCP_PREFIX = "MCP:"
# What Claude Code calls the events, in whose hook files Cursor runs hooks as well.
_OTHER_NAMES = {
    "SessionStart": "sessionStart",
    "UserPromptSubmit": "beforeSubmitPrompt",
    "PreToolUse": "preToolUse",
    "PostToolUse": "postToolUse",
    "PostToolUseFailure": "postToolUseFailure",
    "PreCompact": "preCompact",
    "SubagentStart": "subagentStart",
    "SubagentStop": "subagentStop",
    "Stop": "stop",
    "SessionEnd": "sessionEnd",
}
_TOOL_FIELDS = frozenset({"tool_name", "tool_input", "tool_use_id", "agent_message", "duration"})


def _read_shell(use: ToolUse) -> ToolCall:
    """Read a command; its answer is an object as text, with the exit code in it."""
    answer = tool_readers.parse_json(use.result)
    # A command that failed is still a tool call that was carried out.
    stated = Outcome.FAILED if use.outcome is Outcome.FAILED else Outcome.UNKNOWN
    return tool_readers.read_shell(replace(use, result=answer, outcome=stated))


_DIALECT = Dialect(
    agent=name,
    kinds={
        "sessionStart": EventKind.SESSION_START,
        "beforeSubmitPrompt": EventKind.PROMPT,
        "preToolUse": EventKind.TOOL_START,
        "postToolUse": EventKind.TOOL_END,
        "postToolUseFailure": EventKind.TOOL_END,
        "preCompact": EventKind.COMPACTION,
        "subagentStart": EventKind.SUBAGENT_START,
        "subagentStop": EventKind.SUBAGENT_END,
        "afterAgentResponse": EventKind.TURN_END,
        "stop": EventKind.TURN_END,
        "sessionEnd": EventKind.SESSION_END,
    },
    beside=frozenset({
        "afterAgentThought", "afterFileEdit", "afterMCPExecution", "afterShellExecution", "afterTabFileEdit",
        "beforeMCPExecution", "beforeReadFile", "beforeShellExecution", "beforeTabFileRead", "workspaceOpen",
    }),
    shared_fields=frozenset({
        "generation_id", "model", "model_id", "model_params", "cursor_version", "user_email", "transcript_path", "cwd",
        "is_background_agent", "composer_mode", "timestamp",
    }),
    fields={
        "sessionStart": frozenset({"source"}),
        "beforeSubmitPrompt": frozenset({"prompt", "attachments"}),
        "preToolUse": _TOOL_FIELDS,
        "postToolUse": _TOOL_FIELDS | {"tool_output"},
        "postToolUseFailure": _TOOL_FIELDS | {"error_message", "failure_type", "is_interrupt"},
        "preCompact": frozenset({
            "trigger", "context_usage_percent", "context_tokens", "context_window_size", "message_count",
            "messages_to_compact", "is_first_compaction",
        }),
        "subagentStart": frozenset({
            "subagent_id", "subagent_type", "task", "parent_conversation_id", "tool_call_id", "subagent_model",
            "is_parallel_worker", "git_branch",
        }),
        "subagentStop": frozenset({
            "subagent_id", "subagent_type", "task", "parent_conversation_id", "status", "description", "summary",
            "duration_ms", "message_count", "tool_call_count", "loop_count", "modified_files", "agent_transcript_path",
        }),
        "afterAgentResponse": frozenset({
            "text", "last_assistant_message", "input_tokens", "output_tokens", "cache_read_tokens",
            "cache_write_tokens",
        }),
        "stop": frozenset({
            "status", "loop_count", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens",
        }),
        "sessionEnd": frozenset({"reason", "duration_ms", "final_status", "error_message"}),
    },
    marks=prompt.MachineMarks(
        tags=frozenset({"system_reminder", "system-reminder", "attached_files", "hook_context", "additional_data"}),
        openings=(),
        recaps=(),
        idle_commands=frozenset(),
    ),
    tools={
        "Shell": _read_shell,
        "Read": tool_readers.read_file,
        "Write": tool_readers.write_file,
        "StrReplace": tool_readers.edit_file,
        "Edit": tool_readers.edit_file,
        "MultiEdit": tool_readers.edit_file,
        "ApplyPatch": tool_readers.apply_patch,
        "Delete": tool_readers.delete_file,
        "Grep": tool_readers.search_files,
        "Glob": tool_readers.search_files,
        "LS": tool_readers.search_files,
        "SemanticSearch": tool_readers.search_files,
        "WebSearch": tool_readers.ask_web,
        "WebFetch": tool_readers.ask_web,
        "Task": tool_readers.start_subagent,
        "TodoWrite": tool_readers.write_todos,
    },
    failures=frozenset({"postToolUseFailure"}),
    tool_outcome=Outcome.SUCCEEDED,
)  # fmt: skip
known_events: frozenset[str] = _DIALECT.known_events


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload; a session is a conversation, and has the first folder of its workspace.

    Raises:
        MalformedPayload: no session id can be found.
    """
    named = fields.choose_event_name(event_name, payload, known_events | _OTHER_NAMES.keys())
    native = _OTHER_NAMES.get(named, named)
    told = {**payload, "hook_event_name": native or None}
    if native == "afterAgentResponse":
        told["last_assistant_message"] = payload.get("text")
    # Cursor leaves the server's name out.
    if (tool := fields.read_name(payload.get("tool_name"))).startswith(_MCP_PREFIX):
        told["tool_name"] = f"mcp/{tool.removeprefix(_MCP_PREFIX)}"
    event = dialect.parse_event(_DIALECT, event_name, told)
    if event.kind in {EventKind.SUBAGENT_START, EventKind.SUBAGENT_END}:
        helper = fields.read_name(payload.get("subagent_id"))
        return replace(event, native_id=helper, helper_id=helper, reason=fields.read_name(payload.get("subagent_type")))
    return event


def takes_brief_at(event: Event) -> bool:
    """Tell whether printed text reaches a main session's model: only at its start."""
    return event.kind is EventKind.SESSION_START and event.actor is not Actor.SUBAGENT


def render_brief(event: Event, text: str) -> str:
    """Write the hook's output, which Cursor keeps for the whole conversation."""
    return start_context.render_wrapped(_wrap_context, text) if takes_brief_at(event) else ""


def list_wiring(site: Site) -> Wiring:
    """Find the hooks file, which wants its version, and the list of MCP servers."""
    project = places.find_project(site)
    folder = places.find_home(site, _HOME) if project is None else project / ".cursor"
    shape = HookShape(HookLayout.FLAT, build=_build_hook, preset=((("version",), 1),))
    entry = mcp_entries.build_http_entry(reference="${env:%s}")
    return Wiring(
        hooks=(HookFile(str(folder / "hooks.json"), shape=shape),),
        mcp=(McpFile(str(folder / "mcp.json"), entry, mcp_entries.is_own_entry),),
    )


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    shared: dict[str, object] = {
        "conversation_id": session_id,
        "generation_id": f"generation_{session_id}",
        "workspace_roots": [cwd],
        "cursor_version": "rehearsal",
        "model": "rehearsal",
    }
    used: dict[str, object] = {
        "tool_name": "Shell",
        "tool_input": {"command": "true"},
        "tool_use_id": f"call_{session_id}",
        "tool_output": '{"exitCode":0,"stdout":""}',
        "cwd": cwd,
    }
    events: tuple[tuple[str, dict[str, object]], ...] = (
        ("sessionStart", {"is_background_agent": False}),
        ("beforeSubmitPrompt", {"prompt": words, "attachments": []}),
        ("postToolUse", used),
        ("stop", {"status": "completed", "loop_count": 0}),
        ("sessionEnd", {"reason": "user_close"}),
    )
    return tuple((event, {"hook_event_name": event, **shared, **more}) for event, more in events)


def _build_hook(event: HookEvent, call: HookCall) -> dict[str, object]:
    """Build a hook without a group; what is printed is waited for within the limit, in seconds."""
    return {"command": call, "timeout": event.timeout_seconds}


def _wrap_context(text: str) -> dict[str, object]:
    return {"additional_context": text}
