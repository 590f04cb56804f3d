"""Cline: its hook payloads and tools, its hooks (executables named by event), and its list of MCP servers."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from app.agents import dialect, fields, mcp_entries, own_files, places, prompt, start_context, tool_readers
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
    TokenUse,
    Wiring,
)
from app.agents.dialect import Dialect
from app.agents.launch import Launch
from app.agents.places import Home, Site, System
from app.agents.tool_use import ToolUse
from app.domain.event import Actor, AgentName, Event, EventKind, Outcome, ToolCall

name: AgentName = AgentName.CLINE
title: str = "Cline"

_HOOK_EVENTS = tuple(
    HookEvent(event)
    for event in (
        "TaskStart", "TaskResume", "UserPromptSubmit", "PreToolUse", "PostToolUse", "TaskComplete", "TaskCancel",
        "TaskError", "SessionShutdown",
    )
)  # fmt: skip

_HOME = Home(".cline", variable="CLINE_DIR")
_SETTINGS = Home(".cline/data", variable="CLINE_DATA_DIR")

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.VERIFIED, "3.0.65"),
    binaries=("cline",),
    launch=Launch(resume=("--id", "{id}"), sessions=("data/sessions/{id}/*.json",)),
    homes=(_HOME,),
    session_files=("data/sessions/*/*.json",),
    hook_events=_HOOK_EVENTS,
    token=TokenUse.LITERAL,
    brief=BriefWay(BriefPoint.FIRST_TOOL_RESULT, ("PostToolUse",), "contextModification"),
    one_shot=OneShot("a prompt on the command line sends the same events"),
    has_session_end=False,
    captures="tool calls with their results, and turns with what the agent said last",
    misses=(
        "Prompts are not sent: such a session's goal is not known.",
        "No session end and no compaction is sent: a session ends by its idle time.",
    ),
)

# What a payload calls its event, and the file that is run for it.
_EVENTS = {
    "agent_start": "TaskStart",
    "agent_resume": "TaskResume",
    "agent_abort": "TaskCancel",
    "agent_end": "TaskComplete",
    "agent_error": "TaskError",
    "tool_call": "PreToolUse",
    "tool_result": "PostToolUse",
    "prompt_submit": "UserPromptSubmit",
    "pre_compact": "PreCompact",
    "session_shutdown": "SessionShutdown",
}
_EXIT_CODE = re.compile(r"exited with code (-?\d{1,9})")
# The parts of a payload that are taken apart here, and what is known to be of no use.
_PARTS = frozenset({
    "sessionContext", "hookName", "tool_call", "tool_result", "turn", "userPromptSubmit", "preToolUse", "postToolUse",
    "taskStart", "taskResume", "taskCancel", "taskComplete", "taskError", "preCompact", "taskId", "agent_id",
    "parent_agent_id", "error",
})  # fmt: skip


def _read_shell(use: ToolUse) -> ToolCall:
    """Read commands that were run in one call: each has its own result, and all are as good as the worst."""
    items = use.result if isinstance(use.result, list) else [use.result]
    results = [fields.read_fields(item) for item in items]
    output = "\n".join(filter(None, (fields.read_text(result.get("result")) for result in results)))
    failed = next((result for result in results if result.get("success") is False), None)
    if failed is None:
        return tool_readers.read_shell(replace(use, result=output) if output else use)
    code = _EXIT_CODE.search(fields.read_text(failed.get("error")))
    answer = {"output": output, "exit_code": int(code.group(1)) if code else None}
    return tool_readers.read_shell(replace(use, result=answer, outcome=Outcome.FAILED))


def _edit_file(use: ToolUse) -> ToolCall:
    answer = fields.read_fields(use.result)
    shown = replace(use, outcome=Outcome.FAILED) if answer.get("success") is False else use
    is_new = fields.read_text(answer.get("result")).startswith("File created successfully")
    return tool_readers.create_file(shown) if is_new else tool_readers.edit_file(shown)


_DIALECT = Dialect(
    agent=name,
    kinds={
        "TaskStart": EventKind.SESSION_START,
        "TaskResume": EventKind.SESSION_START,
        "UserPromptSubmit": EventKind.PROMPT,
        "PreToolUse": EventKind.TOOL_START,
        "PostToolUse": EventKind.TOOL_END,
        "PreCompact": EventKind.COMPACTION,
        "TaskComplete": EventKind.TURN_END,
        "TaskCancel": EventKind.TURN_END,
        "TaskError": EventKind.TURN_END,
        "SessionShutdown": EventKind.SESSION_END,
    },
    beside=frozenset(),
    shared_fields=frozenset({
        *_PARTS, "clineVersion", "timestamp", "workspaceInfo", "userId", "iteration", "agent_role", "model", "source",
        "reason", "prompt", "tool_name", "tool_input", "tool_response", "tool_use_id", "last_assistant_message",
        "success",
    }),
    fields={},
    marks=prompt.MachineMarks(
        tags=frozenset({
            "environment_details", "system-reminder", "hook_context", "explicit_instructions", "file_content",
            "folder_content", "feedback",
        }),
        openings=("[TASK RESUMPTION]", "[ERROR]"),
        recaps=(),
        idle_commands=frozenset({"/clear", "/compact", "/exit", "/help", "/history", "/mcp", "/model", "/quit"}),
    ),
    tools={
        "run_commands": _read_shell,
        "execute_command": _read_shell,
        "bash": _read_shell,
        "read_files": tool_readers.read_file,
        "read_file": tool_readers.read_file,
        "editor": _edit_file,
        "write_to_file": tool_readers.write_file,
        "replace_in_file": tool_readers.edit_file,
        "apply_patch": tool_readers.apply_patch,
        "search_codebase": tool_readers.search_files,
        "search_files": tool_readers.search_files,
        "list_files": tool_readers.search_files,
        "fetch_web_content": tool_readers.ask_web,
        "web_fetch": tool_readers.ask_web,
        "spawn_agent": tool_readers.start_subagent,
    },
)  # fmt: skip
known_events: frozenset[str] = _DIALECT.known_events


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload.

    Raises:
        MalformedPayload: no session id can be found.
    """
    event = dialect.parse_event(_DIALECT, event_name, _flatten(payload))
    if fields.read_name(payload.get("parent_agent_id")):
        return replace(event, actor=Actor.SUBAGENT, helper_id=fields.read_name(payload.get("agent_id")))
    return event


