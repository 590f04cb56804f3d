"""Codex CLI: its hook payloads, its hooks file and its table of MCP servers; its tools are in `codex_tools`."""

from collections.abc import Mapping
from functools import lru_cache

from app.agents import codex_tools, codex_transcript, fields, hook_shapes, mcp_entries, places, prompt, start_context
from app.agents.agent import (
    MCP_ENTRY_NAME,
    AgentTraits,
    BriefPoint,
    BriefWay,
    ConfigFormat,
    Evidence,
    EvidenceKind,
    HookEvent,
    HookFile,
    Link,
    McpFile,
    OneShot,
    SizeUnit,
    Wiring,
)
from app.agents.launch import Launch
from app.agents.places import Home, Site, WiringScope
from app.agents.trust import TrustQuestion
from app.domain.event import Actor, AgentName, Event, EventKind
from app.domain.limits import PROMPT_BYTES_MAX

name: AgentName = AgentName.CODEX
title: str = "Codex CLI"
# Codex limits a session's end to 3 s, whatever the entry says.
_HOOK_EVENTS = (
    *(
        HookEvent(event)
        for event in (
            "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "PostCompact",
            "SubagentStart", "SubagentStop", "Stop",
        )
    ),
    HookEvent("SessionEnd", 3),
)  # fmt: skip

_HOME = Home(".codex", variable="CODEX_HOME")


def _build_trust_questions(cwd: str) -> tuple[Mapping[str, object], ...]:
    client = {"name": "memwiki", "version": "1"}
    return (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"clientInfo": client}},
        {"jsonrpc": "2.0", "method": "initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "hooks/list", "params": {"cwds": [cwd]}},
    )


def _read_trust(answer: Mapping[str, object]) -> Mapping[str, str] | None:
    """Read what Codex says of its hooks; ours are told by what they run."""
    if answer.get("id") != 2:  # noqa: PLR2004 — that of the question
        return None
    folders = _list_fields(answer.get("result"), "data")
    hooks = [hook for folder in folders for hook in _list_fields(folder, "hooks")]
    return {
        str(hook.get("eventName")): str(hook.get("trustStatus")) if hook.get("enabled") is not False else "disabled"
        for hook in hooks
        if hook_shapes.is_own_command(str(hook.get("command")), name)
    }


def _list_fields(value: object, name: str) -> list[Mapping[str, object]]:
    listed = fields.read_fields(value).get(name)
    return list(map(fields.read_fields, listed)) if isinstance(listed, list) else []


# It has no `http_events`: over a hook of a type that it does not know, Codex drops the whole file.
traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.VERIFIED, "0.171.0"),
    binaries=("codex",),
    launch=Launch(
        resume=("resume", "{id}"), sessions=("sessions/*/*/*/*{id}.jsonl",), read=codex_transcript.read_transcript
    ),
    homes=(_HOME,),
    session_files=("sessions/*/*/*/*.jsonl",),
    scopes=frozenset(WiringScope),
    hook_events=_HOOK_EVENTS,
    brief=BriefWay(
        BriefPoint.SESSION_START, ("SessionStart",), "hookSpecificOutput.additionalContext", unit=SizeUnit.BYTES
    ),
    one_shot=OneShot("`codex exec` sends the same events", words=frozenset({"exec"})),
    trust=TrustQuestion(
        ("codex", "app-server"),
        _build_trust_questions,
        _read_trust,
        frozenset({"trusted", "managed"}),
        "start codex, type /hooks and trust the memwiki entries",
    ),
    install_notes=(
        "Codex runs a hook only after you have looked at it: start codex, type /hooks and trust the memwiki entries.",
        "Do so again whenever this command changes an entry; Codex skips a changed hook without a word.",
    ),
    misses=("Codex does not say whether a command failed: its output is read for that.",),
    user_instructions="AGENTS.md",
)

# The older `notify` program is given this one event, with hyphens in its fields.
_NOTIFIED = "agent-turn-complete"

