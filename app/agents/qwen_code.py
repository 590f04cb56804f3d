"""Qwen Code: its hook payloads and tools, and its settings file, which holds the hooks and the MCP servers."""

import re
from collections.abc import Mapping
from dataclasses import replace

from app.agents import dialect, fields, mcp_entries, places, prompt, start_context, tool_readers
from app.agents.agent import (
    AgentTraits,
    BriefPoint,
    BriefWay,
    Evidence,
    EvidenceKind,
    HookEvent,
    HookFile,
    McpFile,
    OneShot,
    Wiring,
)
from app.agents.dialect import Dialect
from app.agents.launch import Launch
from app.agents.places import Home, Site, WiringScope
from app.agents.tool_use import ToolUse
from app.domain.event import Actor, AgentName, Event, EventKind, Outcome, ToolCall

name: AgentName = AgentName.QWEN_CODE
title: str = "Qwen Code"

_HOOK_EVENTS = tuple(
    HookEvent(event)
    for event in (
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact",
        "PostCompact", "SubagentStart", "SubagentStop", "Stop", "SessionEnd",
    )
)  # fmt: skip

_HOME = Home(".qwen", variable="QWEN_HOME")

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.VERIFIED, "0.24.4"),
    binaries=("qwen",),
    launch=Launch(resume=("--resume", "{id}"), sessions=("projects/*/chats/{id}.jsonl",)),
    homes=(_HOME,),
    session_files=("projects/*/chats/*.jsonl",),
    scopes=frozenset(WiringScope),
    hook_events=_HOOK_EVENTS,
    http_events=frozenset(event.name for event in _HOOK_EVENTS),
    brief=BriefWay(BriefPoint.SESSION_START, ("SessionStart",), "hookSpecificOutput.additionalContext"),
    one_shot=OneShot("`qwen -p` sends the same events, but no end of the session", words=frozenset({"-p", "--prompt"})),
    install_notes=("Qwen Code reads its settings at start: sessions that are open now are not captured.",),
    misses=("In `-p` no session end is sent: such a session ends by its idle time.",),
)

_TOOL_FIELDS = frozenset({"tool_name", "tool_input", "tool_use_id", "tool_call_id", "duration_ms"})
_STOP_FIELDS = frozenset({
    "stop_hook_active", "last_assistant_message", "background_tasks", "crons", "context_usage", "context_limit",
    "input_tokens",
})  # fmt: skip
_OUTPUT = re.compile(r"^Output: (.*?)\nError: (.*?)\nExit Code: (-?\d+|\(none\))$", re.MULTILINE | re.DOTALL)


def _read_shell(use: ToolUse) -> ToolCall:
    """Take the output and the exit code out of the report that Qwen Code makes for its model."""
    report = _OUTPUT.search(fields.read_text(use.result))
    if report is None:
        return tool_readers.read_shell(use)
    output, error, code = report.groups()
    shown = "\n".join(part for part in (output, error) if part not in {"", "(empty)", "(none)"})
    return tool_readers.read_shell(replace(use, result={"output": shown, "exit_code": _parse_code(code)}))


def _parse_code(code: str) -> int | None:
    return None if code == "(none)" else int(code)


def _write_file(use: ToolUse) -> ToolCall:
    is_new = "created and wrote to new file" in fields.read_text(use.result)
    return tool_readers.create_file(use) if is_new else tool_readers.write_file(use)


def _start_subagent(use: ToolUse) -> ToolCall:
    is_background = fields.read_text(use.result).startswith("Background agent launched")
    return tool_readers.start_subagent(replace(use, result={"isAsync": True}) if is_background else use)


