"""OpenCode: what our plug-in tells of its callbacks and events, its folder for plug-ins, its list of MCP servers.

A callback's two arguments come as `input` and `output`, an event of the bus as `type` and `properties`; around them
the plug-in says whose session it is. The plug-in itself is in `opencode_plugin`.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from app.agents import (
    dialect,
    fields,
    mcp_entries,
    opencode_plugin,
    opencode_tools,
    places,
    plugin_sender,
    prompt,
    start_context,
)
from app.agents.agent import (
    MCP_ENTRY_NAME,
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
from app.agents.places import Home, Site, System, WiringScope
from app.domain.event import AgentName, Event, EventKind, Outcome

name: AgentName = AgentName.OPENCODE
title: str = "OpenCode"

# OpenCode keeps its settings there on every system, also where others have a place of their own.
_HOME = Home(".config/opencode")
_MOVED = Home("opencode", is_config=True)
_HOOK_EVENTS = tuple(
    HookEvent(event)
    for event in (
        "session.created", "session.resumed", "chat.message", "tool.execute.before", "tool.execute.after",
        "tool.execute.error", "session.compacted", "session.idle", "session.deleted", "session.ended",
    )
)  # fmt: skip

traits: AgentTraits = AgentTraits(
    evidence=Evidence(EvidenceKind.VERIFIED, "1.18.33"),
    binaries=("opencode",),
    launch=Launch(resume=("--session", "{id}")),
    homes=(_HOME, _MOVED),
    scopes=frozenset(WiringScope),
    hook_events=_HOOK_EVENTS,
    shell=Shell.NONE,
    windows_shell=Shell.NONE,
    brief=BriefWay(
        BriefPoint.PLUGIN, ("session.created", "session.resumed"), "our plug-in, experimental.chat.system.transform"
    ),
    one_shot=OneShot("our plug-in sees `opencode run`", payload=(("mode", frozenset({"run"})),)),
    install_notes=(
        "OpenCode loads plug-ins at start: sessions that are open now are not captured.",
        "With a plug-in, OpenCode fetches its library @opencode-ai/plugin once; without a network that start is slow.",
    ),
    misses=("A session that is left open has no end of its own: it ends when OpenCode does.",),
)

_TOOL_FIELDS = frozenset({"tool_name", "tool_input", "tool_use_id"})
_EVENT_FIELDS = frozenset({"id", "type", "properties"})
_DIALECT = Dialect(
    agent=name,
    kinds={
        "session.created": EventKind.SESSION_START,
        # The plug-in's own words: OpenCode tells of neither.
        "session.resumed": EventKind.SESSION_START,
        "session.ended": EventKind.SESSION_END,
        "session.deleted": EventKind.SESSION_END,
        "chat.message": EventKind.PROMPT,
        "tool.execute.before": EventKind.TOOL_START,
        "tool.execute.after": EventKind.TOOL_END,
        # A tool that failed has no callback; the bus tells of its part of the message.
        "tool.execute.error": EventKind.TOOL_END,
        "session.compacted": EventKind.COMPACTION,
        "session.idle": EventKind.TURN_END,
    },
    beside=frozenset({
        "command.executed", "file.edited", "file.watcher.updated", "message.part.removed", "message.part.updated",
        "message.removed", "message.updated", "permission.replied", "permission.updated", "plugin.init",
        "session.diff", "session.error", "session.status", "session.updated", "shell.env", "todo.updated",
    }),
    shared_fields=frozenset({"cwd", "timestamp", "agent_id", "agent_type", "mode", "input", "output"}) | _EVENT_FIELDS,
    fields={
        "session.created": frozenset({"source"}),
        "session.resumed": frozenset({"source"}),
        "session.ended": frozenset({"reason"}),
        "chat.message": frozenset({"prompt", "prompt_id"}),
        "tool.execute.before": _TOOL_FIELDS,
        "tool.execute.after": _TOOL_FIELDS | {"tool_response"},
        "tool.execute.error": _TOOL_FIELDS | {"tool_response"},
        "session.compacted": frozenset({"compact_summary"}),
        "session.idle": frozenset({"last_assistant_message"}),
    },
    marks=prompt.MachineMarks(
        tags=frozenset({"system-reminder", "file"}),
        openings=("Called the ", "Summarize the task tool output above", "Continue if you have next steps"),
        recaps=(),
        idle_commands=frozenset({"/clear", "/compact", "/exit", "/help", "/models", "/new", "/sessions", "/undo"}),
    ),
    tools=opencode_tools.READERS,
    failures=frozenset({"tool.execute.error"}),
    tool_outcome=Outcome.SUCCEEDED,
)  # fmt: skip
known_events: frozenset[str] = _DIALECT.known_events

_OF_HELPERS = {EventKind.SESSION_START: EventKind.SUBAGENT_START, EventKind.TURN_END: EventKind.SUBAGENT_END}


def parse_event(event_name: str, payload: Mapping[str, object]) -> Event:
    """Read what the plug-in sent, also without what it says around a callback's arguments.

    Raises:
        MalformedPayload: no session id can be found.
    """
    event = dialect.parse_event(_DIALECT, event_name.removeprefix("event."), _shape(payload))
    # A helper's session begins and rests as any other does, within its parent's.
    return replace(event, kind=_OF_HELPERS.get(event.kind, event.kind)) if event.helper_id else event


def takes_brief_at(event: Event) -> bool:
    """Tell whether the plug-in hands text on to the model of a main session: what it got at the start."""
    return event.kind is EventKind.SESSION_START and not event.helper_id


def render_brief(event: Event, text: str) -> str:
    """Write the text that the plug-in adds to the system prompt."""
    return start_context.render_plain(text) if takes_brief_at(event) else ""


def list_wiring(site: Site) -> Wiring:
    """Find the folder of plug-ins, of which one is ours, and the settings with the list of MCP servers."""
    project = places.find_project(site)
    if project is not None:
        return _build_wiring(project / ".opencode" / "plugin", project / "opencode.json")
    is_moved = site.system is not System.WINDOWS or bool(site.env.get("XDG_CONFIG_HOME", "").strip())
    folder = places.find_home(site, _MOVED if is_moved else _HOME)
    return _build_wiring(folder / "plugin", folder / "opencode.json")


def sample_events(session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Build a session of one prompt and one command."""
    shared: dict[str, object] = {"session_id": session_id, "cwd": cwd}
    use: dict[str, object] = {"tool": "bash", "sessionID": session_id, "callID": f"call_{session_id}"}
    events: tuple[tuple[str, dict[str, object]], ...] = (
        ("session.created", {"properties": {"info": {"id": session_id, "directory": cwd}}}),
        (
            "chat.message",
            {
                "input": {"sessionID": session_id},
                "output": {"message": {"id": f"msg_{session_id}"}, "parts": [{"type": "text", "text": words}]},
            },
        ),
        (
            "tool.execute.after",
            {"input": {**use, "args": {"command": "true"}}, "output": {"output": "", "metadata": {"exit": 0}}},
        ),
        ("session.idle", {"properties": {"sessionID": session_id}}),
        ("session.ended", {"reason": "dispose"}),
    )
    return tuple((event, {**shared, "hook_event_name": event, **more}) for event, more in events)