_KINDS: dict[str, EventKind] = {
    "SessionStart": EventKind.SESSION_START,
    "UserPromptSubmit": EventKind.PROMPT,
    "PreToolUse": EventKind.TOOL_START,
    "PostToolUse": EventKind.TOOL_END,
    "PreCompact": EventKind.COMPACTION,
    "PostCompact": EventKind.COMPACTION,
    "SubagentStart": EventKind.SUBAGENT_START,
    "SubagentStop": EventKind.SUBAGENT_END,
    "Stop": EventKind.TURN_END,
    "SessionEnd": EventKind.SESSION_END,
    _NOTIFIED: EventKind.TURN_END,
}
known_events: frozenset[str] = frozenset(_KINDS) | {"PermissionRequest", "Interrupt"}

_COMMON_FIELDS = frozenset({
    *fields.SHARED_FIELDS, "transcript_path", "cwd", "model", "permission_mode", "turn_id",
    "agent_id", "agent_type", "timestamp",
})  # fmt: skip
_TOOL_FIELDS = frozenset({"tool_name", "tool_input", "tool_use_id"})
_STOP_FIELDS = frozenset({"stop_hook_active", "last_assistant_message"})
_FIELDS: dict[str, frozenset[str]] = {
    "SessionStart": frozenset({"source"}),
    "UserPromptSubmit": frozenset({"prompt"}),
    "PreToolUse": _TOOL_FIELDS,
    "PostToolUse": _TOOL_FIELDS | {"tool_response"},
    "PreCompact": frozenset({"trigger"}),
    "PostCompact": frozenset({"trigger"}),
    "SubagentStop": _STOP_FIELDS | {"agent_transcript_path"},
    "Stop": _STOP_FIELDS,
    "SessionEnd": frozenset({"reason"}),
    _NOTIFIED: frozenset({"type", "turn-id", "client", "input-messages", "last-assistant-message"}),
}

_MARKS = prompt.MachineMarks(
    tags=frozenset({
        "environment_context", "user_instructions", "turn_aborted", "subagent_notification", "skill",
        "user_shell_command", "permissions", "collaboration_mode", "hook_context", "system-reminder",
        "task-notification",
    }),
    openings=("# AGENTS.md instructions for",),
    recaps=("Another language model started to solve this problem",),
    idle_commands=frozenset({
        "/approvals", "/clear", "/compact", "/exit", "/hooks", "/logout", "/mcp", "/model", "/new", "/quit",
        "/resume", "/status",
    }),
)  # fmt: skip


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload, or the older notification's.

    Raises:
        MalformedPayload: no session id can be found.
    """
    session_id = fields.read_session_id(payload)
    native = fields.choose_event_name(event_name, payload, known_events)
    if payload.get("type") == _NOTIFIED and native not in known_events:
        native = _NOTIFIED
    kind = _KINDS.get(native, EventKind.OTHER)
    words = _read_words(kind, payload)
    kind = EventKind.COMPACTION if words.is_recap else kind
    is_beside = kind is EventKind.OTHER and native in known_events
    return Event(
        agent=name,
        kind=kind,
        native_name=native,
        agent_session_id=session_id,
        actor=Actor.SUBAGENT if fields.is_helper(payload) else words.actor,
        cwd=fields.read_cwd(payload),
        text=words.text,
        reason=_read_reason(kind, payload),
        native_id=_read_native_id(kind, payload),
        tool=codex_tools.read_tool(native, payload),
        occurred_at=fields.read_time(payload.get("timestamp")),
        continues=fields.read_earlier_session(payload, session_id) if kind is EventKind.SESSION_START else "",
        helper_id=fields.read_helper_id(payload),
        extra=() if is_beside else fields.collect_extra(payload, _list_known_fields(native)),
    )


def takes_brief_at(event: Event) -> bool:
    """Tell whether printed text reaches a main session's model: only at its start."""
    return event.kind is EventKind.SESSION_START and event.actor is not Actor.SUBAGENT


