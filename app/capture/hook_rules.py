"""Render the redaction rules and their engine for the hook client, which is one file and cannot import them."""

import inspect
import json
from collections.abc import Iterable

from app.domain import redact_engine
from app.domain.redact_rules import MARKS, NAMED, PLACEHOLDER, RULES

BEGIN_MARK = "# BEGIN GENERATED: made by app/capture/hook_rules.py from app/domain, never edited by hand\n"
END_MARK = "# END GENERATED\n"

# Rules share lines, since the client's reader has no use for them.
_LINE_CHARS_MAX = 2500


def render_hook_rules() -> str:
    """Write the block of the client's source between its marks: the rules as JSON in a raw string, and the engine."""
    patterns = ", ".join(json.dumps(pattern) for pattern in (MARKS, PLACEHOLDER))
    body = f"[{patterns}, [\n{_wrap(RULES)}\n], [\n{_wrap(NAMED)}\n]]"
    assert '"""' not in body, "the rules stand between three quotes"
    engine = inspect.getsource(redact_engine)
    code = engine[engine.index("# A placeholder can") :]
    # The engine's own import stands in the block, so that the client's source need not know of it.
    begin = f"{BEGIN_MARK}import binascii  # noqa: E402\n\n"
    return f'{begin}RULES_JSON = r"""\n{body}\n"""  # noqa: E501\n\n{code}\n\n{END_MARK}'


def replace_block(source: str) -> str:
    """Put today's block in place of the one in the client's source."""
    head, _, rest = source.partition(BEGIN_MARK)
    return head + render_hook_rules() + rest.partition(END_MARK)[2]


def _wrap(rows: Iterable[object]) -> str:
    lines = [""]
    for row in rows:
        text = f"{json.dumps(row)},"
        if lines[-1] and len(lines[-1]) + len(text) > _LINE_CHARS_MAX:
            lines.append("")
        lines[-1] += text
    return "\n".join(lines).rstrip(",")
