"""Claude Desktop: MCP servers that it starts itself; it has no hooks."""

from app.agents import mcp_entries, places
from app.agents.agent import AgentTraits, Evidence, EvidenceKind, McpFile, TokenUse, Wiring
from app.agents.mcp_only import McpOnlyAgent
from app.agents.places import Home, Site
from app.domain.event import AgentName

_HOME = Home("Claude", is_config=True, is_native=True)


def _wire(site: Site) -> Wiring:
    path = str(places.find_home(site, _HOME) / "claude_desktop_config.json")
    return Wiring(mcp=(McpFile(path, mcp_entries.build_bridge_entry(), mcp_entries.is_own_entry),))


AGENT = McpOnlyAgent(
    name=AgentName.CLAUDE_DESKTOP,
    title="Claude Desktop",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.MCP_ONLY),
        homes=(_HOME,),
        token=TokenUse.BRIDGE,
        install_notes=(
            "Quit Claude Desktop wholly and start it again.",
            "From the Microsoft Store its settings lie under Packages in LOCALAPPDATA: paste the entry there.",
        ),
        captures="nothing: it has no hooks",
        misses=("It stands in no project: name one in what you ask.",),
    ),
    wire=_wire,
)