_DIALECT = Dialect(
    agent=name,
    kinds={
        "SessionStart": EventKind.SESSION_START,
        "UserPromptSubmit": EventKind.PROMPT,
        "PreToolUse": EventKind.TOOL_START,
        "PostToolUse": EventKind.TOOL_END,
        "PostToolUseFailure": EventKind.TOOL_END,
        "PreCompact": EventKind.COMPACTION,
        "PostCompact": EventKind.COMPACTION,
        "SubagentStart": EventKind.SUBAGENT_START,
        "SubagentStop": EventKind.SUBAGENT_END,
        "Stop": EventKind.TURN_END,
        "SessionEnd": EventKind.SESSION_END,
    },
    beside=frozenset({
        "InstructionsLoaded", "MessageDisplay", "Notification", "PermissionDenied", "PermissionRequest",
        "PostToolBatch", "SessionDelete", "StopFailure", "TodoCompleted", "TodoCreated", "UserPromptExpansion",
    }),
    shared_fields=frozenset({
        "transcript_path", "cwd", "timestamp", "permission_mode", "prompt_id", "agent_id", "agent_type", "model",
    }),
    fields={
        "SessionStart": frozenset({"source"}),
        "UserPromptSubmit": frozenset({"prompt", "submitted_prompt"}),
        "PreToolUse": _TOOL_FIELDS,
        "PostToolUse": _TOOL_FIELDS | {"tool_response"},
        "PostToolUseFailure": _TOOL_FIELDS | {"error", "is_interrupt"},
        "PreCompact": frozenset({"trigger", "custom_instructions"}),
        "PostCompact": frozenset({"trigger", "compact_summary"}),
        "SubagentStop": _STOP_FIELDS | {"agent_transcript_path"},
        "Stop": _STOP_FIELDS,
        "SessionEnd": frozenset({"reason"}),
    },
    marks=prompt.MachineMarks(
        tags=frozenset({"system-reminder", "task-notification", "hook_context", "untrusted_context"}),
        openings=("[Request interrupted by user",),
        recaps=("This session is being continued from a previous conversation",),
        idle_commands=frozenset({
            "/auth", "/clear", "/compress", "/exit", "/help", "/hooks", "/mcp", "/memory", "/model", "/quit",
            "/resume", "/stats", "/summary", "/tools",
        }),
    ),
    tools={
        "run_shell_command": _read_shell,
        "read_file": tool_readers.read_file,
        "read_many_files": tool_readers.read_file,
        "write_file": _write_file,
        "edit": tool_readers.edit_file,
        "replace": tool_readers.edit_file,
        "notebook_edit": tool_readers.write_file,
        "list_directory": tool_readers.search_files,
        "glob": tool_readers.search_files,
        "grep_search": tool_readers.search_files,
        "search_file_content": tool_readers.search_files,
        "web_fetch": tool_readers.ask_web,
        "web_search": tool_readers.ask_web,
        "agent": _start_subagent,
        "task": _start_subagent,
        "todo_write": tool_readers.write_todos,
    },
    failures=frozenset({"PostToolUseFailure"}),
    tool_outcome=Outcome.SUCCEEDED,
)  # fmt: skip
known_events: frozenset[str] = _DIALECT.known_events


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload; its prompt before each further model call is empty, and no person's.

    Raises:
        MalformedPayload: no session id can be found.
    """
    response = fields.read_fields(payload.get("tool_response"))
    shown = response.get("llmContent")
    typed = payload.get("submitted_prompt")
    told = {
        **payload,
        **({"tool_response": shown} if shown is not None else {}),
        **({"prompt": typed} if isinstance(typed, str) and typed else {}),
    }
    return dialect.parse_event(_DIALECT, event_name, told)


def takes_brief_at(event: Event) -> bool:
    """Tell whether printed text reaches a main session's model: only at its start."""
    return event.kind is EventKind.SESSION_START and event.actor is not Actor.SUBAGENT


def render_brief(event: Event, text: str) -> str:
    """Write the hook's output, or the answer to a post, which Qwen Code reads alike."""
    return start_context.render_context("SessionStart", text) if takes_brief_at(event) else ""


def list_wiring(site: Site) -> Wiring:
    """Find the settings file, which holds the hooks and the MCP servers; there `url` would mean another transport."""
    project = places.find_project(site)
    folder = places.find_home(site, _HOME) if project is None else project / ".qwen"
    settings = str(folder / "settings.json")
    entry = McpFile(settings, mcp_entries.build_http_entry(url_field="httpUrl"), mcp_entries.is_own_entry)
    return Wiring(hooks=(HookFile(settings),), mcp=(entry,))


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    shared: dict[str, object] = {
        "session_id": session_id,
        "transcript_path": f"{cwd}/{session_id}.jsonl",
        "cwd": cwd,
        "permission_mode": "default",
    }
    used: dict[str, object] = {
        "tool_name": "run_shell_command",
        "tool_use_id": f"toolu_{session_id}",
        "tool_input": {"command": "true", "description": "Do nothing, with success"},
        "tool_response": {"llmContent": "Command: true\nOutput: (empty)\nError: (none)\nExit Code: 0"},
    }
    events: tuple[tuple[str, dict[str, object]], ...] = (
        ("SessionStart", {"source": "startup", "model": "rehearsal"}),
        ("UserPromptSubmit", {"prompt": words, "submitted_prompt": words, "prompt_id": f"{session_id}########0"}),
        ("PostToolUse", used),
        ("Stop", {"stop_hook_active": False, "last_assistant_message": ""}),
        ("SessionEnd", {"reason": "other"}),
    )
    return tuple((event, {**shared, "hook_event_name": event, **more}) for event, more in events)
