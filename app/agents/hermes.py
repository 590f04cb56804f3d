"""Hermes: shell hooks that a person pastes into its configuration and agrees to, and its list of MCP servers.

Its hooks carry what an event adds in `extra`; what `pre_llm_call` prints stands before the person's words.
"""

import json
from collections.abc import Mapping

from app.agents import bounds, claude_words, dialect_agent, fields, mcp_entries, places, tool_readers
from app.agents.agent import (
    MCP_ENTRY_NAME,
    AgentTraits,
    BriefPoint,
    BriefWay,
    ConfigFormat,
    Evidence,
    EvidenceKind,
    HookEvent,
    Link,
    McpFile,
    Shell,
    Snippet,
    TokenUse,
    Wiring,
)
from app.agents.dialect import Dialect
from app.agents.dialect_agent import DialectAgent, Samples
from app.agents.places import Home, Site
from app.domain.event import AgentName, EventKind
from app.domain.fence import BRIEF_CLOSE
from app.domain.limits import BRIEF_CHARS_MAX

_NAME = AgentName.HERMES
_HOME = Home(".hermes", variable="HERMES_HOME")
_NOTICE = "[cut here; search the memory for the rest]"
# A turn's end is called a session's; what ends a session is called its finalizing.
_KINDS = {
    "on_session_start": EventKind.SESSION_START,
    "pre_llm_call": EventKind.PROMPT,
    "post_tool_call": EventKind.TOOL_END,
    "post_llm_call": EventKind.TURN_END,
    "on_session_finalize": EventKind.SESSION_END,
}
_HOOK_EVENTS = tuple(HookEvent(event) for event in _KINDS)
_ADDED = {
    "user_message": "prompt",
    "assistant_response": "last_assistant_message",
    "tool_call_id": "tool_call_id",
    "result": "tool_response",
    "error_message": "error_message",
    "reason": "reason",
}
_DIALECT = Dialect(
    agent=_NAME,
    kinds=_KINDS,
    beside=frozenset({
        "pre_tool_call", "on_session_end", "on_session_reset", "subagent_start", "subagent_stop", "pre_verify",
        "pre_api_request", "post_api_request", "api_request_error",
    }),
    shared_fields=frozenset({"cwd", "profile", "extra", "tool_name", "tool_input", "delivery_id", "timestamp"}),
    fields={
        "on_session_start": frozenset({"source"}),
        "pre_llm_call": frozenset({"prompt"}),
        "post_tool_call": frozenset({"tool_call_id", "tool_response", "error_message", "success"}),
        "post_llm_call": frozenset({"prompt", "last_assistant_message", "reason"}),
        "on_session_finalize": frozenset({"reason"}),
    },
    marks=claude_words.MARKS,
    tools={
        "terminal": tool_readers.read_shell,
        "read_file": tool_readers.read_file,
        "write_file": tool_readers.write_file,
        "patch": tool_readers.edit_file,
        "search_files": tool_readers.search_files,
        "web_search": tool_readers.ask_web,
        "web_extract": tool_readers.ask_web,
        "delegate_task": tool_readers.start_subagent,
        "todo": tool_readers.write_todos,
    },
)  # fmt: skip


def _shape(event_name: str, payload: Mapping[str, object]) -> Mapping[str, object]:
    """Take from `extra` what the event is about; what else stands in it is the whole conversation, time and again."""
    del event_name
    extra = fields.read_fields(payload.get("extra"))
    added = {known: extra[field] for field, known in _ADDED.items() if extra.get(field) not in (None, "")}
    if extra.get("status") in ("ok", "error", "failed"):
        added["success"] = extra["status"] == "ok"
    if isinstance(added.get("tool_response"), str):
        added["tool_response"] = tool_readers.parse_json(added["tool_response"])
    return {**added, **payload}


def _write_brief(text: str) -> str:
    room = BRIEF_CHARS_MAX - len(json.dumps({"context": ""}))
    fitted = bounds.fit_lines(text, room, closing=BRIEF_CLOSE, notice=_NOTICE)
    return json.dumps({"context": fitted}, ensure_ascii=False)


def _wire(site: Site) -> Wiring:
    config = str(places.find_home(site, _HOME) / "config.yaml")
    entry = McpFile(
        config,
        mcp_entries.build_bridge_entry(),
        mcp_entries.is_own_entry,
        ConfigFormat.YAML,
        ("mcp_servers", MCP_ENTRY_NAME),
    )
    return Wiring(mcp=(entry,), snippets=(Snippet(config, _render_snippet),))


def _render_snippet(link: Link) -> str:
    """Write the block of hooks; it stands in a file whose other hooks only its owner knows."""
    lines = ["hooks:"]
    for event in _HOOK_EVENTS:
        if event.name in link.calls:
            lines += [f"  {event.name}:", f"    - command: {json.dumps(link.calls[event.name])}"]
            lines += [f"      timeout: {event.timeout_seconds}"]
    return "\n".join(lines) + "\n"


def _sample(session_id: str, cwd: str, words: str) -> Samples:
    shared = {"session_id": session_id, "cwd": cwd, "profile": "default", "tool_name": None, "tool_input": None}
    used = {
        "tool_name": "terminal",
        "tool_input": {"command": "true"},
        "extra": {"tool_call_id": f"call_{session_id}", "result": '{"output": "", "exit_code": 0}', "status": "ok"},
    }
    return dialect_agent.build_samples(
        shared,
        ("on_session_start", {"extra": {"platform": "cli"}}),
        ("pre_llm_call", {"extra": {"user_message": words, "is_first_turn": True}}),
        ("post_tool_call", used),
        ("post_llm_call", {"extra": {"user_message": words, "assistant_response": "Done."}}),
        ("on_session_finalize", {"extra": {"reason": "shutdown"}}),
    )


AGENT = DialectAgent(
    name=_NAME,
    title="Hermes",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.DOCUMENTED),
        binaries=("hermes",),
        homes=(_HOME,),
        hook_events=_HOOK_EVENTS,
        shell=Shell.WORDS,
        windows_shell=Shell.WORDS,
        token=TokenUse.BRIDGE,
        brief=BriefWay(BriefPoint.FIRST_PROMPT, ("pre_llm_call",), "context"),
        install_notes=(
            "Paste the block of hooks yourself, and agree when Hermes asks for each at the next start.",
            "Where it has no terminal, `hooks_auto_accept: true` in the same file agrees.",
        ),
        doctor_notes=("Whether you agreed to the hooks is seen by `hermes hooks list` alone.",),
        captures="prompts, tool calls with their results, turns, and the session's start and end",
        misses=("Compactions and what helpers do are not told.",),
    ),
    dialect=_DIALECT,
    wire=_wire,
    sample=_sample,
    shape=_shape,
    write_brief=_write_brief,
)
