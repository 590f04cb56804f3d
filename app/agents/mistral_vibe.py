"""Mistral Vibe: three events of its own hooks file, of which neither a start nor a prompt is one, and MCP servers."""

from collections.abc import Mapping

from app.agents import claude_words, dialect_agent, fields, places, tool_readers
from app.agents.agent import (
    MCP_ENTRY_NAME,
    AgentTraits,
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
    Wiring,
)
from app.agents.dialect import Dialect
from app.agents.dialect_agent import DialectAgent, Samples
from app.agents.places import Home, Site
from app.domain.event import AgentName, EventKind

_NAME = AgentName.MISTRAL_VIBE
_HOME = Home(".vibe", variable="VIBE_HOME")
_KINDS = {
    "pre_tool": EventKind.TOOL_START,
    "post_tool": EventKind.TOOL_END,
    "post_agent": EventKind.TURN_END,
}
_HOOK_EVENTS = tuple(HookEvent(event) for event in _KINDS)
_TOOL_FIELDS = frozenset({"tool_name", "tool_call_id", "tool_input"})
_DIALECT = Dialect(
    agent=_NAME,
    kinds=_KINDS,
    beside=frozenset(),
    shared_fields=frozenset({"transcript_path", "cwd", "agent_id"}),
    fields={
        "pre_tool": _TOOL_FIELDS,
        "post_tool": _TOOL_FIELDS | {
            "tool_status", "tool_output", "tool_output_text", "tool_error", "tool_response", "error", "success",
            "duration_ms",
        },
        "post_agent": frozenset({"last_assistant_message"}),
    },
    marks=claude_words.MARKS,
    tools={
        name: reader
        for prefix in ("", "file_system.")
        for name, reader in {
            f"{prefix}bash": tool_readers.read_shell,
            f"{prefix}read_file": tool_readers.read_file,
            f"{prefix}write_file": tool_readers.write_file,
            f"{prefix}search_replace": tool_readers.edit_file,
            f"{prefix}grep": tool_readers.search_files,
            f"{prefix}task": tool_readers.start_subagent,
            f"{prefix}todo": tool_readers.write_todos,
        }.items()
    },
)  # fmt: skip


def _shape(event_name: str, payload: Mapping[str, object]) -> Mapping[str, object]:
    """Name what came back as others do; what a helper does names the session that sent it."""
    del event_name
    shaped = {field: value for field, value in payload.items() if value is not None}
    if "parent_session_id" in shaped:
        shaped["agent_id"] = payload.get("session_id")
    if "tool_status" in shaped:
        shaped["success"] = shaped["tool_status"] == "success"
    output = fields.read_fields(shaped.get("tool_output"))
    if "returncode" in output:
        shaped["tool_output"] = dialect_agent.rename(output, {"returncode": "exit_code"})
    elif "tool_error" in shaped:
        shaped["tool_output"] = shaped["tool_error"]
    return shaped


def _build_hook(event: HookEvent, call: HookCall) -> dict[str, object]:
    return {"name": f"memwiki-{event.name}", "type": event.name, "command": call}


def _wire(site: Site) -> Wiring:
    folder = places.find_home(site, _HOME)
    shape = HookShape(HookLayout.LISTED, build=_build_hook, event_field="type")
    entry = McpFile(
        str(folder / "config.toml"),
        _build_mcp_entry,
        _is_own_mcp_entry,
        ConfigFormat.TOML,
        ("mcp_servers",),
        listed_by="name",
    )
    return Wiring(hooks=(HookFile(str(folder / "hooks.toml"), ConfigFormat.TOML, shape),), mcp=(entry,))


def _build_mcp_entry(link: Link) -> dict[str, object]:
    """Build an entry whose token is named by its variable, as it was seen to work."""
    entry: dict[str, object] = {"name": MCP_ENTRY_NAME, "transport": "streamable-http", "url": link.mcp_url}
    if not link.token_env:
        return entry
    named = {"api_key_env": link.token_env, "api_key_header": "Authorization", "api_key_format": "Bearer {token}"}
    return {**entry, **named}


def _is_own_mcp_entry(entry: object) -> bool:
    server = fields.read_fields(entry)
    return server.get("transport") == "streamable-http" and str(server.get("url", "")).endswith("/mcp")


def _sample(session_id: str, cwd: str, words: str) -> Samples:
    """Build a session of one command; Vibe tells of no start and no prompt, so `words` stand in its output."""
    used = {
        "tool_name": "file_system.bash",
        "tool_call_id": f"call_{session_id}",
        "tool_input": {"command": "true"},
    }
    done = {
        "tool_status": "success",
        "tool_output": {"command": "true", "returncode": 0, "stdout": words, "stderr": ""},
        "tool_error": None,
        "duration_ms": 0,
    }
    return dialect_agent.build_samples(
        {"session_id": session_id, "cwd": cwd, "parent_session_id": None},
        ("pre_tool", used),
        ("post_tool", {**used, **done}),
        ("post_agent", {}),
    )


AGENT = DialectAgent(
    name=_NAME,
    title="Mistral Vibe",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.DOCUMENTED, "3.0.2"),
        binaries=("vibe",),
        homes=(_HOME,),
        hook_events=_HOOK_EVENTS,
        has_session_end=False,
        install_notes=("Vibe reads its hooks at start, and runs them only in a folder that it trusts.",),
        captures="tool calls with their results and turns",
        misses=(
            "Prompts are not told: such a session's goal is not known.",
            "A session's start and end are not told: the agent has to ask for a brief through MCP.",
        ),
    ),
    dialect=_DIALECT,
    wire=_wire,
    sample=_sample,
    shape=_shape,
)
