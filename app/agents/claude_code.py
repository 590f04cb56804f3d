"""Claude Code: its hook payloads, its settings file and its list of MCP servers; its tools are in `claude_tools`."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePath

from app.agents import claude_tools, claude_transcript, fields, mcp_entries, places, prompt, start_context
from app.agents.agent import (
    AgentTraits,
    BriefPoint,
    BriefWay,
    ConfigFormat,
    Evidence,
    EvidenceKind,
    HookEvent,
    HookFile,
    McpFile,
    OneShot,
    Shell,
    Wiring,
)
from app.agents.launch import Launch
from app.agents.places import Home, Site, WiringScope
from app.domain.event import Actor, AgentName, Event, EventKind
from app.domain.limits import PROMPT_BYTES_MAX, RECAP_BYTES_MAX, TOOL_TEXT_BYTES_MAX

name: AgentName = AgentName.CLAUDE_CODE
title: str = "Claude Code"
# Claude Code cuts a session's end at 1.5 s unless the hook states its own limit.
_HOOK_EVENTS = tuple(
    HookEvent(event)
    for event in (
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact",
        "PostCompact", "SubagentStart", "SubagentStop", "Stop", "SessionEnd",
    )
)  # fmt: skip

_HOME = Home(".claude", variable="CLAUDE_CONFIG_DIR")

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.VERIFIED, "2.1.332"),
    binaries=("claude",),
    launch=Launch(
        resume=("--resume", "{id}"), sessions=("projects/*/{id}.jsonl",), read=claude_transcript.read_transcript
    ),
    homes=(_HOME,),
    session_files=("projects/*/*.jsonl",),
    scopes=frozenset(WiringScope),
    hook_events=_HOOK_EVENTS,
    # At a session's start Claude Code runs commands alone.
    http_events=frozenset(event.name for event in _HOOK_EVENTS if event.name != "SessionStart"),
    windows_shell=Shell.SH,
    brief=BriefWay(BriefPoint.SESSION_START, ("SessionStart",), "hookSpecificOutput.additionalContext"),
    one_shot=OneShot(
        "`claude -p` sends the same events", variables=(("CLAUDE_CODE_ENTRYPOINT", frozenset({"sdk-cli"})),)
    ),
    install_notes=("Claude Code reads its settings at start: sessions that are open now are not captured.",),
    misses=("In `-p`, a turn that ends in an error of the model's service has no end.",),
    instructions="CLAUDE.md",
    user_instructions="CLAUDE.md",
    skills=".claude",
)

_KINDS: dict[str, EventKind] = {
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
}
known_events: frozenset[str] = frozenset(_KINDS) | {
    "ConfigChange", "CwdChanged", "Elicitation", "ElicitationResult", "FileChanged", "InstructionsLoaded",
    "MessageDisplay", "Notification", "PermissionDenied", "PermissionRequest", "PostToolBatch", "Setup",
    "StopFailure", "TaskCompleted", "TaskCreated", "TeammateIdle", "UserPromptExpansion", "WorktreeCreate",
    "WorktreeRemove",
}  # fmt: skip

_COMMON_FIELDS = frozenset(
    {*fields.SHARED_FIELDS, "transcript_path", "cwd", "prompt_id", "permission_mode",
     "effort", "agent_id", "agent_type", "model", "timestamp", "session_title", "turn_number"}
)  # fmt: skip
_TOOL_FIELDS = frozenset({"tool_name", "tool_input", "tool_use_id", "mcp_server", "duration_ms"})
_STOP_FIELDS = frozenset({"stop_hook_active", "last_assistant_message", "assistant_message", "background_tasks",
                          "session_crons"})  # fmt: skip
_FIELDS: dict[str, frozenset[str]] = {
    "SessionStart": frozenset({"source", "seconds_since_last_response", "context_tokens",
                               "prompt_cache_likely_expired", "estimated_cache_write_usd"}),
    "UserPromptSubmit": frozenset({"prompt", "prompt_text"}),
    "PreToolUse": _TOOL_FIELDS,
    "PostToolUse": _TOOL_FIELDS | {"tool_response", "tool_output"},
    "PostToolUseFailure": _TOOL_FIELDS | {"error", "error_message", "is_interrupt"},
    "PreCompact": frozenset({"trigger", "custom_instructions"}),
    "PostCompact": frozenset({"trigger", "compact_summary"}),
    "SubagentStart": frozenset({"task_description"}),
    "SubagentStop": _STOP_FIELDS | {"agent_transcript_path", "summary"},
    "Stop": _STOP_FIELDS,
    "SessionEnd": frozenset({"reason"}),
}  # fmt: skip

_MARKS = prompt.MachineMarks(
    tags=frozenset({
        "system-reminder", "task-notification", "local-command-stdout", "local-command-stderr",
        "local-command-caveat", "bash-input", "bash-stdout", "bash-stderr", "user-prompt-submit-hook",
        "ide_opened_file", "ide_selection", "ide_diagnostics", "teammate-message", "hook_context",
        "new-diagnostics", "session-start-hook",
    }),
    openings=(
        "Caveat: The messages below were generated by the user while running local commands",
        "[Request interrupted by user",
    ),
    recaps=("This session is being continued from a previous conversation",),
    idle_commands=frozenset({
        "/clear", "/compact", "/config", "/context", "/cost", "/exit", "/help", "/hooks", "/login", "/logout",
        "/mcp", "/memory", "/model", "/permissions", "/quit", "/resume", "/status", "/usage",
    }),
)  # fmt: skip


# Which fields say why something happened, and which one is the id of it, by the name of the event.
_REASON_FIELDS: dict[str, tuple[str, ...]] = {
    "SessionStart": ("source",),
    "SessionEnd": ("reason",),
    "PreCompact": ("trigger",),
    "PostCompact": ("trigger",),
    "SubagentStart": ("agent_type",),
    "SubagentStop": ("agent_type",),
}
_OTHER_REASON_FIELDS = ("error_type", "notification_type")
_ID_FIELDS: dict[str, str] = {
    "UserPromptSubmit": "prompt_id",
    "PreToolUse": "tool_use_id",
    "PostToolUse": "tool_use_id",
    "PostToolUseFailure": "tool_use_id",
    "SubagentStart": "agent_id",
    "SubagentStop": "agent_id",
}
_NO_WORDS = prompt.PromptWords("", Actor.AGENT)


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload.

    Raises:
        MalformedPayload: no session id can be found.
    """
    session_id = fields.read_session_id(payload)
    is_helper = fields.is_helper(payload)
    native = fields.choose_event_name(event_name, payload, known_events)
    words = _read_words(native, payload)
    kind = EventKind.COMPACTION if words.is_recap else _KINDS.get(native, EventKind.OTHER)
    # What the events beside the main ones carry is known and left out on purpose.
    is_beside = kind is EventKind.OTHER and native in known_events
    return Event(
        agent=_find_runner(payload),
        kind=kind,
        native_name=native,
        agent_session_id=session_id,
        actor=Actor.SUBAGENT if is_helper else words.actor,
        cwd=fields.read_cwd(payload),
        text=words.text,
        reason=_read_reason("PreCompact" if words.is_recap else native, payload),
        native_id=_read_native_id("PreCompact" if words.is_recap else native, payload),
        tool=claude_tools.read_tool(native, payload),
        occurred_at=fields.read_time(payload.get("timestamp")),
        continues=fields.read_earlier_session(payload, session_id) if kind is EventKind.SESSION_START else "",
        helper_id=fields.read_helper_id(payload) if is_helper else "",
        extra=() if is_beside else fields.collect_extra(payload, _list_known_fields(native)),
    )


