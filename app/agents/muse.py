"""Muse: MCP servers in its settings; it has no hooks."""

from app.agents import mcp_entries, places
from app.agents.agent import MCP_ENTRY_NAME, AgentTraits, Evidence, EvidenceKind, McpFile, TokenUse, Wiring
from app.agents.mcp_only import McpOnlyAgent
from app.agents.places import Home, Site
from app.domain.event import AgentName

_HOME = Home("muse", is_config=True)
_FIXED = {"transport": "streamable_http", "enabled": True, "mode": "optional"}


def _wire(site: Site) -> Wiring:
    entry = McpFile(
        str(places.find_home(site, _HOME) / "settings.json"),
        mcp_entries.build_http_entry(fixed=_FIXED),
        mcp_entries.is_own_entry,
        keys=("mcp_servers", MCP_ENTRY_NAME),
        preset=((("schema_version",), 1),),
    )
    return Wiring(mcp=(entry,))


AGENT = McpOnlyAgent(
    name=AgentName.MUSE,
    title="Muse",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.MCP_ONLY),
        binaries=("muse",),
        homes=(_HOME,),
        # How its settings would name a variable is not documented.
        token=TokenUse.LITERAL,
        captures="nothing: it has no hooks",
    ),
    wire=_wire,
)
