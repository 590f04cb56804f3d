"""Who speaks in a text that begins with a name and a colon, as pasted chats and minutes do."""

import re
from collections.abc import Collection

from app.index import tokens

_SPEAKER = re.compile(r"\s*([^\W\d_][\w .'\u2019-]{0,39}):\s")


def is_among(text: str, words: Collection[str]) -> bool:
    """Tell whether a text is said by somebody whose name is among these words."""
    match = _SPEAKER.match(text)
    return match is not None and any(name in words for name in tokens.build_terms(match[1]).words.split())
