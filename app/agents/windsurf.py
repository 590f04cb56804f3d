"""Windsurf: its hook payloads (one event for each kind of tool), its hooks file and its list of MCP servers."""

from collections.abc import Mapping

from app.agents import dialect, fields, mcp_entries, places, prompt, tool_readers
from app.agents.agent import (
    AgentTraits,
    Evidence,
    EvidenceKind,
    HookCall,
    HookEvent,
    HookFile,
    HookLayout,
    HookShape,
    McpFile,
    Shell,
    Wiring,
)
from app.agents.dialect import Dialect
from app.agents.places import Home, Site, WiringScope
from app.domain.event import AgentName, Event, EventKind

name: AgentName = AgentName.WINDSURF
title: str = "Windsurf"

_HOOK_EVENTS = tuple(
    HookEvent(event)
    for event in (
        "pre_user_prompt", "post_read_code", "post_write_code", "post_run_command", "post_mcp_tool_use",
        "post_cascade_response",
    )
)  # fmt: skip

_HOME = Home(".codeium/windsurf")

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.DOCUMENTED),
    binaries=("windsurf",),
    launch=None,
    homes=(_HOME,),
    scopes=frozenset(WiringScope),
    hook_events=_HOOK_EVENTS,
    windows_shell=Shell.POWERSHELL,
    has_session_end=False,
    install_notes=("Windsurf has no way to hand text to its model: ask for the brief with memory_recent.",),
    captures="prompts, commands, files read and written, MCP calls, and what the agent answers",
    misses=(
        "What a command printed and how it went are not sent.",
        "No start, no end and no compaction of a session is sent: a session ends by its idle time.",
    ),
)

_SHARED_FIELDS = frozenset({
    "agent_action_name", "trajectory_id", "execution_id", "timestamp", "model_name", "tool_info",
})  # fmt: skip

_DIALECT = Dialect(
    agent=name,
    kinds={
        "pre_user_prompt": EventKind.PROMPT,
        "pre_read_code": EventKind.TOOL_START,
        "pre_write_code": EventKind.TOOL_START,
        "pre_run_command": EventKind.TOOL_START,
        "pre_mcp_tool_use": EventKind.TOOL_START,
        "post_read_code": EventKind.TOOL_END,
        "post_write_code": EventKind.TOOL_END,
        "post_run_command": EventKind.TOOL_END,
        "post_mcp_tool_use": EventKind.TOOL_END,
        "post_cascade_response": EventKind.TURN_END,
    },
    beside=frozenset({"post_cascade_response_with_transcript", "post_setup_worktree"}),
    shared_fields=_SHARED_FIELDS
    | {"tool_name", "tool_input", "tool_response", "prompt", "last_assistant_message", "cwd"},
    fields={},
    marks=prompt.MachineMarks(
        tags=frozenset({"system-reminder", "additional_metadata", "hook_context"}),
        openings=(),
        recaps=(),
        idle_commands=frozenset(),
    ),
    tools={
        "read_code": tool_readers.read_file,
        "write_code": tool_readers.edit_file,
        "run_command": tool_readers.read_shell,
    },
)  # fmt: skip
known_events: frozenset[str] = _DIALECT.known_events


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload, whose session is a trajectory.

    Raises:
        MalformedPayload: no session id can be found.
    """
    return dialect.parse_event(_DIALECT, event_name, _flatten(event_name, payload))


def takes_brief_at(event: Event) -> bool:  # noqa: ARG001 — the protocol's
    """Tell that no event's answer reaches the model."""
    return False


def render_brief(event: Event, text: str) -> str:  # noqa: ARG001 — the protocol's
    """Write nothing."""
    return ""


def list_wiring(site: Site) -> Wiring:
    """Find the hooks file, and the list of MCP servers, which a project has not."""
    project = places.find_project(site)
    folder = places.find_home(site, _HOME) if project is None else project / ".windsurf"
    hooks = HookFile(str(folder / "hooks.json"), shape=HookShape(HookLayout.FLAT, build=_build_hook))
    if project is not None:
        return Wiring(hooks=(hooks,))
    entry = mcp_entries.build_http_entry(url_field="serverUrl", reference="${env:%s}")
    return Wiring(hooks=(hooks,), mcp=(McpFile(str(folder / "mcp_config.json"), entry, mcp_entries.is_own_entry),))


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    shared: dict[str, object] = {"trajectory_id": session_id, "execution_id": f"execution_{session_id}"}
    events: tuple[tuple[str, dict[str, object]], ...] = (
        ("pre_user_prompt", {"user_prompt": words}),
        ("post_run_command", {"command_line": "true", "cwd": cwd}),
        ("post_cascade_response", {"response": ""}),
    )
    return tuple((event, {"agent_action_name": event, **shared, "tool_info": told}) for event, told in events)


def _flatten(event_name: str, payload: Mapping[str, object]) -> dict[str, object]:
    """Bring a payload into the shape that most agents use."""
    told = fields.read_fields(payload.get("tool_info"))
    named = fields.read_name(payload.get("agent_action_name"))
    native = named if named in known_events or not event_name else event_name
    found = {
        "session_id": fields.read_first(payload, "session_id", "trajectory_id"),
        "hook_event_name": named or payload.get("hook_event_name"),
        "cwd": fields.read_first(payload, "cwd") or fields.read_first(told, "cwd", "root_workspace_path"),
        "prompt": fields.read_first(told, "user_prompt"),
        "last_assistant_message": fields.read_first(told, "response"),
        **_read_tool(native.partition("_")[2], told),
    }
    return {**payload, **{key: value for key, value in found.items() if value is not None}}


def _read_tool(tool: str, told: Mapping[str, object]) -> dict[str, object]:
    if tool == "mcp_tool_use":
        server, named = (fields.read_name(told.get(key)) for key in ("mcp_server_name", "mcp_tool_name"))
        return {
            "tool_name": f"{server}/{named}",
            "tool_input": told.get("mcp_tool_arguments"),
            "tool_response": told.get("mcp_result"),
        }
    return {"tool_name": tool, "tool_input": dict(told)} if tool in _DIALECT.tools else {}


def _build_hook(event: HookEvent, call: HookCall) -> dict[str, object]:  # noqa: ARG001 — it has no limit to state
    return {"command": call, "show_output": False}
