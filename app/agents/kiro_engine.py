"""What both engines of Kiro CLI share: payloads, tools, the brief as plain text, and the list of MCP servers.

Both are silent but for a brief: what an agent's start or a prompt prints goes to the model, whatever it is.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from app.agents import dialect, fields, mcp_entries, places, prompt, start_context, tool_readers
from app.agents.agent import McpFile
from app.agents.dialect import Dialect
from app.agents.places import Home, Site
from app.agents.tool_use import ToolUse
from app.domain.event import Actor, AgentName, Event, EventKind, Outcome, ToolCall

HOME = Home(".kiro", variable="KIRO_HOME")

_EXIT_CODE = re.compile(r"-?\d{1,9}")

_TOOL_FIELDS = frozenset({"tool_name", "tool_input", "tool_use_id"})
_FIELDS_OF: dict[EventKind, frozenset[str]] = {
    EventKind.SESSION_START: frozenset({"source"}),
    EventKind.PROMPT: frozenset({"prompt"}),
    EventKind.TOOL_START: _TOOL_FIELDS,
    EventKind.TOOL_END: _TOOL_FIELDS | {"tool_response"},
    EventKind.TURN_END: frozenset({"assistant_response"}),
}


def build_dialect(agent: AgentName, kinds: Mapping[str, EventKind], beside: frozenset[str]) -> Dialect:
    """Build one engine's dialect from its names of the events."""
    return Dialect(
        agent=agent,
        kinds=kinds,
        beside=beside,
        shared_fields=frozenset({"cwd", "timestamp", "agent_name", "model", "success", "last_assistant_message"}),
        fields={event: _FIELDS_OF.get(kind, frozenset()) for event, kind in kinds.items()},
        marks=prompt.MachineMarks(
            tags=frozenset({"system-reminder", "hook_context", "fs_read", "context_entry"}),
            openings=("--- CONTEXT ENTRY BEGIN ---",),
            recaps=("--- CONVERSATION SUMMARY",),
            idle_commands=frozenset({"/clear", "/compact", "/context", "/help", "/hooks", "/mcp", "/model", "/quit"}),
        ),
        tools={
            "execute_bash": _read_shell,
            "execute_cmd": _read_shell,
            "shell": _read_shell,
            "fs_read": _read_files,
            "read": _read_files,
            "fs_write": _write_file,
            "write": _write_file,
            "str_replace": tool_readers.edit_file,
            "grep": tool_readers.search_files,
            "glob": tool_readers.search_files,
            "code": tool_readers.search_files,
            "web_fetch": tool_readers.ask_web,
            "web_search": tool_readers.ask_web,
            "use_subagent": tool_readers.start_subagent,
            "delegate": tool_readers.start_subagent,
            "todo_list": tool_readers.write_todos,
        },
    )


def parse_event(spoken: Dialect, event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload in an engine's dialect; a tool's answer says itself whether it succeeded.

    Raises:
        MalformedPayload: no session id can be found.
    """
    answer = fields.read_fields(payload.get("tool_response"))
    told = dict(payload)
    if isinstance(answer.get("success"), bool):
        told["success"] = answer["success"]
        told["tool_response"] = fields.read_first(answer, "result", "output", "error") or ""
    if "assistant_response" in payload:
        told["last_assistant_message"] = payload["assistant_response"]
    return dialect.parse_event(spoken, event_name, told)


def takes_brief_at(event: Event) -> bool:
    """Tell whether printed text reaches a main session's model: only at its start."""
    return event.kind is EventKind.SESSION_START and event.actor is not Actor.SUBAGENT


def render_brief(event: Event, text: str) -> str:
    """Write the hook's output: the text alone, and nothing where there is none."""
    return start_context.render_plain(text) if takes_brief_at(event) else ""


def build_mcp_file(site: Site) -> McpFile:
    """Find the list of MCP servers, the person's or the project's."""
    project = places.find_project(site)
    folder = places.find_home(site, HOME) if project is None else project / ".kiro"
    return McpFile(str(folder / "settings" / "mcp.json"), mcp_entries.build_http_entry(), mcp_entries.is_own_entry)


def build_sample(
    names: Mapping[EventKind, str], session_id: str, cwd: str, words: str
) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command in an engine's names."""
    shared: dict[str, object] = {"session_id": session_id, "cwd": cwd}
    used: dict[str, object] = {
        "tool_name": "execute_bash",
        "tool_input": {"command": "true"},
        "tool_response": {"success": True, "result": [{"exit_status": "0", "stdout": "", "stderr": ""}]},
    }
    events: tuple[tuple[EventKind, dict[str, object]], ...] = (
        (EventKind.SESSION_START, {}),
        (EventKind.PROMPT, {"prompt": words}),
        (EventKind.TOOL_END, used),
        (EventKind.TURN_END, {"assistant_response": ""}),
    )
    return tuple((names[kind], {"hook_event_name": names[kind], **shared, **more}) for kind, more in events)


def _read_shell(use: ToolUse) -> ToolCall:
    """Read a command, whose exit code stands as text beside its output."""
    items = use.result if isinstance(use.result, list) else [use.result]
    answer = fields.read_fields(items[0]) if items else {}
    if not answer:
        return tool_readers.read_shell(use)
    code = _EXIT_CODE.fullmatch(fields.read_name(answer.get("exit_status")))
    told = {**answer, "exit_code": int(code.group()) if code else None}
    return tool_readers.read_shell(replace(use, result=told, outcome=Outcome.UNKNOWN))


def _read_files(use: ToolUse) -> ToolCall:
    """Read a tool that shows files, each of which is one of its operations."""
    operations = use.arguments.get("operations")
    given = {**use.arguments, "files": operations} if isinstance(operations, list) else use.given
    return tool_readers.read_file(replace(use, given=given))


def _write_file(use: ToolUse) -> ToolCall:
    is_new = use.arguments.get("command") == "create"
    return tool_readers.create_file(use) if is_new else tool_readers.edit_file(use)
