"""Zero: a list of hooks that run a program without a shell, payloads in camel case, and a list of MCP servers."""

from collections.abc import Mapping

from app.agents import claude_words, dialect_agent, mcp_entries, places, tool_readers
from app.agents.agent import (
    MCP_ENTRY_NAME,
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
    TokenUse,
    Wiring,
)
from app.agents.dialect import Dialect
from app.agents.dialect_agent import DialectAgent, Samples
from app.agents.places import Home, Site
from app.domain.event import AgentName, EventKind

_NAME = AgentName.ZERO
_HOME = Home("zero", is_config=True)
_KINDS = {
    "sessionStart": EventKind.SESSION_START,
    "sessionEnd": EventKind.SESSION_END,
    "beforeTool": EventKind.TOOL_START,
    "afterTool": EventKind.TOOL_END,
    "specialistStart": EventKind.SUBAGENT_START,
    "specialistStop": EventKind.SUBAGENT_END,
}
_HOOK_EVENTS = tuple(HookEvent(event) for event in _KINDS)
_FIELDS = {
    "event": "hook_event_name",
    "workingDirectory": "cwd",
    "tool": "tool_name",
    "toolName": "tool_name",
    "input": "tool_input",
    "toolInput": "tool_input",
    "output": "tool_response",
    "toolOutput": "tool_response",
    "result": "tool_response",
    "toolCallId": "tool_call_id",
    "specialist": "agent_name",
    "specialistName": "agent_name",
}
_TOOL_FIELDS = frozenset({"tool_name", "tool_input", "tool_call_id"})
_DIALECT = Dialect(
    agent=_NAME,
    kinds=_KINDS,
    beside=frozenset(),
    shared_fields=frozenset({"cwd", "timestamp", "model"}),
    fields={
        "sessionStart": frozenset({"source"}),
        "sessionEnd": frozenset({"reason"}),
        "beforeTool": _TOOL_FIELDS,
        "afterTool": _TOOL_FIELDS | {"tool_response", "success", "error", "durationMs"},
        "specialistStart": frozenset({"agent_name", "task"}),
        "specialistStop": frozenset({"agent_name", "summary"}),
    },
    marks=claude_words.MARKS,
    tools={
        **claude_words.TOOLS,
        "bash": tool_readers.read_shell,
        "read_file": tool_readers.read_file,
        "write_file": tool_readers.write_file,
        "edit_file": tool_readers.edit_file,
        "apply_patch": tool_readers.apply_patch,
        "grep": tool_readers.search_files,
        "glob": tool_readers.search_files,
        "web_fetch": tool_readers.ask_web,
    },
)


def _shape(event_name: str, payload: Mapping[str, object]) -> Mapping[str, object]:
    del event_name
    return dialect_agent.rename(payload, _FIELDS)


def _build_hook(event: HookEvent, call: HookCall) -> dict[str, object]:
    program, *arguments = call if isinstance(call, tuple) else (call,)
    return {
        "id": f"memwiki-{event.name}",
        "name": f"memwiki {event.name}",
        "event": event.name,
        "command": program,
        "args": arguments,
        "enabled": True,
    }


def _wire(site: Site) -> Wiring:
    folder = places.find_home(site, _HOME)
    shape = HookShape(HookLayout.LISTED, build=_build_hook, preset=((("enabled",), True),))
    entry = McpFile(
        str(folder / "config.json"),
        mcp_entries.build_http_entry(fixed={"type": "http"}),
        mcp_entries.is_own_entry,
        keys=("mcp", "servers", MCP_ENTRY_NAME),
    )
    return Wiring(hooks=(HookFile(str(folder / "hooks.json"), shape=shape),), mcp=(entry,))


def _sample(session_id: str, cwd: str, words: str) -> Samples:
    """Build a session of one command; Zero tells of no prompt, so `words` stand in its output."""
    used = {
        "toolName": "bash",
        "toolInput": {"command": "true"},
        "toolCallId": f"call_{session_id}",
        "toolOutput": words,
        "success": True,
    }
    return dialect_agent.build_samples(
        {"sessionId": session_id, "cwd": cwd},
        ("sessionStart", {"source": "startup"}),
        ("afterTool", used),
        ("sessionEnd", {"reason": "exit"}),
        named_by="event",
    )


AGENT = DialectAgent(
    name=_NAME,
    title="Zero",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.ASSUMED),
        binaries=("zero",),
        homes=(_HOME,),
        hook_events=_HOOK_EVENTS,
        shell=Shell.NONE,
        windows_shell=Shell.NONE,
        # How its list of servers would name a variable is not documented.
        token=TokenUse.LITERAL,
        captures="tool calls with their results, specialists, and the session's start and end",
        misses=(
            "Prompts, turns and compactions are not told: such a session's goal is not known.",
            "No hook's output reaches the model: the agent has to ask for a brief through MCP.",
        ),
    ),
    dialect=_DIALECT,
    wire=_wire,
    sample=_sample,
    shape=_shape,
)