def _find_runner(payload: Mapping[str, object]) -> AgentName:
    """Tell whose event it is: Cursor and VS Code run these hook files too, and write fields that are theirs alone."""
    if "cursor_version" in payload:
        return AgentName.CURSOR
    is_camel = "hookEventName" in payload and "hook_event_name" not in payload
    return AgentName.VSCODE_COPILOT if is_camel else name


def takes_brief_at(event: Event) -> bool:
    """Tell whether printed text reaches a main session's model: only at its start."""
    return event.kind is EventKind.SESSION_START and event.actor is not Actor.SUBAGENT


def render_brief(event: Event, text: str) -> str:
    """Write the hook's output, which Claude Code replaces by a placeholder when it is over 10,000 characters."""
    return start_context.render_context("SessionStart", text) if takes_brief_at(event) else ""


def list_wiring(site: Site) -> Wiring:
    """Find the settings file, and the list of MCP servers, which is not in it.

    A project's hooks stand in the settings that are not shared with others, since they name this machine's paths.
    """
    project = places.find_project(site)
    if project is not None:
        return _build_wiring(project / ".claude" / "settings.local.json", project / ".mcp.json")
    folder = places.find_home(site, _HOME)
    is_moved = bool(site.env.get(_HOME.variable, "").strip())
    return _build_wiring(folder / "settings.json", (folder if is_moved else folder.parent) / ".claude.json")


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    shared: dict[str, object] = {"session_id": session_id, "cwd": cwd, "transcript_path": f"{cwd}/{session_id}.jsonl"}
    used: dict[str, object] = {
        "tool_name": "Bash",
        "tool_use_id": f"toolu_{session_id}",
        "tool_input": {"command": "true", "description": "Do nothing, with success"},
        "tool_response": {"stdout": "", "stderr": "", "interrupted": False, "isImage": False},
    }
    events: tuple[tuple[str, dict[str, object]], ...] = (
        ("SessionStart", {"source": "startup", "model": "rehearsal"}),
        ("UserPromptSubmit", {"prompt": words, "prompt_id": f"prompt_{session_id}", "permission_mode": "default"}),
        ("PostToolUse", {**used, "permission_mode": "default"}),
        ("Stop", {"stop_hook_active": False, "permission_mode": "default"}),
        ("SessionEnd", {"reason": "other"}),
    )
    return tuple((event, {**shared, "hook_event_name": event, **more}) for event, more in events)


