"""Zed: MCP servers in its settings, which have comments; its own agent has no hooks."""

from app.agents import mcp_entries, places
from app.agents.agent import MCP_ENTRY_NAME, AgentTraits, Evidence, EvidenceKind, McpFile, TokenUse, Wiring
from app.agents.mcp_only import McpOnlyAgent
from app.agents.places import Home, Site, WiringScope
from app.domain.event import AgentName

_HOME = Home("zed", is_config=True)


def _wire(site: Site) -> Wiring:
    project = places.find_project(site)
    folder = project / ".zed" if project else places.find_home(site, _HOME)
    entry = McpFile(
        str(folder / "settings.json"),
        mcp_entries.build_bridge_entry(),
        mcp_entries.is_own_entry,
        keys=("context_servers", MCP_ENTRY_NAME),
    )
    return Wiring(mcp=(entry,))


AGENT = McpOnlyAgent(
    name=AgentName.ZED,
    title="Zed",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.MCP_ONLY),
        binaries=("zed", "zeditor"),
        launch=None,
        homes=(_HOME,),
        scopes=frozenset(WiringScope),
        token=TokenUse.BRIDGE,
        captures="nothing: it has no hooks; agents that run inside Zed use their own",
    ),
    wire=_wire,
)
