"""The pages that memwiki keeps for every project: `project.md`, its manifest, and `index.md`, its entry page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import quote

from app.domain import legible
from app.domain.limits import INDEX_PAGE_LINES_MAX
from app.domain.limits_knowledge import ABOUT_CHARS_MAX
from app.domain.page import PageKind, PagePath
from app.domain.scope import Project

_HEADINGS = {
    PageKind.RULE: "Rules",
    PageKind.DECISION: "Decisions",
    PageKind.GOTCHA: "Gotchas",
    PageKind.PROCEDURE: "Procedures",
    PageKind.CONCEPT: "Concepts",
    PageKind.SLOT: "Slots",
    PageKind.NOTE: "Notes",
}
_NOTICE = "<!-- memwiki writes this page anew after each session; keep your own text on other pages -->"
_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\[]`*_<>|#"})


@dataclass(frozen=True, slots=True)
class PageLine:
    """One page as the entry page lists it; `on` is when its session was, or when it was last changed.

    `weight` is how many sessions it rests on.
    """

    path: PagePath
    title: str
    kind: PageKind
    on: datetime | None = None
    weight: int = 0
    is_pinned: bool = False


@dataclass(frozen=True, slots=True)
class ProjectSummary:
    """What the entry page shows; the numbers count all, `lines` may hold only the latest.

    `about` is what the project is, in the words of its manifest or README.
    """

    project: Project
    lines: Sequence[PageLine] = ()
    session_count: int = 0
    page_count: int = 0
    open_handoffs: int = 0
    about: str = ""
    counts: Mapping[PageKind, int] = field(default_factory=dict)


def build_project_fields(project: Project) -> dict[str, object]:
    """Build the manifest's fields; they are enough to know the project again without the state's database."""
    return {
        "type": PageKind.PROJECT.value,
        "kind": PageKind.PROJECT.value,
        "id": project.id,
        "title": project.scope.project,
        "workspace": project.scope.workspace,
        "aliases": sorted(project.aliases),
        "repositories": sorted(project.identities),
        "created_at": project.created_at.isoformat(),
    }


def build_project_body(project: Project) -> str:
    """Build the manifest's first text, which belongs to its readers from then on."""
    return (
        f"# {_escape(project.scope.project)}\n\n"
        "Say here what this project is. memwiki keeps the fields above up to date and leaves this text alone.\n\n"
        "Start at [the entry page](index.md).\n"
    )


def build_index_fields(summary: ProjectSummary) -> dict[str, object]:
    """Build the entry page's fields; nothing in them changes while the project does not."""
    return {
        "type": PageKind.INDEX.value,
        "kind": PageKind.INDEX.value,
        "title": summary.project.scope.project,
        "description": f"What memwiki knows about {summary.project.scope.project}",
        "okf_version": "0.2",
    }


def build_index_body(summary: ProjectSummary) -> str:
    """Build the entry page's text: the same summary always gives the same bytes."""
    parts = [f"# {_escape(summary.project.scope.project)}", _NOTICE]
    parts += [_escape(summary.about)] if summary.about else []
    parts.append(_render_counts(summary))
    lines = _group(summary.lines)
    pinned = sorted((line for line in summary.lines if _is_apart(line)), key=lambda line: (line.title, line.path))
    if pinned:
        parts.append("## Pinned\n\n" + _render_lines(pinned, len(pinned)))
    for kind in (PageKind.RULE, PageKind.SESSION, *_HEADINGS):
        found = lines.pop(kind, [])
        if found:
            heading = _HEADINGS.get(kind, "Latest sessions")
            parts.append(f"## {heading}\n\n" + _render_lines(found, summary.counts.get(kind, len(found))))
    return "\n\n".join(parts) + "\n"


def find_about(manifest_body: str) -> str:
    """Find what a project is in the text of its manifest: its first paragraph that a person wrote."""
    for block in manifest_body.replace("\r\n", "\n").split("\n\n"):
        text = " ".join(block.split())
        if text and not text.startswith(("#", "Say here what", "Start at", "<!--", "-", ">", "|", "```")):
            return text[:ABOUT_CHARS_MAX].rpartition(" ")[0] + " …" if len(text) > ABOUT_CHARS_MAX else text
    return ""


def _is_apart(line: PageLine) -> bool:
    return line.is_pinned and line.kind not in {PageKind.RULE, PageKind.SESSION}


def _group(lines: Sequence[PageLine]) -> dict[PageKind, list[PageLine]]:
    """Put lines by kind in their order: sessions by time, the newest first, all others by weight, pin and title."""
    grouped: dict[PageKind, list[PageLine]] = {}
    for line in lines:
        if not _is_apart(line):
            grouped.setdefault(line.kind, []).append(line)
    for kind, found in grouped.items():
        if kind is PageKind.SESSION:
            found.sort(key=lambda line: (_render_day(line), line.path), reverse=True)
        else:
            found.sort(key=lambda line: (not line.is_pinned, -line.weight, line.title, line.path))
    return grouped


def _render_counts(summary: ProjectSummary) -> str:
    counts = (
        (summary.session_count, "session", "sessions"),
        (summary.page_count, "page", "pages"),
        (summary.open_handoffs, "open handoff", "open handoffs"),
    )
    return ", ".join(f"{number} {one if number == 1 else many}" for number, one, many in counts) + "."


def _render_lines(lines: Sequence[PageLine], total: int) -> str:
    shown = [
        f"- {_render_day(line)}[{_escape(line.title)}]({quote(line.path, safe='/')}){_render_weight(line)}"
        for line in lines[:INDEX_PAGE_LINES_MAX]
    ]
    left = max(total, len(lines)) - len(shown)
    return "\n".join([*shown, f"- and {left} more"] if left > 0 else shown)


def _render_weight(line: PageLine) -> str:
    return f", {line.weight} sessions" if line.weight > 1 else ""


def _render_day(line: PageLine) -> str:
    is_dated = line.on is not None and line.kind is PageKind.SESSION
    return f"{line.on:%Y-%m-%d %H:%M} " if is_dated and line.on else ""


def _escape(text: str) -> str:
    """Make a title plain text but for its code, which stays code."""
    parts = legible.close_code(" ".join(text.split())).split("`")
    if len(parts) % 2 == 0 or not all(parts[1::2]):
        return "`".join(parts).translate(_MARKS)
    return "".join(f"`{part}`" if place % 2 else part.translate(_MARKS) for place, part in enumerate(parts))
