"""The usual form of our entry in a list of MCP servers, and how one is recognised as ours."""

from collections.abc import Callable, Mapping

from app.agents import fields
from app.agents.agent import Link

_URL_FIELDS = ("url", "httpUrl", "serverUrl", "uri")
_BRIDGE = "mcp-stdio"


def build_http_entry(
    *, url_field: str = "url", reference: str = "${%s}", fixed: Mapping[str, object] | None = None
) -> Callable[[Link], dict[str, object]]:
    """Make the builder of an entry with an address and, where a token is needed, `headers`.

    `fixed` has what else the agent wants in it; `reference` is how it expands a variable.
    """

    def build(link: Link) -> dict[str, object]:
        entry: dict[str, object] = {**(fixed or {}), url_field: link.mcp_url}
        headers = link.build_headers(reference)
        return {**entry, "headers": headers} if headers else entry

    return build


def build_bridge_entry(fixed: Mapping[str, object] | None = None) -> Callable[[Link], dict[str, object]]:
    """Make the builder of an entry that starts our stdio bridge, which finds the token itself."""

    def build(link: Link) -> dict[str, object]:
        program, *arguments = link.bridge
        return {**(fixed or {}), "command": program, "args": arguments}

    return build


def is_own_entry(entry: object) -> bool:
    """Tell by its form: a server at an address that ends in our path, or our stdio bridge."""
    server = fields.read_fields(entry)
    arguments = server.get("args")
    if "command" in server:
        return isinstance(arguments, list) and _BRIDGE in arguments
    return any(str(server.get(field, "")).partition("?")[0].endswith("/mcp") for field in _URL_FIELDS)
