"""The pages that memwiki keeps for every project."""

from datetime import UTC, datetime

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from app.domain import link
from app.domain.limits import INDEX_PAGE_LINES_MAX
from app.domain.page import PageKind, PagePath
from app.domain.scope import Project, Scope
from app.wiki.manifest import PageLine, ProjectSummary, build_index_body, build_index_fields, build_project_fields

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
PROJECT = Project("p1", Scope("main", "app"), NOW, ("old", "older"), ("github.com/x/app",))
CODED = {"whole": "Make `pytest -q` pass", "cut": "Make `pytest …", "odd": "Odd ` tick"}


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


@given(title=st.text(alphabet="ab `*_[](){}<>!|#.\\\\…", max_size=40).filter(str.strip))
@example(title="Make `pytest -q` pass in `list[int]`")
@example(title="`a](b)` and [[c]] …")
@example(title="a `b …")
def test_whatever_a_title_holds_its_line_is_one_link(title: str) -> None:
    body = build_index_body(ProjectSummary(PROJECT, [PageLine(PagePath("decisions/d.md"), title, PageKind.DECISION)]))

    tokens = [child for token in MarkdownIt("commonmark").parse(body) for child in token.children or ()]
    assert [token.attrs["href"] for token in tokens if token.type == "link_open"] == ["decisions/d.md"]
    assert {token.type for token in tokens} <= {"text", "text_special", "code_inline", "link_open", "link_close"}
    # What is in brackets is no label for the index, which reads links in one pass.
    has_brackets = "[" in title or "]" in title
    assert has_brackets or [found.target for found in link.list_links(body)] == ["decisions/d.md"]


def test_code_in_a_title_stays_code_also_where_the_title_is_cut() -> None:
    lines = [PageLine(PagePath(f"notes/{name}.md"), title, PageKind.NOTE) for name, title in CODED.items()]

    body = build_index_body(ProjectSummary(PROJECT, lines))

    assert "[Make `pytest -q` pass](notes/whole.md)" in body
    assert "[Make `pytest` …](notes/cut.md)" in body
    assert "[Odd \\` tick](notes/odd.md)" in body


def test_long_list_is_cut_and_says_so() -> None:
    lines = [PageLine(PagePath(f"notes/{n}.md"), f"N {n:04d}", PageKind.NOTE) for n in range(INDEX_PAGE_LINES_MAX + 1)]

    assert build_index_body(ProjectSummary(PROJECT, lines)).endswith("\n- and 1 more\n")
    assert "more" not in build_index_body(ProjectSummary(PROJECT, lines[:-1]))


def test_manifest_knows_the_project_again() -> None:
    fields = build_project_fields(PROJECT)

    assert fields["id"] == "p1"
    assert fields["aliases"] == ["old", "older"]
    assert fields["repositories"] == ["github.com/x/app"]
