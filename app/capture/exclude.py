"""What must not be kept: words between `<private>` marks, wherever a payload carries text."""

import re

from app.domain import redact

# A closing mark without an opening one: the passage began in another part, which an agent sends as a text of its own.
_LEFT_OPEN = re.compile(r"\A.*</\s*private\s*>", re.IGNORECASE | re.DOTALL)


def may_have_private(body: bytes) -> bool:
    """Tell cheaply whether a JSON text may hold a private mark, in any case."""
    return b"private" in body.lower()


def drop_private(value: object) -> object:
    """Replace every private passage in a JSON value by a mark that says that something was there.

    This comes before an adapter cuts long texts, since a cut could take one mark and leave the words.
    """
    if isinstance(value, str):
        return _LEFT_OPEN.sub("[private]", redact.strip_private(value))
    if isinstance(value, dict):
        return {drop_private(name): drop_private(item) for name, item in value.items()}
    if isinstance(value, list):
        return [drop_private(item) for item in value]
    return value