def takes_brief_at(event: Event) -> bool:
    """Tell whether an answer reaches the model: with a tool's result, since at the start none is waited for."""
    return event.kind is EventKind.TOOL_END and event.actor is not Actor.SUBAGENT


def render_brief(event: Event, text: str) -> str:
    """Write the hook's output, of whose text Cline takes 50,000 characters."""
    return start_context.render_wrapped(_wrap_context, text) if takes_brief_at(event) else ""


def list_wiring(site: Site) -> Wiring:
    """Find the folder of hooks, and the list of MCP servers.

    The files have an ending of their own, so that hooks of others under the plain names stay and run as well.
    """
    hooks, settings = places.find_home(site, _HOME) / "hooks", places.find_home(site, _find_settings_home(site))
    servers = str(settings / "settings" / "cline_mcp_settings.json")
    return Wiring(
        files=tuple(_build_file(site, hooks, event) for event in _HOOK_EVENTS),
        mcp=(McpFile(servers, _build_mcp_entry, _is_own_mcp_entry),),
    )


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    shared: dict[str, object] = {
        "taskId": f"conv_{session_id}",
        "sessionContext": {"rootSessionId": session_id},
        "workspaceRoots": [cwd],
        "agent_id": f"agent_{session_id}",
        "parent_agent_id": None,
    }
    used: dict[str, object] = {
        "id": f"call_{session_id}",
        "name": "run_commands",
        "input": {"commands": ["true"]},
        "output": [{"query": "true", "result": "", "success": True}],
    }
    events: tuple[tuple[str, dict[str, object]], ...] = (
        ("agent_start", {"taskStart": {"taskMetadata": {}}}),
        ("prompt_submit", {"userPromptSubmit": {"prompt": words, "attachments": []}}),
        ("tool_result", {"tool_result": used, "postToolUse": {"toolName": "run_commands", "success": True}}),
        ("agent_end", {"turn": {"outputText": "", "status": "completed"}}),
    )
    return tuple((_EVENTS[hook], {**shared, "hookName": hook, **more}) for hook, more in events)


def _flatten(payload: Mapping[str, object]) -> dict[str, object]:
    """Bring a payload into the shape that most agents use."""
    used = fields.read_fields(fields.read_first(payload, "tool_result", "tool_call"))
    older = fields.read_fields(fields.read_first(payload, "postToolUse", "preToolUse"))
    session = fields.read_fields(payload.get("sessionContext"))
    hook = fields.read_name(payload.get("hookName"))
    found = {
        "session_id": fields.read_first(session, "rootSessionId") or payload.get("taskId"),
        "hook_event_name": _EVENTS.get(hook, hook or None),
        "prompt": fields.read_fields(payload.get("userPromptSubmit")).get("prompt"),
        "tool_name": fields.read_first(used, "name") or older.get("toolName"),
        "tool_input": fields.read_first(used, "input") or older.get("parameters"),
        "tool_response": fields.read_first(used, "error", "output") or older.get("result"),
        "tool_use_id": used.get("id"),
        "success": older.get("success"),
        "last_assistant_message": fields.read_fields(payload.get("turn")).get("outputText"),
        "reason": fields.read_first(fields.read_fields(payload.get("error")), "name", "message"),
    }
    # The agent's own id stands in each payload, a helper's or not.
    parts = _PARTS if hook or session else _PARTS - {"agent_id"}
    told = {name: value for name, value in payload.items() if name not in parts}
    return {**told, **{name: value for name, value in found.items() if value is not None}}


def _find_settings_home(site: Site) -> Home:
    """Find the folder of settings: it is below a relocated home, unless a variable of its own says otherwise."""
    is_moved = bool(site.env.get(_SETTINGS.variable, "").strip())
    return _SETTINGS if is_moved else Home(str(places.find_home(site, _HOME) / "data"))


def _build_file(site: Site, folder: PurePath, event: HookEvent) -> OwnFile:
    is_windows = site.system is System.WINDOWS
    ending = ".ps1" if is_windows else ".sh"
    return OwnFile(
        path=str(folder / f"{event.name}{ending}"),
        render=partial(_render_file, event.name, is_windows),
        is_own=_is_own_file(),
        mode=0o700,
        note="an executable that Cline runs at this event",
    )


def _is_own_file() -> Callable[[str], bool]:
    return own_files.has_mark(name, "#")


def _render_file(event_name: str, is_windows: bool, link: Link) -> str:  # noqa: FBT001 — bound by `partial`
    first = "" if is_windows else "#!/bin/sh\n"
    return f"{first}{own_files.render_mark(name, '#')}\n{link.calls[event_name]}\n"


def _build_mcp_entry(link: Link) -> dict[str, object]:
    return {"transport": mcp_entries.build_http_entry(fixed={"type": "streamableHttp"})(link)}


def _is_own_mcp_entry(entry: object) -> bool:
    return mcp_entries.is_own_entry(fields.read_fields(entry).get("transport"))


def _wrap_context(text: str) -> dict[str, object]:
    return {"contextModification": text}
