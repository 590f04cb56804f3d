"""Swival: MCP servers of a project; it has no hooks."""

from app.agents import mcp_entries, places
from app.agents.agent import AgentTraits, Evidence, EvidenceKind, McpFile, TokenUse, Wiring
from app.agents.mcp_only import McpOnlyAgent
from app.agents.places import Site, WiringScope
from app.domain.event import AgentName


def _wire(site: Site) -> Wiring:
    project = places.find_project(site)
    if project is None:
        return Wiring()
    path = str(project / ".swival" / "mcp.json")
    return Wiring(mcp=(McpFile(path, mcp_entries.build_bridge_entry(), mcp_entries.is_own_entry),))


AGENT = McpOnlyAgent(
    name=AgentName.SWIVAL,
    title="Swival",
    traits=AgentTraits(
        evidence=Evidence(EvidenceKind.MCP_ONLY),
        binaries=("swival",),
        scopes=frozenset({WiringScope.PROJECT}),
        token=TokenUse.BRIDGE,
        captures="nothing: it has no hooks",
        misses=("Its sessions have no name that stays the same: give one when you claim a handoff.",),
    ),
    wire=_wire,
)
