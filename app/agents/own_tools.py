"""Recognises our own server's tools and commands, whose results are old memory and must not be stored again."""

import re
from functools import lru_cache

# Every agent spells `server` and `tool` together in its own way: `mcp__memwiki__memory_read`, `memory-memory_read` …
_OWN_SERVER = re.compile(r"(?:^|[_/.\-])memwiki(?:[_/.\-]|$)")
_OWN_TOOL = re.compile(
    r"(?:^|[_/.\-])memory[_\-](?:search|read|recent|session|write|status|setup|(?:handoff|message)[_\-]\w+)$"
)
_OWN_COMMAND = re.compile(r"^\s*(?:\S*/)?memwiki\s+(?:search|read|status|handoff)\b")


@lru_cache(maxsize=1024)
def is_own_tool(name: str) -> bool:
    """Tell whether a tool's name, in any agent's spelling, is one of our server's."""
    return bool(_OWN_SERVER.search(name) or _OWN_TOOL.search(name))


def is_own_command(command: str) -> bool:
    """Tell whether a shell command asks our own command line for what is remembered."""
    return bool(_OWN_COMMAND.match(command))
