"""The log of one month: what was worked on and what was learned, day by day, the latest first."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

from app.compile import escape
from app.domain import legible
from app.domain.limits_knowledge import LOG_DAY_LINES_MAX, LOG_LINE_CHARS_MAX
from app.domain.page import PageKind, PagePath
from app.index.entries import PageRow

# They change with every session that touches what they are about, which says nothing of its own.
_KEPT_CURRENT = frozenset({PageKind.CONCEPT, PageKind.PROCEDURE})
_LOG = re.compile(r"log/([1-9]\d{3})-(0[1-9]|1[0-2])\.md")
_NOTICE = "<!-- memwiki writes this page anew after each session; keep your own text on other pages -->"


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page to be saved: where, its frontmatter, and its text."""

    path: PagePath
    fields: Mapping[str, object]
    body: str


def read_month(path: str) -> datetime | None:
    """Read which month a page is the log of; None for a page that is no log."""
    found = _LOG.fullmatch(path)
    return datetime(int(found[1]), int(found[2]), 1, tzinfo=UTC) if found else None


def build_log(project: str, month: datetime, rows: Sequence[PageRow]) -> LogPage:
    """Build the log of a month from the pages that were last changed in it; the same pages give the same bytes."""
    title = f"Log of {project}, {month:%B %Y}"
    told_kinds = (row for row in rows if row.kind not in _KEPT_CURRENT)
    newest = sorted(told_kinds, key=lambda row: (row.updated_at, row.path), reverse=True)
    days = [
        f"## {day}\n\n{_render_day(list(found))}"
        for day, found in groupby(newest, key=lambda row: f"{row.updated_at:%Y-%m-%d}")
    ]
    body = "\n\n".join([f"# {escape.escape_inline(title)}", _NOTICE, *days]) + "\n"
    fields: dict[str, object] = {
        "type": "log",
        "kind": PageKind.INDEX.value,
        "title": title,
        "description": f"What was done in {month:%B %Y}, day by day",
        "generated": True,
    }
    return LogPage(PagePath(f"log/{month:%Y-%m}.md"), fields, body)


def _render_day(rows: Sequence[PageRow]) -> str:
    lines = [_render_line(row) for row in rows[:LOG_DAY_LINES_MAX]]
    left = len(rows) - len(lines)
    return "\n".join([*lines, f"- and {left} more"] if left else lines)


def _render_line(row: PageRow) -> str:
    told = escape.escape_inline(legible.clip(row.title, LOG_LINE_CHARS_MAX))
    says_more = bool(row.description) and not row.description.startswith(
        row.title.rstrip(" …")[: LOG_LINE_CHARS_MAX // 2]
    )
    came_out = f": {escape.escape_inline(legible.clip(row.description, LOG_LINE_CHARS_MAX))}" if says_more else ""
    kind = "" if row.kind is PageKind.SESSION else f"{row.kind.value}: "
    return f"- {row.updated_at:%H:%M} {kind}[[{row.path}]] {told}{came_out}"
