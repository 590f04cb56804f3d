"""Continue: a list of MCP servers in its configuration; of hooks it runs those of Claude Code, and none in `cn -p`."""

from app.agents import mcp_entries, places
from app.agents.agent import (
    MCP_ENTRY_NAME,
    AgentTraits,
    ConfigFormat,
    Evidence,
    EvidenceKind,
    McpFile,
    TokenUse,
    Wiring,
)
from app.agents.mcp_only import McpOnlyAgent
from app.agents.places import Home, Site
from app.domain.event import AgentName

_HOME = Home(".continue", variable="CONTINUE_GLOBAL_DIR")


def _wire(site: Site) -> Wiring:
    entry = McpFile(
        str(places.find_home(site, _HOME) / "config.yaml"),
        mcp_entries.build_bridge_entry({"name": MCP_ENTRY_NAME}),
        mcp_entries.is_own_entry,
        ConfigFormat.YAML,
        ("mcpServers",),
        listed_by="name",
    )
    return Wiring(mcp=(entry,))


AGENT = McpOnlyAgent(
    name=AgentName.CONTINUE,
    title="Continue",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.MCP_ONLY),
        binaries=("cn",),
        homes=(_HOME,),
        token=TokenUse.BRIDGE,
        reads_hooks_of=(AgentName.CLAUDE_CODE,),
        install_notes=("MCP servers count in Continue's agent mode alone.",),
        captures="nothing by hooks of its own; it reads those of Claude Code, which were seen to run in no `cn -p`",
    ),
    wire=_wire,
)
