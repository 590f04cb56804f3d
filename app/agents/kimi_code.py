"""Kimi Code: its hook payloads and tools, the hooks in its configuration file, and its list of MCP servers."""

from collections.abc import Mapping

from app.agents import dialect, mcp_entries, places, prompt, start_context, tool_readers
from app.agents.agent import (
    AgentTraits,
    BriefPoint,
    BriefWay,
    ConfigFormat,
    Evidence,
    EvidenceKind,
    HookCall,
    HookEvent,
    HookFile,
    HookLayout,
    HookShape,
    Link,
    McpFile,
    OneShot,
    Wiring,
)
from app.agents.dialect import Dialect
from app.agents.launch import Launch
from app.agents.places import Home, Site
from app.domain.event import Actor, AgentName, Event, EventKind, Outcome

name: AgentName = AgentName.KIMI_CODE
title: str = "Kimi Code"

# An event that some release does not know makes it refuse its whole configuration: these are of all of them.
_HOOK_EVENTS = tuple(
    HookEvent(event)
    for event in (
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact",
        "PostCompact", "SubagentStart", "SubagentStop", "Stop", "SessionEnd",
    )
)  # fmt: skip

_HOME = Home(".kimi-code", variable="KIMI_CODE_HOME")

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.VERIFIED, "2.1.0"),
    binaries=("kimi",),
    launch=Launch(resume=("--session", "{id}"), sessions=("sessions/*/{id}/state.json",)),
    homes=(_HOME,),
    session_files=("sessions/*/*/state.json",),
    hook_events=_HOOK_EVENTS,
    brief=BriefWay(BriefPoint.FIRST_PROMPT, ("UserPromptSubmit",), "plain text"),
    one_shot=OneShot("`kimi -p` sends the same events, but no end of the session"),
    install_notes=("Kimi Code reads its configuration at start: sessions that are open now are not captured.",),
    captures="prompts, tool calls with the first 2,000 characters of their results, turns, compactions and the start",
    misses=(
        "What the agent answers is not sent.",
        "In `-p` no session end is sent: such a session ends by its idle time.",
        "What a subagent does is not told from what the main agent does.",
    ),
)

_TOOL_FIELDS = frozenset({"tool_name", "tool_input", "tool_call_id"})
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
        "Interrupt", "Notification", "PermissionRequest", "PermissionResult", "SessionHeartbeat", "StopFailure",
        "TaskStarted", "TurnStarted", "UserPromptQueued",
    }),
    shared_fields=frozenset({"cwd", "client_type", "model", "profile", "session_title", "turn_id"}),
    fields={
        "SessionStart": frozenset({"source"}),
        "UserPromptSubmit": frozenset({"prompt", "is_steer"}),
        "PreToolUse": _TOOL_FIELDS,
        "PostToolUse": _TOOL_FIELDS | {"tool_output"},
        "PostToolUseFailure": _TOOL_FIELDS | {"error"},
        "PreCompact": frozenset({"trigger", "token_count"}),
        "PostCompact": frozenset({"trigger", "estimated_token_count"}),
        "SubagentStart": frozenset({"agent_name", "prompt"}),
        "SubagentStop": frozenset({"agent_name", "response"}),
        "Stop": frozenset({"stop_hook_active"}),
        "SessionEnd": frozenset({"reason"}),
    },
    marks=prompt.MachineMarks(
        tags=frozenset({"system-reminder", "notification", "task-notification", "hook_result", "mcp-result-extras"}),
        openings=("[Request interrupted by user",),
        recaps=(),
        idle_commands=frozenset({
            "/clear", "/compact", "/exit", "/help", "/login", "/logout", "/mcp", "/model", "/new", "/quit", "/sessions",
            "/usage", "/version", "/yolo",
        }),
    ),
    tools={
        "Bash": tool_readers.read_shell,
        "Shell": tool_readers.read_shell,
        "Read": tool_readers.read_file,
        "ReadFile": tool_readers.read_file,
        "ReadMediaFile": tool_readers.read_file,
        "Write": tool_readers.write_file,
        "WriteFile": tool_readers.write_file,
        "Edit": tool_readers.edit_file,
        "StrReplaceFile": tool_readers.edit_file,
        "Grep": tool_readers.search_files,
        "Glob": tool_readers.search_files,
        "FetchURL": tool_readers.ask_web,
        "WebSearch": tool_readers.ask_web,
        "SearchWeb": tool_readers.ask_web,
        "Agent": tool_readers.start_subagent,
        "Task": tool_readers.start_subagent,
        "TodoList": tool_readers.write_todos,
        "SetTodoList": tool_readers.write_todos,
    },
    failures=frozenset({"PostToolUseFailure"}),
    tool_outcome=Outcome.SUCCEEDED,
)  # fmt: skip
known_events: frozenset[str] = _DIALECT.known_events


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload; its prompt is a list of parts.

    Raises:
        MalformedPayload: no session id can be found.
    """
    return dialect.parse_event(_DIALECT, event_name, payload)


def takes_brief_at(event: Event) -> bool:
    """Tell whether printed text reaches the model: at a prompt, since at the session's start it is thrown away."""
    return event.kind is EventKind.PROMPT and event.actor is not Actor.SUBAGENT


def render_brief(event: Event, text: str) -> str:
    """Write the hook's output, which stands in the conversation as it is; anything else would show up there."""
    return start_context.render_plain(text) if takes_brief_at(event) else ""


def list_wiring(site: Site) -> Wiring:
    """Find the configuration file with the hooks, and the list of MCP servers."""
    folder = places.find_home(site, _HOME)
    shape = HookShape(HookLayout.LISTED, build=_build_hook)
    hooks = HookFile(str(folder / "config.toml"), ConfigFormat.TOML, shape)
    servers = McpFile(str(folder / "mcp.json"), _build_mcp_entry, mcp_entries.is_own_entry)
    return Wiring(hooks=(hooks,), mcp=(servers,))


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    shared: dict[str, object] = {"session_id": session_id, "cwd": cwd, "client_type": "kimi_code_cli"}
    used: dict[str, object] = {
        "tool_name": "Bash",
        "tool_input": {"command": "true"},
        "tool_call_id": f"call_{session_id}",
        "tool_output": "",
    }
    events: tuple[tuple[str, dict[str, object]], ...] = (
        ("SessionStart", {"source": "startup", "model": "rehearsal", "profile": "agent"}),
        ("UserPromptSubmit", {"prompt": [{"type": "text", "text": words}], "is_steer": False}),
        ("PostToolUse", used),
        ("Stop", {"stop_hook_active": False}),
        ("SessionEnd", {"reason": "exit"}),
    )
    return tuple((event, {"hook_event_name": event, **shared, **more}) for event, more in events)


def _build_hook(event: HookEvent, call: HookCall) -> dict[str, object]:
    """Build a hook of the keys that are allowed; any other makes Kimi Code refuse its whole configuration."""
    return {"command": call, "timeout": event.timeout_seconds}


def _build_mcp_entry(link: Link) -> dict[str, object]:
    """Build an entry whose token is named by its variable; a `transport` would choose the older one."""
    entry: dict[str, object] = {"url": link.mcp_url}
    return {**entry, "bearerTokenEnvVar": link.token_env} if link.token_env else entry
