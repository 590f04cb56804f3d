"""Amp: a plug-in that tells of a thread's events, and MCP servers in its settings.

Of a tool only its result is told: a plug-in that is asked about a call has to decide on it.
"""

from collections.abc import Mapping
from functools import partial

from app.agents import claude_words, dialect_agent, mcp_entries, places, plugin_sender, start_context, tool_readers
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
from app.agents.places import Home, Site, WiringScope
from app.domain.event import AgentName, EventKind

_NAME = AgentName.AMP
_HOME = Home("amp", is_config=True)
_KINDS = {
    "session.start": EventKind.SESSION_START,
    "agent.start": EventKind.PROMPT,
    "tool.result": EventKind.TOOL_END,
    "agent.end": EventKind.TURN_END,
}
_HOOK_EVENTS = tuple(HookEvent(event) for event in _KINDS)
_FIELDS = {
    "tool": "tool_name",
    "input": "tool_input",
    "toolUseID": "tool_use_id",
    "output": "tool_response",
}
_DIALECT = Dialect(
    agent=_NAME,
    kinds=_KINDS,
    beside=frozenset({"tool.call"}),
    shared_fields=frozenset({"cwd", "timestamp", "thread", "id", "message", "status", "changesWorkflow"}),
    fields={
        "agent.start": frozenset({"prompt", "prompt_id"}),
        "tool.result": frozenset({"tool_name", "tool_input", "tool_use_id", "tool_response", "success", "error"}),
        "agent.end": frozenset({"last_assistant_message"}),
    },
    marks=claude_words.MARKS,
    tools={
        **claude_words.TOOLS,
        "shell_command": tool_readers.read_shell,
        "create_file": tool_readers.create_file,
        "edit_file": tool_readers.edit_file,
        "apply_patch": tool_readers.apply_patch,
        "finder": tool_readers.search_files,
        "glob": tool_readers.search_files,
        "read_web_page": tool_readers.ask_web,
        "web_search": tool_readers.ask_web,
        "todo_write": tool_readers.write_todos,
    },
)
_BODY = r"""
export const description = "Tells memwiki what happens in a thread, and hands a brief to its first turn.";

export default function memwiki(amp) {
  const briefs = new Map();
  const folder = () => {
    try {
      const root = amp.system?.workspaceRoot;
      if (root) return amp.helpers.filePathFromURI(root);
    } catch {}
    return process.cwd();
  };
  const read = (messages) => {
    const last = [...(messages ?? [])].reverse().find((message) => message?.role === "assistant");
    const parts = Array.isArray(last?.content) ? last.content : [];
    return parts.flatMap((part) => (part?.type === "text" ? [part.text] : [])).join("\n").slice(0, SAID_MAX);
  };
  const tell = (name, { messages, ...event }, extra) =>
    send(name, { session_id: event.thread?.id, cwd: folder(), ...event, ...extra });
  const on = (name, work) =>
    amp.on(name, async (event) => {
      try {
        return await work(event);
      } catch {}
    });

  on("session.start", (event) => {
    briefs.set(event.thread.id, within(tell("session.start", event), START_MS));
  });
  on("agent.start", async (event) => {
    void tell("agent.start", event);
    const brief = briefs.get(event.thread.id);
    briefs.delete(event.thread.id);
    const text = await brief;
    return text ? { message: { content: text, display: false } } : {};
  });
  on("tool.result", (event) => void tell("tool.result", event));
  on("agent.end", (event) => void tell("agent.end", event, { last_assistant_message: read(event.messages) }));
}
"""


def _shape(event_name: str, payload: Mapping[str, object]) -> Mapping[str, object]:
    """Name fields as others do; only at a turn's start its message is what a person has just said."""
    shaped = dialect_agent.rename(payload, _FIELDS)
    if (payload.get("hook_event_name") or event_name) == "agent.start":
        shaped = dialect_agent.rename(shaped, {"message": "prompt"}) | {"prompt_id": str(payload.get("id") or "")}
    if "tool_name" in shaped and payload.get("status") in ("done", "error"):
        shaped["success"] = payload["status"] == "done"
    return shaped


def _wire(site: Site) -> Wiring:
    project = places.find_project(site)
    folder = project / ".amp" if project else places.find_home(site, _HOME)
    plugin = OwnFile(
        str(folder / "plugins" / "memwiki.ts"), _render, partial(plugin_sender.is_own, _NAME), note="plug-in"
    )
    # The name of this setting has a dot in it.
    entry = McpFile(
        str(folder / "settings.json"),
        mcp_entries.build_http_entry(),
        mcp_entries.is_own_entry,
        keys=("amp.mcpServers", MCP_ENTRY_NAME),
    )
    return Wiring(files=(plugin,), mcp=(entry,))


def _render(link: Link) -> str:
    return plugin_sender.render(_NAME, link, _BODY)


def _sample(session_id: str, cwd: str, words: str) -> Samples:
    used = {
        "tool": "Bash",
        "input": {"cmd": "true"},
        "toolUseID": f"toolu_{session_id}",
        "status": "done",
        "output": {"output": "", "exitCode": 0},
    }
    return dialect_agent.build_samples(
        {"session_id": session_id, "cwd": cwd, "thread": {"id": session_id}},
        ("session.start", {}),
        ("agent.start", {"message": words, "id": 1}),
        ("tool.result", used),
        ("agent.end", {"message": words, "id": 1, "status": "done", "last_assistant_message": "Done."}),
    )


AGENT = DialectAgent(
    name=_NAME,
    title="Amp",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.DOCUMENTED),
        binaries=("amp",),
        homes=(_HOME,),
        scopes=frozenset(WiringScope),
        hook_events=_HOOK_EVENTS,
        shell=Shell.NONE,
        windows_shell=Shell.NONE,
        brief=BriefWay(BriefPoint.PLUGIN, ("session.start",), "our plug-in, a message of agent.start"),
        has_session_end=False,
        install_notes=("Amp loads plug-ins at start: choose `plugins: reload` in sessions that are open now.",),
        captures="prompts, tool calls with their results, turns and the session's start",
        misses=("Compactions are not told, and a session ends by its idle time.",),
        user_instructions="AGENTS.md",
    ),
    dialect=_DIALECT,
    wire=_wire,
    sample=_sample,
    shape=_shape,
    write_brief=start_context.render_plain,
)
