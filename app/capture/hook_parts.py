"""Renders the parts of the hook client, which is one file and cannot import them, into its source.

`python -m app.capture.hook_parts` brings the client up to date.
"""

import importlib
import inspect
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from app.capture import native_kinds
from app.domain import limits, redact_rules

BEGIN_MARK: Final = (
    "# BEGIN GENERATED: copies of app/, made by `python -m app.capture.hook_parts`, never edited by hand\n"
)
END_MARK: Final = "# END GENERATED\n"
# Copied as they are; they import the standard library and each other alone.
PARTS: Final = (
    "app.capture.client_checkout",
    "app.capture.client_consent",
    "app.capture.client_drain",
    "app.capture.client_entry",
    "app.capture.client_files",
    "app.capture.client_git",
    "app.capture.client_http",
    "app.capture.client_notes",
    "app.capture.client_notice",
    "app.capture.client_parents",
    "app.capture.client_seal",
    "app.capture.client_sessions",
    "app.capture.client_spool",
    "app.capture.client_wishes",
    "app.capture.marker",
    "app.capture.policy",
    "app.capture.policy_facts",
    "app.domain.limits_client",
    "app.domain.redact_engine",
)


def render_parts() -> str:
    """Write the block of the client's source between its marks: each part as a text by its module's name."""
    sources = {name: inspect.getsource(importlib.import_module(name)) for name in PARTS}
    texts = {
        **sources,
        "app.capture.native_kinds": _render_tables(),
        "app.domain.limits": _render_limits(sources.values()),
        "app.domain.redact_rules": _render_rules(),
    }
    return f"{BEGIN_MARK}PARTS = {{\n{''.join(map(_render_part, sorted(texts.items())))}}}\n{END_MARK}"


def replace_parts(source: str) -> str:
    """Put today's block in place of the one in the client's source."""
    head, _, rest = source.partition(BEGIN_MARK)
    return head + render_parts() + rest.partition(END_MARK)[2]


def update_client() -> None:
    """Bring the client in this checkout up to date."""
    path = Path(__file__).parents[2] / "hooks" / "send_event.py"
    path.write_text(replace_parts(path.read_text(encoding="utf-8")), encoding="utf-8")


def _render_part(part: tuple[str, str]) -> str:
    name, text = part
    assert "'''" not in text, "a part stands between three quotes"
    assert not text.endswith("\\\n"), "a raw text cannot end in a backslash"
    quotes = "'''" if '"""' in text else '"""'
    remark = "  # noqa: E501" if max(map(len, text.splitlines())) > limits.HOOK_PARTS_COLUMNS_MAX else ""
    return f'    "{name}": r{quotes}\n{text}{quotes},{remark}\n'


def _render_tables() -> str:
    tables = {
        "KINDS": native_kinds.KINDS,
        "ONE_SHOT": native_kinds.ONE_SHOT,
        "ONE_SHOT_WORDS": native_kinds.ONE_SHOT_WORDS,
        "UNNAMED": native_kinds.UNNAMED,
        "SESSION_FIELDS": native_kinds.SESSION_FIELDS,
        "NOTICE_PLACE": native_kinds.NOTICE_PLACE,
        "NOTICES": native_kinds.NOTICES,
    }
    return "".join(f"{name} = {json.dumps(table)}\n" for name, table in tables.items())


def _render_limits(sources: Iterable[str]) -> str:
    """Write those limits that the parts speak of."""
    names = {name for source in sources for name in re.findall(r"\blimits\.([A-Z_]+)", source)}
    return "".join(f"{name} = {getattr(limits, name)!r}\n" for name in sorted(names))


def _render_rules() -> str:
    """Write the rules as JSON in a raw text; look-alikes, which many of them share, stand there once."""
    shared = list(dict.fromkeys(row[-1] for row in (*redact_rules.RULES, *redact_rules.NAMED)))
    tables = [
        (redact_rules.MARKS, redact_rules.PLACEHOLDER),
        shared,
        [(*row[:-1], shared.index(row[-1])) for row in redact_rules.RULES],
        [(*row[:-1], shared.index(row[-1])) for row in redact_rules.NAMED],
    ]
    body = "\n], [\n".join(map(_wrap, tables))
    return (
        f'import json\n\n(MARKS, PLACEHOLDER), _SHARED, *_TABLES = json.loads(r"""[[\n{body}\n]]""")\n'
        "RULES, NAMED = ([(*row[:-1], _SHARED[row[-1]]) for row in table] for table in _TABLES)\n"
    )


def _wrap(rows: Iterable[object]) -> str:
    lines = [""]
    for row in rows:
        text = f"{json.dumps(row)},"
        if lines[-1] and len(lines[-1]) + len(text) > limits.HOOK_PARTS_LINE_CHARS_MAX:
            lines.append("")
        lines[-1] += text
    return "\n".join(lines).rstrip(",")


if __name__ == "__main__":
    update_client()
