"""Goose: its plug-in of hooks alone, the payloads of its events and its list of extensions.

A plug-in only observes: nothing that a hook prints reaches the model.
"""

from collections.abc import Mapping

from app.agents import claude_words, dialect_agent, fields, own_files, places, tool_readers
from app.agents.agent import (
    MCP_ENTRY_NAME,
    AgentTraits,
    ConfigFormat,
    Evidence,
    EvidenceKind,
    HookEvent,
    Link,
    McpFile,
    OwnFile,
    TokenUse,
    Wiring,
)
from app.agents.dialect_agent import DialectAgent, Samples
from app.agents.places import Home, Site, System, WiringScope
from app.domain.event import AgentName

_NAME = AgentName.GOOSE
_HOME = Home("goose", is_config=True)
_WINDOWS_HOME = Home("Block/goose/config", is_config=True)
_PLUGINS = Home(".agents/plugins")
# A matcher is a regular expression and stays out: "*" is none, and drops the rule.
_HOOK_EVENTS = tuple(
    HookEvent(event)
    for event in (
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd",
    )
)  # fmt: skip
_MANIFEST = {"name": "memwiki", "version": "1.0.0"}
_FIELDS = {
    "event": "hook_event_name",
    "working_dir": "cwd",
    "message": "prompt",
}
_EDIT_FIELDS = {"before": "old_string", "after": "new_string"}
_DIALECT = claude_words.build_dialect(
    _NAME,
    (event.name for event in _HOOK_EVENTS),
    tools={
        "developer__shell": tool_readers.read_shell,
        "developer__write": tool_readers.write_file,
        "developer__edit": tool_readers.edit_file,
        "developer__text_editor": tool_readers.edit_file,
        "developer__read_image": tool_readers.read_file,
        "developer__tree": tool_readers.search_files,
    },
    fields=frozenset({"matcher_context"}),
    beside=(
        "PreToolUseResult", "BeforeReadFile", "AfterFileEdit", "BeforeShellExecution", "AfterShellExecution",
    ),
)  # fmt: skip


def _shape(event_name: str, payload: Mapping[str, object]) -> Mapping[str, object]:
    """Name fields as others do; an edit's texts stand under names of Goose's own."""
    del event_name
    shaped = dialect_agent.rename(payload, _FIELDS)
    given = fields.read_fields(shaped.get("tool_input"))
    return {**shaped, "tool_input": dialect_agent.rename(given, _EDIT_FIELDS)} if "before" in given else shaped


def _wire(site: Site) -> Wiring:
    project = places.find_project(site)
    plugins = project / ".agents" / "plugins" if project else places.find_home(site, _PLUGINS)
    folder = plugins / "memwiki"
    manifest = OwnFile(str(folder / "plugin.json"), _render_manifest, own_files.is_manifest(_NAME), note="plug-in")
    hooks = OwnFile(
        str(folder / "hooks" / "hooks.json"), _render_hooks, own_files.holds_only_hooks(_NAME), note="hooks"
    )
    if project:
        return Wiring(files=(manifest, hooks))
    config = places.find_home(site, _WINDOWS_HOME if site.system is System.WINDOWS else _HOME) / "config.yaml"
    entry = McpFile(str(config), _build_mcp_entry, _is_own_mcp_entry, ConfigFormat.YAML, ("extensions", MCP_ENTRY_NAME))
    return Wiring(files=(manifest, hooks), mcp=(entry,))


def _render_manifest(link: Link) -> str:
    del link
    return own_files.render_manifest(_NAME, _MANIFEST)


def _render_hooks(link: Link) -> str:
    return own_files.render_hook_file(_HOOK_EVENTS, link)


def _build_mcp_entry(link: Link) -> dict[str, object]:
    """Build an extension that starts our stdio bridge, since headers in this file would hold the token itself."""
    program, *arguments = link.bridge
    return {
        "enabled": True,
        "type": "stdio",
        "name": MCP_ENTRY_NAME,
        "cmd": program,
        "args": arguments,
        "envs": {},
        "timeout": 60,
    }


def _is_own_mcp_entry(entry: object) -> bool:
    server = fields.read_fields(entry)
    arguments = server.get("args")
    return server.get("type") == "stdio" and isinstance(arguments, list) and "mcp-stdio" in arguments


def _sample(session_id: str, cwd: str, words: str) -> Samples:
    used = {
        "tool_name": "developer__shell",
        "tool_input": {"command": "true"},
        "tool_call_id": f"call_{session_id}",
        "matcher_context": "developer__shell",
        "working_dir": cwd,
    }
    return dialect_agent.build_samples(
        {"session_id": session_id},
        ("SessionStart", {}),
        ("UserPromptSubmit", {"message": words, "matcher_context": words}),
        ("PostToolUse", used),
        ("Stop", {"last_assistant_message": "Done."}),
        ("SessionEnd", {}),
        named_by="event",
    )


AGENT = DialectAgent(
    name=_NAME,
    title="Goose",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.DOCUMENTED),
        binaries=("goose",),
        homes=(_HOME, _WINDOWS_HOME),
        scopes=frozenset(WiringScope),
        hook_events=_HOOK_EVENTS,
        token=TokenUse.BRIDGE,
        install_notes=("Goose reads plug-ins at start: sessions that are open now are not captured.",),
        captures="prompts, tool calls with what they were given, turns, and the session's start and end",
        misses=(
            "What a tool answered is not sent.",
            "No hook's output reaches the model: the agent has to ask for a brief through MCP.",
            "Compactions are not told.",
        ),
        user_instructions=".goosehints",
    ),
    dialect=_DIALECT,
    wire=_wire,
    sample=_sample,
    shape=_shape,
)
