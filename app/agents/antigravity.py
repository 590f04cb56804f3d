"""Antigravity: its hook payloads and tools, our group of hooks in its file, and its list of MCP servers."""

from collections.abc import Mapping
from dataclasses import replace

from app.agents import dialect, fields, mcp_entries, places, prompt, start_context, tool_readers
from app.agents.agent import (
    MCP_ENTRY_NAME,
    AgentTraits,
    BriefPoint,
    BriefWay,
    Evidence,
    EvidenceKind,
    HookCall,
    HookEvent,
    HookFile,
    HookShape,
    McpFile,
    TokenUse,
    Wiring,
)
from app.agents.dialect import Dialect
from app.agents.places import Home, Site, WiringScope
from app.domain.event import Actor, AgentName, Event, EventKind

name: AgentName = AgentName.ANTIGRAVITY
title: str = "Antigravity"

_START = "PreInvocation"
_HOOK_EVENTS = (
    HookEvent(_START),
    HookEvent("PreToolUse", matcher="*"),
    HookEvent("PostToolUse", matcher="*"),
    HookEvent("Stop"),
)
_HOME = Home(".gemini/config")
_ALLOWED = '{"decision":"allow"}'
# Why a conversation's first call of the model counts as a session's start.
_FIRST_CALL = "first invocation"

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.DOCUMENTED),
    binaries=("agy", "antigravity"),
    homes=(Home(".gemini/antigravity"), Home(".gemini/antigravity-cli"), _HOME),
    scopes=frozenset(WiringScope),
    hook_events=_HOOK_EVENTS,
    token=TokenUse.BRIDGE,
    brief=BriefWay(BriefPoint.SESSION_START, (_START,), "injectSteps[].ephemeralMessage"),
    has_session_end=False,
    install_notes=(
        "Antigravity drops its whole hooks file over one error and says nothing: look with /hooks that ours are there.",
    ),
    captures="tool calls and turns",
    misses=(
        "Prompts are not sent: such a session's goal is not known.",
        "What a tool answered is not sent, nor how a command went.",
        "No session end is sent: a session ends by its idle time.",
    ),
    instructions="AGENTS.md",
)

_SHARED_FIELDS = frozenset({
    "conversationId", "workspacePaths", "transcriptPath", "artifactDirectoryPath", "modelName", "cwd", "timestamp",
    "toolCall", "stepIdx", "source", "tool_name", "tool_input", "tool_response", "tool_use_id", "success",
})  # fmt: skip
_DIALECT = Dialect(
    agent=name,
    kinds={
        _START: EventKind.SESSION_START,
        "PreToolUse": EventKind.TOOL_START,
        "PostToolUse": EventKind.TOOL_END,
        "Stop": EventKind.TURN_END,
    },
    beside=frozenset({"PostInvocation", "SessionStart"}),
    shared_fields=_SHARED_FIELDS,
    fields={
        _START: frozenset({"invocationNum", "initialNumSteps"}),
        "PostToolUse": frozenset({"error"}),
        "Stop": frozenset({"executionNum", "terminationReason", "fullyIdle", "error", "reason"}),
    },
    marks=prompt.MachineMarks(tags=frozenset(), openings=(), recaps=(), idle_commands=frozenset()),
    tools={
        "run_command": tool_readers.read_shell,
        "view_file": tool_readers.read_file,
        "write_to_file": tool_readers.write_file,
        "replace_file_content": tool_readers.edit_file,
        "multi_replace_file_content": tool_readers.edit_file,
        "list_dir": tool_readers.search_files,
        "grep_search": tool_readers.search_files,
        "find_by_name": tool_readers.search_files,
        "search_web": tool_readers.ask_web,
        "read_url_content": tool_readers.ask_web,
        "browser_subagent": tool_readers.start_subagent,
    },
)  # fmt: skip
known_events: frozenset[str] = _DIALECT.known_events


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload; of the calls of the model, which come before each step, only the first is a start.

    Raises:
        MalformedPayload: no session id can be found.
    """
    event = dialect.parse_event(_DIALECT, event_name, _flatten(payload))
    is_later = event.kind is EventKind.SESSION_START and payload.get("invocationNum", 0) != 0
    is_empty = event.kind is EventKind.TOOL_END and "stepIdx" in payload and not payload.get("toolCall")
    return replace(event, kind=EventKind.OTHER, actor=Actor.MACHINE, tool=None) if is_later or is_empty else event


def takes_brief_at(event: Event) -> bool:
    """Tell whether printed text reaches the model: before its first call, which must be told by its number."""
    return event.kind is EventKind.SESSION_START and event.reason == _FIRST_CALL and event.actor is not Actor.SUBAGENT


def render_brief(event: Event, text: str) -> str:
    """Write the hook's output, one message beside the conversation."""
    return start_context.render_wrapped(_wrap_context, text) if takes_brief_at(event) else ""


