"""The pages that memwiki keeps for every project."""

from datetime import UTC, datetime

from app.domain.limits import INDEX_PAGE_LINES_MAX
from app.domain.page import PageKind, PagePath
from app.domain.scope import Project, Scope
from app.wiki.manifest import PageLine, ProjectSummary, build_index_body, build_index_fields, build_project_fields

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
PROJECT = Project("p1", Scope("main", "app"), NOW, ("old", "older"), ("github.com/x/app",))


def test_same_summary_in_another_order_gives_the_same_bytes() -> None:
    lines = [
        PageLine(PagePath("sessions/a.md"), "A", PageKind.SESSION, NOW),
        PageLine(PagePath("sessions/b.md"), "B", PageKind.SESSION, NOW),
        PageLine(PagePath("notes/c.md"), "C", PageKind.NOTE),
    ]

    first, second = ProjectSummary(PROJECT, lines), ProjectSummary(PROJECT, lines[::-1])

    assert build_index_body(first) == build_index_body(second)
    assert build_index_fields(first) == build_index_fields(second)


def test_entry_page_says_what_there_is() -> None:
    lines = [
        PageLine(PagePath("sessions/2026-11/30 a.md"), "Fix [x](y) | *now*", PageKind.SESSION, NOW),
        PageLine(PagePath("decisions/d.md"), "Use\nSQLite", PageKind.DECISION),
    ]

    body = build_index_body(ProjectSummary(PROJECT, lines, session_count=1, page_count=2, open_handoffs=1))

    assert "1 session, 2 pages, 1 open handoff." in body
    assert "- 2026-11-30 12:00 [Fix \\[x\\](y) \\| \\*now\\*](sessions/2026-11/30%20a.md)" in body
    assert "## Decisions\n\n- [Use SQLite](decisions/d.md)" in body


def test_long_list_is_cut_and_says_so() -> None:
    lines = [PageLine(PagePath(f"notes/{n}.md"), f"N {n:04d}", PageKind.NOTE) for n in range(INDEX_PAGE_LINES_MAX + 1)]

    assert build_index_body(ProjectSummary(PROJECT, lines)).endswith("\n- and 1 more\n")
    assert "more" not in build_index_body(ProjectSummary(PROJECT, lines[:-1]))


def test_manifest_knows_the_project_again() -> None:
    fields = build_project_fields(PROJECT)

    assert fields["id"] == "p1"
    assert fields["aliases"] == ["old", "older"]
    assert fields["repositories"] == ["github.com/x/app"]
