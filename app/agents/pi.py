"""pi: what our extension tells of its events, its folder for extensions, its list of MCP servers.

The extension sends an event as pi gave it, and around it whose session it is; it is in `pi_extension`.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from app.agents import (
    dialect,
    fields,
    mcp_entries,
    pi_extension,
    pi_tools,
    pi_transcript,
    places,
    plugin_sender,
    prompt,
    start_context,
)
from app.agents.agent import (
    AgentTraits,
    BriefPoint,
    BriefWay,
    Evidence,
    EvidenceKind,
    HookEvent,
    McpFile,
    OneShot,
    OwnFile,
    Shell,
    Wiring,
)
from app.agents.dialect import Dialect
from app.agents.launch import Launch
from app.agents.places import Home, Site, WiringScope
from app.domain.event import Actor, AgentName, Event, EventKind, Outcome

name: AgentName = AgentName.PI
title: str = "pi"

_HOME = Home(".pi/agent", variable="PI_CODING_AGENT_DIR")
HOOK_EVENTS: tuple[HookEvent, ...] = tuple(
    HookEvent(event)
    for event in (
        "session_start", "input", "tool_call", "tool_result", "session_compact", "agent_settled", "session_shutdown",
    )
)  # fmt: skip

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.VERIFIED, "1.6.0"),
    binaries=("pi",),
    launch=Launch(
        resume=("--session", "{id}"), sessions=("sessions/*/*{id}.jsonl",), read=pi_transcript.read_transcript
    ),
    homes=(_HOME,),
    session_files=("sessions/*/*.jsonl",),
    scopes=frozenset(WiringScope),
    hook_events=HOOK_EVENTS,
    shell=Shell.NONE,
    windows_shell=Shell.NONE,
    brief=BriefWay(BriefPoint.PLUGIN, ("session_start",), "our extension, a message of before_agent_start"),
    one_shot=OneShot(
        "our extension is told of `pi -p` and `--mode json`", payload=(("mode", frozenset({"print", "json"})),)
    ),
    install_notes=(
        "pi loads extensions at start: type /reload in sessions that are open now.",
        "A project's own extensions and servers count only in a folder that pi trusts.",
    ),
    misses=("Commands that a person runs with ! are not captured.",),
)

_TOOL_FIELDS = frozenset({
    "tool_name", "tool_input", "tool_use_id", "toolName", "toolCallId", "parentToolCallId", "input",
})  # fmt: skip
_DIALECT = Dialect(
    agent=name,
    kinds={
        "session_start": EventKind.SESSION_START,
        "input": EventKind.PROMPT,
        "tool_call": EventKind.TOOL_START,
        "tool_result": EventKind.TOOL_END,
        "session_compact": EventKind.COMPACTION,
        "agent_settled": EventKind.TURN_END,
        "session_shutdown": EventKind.SESSION_END,
    },
    beside=frozenset({
        "agent_before_settle", "agent_end", "agent_start", "before_agent_start", "message_end", "message_start",
        "message_update", "model_select", "session_before_compact", "session_compact_failed", "tool_execution_end",
        "tool_execution_start", "tool_execution_update", "turn_end", "turn_start", "user_bash",
    }),
    shared_fields=frozenset({"cwd", "timestamp", "type", "transcript_path", "mode", "agent_id", "agent_type", "_ctx"}),
    fields={
        "session_start": frozenset({"reason", "source", "previousSessionFile"}),
        "input": frozenset({"text", "prompt", "images", "source", "streamingBehavior"}),
        "tool_call": _TOOL_FIELDS,
        "tool_result": _TOOL_FIELDS | {
            "content", "details", "structuredContent", "isError", "usage", "tool_response",
        },
        "session_compact": frozenset({
            "compact_summary", "fromExtension", "reason", "trigger", "willRetry",
        }),
        "agent_settled": frozenset({"aborted", "last_assistant_message"}),
        "session_shutdown": frozenset({"reason", "targetSessionFile"}),
    },
    marks=prompt.MachineMarks(
        tags=frozenset({"system-reminder", "skill"}),
        openings=(),
        recaps=("The conversation history before this point was compacted into the following summary",),
        idle_commands=frozenset({
            "/compact", "/exit", "/fork", "/hotkeys", "/login", "/logout", "/mcp", "/model", "/new", "/quit", "/reload",
            "/resume", "/session", "/settings", "/tree",
        }),
    ),
    tools=pi_tools.READERS,
    tool_outcome=Outcome.SUCCEEDED,
)  # fmt: skip
known_events: frozenset[str] = _DIALECT.known_events

_OWN_NAMES = {
    "type": "hook_event_name",
    "text": "prompt",
    "toolName": "tool_name",
    "toolCallId": "tool_use_id",
    "input": "tool_input",
}


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read what the extension sent, also without what it says around an event.

    Raises:
        MalformedPayload: no session id can be found.
    """
    event = dialect.parse_event(_DIALECT, event_name, _shape(payload))
    # An extension may send words in the person's place.
    is_sent = event.kind is EventKind.PROMPT and payload.get("source") == "extension"
    return replace(event, actor=Actor.MACHINE) if is_sent else event