def _build_wiring(settings: PurePath, servers: PurePath) -> Wiring:
    build = mcp_entries.build_http_entry(fixed={"type": "http"})
    entry = McpFile(str(servers), build, _is_own_entry, format=ConfigFormat.PLAIN_JSON)
    return Wiring(hooks=(HookFile(str(settings), ConfigFormat.PLAIN_JSON),), mcp=(entry,))


def _is_own_entry(entry: object) -> bool:
    return fields.read_fields(entry).get("type") == "http" and mcp_entries.is_own_entry(entry)


@lru_cache(maxsize=256)
def _list_known_fields(native: str) -> frozenset[str]:
    return _COMMON_FIELDS | _FIELDS.get(native, frozenset())


def _read_words(native: str, payload: Mapping[str, object]) -> prompt.PromptWords:
    match native:
        case "UserPromptSubmit":
            return prompt.read_prompt(fields.read_text(fields.read_first(payload, "prompt", "prompt_text")), _MARKS)
        case "Stop" | "SubagentStop":
            said = fields.read_first(payload, "last_assistant_message", "assistant_message", "summary")
            return prompt.PromptWords(fields.read_tool_text(said, PROMPT_BYTES_MAX), Actor.AGENT)
        case "SubagentStart":
            orders = fields.read_tool_text(payload.get("task_description"), TOOL_TEXT_BYTES_MAX)
            return prompt.PromptWords(orders, Actor.AGENT)
        case "PreCompact" | "PostCompact":
            said = fields.read_first(payload, "compact_summary", "custom_instructions")
            return prompt.PromptWords(fields.read_tool_text(said, RECAP_BYTES_MAX), Actor.MACHINE)
        case "Notification" | "StopFailure" | "MessageDisplay":
            said = fields.read_first(payload, "message", "error_message", "error", "delta", "message_text")
            return prompt.PromptWords(fields.read_tool_text(said, TOOL_TEXT_BYTES_MAX), Actor.MACHINE)
        case _:
            return _NO_WORDS


def _read_reason(native: str, payload: Mapping[str, object]) -> str:
    value = fields.read_first(payload, *_REASON_FIELDS.get(native, _OTHER_REASON_FIELDS))
    return "" if value is None else fields.read_name(value)


def _read_native_id(native: str, payload: Mapping[str, object]) -> str:
    return fields.read_name(payload.get(_ID_FIELDS[native])) if native in _ID_FIELDS else ""
