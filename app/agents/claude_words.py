"""The words of Claude Code's hooks as other agents took them over: event names, fields, tools and machine text."""

from collections.abc import Iterable, Mapping

from app.agents import prompt, tool_readers
from app.agents.dialect import Dialect
from app.agents.tool_readers import ToolReader
from app.domain.event import AgentName, EventKind, Outcome

KINDS: Mapping[str, EventKind] = {
    "SessionStart": EventKind.SESSION_START,
    "UserPromptSubmit": EventKind.PROMPT,
    "PreToolUse": EventKind.TOOL_START,
    "PostToolUse": EventKind.TOOL_END,
    "PostToolUseFailure": EventKind.TOOL_END,
    "PreCompact": EventKind.COMPACTION,
    "PostCompact": EventKind.COMPACTION,
    "PostCompaction": EventKind.COMPACTION,
    "SubagentStart": EventKind.SUBAGENT_START,
    "SubagentStop": EventKind.SUBAGENT_END,
    "Stop": EventKind.TURN_END,
    "SessionEnd": EventKind.SESSION_END,
}
_SHARED_FIELDS = frozenset({
    "transcript_path", "cwd", "permission_mode", "model", "timestamp", "agent_id", "agent_type", "turn_id", "prompt_id",
})  # fmt: skip
_TOOL_FIELDS = frozenset({"tool_name", "tool_input", "tool_use_id", "tool_call_id", "duration_ms"})
_RESULT_FIELDS = _TOOL_FIELDS | {"tool_response", "tool_output", "tool_result", "success", "error", "error_message"}
_STOP_FIELDS = frozenset({"stop_hook_active", "last_assistant_message", "reason", "summary", "status"})
_COMPACT_FIELDS = frozenset({"trigger", "custom_instructions", "compact_summary", "summary"})
_FIELDS: Mapping[str, frozenset[str]] = {
    "SessionStart": frozenset({"source"}),
    "UserPromptSubmit": frozenset({"prompt", "message"}),
    "PreToolUse": _TOOL_FIELDS,
    "PostToolUse": _RESULT_FIELDS,
    "PostToolUseFailure": _RESULT_FIELDS | {"is_interrupt"},
    "PreCompact": _COMPACT_FIELDS,
    "PostCompact": _COMPACT_FIELDS,
    "PostCompaction": _COMPACT_FIELDS,
    "SubagentStart": frozenset({"agent_name", "task_description", "prompt", "task"}),
    "SubagentStop": _STOP_FIELDS | {"agent_name", "agent_transcript_path", "response"},
    "Stop": _STOP_FIELDS,
    "SessionEnd": frozenset({"reason"}),
}
MARKS = prompt.MachineMarks(
    tags=frozenset({"system-reminder", "task-notification", "hook_context"}),
    openings=("[Request interrupted by user",),
    recaps=("This session is being continued from a previous conversation",),
    idle_commands=frozenset({
        "/clear", "/compact", "/config", "/exit", "/help", "/hooks", "/login", "/logout", "/mcp", "/model", "/new",
        "/quit", "/resume", "/sessions", "/status", "/usage",
    }),
)  # fmt: skip
TOOLS: Mapping[str, ToolReader] = {
    "Bash": tool_readers.read_shell,
    "Read": tool_readers.read_file,
    "Write": tool_readers.write_file,
    "Edit": tool_readers.edit_file,
    "MultiEdit": tool_readers.edit_file,
    "NotebookEdit": tool_readers.edit_file,
    "Grep": tool_readers.search_files,
    "Glob": tool_readers.search_files,
    "LS": tool_readers.search_files,
    "WebFetch": tool_readers.ask_web,
    "WebSearch": tool_readers.ask_web,
    "Task": tool_readers.start_subagent,
    "Agent": tool_readers.start_subagent,
    "TodoWrite": tool_readers.write_todos,
}


def build_dialect(
    agent: AgentName,
    events: Iterable[str],
    *,
    tools: Mapping[str, ToolReader] | None = None,
    fields: frozenset[str] = frozenset(),
    beside: Iterable[str] = (),
) -> Dialect:
    """Build the dialect of an agent that has some of these events, its own tools besides, and further fields.

    A tool that failed is told by `PostToolUseFailure` where there is such an event; only then the other one says that
    a tool succeeded.
    """
    known = tuple(events)
    tells_failures = "PostToolUseFailure" in known
    return Dialect(
        agent=agent,
        kinds={name: KINDS[name] for name in known},
        beside=frozenset(beside),
        shared_fields=_SHARED_FIELDS | fields,
        fields={name: _FIELDS[name] for name in known},
        marks=MARKS,
        tools={**TOOLS, **(tools or {})},
        failures=frozenset({"PostToolUseFailure"}),
        tool_outcome=Outcome.SUCCEEDED if tells_failures else Outcome.UNKNOWN,
    )