def takes_brief_at(event: Event) -> bool:
    """Tell whether the extension hands text on to the model of a main session: what it got at the start."""
    return event.kind is EventKind.SESSION_START and not event.helper_id


def render_brief(event: Event, text: str) -> str:
    """Write the text that the extension hands on as a message of its own."""
    return start_context.render_plain(text) if takes_brief_at(event) else ""


def list_wiring(site: Site) -> Wiring:
    """Find the folder of extensions, of which one is ours, and the list of MCP servers beside it."""
    project = places.find_project(site)
    return _build_wiring(project / ".pi" if project else places.find_home(site, _HOME))


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    shared: dict[str, object] = {"session_id": session_id, "cwd": cwd}
    used: dict[str, object] = {
        "toolName": "bash",
        "toolCallId": f"call_{session_id}",
        "input": {"command": "true"},
        "content": [],
        "structuredContent": {"output": "", "exit_code": 0},
        "isError": False,
    }
    events: tuple[tuple[str, dict[str, object]], ...] = (
        ("session_start", {"reason": "startup"}),
        ("input", {"text": words, "source": "interactive"}),
        ("tool_result", used),
        ("agent_settled", {"aborted": False}),
        ("session_shutdown", {"reason": "quit"}),
    )
    return tuple((event, {**shared, "type": event, "hook_event_name": event, **more}) for event, more in events)


def _build_wiring(folder: PurePath) -> Wiring:
    extension = OwnFile(
        str(folder / "extensions" / "memwiki.js"),
        pi_extension.render,
        partial(plugin_sender.is_own, name),
        note="extension",
    )
    # Otherwise the model has to write a program to reach a tool that it was not told of.
    entry = McpFile(
        str(folder / "mcp.json"), mcp_entries.build_http_entry(fixed={"exposure": "direct"}), mcp_entries.is_own_entry
    )
    return Wiring(files=(extension,), mcp=(entry,))


def _shape(payload: Mapping[str, object]) -> dict[str, object]:
    """Bring a payload into the shape that all agents' payloads share; what is there already stays."""
    about = fields.read_fields(payload.get("_ctx"))
    told = {known: payload.get(field) for field, known in _OWN_NAMES.items()}
    told |= {"session_id": about.get("session"), "cwd": about.get("cwd"), "transcript_path": about.get("file")}
    match payload.get("type") or payload.get("hook_event_name"):
        case "session_start":
            told |= {"source": payload.get("reason"), "previous_session_id": _read_earlier(payload)}
        case "session_compact":
            told |= {"trigger": payload.get("reason")}
        case "tool_result":
            told |= {"tool_response": pi_tools.read_answer(payload)}
        case _:
            pass
    shaped = {field: value for field, value in told.items() if value is not None}
    return shaped | {field: value for field, value in payload.items() if value is not None or field not in shaped}


def _read_earlier(payload: Mapping[str, object]) -> str | None:
    """Find the session that a fork goes on with; at any other start the earlier one is only what was left."""
    stem = fields.read_path(payload.get("previousSessionFile")).removesuffix(".jsonl")
    return stem.rpartition("_")[2] if payload.get("reason") == "fork" and "_" in stem else None
