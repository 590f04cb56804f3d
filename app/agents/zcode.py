"""ZCode: hooks that run a program without a shell, and MCP servers, both in one configuration file."""

from app.agents import claude_words, dialect_agent, mcp_entries, places, start_context
from app.agents.agent import (
    MCP_ENTRY_NAME,
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
    Shell,
    TokenUse,
    Wiring,
)
from app.agents.dialect_agent import DialectAgent, Samples
from app.agents.places import Home, Site
from app.domain.event import AgentName

_NAME = AgentName.ZCODE
_HOME = Home(".zcode")
_OUTPUT_BYTES = 65536
_HOOK_EVENTS = tuple(
    HookEvent(event)
    for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop")
)
_DIALECT = claude_words.build_dialect(
    _NAME, (event.name for event in _HOOK_EVENTS), beside=("PermissionRequest", "Notification")
)


def _build_hook(event: HookEvent, call: HookCall) -> dict[str, object]:
    program, *arguments = call if isinstance(call, tuple) else (call,)
    return {
        "type": "process",
        "command": program,
        "args": arguments,
        "enabled": True,
        "timeoutMs": event.timeout_seconds * 1000,
        "statusMessage": "memwiki capture",
    }


def _wire(site: Site) -> Wiring:
    """Find the configuration file; a project's own hooks are run by no release."""
    path = str(places.find_home(site, _HOME) / "cli" / "config.json")
    preset = ((("hooks", "enabled"), True), (("hooks", "maxOutputBytes"), _OUTPUT_BYTES))
    shape = HookShape(root=("hooks", "events"), build=_build_hook, preset=preset)
    entry = McpFile(
        path, mcp_entries.build_bridge_entry(), mcp_entries.is_own_entry, keys=("mcp", "servers", MCP_ENTRY_NAME)
    )
    return Wiring(hooks=(HookFile(path, shape=shape),), mcp=(entry,))


def _sample(session_id: str, cwd: str, words: str) -> Samples:
    used = {
        "tool_name": "Bash",
        "tool_input": {"command": "true"},
        "tool_use_id": f"call_{session_id}",
        "tool_response": {"stdout": "", "stderr": ""},
    }
    return dialect_agent.build_samples(
        {"session_id": session_id, "cwd": cwd},
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": words}),
        ("PostToolUse", used),
        ("Stop", {"last_assistant_message": "Done."}),
    )


AGENT = DialectAgent(
    name=_NAME,
    title="ZCode",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.ASSUMED),
        binaries=("zcode",),
        homes=(_HOME,),
        hook_events=_HOOK_EVENTS,
        shell=Shell.NONE,
        windows_shell=Shell.NONE,
        token=TokenUse.BRIDGE,
        brief=BriefWay(BriefPoint.SESSION_START, ("SessionStart",), "hookSpecificOutput.additionalContext"),
        has_session_end=False,
        install_notes=("ZCode reads its configuration when a session starts.",),
        captures="prompts, tool calls with their results, turns and the session's start",
        misses=(
            "`zcode -p` was seen to run no hooks: such sessions are not captured.",
            "Compactions are not told, and a session ends by its idle time.",
        ),
    ),
    dialect=_DIALECT,
    wire=_wire,
    sample=_sample,
    write_brief=lambda text: start_context.render_context("SessionStart", text),
)
