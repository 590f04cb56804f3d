"""The pages that memwiki keeps for every project: `project.md`, its manifest, and `index.md`, its entry page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from app.domain.limits import INDEX_PAGE_LINES_MAX
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
    """One page as the entry page lists it; `on` is when its session was, or when it was last changed."""

    path: PagePath
    title: str
    kind: PageKind
    on: datetime | None = None


@dataclass(frozen=True, slots=True)
class ProjectSummary:
    """What the entry page shows; the numbers count all, `lines` may hold only the latest."""

    project: Project
    lines: Sequence[PageLine] = ()
    session_count: int = 0
    page_count: int = 0
    open_handoffs: int = 0


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
    }


def build_index_body(summary: ProjectSummary) -> str:
    """Build the entry page's text: the same summary always gives the same bytes."""
    parts = [f"# {_escape(summary.project.scope.project)}", _NOTICE, _render_counts(summary)]
    sessions = [line for line in summary.lines if line.kind is PageKind.SESSION]
    if sessions:
        newest = sorted(sessions, key=lambda line: (_render_day(line), line.path), reverse=True)
        parts.append("## Latest sessions\n\n" + _render_lines(newest))
    for kind, heading in _HEADINGS.items():
        lines = sorted((line for line in summary.lines if line.kind is kind), key=lambda line: (line.title, line.path))
        if lines:
            parts.append(f"## {heading}\n\n" + _render_lines(lines))
    return "\n\n".join(parts) + "\n"


def _render_counts(summary: ProjectSummary) -> str:
    counts = (
        (summary.session_count, "session", "sessions"),
        (summary.page_count, "page", "pages"),
        (summary.open_handoffs, "open handoff", "open handoffs"),
    )
    return ", ".join(f"{number} {one if number == 1 else many}" for number, one, many in counts) + "."


def _render_lines(lines: Sequence[PageLine]) -> str:
    shown = [
        f"- {_render_day(line)}[{_escape(line.title)}]({quote(line.path, safe='/')})"
        for line in lines[:INDEX_PAGE_LINES_MAX]
    ]
    left = len(lines) - len(shown)
    return "\n".join([*shown, f"- and {left} more"] if left else shown)


def _render_day(line: PageLine) -> str:
    return f"{line.on:%Y-%m-%d %H:%M} " if line.on else ""


def _escape(text: str) -> str:
    return " ".join(text.split()).translate(_MARKS)
