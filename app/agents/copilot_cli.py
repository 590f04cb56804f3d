"""Copilot CLI: its hook payloads in both of their spellings, its hooks folder; its tools are in `copilot_tools`.

Hooks with small names (`sessionStart`) are told camelCase fields and not which event it is, those with capital names
(`SessionStart`) are told snake_case fields. The latter are registered, and both are read.
"""

import json
from collections.abc import Mapping
from pathlib import PurePath

from app.agents import copilot_tools, dialect, fields, mcp_entries, own_files, places, prompt, start_context
from app.agents.agent import (
    AgentTraits,
    BriefPoint,
    BriefWay,
    Evidence,
    EvidenceKind,
    HookEvent,
    Link,
    McpFile,
    OneShot,
    OwnFile,
    Shell,
    Wiring,
)
from app.agents.dialect import Dialect
from app.agents.launch import Launch
from app.agents.places import Home, Site, System, WiringScope
from app.domain.event import AgentName, Event, EventKind, Outcome

name: AgentName = AgentName.COPILOT_CLI
title: str = "Copilot CLI"

_HOME = Home(".copilot", variable="COPILOT_HOME")
_HOOK_EVENTS = tuple(
    HookEvent(event)
    for event in (
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact",
        "SubagentStart", "SubagentStop", "Stop", "SessionEnd",
    )
)  # fmt: skip

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.VERIFIED, "1.0.102"),
    binaries=("copilot",),
    launch=Launch(resume=("--resume={id}",), sessions=("session-state/{id}/events.jsonl",)),
    homes=(_HOME,),
    session_files=("session-state/*/events.jsonl",),
    scopes=frozenset(WiringScope),
    hook_events=_HOOK_EVENTS,
    windows_shell=Shell.POWERSHELL,
    brief=BriefWay(BriefPoint.SESSION_START, ("SessionStart",), "additionalContext at the top"),
    one_shot=OneShot("`copilot -p` sends the same events", words=frozenset({"-p", "--prompt"})),
    install_notes=(
        "Copilot CLI reads its hooks at start: sessions that are open now are not captured.",
        "A project's hooks stand in its repository and name this machine's paths: keep the file out of its commits.",
        "In `copilot -p`, a project's hooks run only with --trust-folder.",
    ),
    misses=("Copilot CLI does not send what it answered; only its subagents' answers are told.",),
)

_KINDS: dict[str, EventKind] = {
    "SessionStart": EventKind.SESSION_START,
    "UserPromptSubmit": EventKind.PROMPT,
    "PreToolUse": EventKind.TOOL_START,
    "PostToolUse": EventKind.TOOL_END,
    "PostToolUseFailure": EventKind.TOOL_END,
    "PreCompact": EventKind.COMPACTION,
    "SubagentStart": EventKind.SUBAGENT_START,
    "SubagentStop": EventKind.SUBAGENT_END,
    "Stop": EventKind.TURN_END,
    "SessionEnd": EventKind.SESSION_END,
}
_BESIDE = frozenset({"PermissionRequest", "ErrorOccurred", "Notification"})
# The small names; where they are not just the others with a small letter.
_SMALL_NAMES = {"UserPromptSubmit": "userPromptSubmitted", "Stop": "agentStop"}
_CAMEL_NAMES = {
    event: _SMALL_NAMES.get(event, event[0].lower() + event[1:]) for event in sorted(_KINDS.keys() | _BESIDE)
}
_SNAKE_FIELDS = {
    "sessionId": "session_id",
    "hookName": "hook_event_name",
    "hookEventName": "hook_event_name",
    "transcriptPath": "transcript_path",
    "initialPrompt": "initial_prompt",
    "toolName": "tool_name",
    "toolArgs": "tool_input",
    "toolInput": "tool_input",
    "toolResult": "tool_result",
    "stopReason": "stop_reason",
    "agentId": "agent_id",
    "agentType": "agent_type",
    "agentName": "agent_name",
    "parentAgentId": "parent_agent_id",
    "response": "last_assistant_message",
    "customInstructions": "custom_instructions",
    "permissionSuggestions": "permission_suggestions",
    "errorContext": "error_context",
    "stopHookActive": "stop_hook_active",
}

