"""What is put in and taken out: no page of another scope is touched, and any order of edits equals a fresh build."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.page import Finding, PagePath
from app.domain.scope import Scope
from app.index import build, catalog
from app.index.database import IndexDatabase
from app.index.filters import PageFilter
from tests.index import builders
from tests.index.builders import HOME, OTHER

_PAGES = """
SELECT s.workspace, s.project, p.path, p.title, p.updated_us, p.content_hash, t.title, t.headings, t.names, t.body,
       t.forms, t.stems, b.body
  FROM pages p JOIN scopes s ON s.id = p.scope_id JOIN page_terms t ON t.id = p.id JOIN page_bodies b ON b.id = p.id
 ORDER BY 1, 2, 3"""
_TABLES = (
    _PAGES,
    "SELECT p.path, n.term FROM name_terms n JOIN pages p ON p.id = n.page ORDER BY 1, 2",
    "SELECT p.path, l.position, l.target, l.to_key FROM links l JOIN pages p ON p.id = l.page ORDER BY 1, 2, 3",
    "SELECT p.path, e.kind, e.key FROM entities e JOIN pages p ON p.id = e.page ORDER BY 1, 2, 3",
    """SELECT p.path, g.position, g.start, t.own, t.stems, t.forms, t.near FROM passages g
         JOIN pages p ON p.id = g.page JOIN passage_text t ON t.rowid = g.id ORDER BY 1, 2""",
    "SELECT p.path, g.tag FROM tags g JOIN pages p ON p.id = g.page ORDER BY 1, 2",
    "SELECT term, doc, cnt FROM page_text_counts WHERE term NOT IN ('s1', 's2') ORDER BY 1",
)


def dump(index: IndexDatabase) -> list[list[tuple[object, ...]]]:
    return index.read(lambda connection: [connection.execute(statement).fetchall() for statement in _TABLES])


def test_stamps_tell_what_every_file_looked_like(index: IndexDatabase) -> None:
    page = builders.make_page("notes/a.md", "text")
    made = builders.make_document(page)
    builders.put(index, page, builders.make_page("notes/a.md", "text", scope=OTHER))

    everything = index.read(build.list_stamps)
    home = index.read(lambda connection: build.list_stamps(connection, HOME))

    assert set(everything) == {(HOME, PagePath("notes/a.md")), (OTHER, PagePath("notes/a.md"))}
    assert home == {(HOME, PagePath("notes/a.md")): made.stamp}


def test_editing_deleting_and_recreating_a_page_leaves_the_same_path_of_another_project_alone(
    index: IndexDatabase,
) -> None:
    builders.put(index, builders.make_page("notes/setup.md", "install the lexer", scope=OTHER))
    steps = ["install the parser", "install the linter"]

    for body in steps:
        builders.put(index, builders.make_page("notes/setup.md", body))
        assert [hit.scope for hit in builders.ask(index, "lexer").hits] == [OTHER]
    assert builders.remove(index, "notes/setup.md") == 1
    assert builders.remove(index, "notes/setup.md") == 0
    assert builders.paths(index, "linter") == []
    builders.put(index, builders.make_page("notes/setup.md", "install the parser again"))

    assert [hit.scope for hit in builders.ask(index, "parser").hits] == [HOME]
    assert [hit.scope for hit in builders.ask(index, "lexer").hits] == [OTHER]


def test_links_lead_to_pages_whenever_those_appear(index: IndexDatabase) -> None:
    builders.put(
        index,
        builders.make_page("notes/a.md", "[[decisions/ssh]]\n[[ports]]\n[up](../rules/r.md)\n[[other:notes/x]]"),
    )

    def look() -> list[str]:
        found = index.read(lambda connection: catalog.list_links(connection, HOME, PagePath("notes/a.md"), None))
        return [link.to_path for link in found]

    assert look() == ["", "", "", ""]
    builders.put(
        index,
        builders.make_page("decisions/ssh.md"),
        builders.make_page("deep/down/ports.md"),
        builders.make_page("rules/r.md"),
        builders.make_page("notes/x.md", scope=OTHER),
    )
    assert look() == ["decisions/ssh.md", "deep/down/ports.md", "rules/r.md", "notes/x.md"]


def test_a_link_into_a_project_that_may_not_be_read_looks_like_one_to_nowhere(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("a.md", "[[other:notes/x]]"), builders.make_page("notes/x.md", scope=OTHER))

    found = index.read(lambda connection: catalog.list_links(connection, HOME, PagePath("a.md"), [HOME]))

    assert [link.to_path for link in found] == [""]


def test_backlinks_come_from_readable_pages_only(index: IndexDatabase) -> None:
    builders.put(
        index,
        builders.make_page("decisions/ssh.md", "[[ssh]]"),
        builders.make_page("a.md", "[[ssh]] by name"),
        builders.make_page("b.md", "[[decisions/ssh|label]]"),
        builders.make_page("c.md", "[[home:decisions/ssh]]", scope=OTHER),
    )

    def look(wanted: PageFilter) -> list[str]:
        found = index.read(
            lambda connection: catalog.list_backlinks(connection, HOME, PagePath("decisions/ssh.md"), wanted)
        )
        return [page.path for page in found]

    assert look(PageFilter()) == ["a.md", "b.md", "c.md"]
    assert look(PageFilter([HOME])) == ["a.md", "b.md"]


def test_listings_are_filtered_ordered_and_counted(index: IndexDatabase) -> None:
    builders.put(
        index,
        builders.make_page("old.md", updated_at="2026-01-01", id="one", kind="decision"),
        builders.make_page("new.md", updated_at="2026-05-01", findings=(Finding("broken_yaml", "line 2"),)),
        builders.make_page("far.md", updated_at="2026-06-01", scope=OTHER),
    )

    recent = index.read(lambda connection: catalog.list_recent(connection, PageFilter([HOME]), 10))
    named = index.read(lambda connection: catalog.list_pages(connection, PageFilter([HOME]), 1, after="new.md"))
    by_id = index.read(lambda connection: catalog.list_pages_by_id(connection, "one", PageFilter()))
    findings = index.read(lambda connection: catalog.list_findings(connection, [HOME], 10))

    assert [page.path for page in recent] == ["new.md", "old.md"]
    assert [page.path for page in named] == ["old.md"]
    assert by_id == named
    assert [(found.path, found.finding.code) for found in findings] == [("new.md", "broken_yaml")]
    assert index.read(catalog.count_pages) == 3
    assert index.read(lambda connection: catalog.count_pages(connection, [OTHER])) == 1
    assert index.read(lambda connection: catalog.count_pages(connection, [])) == 0
    assert index.read(lambda connection: catalog.count_pages(connection, [Scope("main", "unknown")])) == 0


BODIES = [
    "the lexer fails [[b]]",
    "# 用户身份\ngetUserByID",
    "",
    "Größe `src/db/_fts.py` [x](c.md)",
    "running lexers\n" * 400,
]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["a.md", "b.md", "notes/c.md"]),
        st.sampled_from([HOME, OTHER]),
        st.sampled_from([*BODIES, None]),
    ),
    max_size=14,
)
QUERIES = ["lexer", "用户", "get user", "grosse _fts.py", "a", "fails the lexer"]


@settings(max_examples=40, deadline=None)
@given(STEPS)
def test_the_index_after_any_edits_equals_a_fresh_build(steps: list[tuple[str, Scope, str | None]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        edited, fresh = IndexDatabase(Path(folder, "edited")), IndexDatabase(Path(folder, "fresh"))
        edited.open()
        fresh.open()
        left: dict[tuple[Scope, str], str] = {}
        for path, scope, body in steps:
            if body is None:
                builders.remove(edited, path, scope)
                left.pop((scope, path), None)
            else:
                builders.put(edited, builders.make_page(path, body, scope=scope, tags=["t"]))
                left[scope, path] = body

        builders.put(
            fresh,
            *(builders.make_page(path, body, scope=scope, tags=["t"]) for (scope, path), body in sorted(left.items())),
        )

        assert dump(edited) == dump(fresh)
        for text in QUERIES:
            assert builders.ask(edited, text, with_why=True) == builders.ask(fresh, text, with_why=True)
        edited.close()
        fresh.close()
