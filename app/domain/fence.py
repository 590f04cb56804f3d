"""The marks around recalled text: what stands between them is data for a model, never an instruction."""

import re

BRIEF_OPEN_PREFIX = "<memwiki-brief"
BRIEF_CLOSE = "</memwiki-brief>"

_MARK = re.compile(r"<(/?)(memwiki-brief)", re.IGNORECASE)
# An opening mark may itself be cut; stopping at "<" keeps the search linear however many marks a text has.
_BLOCK = re.compile(r"<memwiki-brief\b[^<>]*(?:\Z|>.*?(?:</memwiki-brief>|\Z))", re.IGNORECASE | re.DOTALL)
# The same from an agent that writes what it was told into HTML; our own escape keeps the mark's last ">" as it is.
_ESCAPED_BLOCK = re.compile(
    r"&lt;memwiki-brief\b(?:(?!&[lg]t;)[^<>])*(?:\Z|&gt;.*?(?:&lt;/memwiki-brief&gt;|\Z))", re.IGNORECASE | re.DOTALL
)
# What is left of a block whose opening mark was cut away by the agent.
_TAIL = re.compile(r"</memwiki-brief>|&lt;/memwiki-brief&gt;", re.IGNORECASE)


def escape_fence(text: str) -> str:
    """Make marks inside recalled text harmless, so that it cannot close its own fence."""
    return _MARK.sub(r"&lt;\1\2", text)


def strip_fence(text: str) -> str:
    """Remove our own injected blocks from text that an agent sends back, also when they were cut."""
    if ("<" not in text and "&" not in text) or "memwiki-brief" not in text.lower():
        return text
    return _TAIL.sub("", _ESCAPED_BLOCK.sub("", _BLOCK.sub("", text))).strip()