_TOOL_FIELDS = frozenset({"tool_name", "tool_input"})
_STOP_FIELDS = frozenset({"transcript_path", "stop_reason", "stop_hook_active"})
_FIELDS: dict[str, frozenset[str]] = {
    "SessionStart": frozenset({"source", "initial_prompt"}),
    "UserPromptSubmit": frozenset({"prompt"}),
    "PreToolUse": _TOOL_FIELDS,
    "PostToolUse": _TOOL_FIELDS | {"tool_result"},
    "PostToolUseFailure": _TOOL_FIELDS | {"error"},
    "PreCompact": frozenset({"transcript_path", "trigger", "custom_instructions"}),
    "SubagentStart": frozenset({"transcript_path", "agent_name"}),
    "SubagentStop": _STOP_FIELDS | {"agent_name", "last_assistant_message"},
    "Stop": _STOP_FIELDS,
    "SessionEnd": frozenset({"reason"}),
}
_DIALECT = Dialect(
    agent=name,
    kinds=_KINDS | {_CAMEL_NAMES[event]: kind for event, kind in _KINDS.items()},
    beside=_BESIDE | {_CAMEL_NAMES[event] for event in _BESIDE},
    shared_fields=frozenset({"cwd", "timestamp", "agent_id", "agent_type", "parent_agent_id"}),
    fields=_FIELDS | {_CAMEL_NAMES[event]: known for event, known in _FIELDS.items()},
    marks=prompt.MachineMarks(
        tags=frozenset({
            "hook_context", "system-reminder", "system_reminder", "system_notification", "current_datetime",
            "reminder", "sql_tables", "todo_status",
        }),
        openings=(),
        recaps=(),
        idle_commands=frozenset({
            "/clear", "/compact", "/context", "/exit", "/help", "/hooks", "/login", "/logout", "/mcp", "/model",
            "/quit", "/resume", "/session", "/usage",
        }),
    ),
    tools=copilot_tools.READERS,
    failures=frozenset({"PostToolUseFailure", "postToolUseFailure"}),
    # A command's exit code is read from its output, and any other tool that failed has an event of its own.
    tool_outcome=Outcome.SUCCEEDED,
)  # fmt: skip
known_events: frozenset[str] = _DIALECT.known_events


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload; without a name in it, the address has to say which event it is.

    Raises:
        MalformedPayload: no session id can be found.
    """
    shaped = {_spell(field, payload): value for field, value in payload.items()}
    if "tool_result" in shaped:
        shaped["tool_result"] = copilot_tools.read_answer(shaped["tool_result"])
    error = fields.read_fields(shaped.get("error"))
    if "message" in error:
        shaped["error"] = error["message"]
    # A helper has a session id of its own, and names the session that sent it.
    if fields.is_helper(shaped) and shaped.get("parent_agent_id") is not None:
        shaped.setdefault("parent_session_id", shaped["parent_agent_id"])
    return dialect.parse_event(_DIALECT, event_name, shaped)


def takes_brief_at(event: Event) -> bool:
    """Tell whether printed text reaches a main session's model: only at its start."""
    return event.kind is EventKind.SESSION_START and not event.helper_id


def render_brief(event: Event, text: str) -> str:
    """Write the hook's output: the one key that Copilot looks for stands at the top."""
    return start_context.render_top_level(text) if takes_brief_at(event) else ""


def list_wiring(site: Site) -> Wiring:
    """Find the folder of hooks, of which one file is ours alone, and the list of MCP servers beside it."""
    project = places.find_project(site)
    if project is not None:
        return Wiring(files=(_build_hook_file(site, project / ".github" / "hooks"),))
    folder = places.find_home(site, _HOME)
    entry = mcp_entries.build_http_entry(fixed={"type": "http", "tools": ["*"]})
    return Wiring(
        files=(_build_hook_file(site, folder / "hooks"),),
        mcp=(McpFile(str(folder / "mcp-config.json"), entry, mcp_entries.is_own_entry),),
    )


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    shared: dict[str, object] = {"session_id": session_id, "cwd": cwd}
    used: dict[str, object] = {
        "tool_name": "Bash",
        "tool_input": {"command": "true", "description": "Do nothing, with success"},
        "tool_result": {
            "result_type": "success",
            "text_result_for_llm": "<shellId: 0 completed with exit code 0>",
        },
    }
    events: tuple[tuple[str, dict[str, object]], ...] = (
        ("SessionStart", {"source": "new", "initial_prompt": words}),
        ("UserPromptSubmit", {"prompt": words}),
        ("PostToolUse", used),
        ("Stop", {"stop_reason": "end_turn", "stop_hook_active": False}),
        ("SessionEnd", {"reason": "complete"}),
    )
    return tuple((event, {**shared, "hook_event_name": event, **more}) for event, more in events)


def _build_hook_file(site: Site, folder: PurePath) -> OwnFile:
    shell = "powershell" if site.system is System.WINDOWS else "bash"

    def render(link: Link) -> str:
        hooks = {
            event.name: [{"type": "command", shell: link.calls[event.name], "timeoutSec": event.timeout_seconds}]
            for event in _HOOK_EVENTS
            if event.name in link.calls
        }
        return json.dumps({"version": 1, "hooks": hooks}, indent=2) + "\n"

    return OwnFile(str(folder / "memwiki.json"), render, own_files.holds_only_hooks(name), note="hooks")


def _spell(field: str, payload: Mapping[str, object]) -> str:
    """Name a field as hooks with capital names are told it; of two spellings at once both are kept."""
    known = _SNAKE_FIELDS.get(field, field)
    return field if known in payload else known
