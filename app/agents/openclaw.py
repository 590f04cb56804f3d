"""OpenClaw: a plug-in package that its gateway loads, and MCP servers in its configuration."""

from collections.abc import Mapping
from functools import partial

from app.agents import (
    claude_words,
    dialect_agent,
    mcp_entries,
    openclaw_plugin,
    own_files,
    places,
    plugin_sender,
    start_context,
    tool_readers,
)
from app.agents.agent import (
    MCP_ENTRY_NAME,
    AgentTraits,
    BriefPoint,
    BriefWay,
    Evidence,
    EvidenceKind,
    HookEvent,
    Link,
    McpFile,
    OwnFile,
    Shell,
    Wiring,
)
from app.agents.dialect import Dialect
from app.agents.dialect_agent import DialectAgent, Samples
from app.agents.places import Home, Site
from app.domain.event import AgentName, EventKind

_NAME = AgentName.OPENCLAW
_HOME = Home(".openclaw", variable="OPENCLAW_STATE_DIR")
_KINDS = {
    "session_start": EventKind.SESSION_START,
    "before_prompt_build": EventKind.PROMPT,
    "after_tool_call": EventKind.TOOL_END,
    "after_compaction": EventKind.COMPACTION,
    "agent_end": EventKind.TURN_END,
    "session_end": EventKind.SESSION_END,
}
_HOOK_EVENTS = tuple(HookEvent(event) for event in _KINDS)
_FIELDS = {
    "toolName": "tool_name",
    "params": "tool_input",
    "result": "tool_response",
    "toolCallId": "tool_call_id",
    "resumedFrom": "resumed_from",
    "durationMs": "duration_ms",
}
_DIALECT = Dialect(
    agent=_NAME,
    kinds=_KINDS,
    beside=frozenset({"before_tool_call", "before_compaction", "before_reset", "before_agent_start"}),
    shared_fields=frozenset({"cwd", "timestamp", "sessionKey", "agentId", "runId", "duration_ms", "messageCount"}),
    fields={
        "before_prompt_build": frozenset({"prompt"}),
        "after_tool_call": frozenset({"tool_name", "tool_input", "tool_response", "tool_call_id", "error", "success"}),
        "after_compaction": frozenset({"tokenCount", "compactedCount", "summary", "trigger"}),
        "agent_end": frozenset({"success", "error", "last_assistant_message"}),
        "session_end": frozenset({"reason"}),
    },
    marks=claude_words.MARKS,
    tools={
        **claude_words.TOOLS,
        "exec": tool_readers.read_shell,
        "bash": tool_readers.read_shell,
        "read": tool_readers.read_file,
        "write": tool_readers.write_file,
        "edit": tool_readers.edit_file,
        "apply_patch": tool_readers.apply_patch,
        "web_fetch": tool_readers.ask_web,
        "web_search": tool_readers.ask_web,
        "sessions_spawn": tool_readers.start_subagent,
    },
)
_PACKAGE: Mapping[str, object] = {
    "name": "memwiki",
    "version": "1.0.0",
    "private": True,
    "type": "module",
    "openclaw": {"extensions": ["./index.js"]},
}
_MANIFEST: Mapping[str, object] = {
    "id": "memwiki",
    "name": "memwiki",
    "activation": {"onCapabilities": ["hook"]},
    "capabilities": ["hook"],
    "configSchema": {"type": "object", "additionalProperties": False, "properties": {}},
}


def _shape(event_name: str, payload: Mapping[str, object]) -> Mapping[str, object]:
    del event_name
    shaped = dialect_agent.rename(payload, _FIELDS)
    if "tool_name" in shaped:
        shaped["success"] = not shaped.get("error")
    return shaped


def _wire(site: Site) -> Wiring:
    home = places.find_home(site, _HOME)
    folder = home / "extensions" / "memwiki"
    files = (
        OwnFile(str(folder / "package.json"), _render_package, own_files.is_manifest(_NAME), note="plug-in"),
        OwnFile(str(folder / "openclaw.plugin.json"), _render_manifest, own_files.is_manifest(_NAME), note="plug-in"),
        OwnFile(str(folder / "index.js"), openclaw_plugin.render, partial(plugin_sender.is_own, _NAME), note="plug-in"),
    )
    entry = McpFile(
        str(home / "openclaw.json"),
        mcp_entries.build_http_entry(fixed={"transport": "streamable-http"}),
        mcp_entries.is_own_entry,
        keys=("mcp", "servers", MCP_ENTRY_NAME),
    )
    return Wiring(files=files, mcp=(entry,))


def _render_package(link: Link) -> str:
    del link
    return own_files.render_manifest(_NAME, _PACKAGE)


def _render_manifest(link: Link) -> str:
    del link
    return own_files.render_manifest(_NAME, _MANIFEST)


def _sample(session_id: str, cwd: str, words: str) -> Samples:
    used = {
        "toolName": "exec",
        "params": {"command": "true"},
        "toolCallId": f"call_{session_id}",
        "result": {"output": "", "exitCode": 0},
    }
    return dialect_agent.build_samples(
        {"session_id": session_id, "cwd": cwd, "sessionKey": "agent:main:main"},
        ("session_start", {}),
        ("before_prompt_build", {"prompt": words}),
        ("after_tool_call", used),
        ("agent_end", {"success": True, "last_assistant_message": "Done."}),
        ("session_end", {"messageCount": 2}),
    )


AGENT = DialectAgent(
    name=_NAME,
    title="OpenClaw",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.DOCUMENTED),
        binaries=("openclaw",),
        homes=(_HOME,),
        hook_events=_HOOK_EVENTS,
        shell=Shell.NONE,
        windows_shell=Shell.NONE,
        brief=BriefWay(BriefPoint.PLUGIN, ("session_start",), "our plug-in, prependContext of before_prompt_build"),
        install_notes=(
            "Let it in with `openclaw plugins enable memwiki`, then restart the gateway.",
            "A turn's end is told only with `plugins.entries.memwiki.hooks.allowConversationAccess: true`.",
        ),
        misses=("What helpers do is not told from what the main agent does.",),
    ),
    dialect=_DIALECT,
    wire=_wire,
    sample=_sample,
    shape=_shape,
    write_brief=start_context.render_plain,
)
