"""What belongs to a page, and the story of a subject: complete, in order, nothing of what is not readable."""

from datetime import UTC, datetime

import pytest

from app.domain.errors import InvalidValue, PageNotFound
from app.domain.page import PagePath
from app.index.database import IndexDatabase
from app.search import connected
from tests.index import builders
from tests.index.builders import HOME, OTHER
from tests.index.test_observations import hear, say

READABLE = frozenset({HOME})


@pytest.fixture
def woven(index: IndexDatabase) -> IndexDatabase:
    """A decision that links and is linked, with a page of the same names here and one elsewhere."""
    put = [
        ("notes/old.md", "Nothing yet.", HOME, "2026-01-01"),
        ("decisions/lexer.md", "We rewrote src/lexer.go, see [[notes/parser]].", HOME, "2026-02-01"),
        ("notes/parser.md", "The parser.", HOME, "2026-03-01"),
        ("notes/again.md", "src/lexer.go broke, see [[decisions/lexer]].", HOME, "2026-04-01"),
        ("notes/secret.md", "src/lexer.go and [[main/home:decisions/lexer]]", OTHER, "2026-05-01"),
    ]
    for path, body, scope, day in put:
        builders.put(index, builders.make_page(path, body, scope=scope, updated_at=f"{day}T00:00:00+00:00"))
    return index


def test_a_page_is_told_with_its_links_neighbours_and_what_names_the_same(woven: IndexDatabase) -> None:
    found = connected.find_connected(woven, HOME, PagePath("decisions/lexer.md"), READABLE)

    assert [link.to_path for link in found.links] == ["notes/parser.md"]
    assert [page.path for page in found.backlinks] == ["notes/again.md"]
    assert [(page.path, "srclexergo" in names) for page, names in found.sharing] == [("notes/again.md", True)]
    assert [page.path for page in found.before] == ["notes/old.md"]
    assert [page.path for page in found.after] == ["notes/parser.md", "notes/again.md"]


def test_neither_times_nor_what_all_session_pages_say_is_shared(index: IndexDatabase) -> None:
    body = (
        "The flaky test_lexer. [^o10-28]\n\nFrom 2026-12-01T16:24:48Z to 2026-12-01 16:25, 20261201T162448Z,"
        " 2026-12-01T16:24:48.123+01:00.\n\n[^o10-28]: read; o3-"
    )
    for name, agent in (("one", "claude-code"), ("two", "claude-code"), ("other", "codex")):
        tags = ("session", agent, "parsing" if name != "other" else "session")
        named = body if name != "other" else body.replace("test_lexer", "test")
        builders.put(index, builders.make_page(f"{name}.md", named, kind="session", tags=tags, agent=agent, title=name))
    builders.put(index, builders.make_page("note.md", "Ask.", tags=("claude-code", "session")))

    found = connected.find_connected(index, HOME, PagePath("one.md"), READABLE)

    assert [(page.path, names) for page, names in found.sharing] == [("two.md", ("parsing", "testlexer"))]


def test_a_tag_that_is_no_kind_or_agent_of_its_page_is_shared(index: IndexDatabase) -> None:
    for name in ("one", "two"):
        builders.put(index, builders.make_page(f"{name}.md", "Ask.", tags=("claude-code", "session", "note")))

    found = connected.find_connected(index, HOME, PagePath("one.md"), READABLE)

    assert [names for _, names in found.sharing] == [("claudecode", "session")]


def test_nothing_of_a_project_that_is_not_readable_is_told(woven: IndexDatabase) -> None:
    found = connected.find_connected(woven, HOME, PagePath("decisions/lexer.md"), READABLE)
    story = connected.tell_story(woven, "src/lexer.go", READABLE, 10)

    assert "secret" not in repr((found, story))


def test_everything_readable_is_told_where_all_may_be_read(woven: IndexDatabase) -> None:
    found = connected.find_connected(woven, HOME, PagePath("decisions/lexer.md"), None)

    assert {page.path for page in found.backlinks} == {"notes/again.md", "notes/secret.md"}


def test_the_evidence_of_a_page_is_what_its_footnotes_name_of_its_own_session(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "run the tests"), say(2, "they fail"), say(3, "fix it"), with_page=False)
    hear(index, "s2", say(7, "another session"), with_page=False)
    page = builders.make_page("sessions/a.md", "It failed. [^1]\n\n[^1]: o2-3, o7", kind="session", session_id="s1")
    builders.put(index, page)

    found = connected.find_connected(index, HOME, PagePath("sessions/a.md"), READABLE)

    assert [each.id for each in found.evidence] == [2, 3]


def test_the_story_of_a_file_is_pages_and_words_newest_first(index: IndexDatabase) -> None:
    note = builders.make_page("notes/a.md", "src/lexer.go is old", updated_at="2026-01-01T00:00:00+00:00")
    builders.put(index, note)
    hear(index, "s1", say(1, "open src/lexer.go"), say(2, "now the weather"), say(3, "src/lexer.go is fixed"))

    story = connected.tell_story(index, "src/lexer.go", READABLE, 10)

    told = [moment.observation.id if moment.observation else moment.path for moment in story.moments]
    assert told == [3, 1, "notes/a.md"]


def test_a_story_is_cut_at_its_limit_and_goes_on_before_a_moment(index: IndexDatabase) -> None:
    for number in range(1, 6):
        day = f"2026-01-0{number}T00:00:00+00:00"
        builders.put(index, builders.make_page(f"notes/{number}.md", "src/lexer.go", updated_at=day))

    first = connected.tell_story(index, "src/lexer.go", READABLE, 2)
    rest = connected.tell_story(index, "src/lexer.go", READABLE, 10, until=datetime(2026, 1, 4, tzinfo=UTC))

    assert [moment.path for moment in first.moments] == ["notes/5.md", "notes/4.md"]
    assert first.omitted == 3
    assert [moment.path for moment in rest.moments] == ["notes/3.md", "notes/2.md", "notes/1.md"]


def test_a_page_that_is_not_there_and_a_subject_without_words_are_refused(index: IndexDatabase) -> None:
    with pytest.raises(PageNotFound):
        connected.find_connected(index, HOME, PagePath("notes/none.md"), READABLE)
    with pytest.raises(InvalidValue):
        connected.tell_story(index, "   ", READABLE, 10)