def list_wiring(site: Site) -> Wiring:
    """Find the hooks file, in which each group has a name, and the list of MCP servers, which a project has not."""
    project = places.find_project(site)
    folder = places.find_home(site, _HOME) if project is None else project / ".agents"
    shape = HookShape(root=(MCP_ENTRY_NAME,), build=_build_hook, flat_events=frozenset({_START, "Stop"}))
    hooks = HookFile(str(folder / "hooks.json"), shape=shape)
    if project is not None:
        return Wiring(hooks=(hooks,))
    servers = McpFile(str(folder / "mcp_config.json"), mcp_entries.build_bridge_entry(), mcp_entries.is_own_entry)
    return Wiring(hooks=(hooks,), mcp=(servers,))


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one command; the words stand in it, since no event has a prompt."""
    shared: dict[str, object] = {"conversationId": session_id, "workspacePaths": [cwd]}
    call: dict[str, object] = {"name": "run_command", "args": {"CommandLine": f"true # {words}", "Cwd": cwd}}
    return (
        (_START, {**shared, "invocationNum": 0, "initialNumSteps": 0}),
        ("PostToolUse", {**shared, "stepIdx": 1, "toolCall": call}),
        ("Stop", {**shared, "executionNum": 1, "terminationReason": "model_stop", "fullyIdle": True}),
    )


def _flatten(payload: Mapping[str, object]) -> dict[str, object]:
    """Bring a payload into the shape that most agents use."""
    call = fields.read_fields(payload.get("toolCall"))
    given = fields.read_fields(call.get("args"))
    roots = payload.get("workspacePaths")
    step = fields.read_name(payload.get("stepIdx"))
    error = payload.get("error")
    found = {
        "session_id": fields.read_first(payload, "session_id", "conversationId"),
        "cwd": fields.read_first(payload, "cwd") or (roots[0] if isinstance(roots, list) and roots else None),
        "source": _FIRST_CALL if payload.get("invocationNum") == 0 else None,
        "reason": payload.get("terminationReason"),
        "tool_name": call.get("name"),
        "tool_input": given or call.get("args"),
        "tool_response": fields.read_first(call, "result", "output") or error,
        "success": False if error else None,
        "tool_use_id": f"step-{step}" if step and call else None,
    }
    return {**payload, **{key: value for key, value in found.items() if value is not None}}


def _build_hook(event: HookEvent, call: HookCall) -> dict[str, object]:
    """Build a hook; the agent waits for a decision before each tool call, and takes silence for a refusal."""
    if event.name == "PreToolUse" and isinstance(call, str):
        # In brackets, since a call may end the shell that it runs in.
        call = f"({call}); echo '{_ALLOWED}'"
    return {"type": "command", "command": call, "timeout": event.timeout_seconds}


def _wrap_context(text: str) -> dict[str, object]:
    return {"injectSteps": [{"ephemeralMessage": text}]}