def render_brief(event: Event, text: str) -> str:
    """Write the hook's output, a message to the model; Codex drops its middle beyond 10,000 bytes."""
    return start_context.render_context("SessionStart", text, in_bytes=True) if takes_brief_at(event) else ""


def list_wiring(site: Site) -> Wiring:
    """Find the hooks file, and the configuration file, whose tables list the MCP servers."""
    project = places.find_project(site)
    folder = places.find_home(site, _HOME) if project is None else project / ".codex"
    entry = McpFile(
        str(folder / "config.toml"),
        _build_mcp_entry,
        mcp_entries.is_own_entry,
        format=ConfigFormat.TOML,
        keys=("mcp_servers", MCP_ENTRY_NAME),
    )
    return Wiring(hooks=(HookFile(str(folder / "hooks.json"), ConfigFormat.PLAIN_JSON),), mcp=(entry,))


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    shared: dict[str, object] = {
        "session_id": session_id,
        "cwd": cwd,
        "transcript_path": None,
        "model": "rehearsal",
        "permission_mode": "default",
    }
    used: dict[str, object] = {
        "tool_name": "Bash",
        "tool_use_id": f"call_{session_id}",
        "tool_input": {"command": "true"},
        "tool_response": "Process exited with code 0",
    }
    turn: dict[str, object] = {"turn_id": f"turn_{session_id}"}
    events: tuple[tuple[str, dict[str, object]], ...] = (
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {**turn, "prompt": words}),
        ("PostToolUse", {**turn, **used}),
        ("Stop", {**turn, "stop_hook_active": False, "last_assistant_message": None}),
        ("SessionEnd", {"reason": "other"}),
    )
    return tuple((event, {**shared, "hook_event_name": event, **more}) for event, more in events)


def _build_mcp_entry(link: Link) -> dict[str, object]:
    entry: dict[str, object] = {"url": link.mcp_url}
    return {**entry, "bearer_token_env_var": link.token_env} if link.token_env else entry


@lru_cache(maxsize=256)
def _list_known_fields(native: str) -> frozenset[str]:
    return _COMMON_FIELDS | _FIELDS.get(native, frozenset())


def _read_words(kind: EventKind, payload: Mapping[str, object]) -> prompt.PromptWords:
    match kind:
        case EventKind.PROMPT:
            return prompt.read_prompt(fields.read_text(payload.get("prompt")), _MARKS)
        case EventKind.TURN_END | EventKind.SUBAGENT_END:
            said = fields.read_first(payload, "last_assistant_message", "last-assistant-message")
            return prompt.PromptWords(fields.read_tool_text(said, PROMPT_BYTES_MAX), Actor.AGENT)
        case EventKind.COMPACTION:
            return prompt.PromptWords("", Actor.MACHINE)
        case _:
            return prompt.PromptWords("", Actor.AGENT)


def _read_reason(kind: EventKind, payload: Mapping[str, object]) -> str:
    match kind:
        case EventKind.SESSION_START:
            return fields.read_name(payload.get("source"))
        case EventKind.SESSION_END:
            return fields.read_name(payload.get("reason"))
        case EventKind.COMPACTION:
            return fields.read_name(payload.get("trigger"))
        case EventKind.SUBAGENT_START | EventKind.SUBAGENT_END:
            return fields.read_name(payload.get("agent_type"))
        case _:
            return ""


def _read_native_id(kind: EventKind, payload: Mapping[str, object]) -> str:
    """Take the id of a tool call or subagent; a turn's id is none, since one turn may take several prompts.

    A prompt has an id where another agent runs these hooks.
    """
    match kind:
        case EventKind.PROMPT:
            return fields.read_name(payload.get("prompt_id"))
        case EventKind.TOOL_START | EventKind.TOOL_END:
            return fields.read_name(payload.get("tool_use_id"))
        case EventKind.SUBAGENT_START | EventKind.SUBAGENT_END:
            return fields.read_name(payload.get("agent_id"))
        case _:
            return ""
