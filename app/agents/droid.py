"""Droid (Factory): its hook payloads and tools, its hooks in either of two files, and its list of MCP servers."""

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
    HookShape,
    McpFile,
    OneShot,
    Wiring,
)
from app.agents.dialect import Dialect
from app.agents.launch import Launch
from app.agents.places import Home, Site, WiringScope
from app.agents.tool_use import ToolUse
from app.domain.event import Actor, AgentName, Event, EventKind, Outcome, ToolCall

name: AgentName = AgentName.DROID
title: str = "Droid"

_HOOK_EVENTS = tuple(
    HookEvent(event)
    for event in (
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "SubagentStop", "Stop",
        "SessionEnd",
    )
)  # fmt: skip

_HOME = Home(".factory")

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.VERIFIED, "0.215.0"),
    binaries=("droid",),
    launch=Launch(resume=("--resume", "{id}"), sessions=("sessions/*/{id}.jsonl",)),
    homes=(_HOME,),
    session_files=("sessions/*/*.jsonl",),
    scopes=frozenset(WiringScope),
    hook_events=_HOOK_EVENTS,
    brief=BriefWay(BriefPoint.SESSION_START, ("SessionStart",), "hookSpecificOutput.additionalContext"),
    one_shot=OneShot("`droid exec` sends the same events, but no prompt", words=frozenset({"exec"})),
    install_notes=(
        "Droid reads its hooks at start: sessions that are open now are not captured.",
        "Where ~/.factory/hooks.json is there, the hooks are written to it as well, since it outweighs the settings.",
    ),
    misses=(
        "`droid exec` sends no prompt: such a session's goal is not known.",
        "A tool call that failed has no end of its own: what is known of it is that it began.",
        "What the agent answers is not sent.",
    ),
)

_TOOL_FIELDS = frozenset({"tool_name", "tool_input", "message_id"})


def _read_shell(use: ToolUse) -> ToolCall:
    """Read a command, whose answer ends in the exit code; that there is an answer says nothing."""
    return tool_readers.read_shell(replace(use, outcome=Outcome.UNKNOWN))


def _create_file(use: ToolUse) -> ToolCall:
    return tool_readers.create_file(_read_success(use))


def _edit_file(use: ToolUse) -> ToolCall:
    return tool_readers.edit_file(_read_success(use))


def _apply_patch(use: ToolUse) -> ToolCall:
    return tool_readers.apply_patch(_read_success(use))


def _read_success(use: ToolUse) -> ToolUse:
    """Read the answer of a tool that edits, which is an object as text."""
    is_failed = fields.read_fields(tool_readers.parse_json(use.result)).get("success") is False
    return replace(use, outcome=Outcome.FAILED) if is_failed else use


_DIALECT = Dialect(
    agent=name,
    kinds={
        "SessionStart": EventKind.SESSION_START,
        "UserPromptSubmit": EventKind.PROMPT,
        "PreToolUse": EventKind.TOOL_START,
        "PostToolUse": EventKind.TOOL_END,
        "PreCompact": EventKind.COMPACTION,
        "SubagentStop": EventKind.SUBAGENT_END,
        "Stop": EventKind.TURN_END,
        "SessionEnd": EventKind.SESSION_END,
    },
    beside=frozenset({"Notification"}),
    shared_fields=frozenset({"transcript_path", "cwd", "permission_mode", "message_id"}),
    fields={
        "SessionStart": frozenset({"source", "CLAUDE_ENV_FILE", "calling_session_id"}),
        "UserPromptSubmit": frozenset({"prompt", "has_images"}),
        "PreToolUse": _TOOL_FIELDS,
        "PostToolUse": _TOOL_FIELDS | {"tool_response"},
        "PreCompact": frozenset({"trigger", "custom_instructions", "message_count", "estimated_tokens"}),
        "SubagentStop": frozenset({"stop_hook_active", "task_name", "task_result", "task_error"}),
        "Stop": frozenset({"stop_hook_active", "tool_execution_count", "elapsed_time"}),
        "SessionEnd": frozenset({"reason", "session_duration_ms", "message_count"}),
    },
    marks=prompt.MachineMarks(
        tags=frozenset({"system-reminder", "system-notification", "task-notification", "hook_context"}),
        openings=("[Request interrupted by user", "Request interrupted by user"),
        recaps=("A previous instance of Droid has summarized the conversation",),
        idle_commands=frozenset({
            "/clear", "/compress", "/cost", "/droids", "/exit", "/help", "/hooks", "/login", "/logout", "/mcp",
            "/model", "/new", "/quit", "/sessions", "/settings", "/status",
        }),
    ),
    tools={
        "Execute": _read_shell,
        "Read": tool_readers.read_file,
        "Create": _create_file,
        "Edit": _edit_file,
        "MultiEdit": _edit_file,
        "ApplyPatch": _apply_patch,
        "LS": tool_readers.search_files,
        "Grep": tool_readers.search_files,
        "Glob": tool_readers.search_files,
        "FetchUrl": tool_readers.ask_web,
        "WebSearch": tool_readers.ask_web,
        "Task": tool_readers.start_subagent,
        "TodoWrite": tool_readers.write_todos,
    },
    # After a call that failed no event is sent.
    tool_outcome=Outcome.SUCCEEDED,
)  # fmt: skip
known_events: frozenset[str] = _DIALECT.known_events


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload; a session that another one calls is its helper's.

    Raises:
        MalformedPayload: no session id can be found.
    """
    event = dialect.parse_event(_DIALECT, event_name, payload)
    caller = fields.read_name(payload.get("calling_session_id"))
    if event.kind is EventKind.SESSION_START and caller:
        return replace(event, actor=Actor.SUBAGENT, helper_id=event.agent_session_id)
    return event


def takes_brief_at(event: Event) -> bool:
    """Tell whether printed text reaches a main session's model: only at its start."""
    return event.kind is EventKind.SESSION_START and event.actor is not Actor.SUBAGENT


def render_brief(event: Event, text: str) -> str:
    """Write the hook's output, which Droid hands to its model as a message of the user."""
    return start_context.render_context("SessionStart", text) if takes_brief_at(event) else ""


def list_wiring(site: Site) -> Wiring:
    """Find the settings with the hooks, the hooks file that outweighs them where it is there, and the MCP servers."""
    project = places.find_project(site)
    folder = places.find_home(site, _HOME) if project is None else project / ".factory"
    entry = mcp_entries.build_http_entry(fixed={"type": "http"})
    return Wiring(
        hooks=(
            HookFile(str(folder / "settings.json")),
            HookFile(str(folder / "hooks.json"), shape=HookShape(root=()), is_pattern=True),
        ),
        mcp=(McpFile(str(folder / "mcp.json"), entry, mcp_entries.is_own_entry),),
    )


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    shared: dict[str, object] = {
        "session_id": session_id,
        "transcript_path": f"{cwd}/{session_id}.jsonl",
        "cwd": cwd,
        "permission_mode": "auto-low",
    }
    used: dict[str, object] = {
        "tool_name": "Execute",
        "tool_input": {"command": "true", "summary": "Do nothing, with success"},
        "tool_response": "[Process exited with code 0]",
    }
    events: tuple[tuple[str, dict[str, object]], ...] = (
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": words, "has_images": False}),
        ("PostToolUse", used),
        ("Stop", {"stop_hook_active": False}),
        ("SessionEnd", {"reason": "other"}),
    )
    return tuple((event, {**shared, "hook_event_name": event, **more}) for event, more in events)
