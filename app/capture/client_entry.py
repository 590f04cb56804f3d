"""Makes of one event the line in which it waits: redacted, without private blocks, and with bounded texts.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from app.domain import limits, redact_rules
from app.domain.redact_engine import Engine, strip_private

_TEXT_CHARS_MIN = 64


def build_entry(facts: Mapping[str, object], checkout: Mapping[str, object], body: bytes) -> bytes:
    """Build the line of one event; an event that cannot be read has none."""
    try:
        payload = json.loads(body if len(body) <= limits.HOOK_BODY_BYTES_MAX else b"too large")
        room = limits.SPOOLED_TEXT_CHARS_MAX
        if len(body) > limits.SPOOLED_PAYLOAD_CHARS_MAX:
            room = min(room, max(_TEXT_CHARS_MIN, limits.SPOOLED_PAYLOAD_CHARS_MAX // body.count(b'"') * 2))
        cleaner = _Cleaner(room)
        entry = {**facts, "checkout": cleaner.clean({**checkout}), "payload": cleaner.clean({**payload})}
        return json.dumps(entry, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace") + b"\n"
    except Exception:
        return b""


class _Cleaner:
    """Takes secrets and private blocks out of parsed JSON and bounds its texts."""

    def __init__(self, chars_max: int) -> None:
        self._chars_max = chars_max
        self._engine = Engine(redact_rules.MARKS, redact_rules.PLACEHOLDER, redact_rules.RULES, redact_rules.NAMED)

    def clean(self, value: object, name: str = "") -> object:
        """Clean a value; its name alone may say that it is a secret."""
        if isinstance(value, dict):
            return {self._redact(str(key)): self.clean(item, str(key)) for key, item in value.items()}
        if isinstance(value, list):
            return [self.clean(item, name) for item in value]
        if not isinstance(value, str):
            return value
        text = self._cut(strip_private(value))
        kind = self._engine.classify_field(name, text)
        return "[redacted:%s]" % kind if kind else self._redact(text)

    def _redact(self, text: str) -> str:
        return self._engine.redact(text, self._engine.find_hinted)

    def _cut(self, text: str) -> str:
        """Keep the head and the tail of a long text, cut at blanks so that no token is halved."""
        if len(text) <= self._chars_max:
            return text
        half = self._chars_max // 2
        head = re.sub(r"\S{1,256}$", "", text[:half])
        tail = re.sub(r"^\S{1,256}", "", text[-half:])
        return "%s[%d characters cut]%s" % (head, len(text) - len(head) - len(tail), tail)
