"""Gemini CLI: its hook payloads, its settings file; its tools are in `gemini_tools`."""

from collections.abc import Mapping
from pathlib import PurePath

from app.agents import dialect, gemini_tools, gemini_transcript, mcp_entries, places, prompt, start_context
from app.agents.agent import (
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
    OneShot,
    Shell,
    Wiring,
)
from app.agents.dialect import Dialect
from app.agents.launch import Launch
from app.agents.places import Home, Site, WiringScope
from app.domain.event import AgentName, Event, EventKind, Outcome

name: AgentName = AgentName.GEMINI_CLI
title: str = "Gemini CLI"

_FOLDER = ".gemini"
_MCP_MS = 10_000
# The variable names the folder above it.
_HOME = Home("", variable="GEMINI_CLI_HOME")
_HOOK_EVENTS = tuple(
    HookEvent(event) for event in ("SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd")
)

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.VERIFIED, "0.61.0"),
    binaries=("gemini",),
    launch=Launch(
        resume=("--resume", "{id}"), sessions=("tmp/*/chats/*-{start}.json*",), read=gemini_transcript.read_transcript
    ),
    homes=(Home(_FOLDER),),
    session_files=("tmp/*/chats/*.jsonl", "tmp/*/chats/*.json"),
    scopes=frozenset(WiringScope),
    hook_events=_HOOK_EVENTS,
    windows_shell=Shell.POWERSHELL,
    brief=BriefWay(BriefPoint.SESSION_START, ("SessionStart",), "hookSpecificOutput.additionalContext"),
    one_shot=OneShot("`gemini -p` sends the same events", words=frozenset({"-p", "--prompt"})),
    install_notes=(
        "Gemini CLI reads its settings at start: sessions that are open now are not captured.",
        "A project's own settings count only in a folder that Gemini CLI trusts.",
    ),
    captures="prompts, tool calls with their results, turns, and the session's start and end",
    misses=(
        "Gemini CLI says at every call of the model that it might compress, so compactions are left out.",
        "What a subagent does is not told as the subagent's.",
    ),
)

_TOOL_FIELDS = frozenset({"tool_name", "tool_input", "mcp_context", "original_request_name"})
_DIALECT = Dialect(
    agent=name,
    kinds={
        "SessionStart": EventKind.SESSION_START,
        "BeforeAgent": EventKind.PROMPT,
        "BeforeTool": EventKind.TOOL_START,
        "AfterTool": EventKind.TOOL_END,
        "AfterAgent": EventKind.TURN_END,
        "SessionEnd": EventKind.SESSION_END,
    },
    # The first three carry whole conversations; PreCompress comes before every call of the model, compressed or not.
    beside=frozenset({"BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress", "Notification"}),
    shared_fields=frozenset({"transcript_path", "cwd", "timestamp", "agent_id", "agent_type"}),
    fields={
        "SessionStart": frozenset({"source"}),
        "BeforeAgent": frozenset({"prompt"}),
        "BeforeTool": _TOOL_FIELDS,
        "AfterTool": _TOOL_FIELDS | {"tool_response"},
        "AfterAgent": frozenset({"prompt", "prompt_response", "stop_hook_active"}),
        "SessionEnd": frozenset({"reason"}),
    },
    marks=prompt.MachineMarks(
        tags=frozenset({"hook_context", "session_context", "untrusted_context", "loaded_context", "system-reminder"}),
        openings=("This is the Gemini CLI. We are setting up the context for our chat.",),
        recaps=("<state_snapshot>",),
        idle_commands=frozenset({
            "/about", "/auth", "/clear", "/compress", "/help", "/hooks", "/mcp", "/memory", "/model", "/quit", "/stats",
            "/theme", "/tools",
        }),
    ),
    tools=gemini_tools.READERS,
    # A tool that failed says so in its answer.
    tool_outcome=Outcome.SUCCEEDED,
)  # fmt: skip
known_events: frozenset[str] = _DIALECT.known_events


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload.

    Raises:
        MalformedPayload: no session id can be found.
    """
    if "tool_response" not in payload:
        return dialect.parse_event(_DIALECT, event_name, payload)
    answer = gemini_tools.read_answer(payload.get("tool_name"), payload["tool_response"])
    return dialect.parse_event(_DIALECT, event_name, {**payload, "tool_response": answer})


def takes_brief_at(event: Event) -> bool:
    """Tell whether printed text reaches a main session's model: only at its start."""
    return event.kind is EventKind.SESSION_START and not event.helper_id


def render_brief(event: Event, text: str) -> str:
    """Write the hook's output, one JSON object; Gemini puts its text into `<hook_context>`."""
    return start_context.render_context("SessionStart", text) if takes_brief_at(event) else ""


def list_wiring(site: Site) -> Wiring:
    """Find the settings file, in which hooks and MCP servers stand together."""
    folder = places.find_project(site) or places.find_home(site, _HOME)
    return _build_wiring(folder / _FOLDER / "settings.json")


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    shared: dict[str, object] = {"session_id": session_id, "transcript_path": f"{cwd}/{session_id}.jsonl", "cwd": cwd}
    used: dict[str, object] = {
        "tool_name": "run_shell_command",
        "tool_input": {"command": "true"},
        "tool_response": {"llmContent": "Output: (empty)\nProcess Group PGID: 1", "returnDisplay": ""},
    }
    events: tuple[tuple[str, dict[str, object]], ...] = (
        ("SessionStart", {"source": "startup"}),
        ("BeforeAgent", {"prompt": words}),
        ("AfterTool", used),
        ("AfterAgent", {"prompt": words, "prompt_response": "", "stop_hook_active": False}),
        ("SessionEnd", {"reason": "exit"}),
    )
    return tuple((event, {**shared, "hook_event_name": event, **more}) for event, more in events)


def _build_wiring(settings: PurePath) -> Wiring:
    entry = mcp_entries.build_http_entry(url_field="httpUrl", fixed={"timeout": _MCP_MS})
    return Wiring(
        hooks=(HookFile(str(settings), shape=HookShape(build=_build_hook)),),
        mcp=(McpFile(str(settings), entry, mcp_entries.is_own_entry),),
    )


def _build_hook(event: HookEvent, call: HookCall) -> dict[str, object]:
    """Build a hook whose limit is in milliseconds; its name is what Gemini shows."""
    return {"type": "command", "name": "memwiki", "command": call, "timeout": event.timeout_seconds * 1000}