def _build_wiring(plugins: PurePath, settings: PurePath) -> Wiring:
    plugin = OwnFile(
        str(plugins / "memwiki.js"), opencode_plugin.render, partial(plugin_sender.is_own, name), note="plug-in"
    )
    entry = McpFile(
        str(settings),
        # Without a word on it, OpenCode would look for a way to sign in.
        mcp_entries.build_http_entry(reference="{env:%s}", fixed={"type": "remote", "enabled": True, "oauth": False}),
        mcp_entries.is_own_entry,
        keys=("mcp", MCP_ENTRY_NAME),
    )
    return Wiring(files=(plugin,), mcp=(entry,))


def _shape(payload: Mapping[str, object]) -> dict[str, object]:
    """Bring a payload into the shape that all agents' payloads share; what is there already stays."""
    given, answer = fields.read_fields(payload.get("input")), fields.read_fields(payload.get("output"))
    properties = fields.read_fields(payload.get("properties"))
    part, message = fields.read_fields(properties.get("part")), fields.read_fields(answer.get("message"))
    about = fields.read_fields(properties.get("info"))
    told = {
        "hook_event_name": payload.get("type"),
        "session_id": fields.read_first(
            {
                "input": given.get("sessionID"),
                "properties": properties.get("sessionID"),
                "message": message.get("sessionID"),
                "part": part.get("sessionID"),
                "about": about.get("id") if "directory" in about else about.get("sessionID"),
            },
            "input", "properties", "message", "part", "about",
        ),
        "cwd": about.get("directory"),
        "timestamp": fields.read_first(
            {
                "message": fields.read_fields(message.get("time")).get("created"),
                "about": fields.read_fields(about.get("time")).get("created"),
            },
            "message", "about",
        ),
    }  # fmt: skip
    if about.get("parentID") is not None and "directory" in about:
        told |= {
            "agent_id": about.get("id"),
            "agent_type": about.get("agent"),
            "parent_session_id": about.get("parentID"),
        }
    if "parts" in answer:
        told |= {"prompt": _read_prompt(answer["parts"]), "prompt_id": message.get("id")}
    if "tool" in given:
        told |= opencode_tools.read_use(given, answer)
    elif fields.read_fields(part.get("state")).get("status") == "error":
        told |= opencode_tools.read_failed_part(part) | {"hook_event_name": "tool.execute.error"}
    shaped = {field: value for field, value in told.items() if value is not None}
    return shaped | {field: value for field, value in payload.items() if value is not None or field not in shaped}


def _read_prompt(parts: object) -> str:
    """Read what was typed; a file that was put beside it is named, and what OpenCode itself added is left out."""
    if not isinstance(parts, list):
        return fields.read_text(parts)
    return _unquote("\n".join(filter(None, map(_read_part, map(fields.read_fields, parts)))))


def _read_part(part: Mapping[str, object]) -> str:
    if part.get("synthetic") is True or part.get("ignored") is True:
        return ""
    if part.get("type") == "file":
        return f"[file {fields.read_path(part.get('filename'))}]"
    return fields.read_text(part.get("text"))


def _unquote(text: str) -> str:
    """Take away the marks that `opencode run` puts around a prompt of several words."""
    inner = text[1:-1].replace('\\"', "")
    is_quoted = len(text) > 1 and text[0] == text[-1] == '"' and '"' not in inner
    return text[1:-1].replace('\\"', '"') if is_quoted else text
