"""Saving, moving and deleting pages."""

import threading
from datetime import UTC, datetime

import pytest

from app.domain.errors import FieldsUnreadable, PageChanged, PageExists, PageNotFound
from app.domain.page import ContentHash, PageKind, PagePath
from app.domain.redact import redact_text
from app.domain.scope import Project, Scope
from app.index import build
from app.wiki import history
from app.wiki.manifest import PageLine, ProjectSummary
from app.wiki.pages import NO_PAGE, Byline, PageDraft, Wiki
from app.wiki.projects import write_index_page, write_manifest
from tests.wiki.conftest import BYLINE, HERE, assert_git_agrees, commit_all, draft, log_lines, page, put_file

NOTE = page("notes/a.md")
THERE = Scope("main", "other")


def indexed(wiki: Wiki) -> dict[tuple[Scope, PagePath], str]:
    stamps = wiki.index.read(build.list_stamps)
    return {key: str(stamp.content_hash) for key, stamp in stamps.items()}


def test_saved_page_is_on_disk_in_the_index_and_in_git(wiki: Wiki) -> None:
    saved = wiki.save_page(HERE, NOTE, draft("text", title="A: b", tags=["x"]), BYLINE)

    commit_all(wiki)

    assert wiki.read_page(HERE, NOTE) == saved
    assert indexed(wiki) == {(HERE, NOTE): saved.content_hash}
    assert (wiki.tree.root / "main/app/notes/a.md").read_text(encoding="utf-8") == (
        f"---\ntype: note\nid: {saved.id}\ntitle: 'A: b'\ntags:\n- x\n---\n\ntext\n"
    )
    assert_git_agrees(wiki)


def test_saving_the_same_again_writes_and_commits_nothing(wiki: Wiki) -> None:
    saved = wiki.save_page(HERE, NOTE, draft(title="T"), BYLINE)
    commit_all(wiki)
    before = (wiki.tree.root / "main/app/notes/a.md").stat()

    again = wiki.save_page(HERE, NOTE, draft(expected=saved.content_hash, title="T"), BYLINE)

    assert again == saved
    assert (wiki.tree.root / "main/app/notes/a.md").stat() == before
    assert wiki.committer.stats.pending == 0


def test_two_writers_with_the_same_base_are_a_conflict_and_no_text_vanishes(wiki: Wiki) -> None:
    base = wiki.save_page(HERE, NOTE, draft("base\n"), BYLINE)
    first = wiki.save_page(HERE, NOTE, draft("first\n", base.content_hash), Byline("Ann", "First"))

    with pytest.raises(PageChanged):
        wiki.save_page(HERE, NOTE, draft("second\n", base.content_hash), Byline("Bob", "Second"))
    put_file(wiki, "main/app/notes/a.md", "by hand\n")
    with pytest.raises(PageChanged):
        wiki.save_page(HERE, NOTE, draft("third\n", first.content_hash), Byline("Bob", "Third"))
    seen = wiki.read_page(HERE, NOTE)
    wiki.save_page(HERE, NOTE, draft("by hand and third\n", seen.content_hash), Byline("Bob", "Third"))
    commit_all(wiki)

    repository = wiki.committer.repository
    revisions = history.log(repository, "main/app/notes/a.md")
    texts = [history.show(repository, revision.id, "main/app/notes/a.md") for revision in revisions]
    assert [text.rpartition(b"\n\n")[2] for text in texts] == [
        b"by hand and third\n",
        b"by hand\n",
        b"first\n",
        b"base\n",
    ]
    assert [revision.author for revision in revisions] == ["Bob", "outside edit", "Ann", "Ann"]


def test_one_of_many_concurrent_writers_of_a_new_page_wins(wiki: Wiki) -> None:
    outcomes: list[str] = []
    barrier = threading.Barrier(8)

    def write(number: int) -> None:
        barrier.wait(10)
        try:
            wiki.save_page(HERE, NOTE, draft(f"{number}\n"), BYLINE)
            outcomes.append("saved")
        except PageExists:
            outcomes.append("exists")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)

    assert sorted(outcomes) == ["exists"] * 7 + ["saved"]
    assert indexed(wiki) == {(HERE, NOTE): wiki.read_page(HERE, NOTE).content_hash}


def test_save_keeps_fields_and_comments_it_does_not_know(wiki: Wiki) -> None:
    put_file(wiki, "main/app/notes/a.md", "---\n# mine\nx-own:  [1,2]\ntitle: Old\n---\n\nold\n")
    seen = wiki.read_page(HERE, NOTE)

    wiki.save_page(HERE, NOTE, draft("new\n", seen.content_hash, title="New"), BYLINE)

    text = (wiki.tree.root / "main/app/notes/a.md").read_text(encoding="utf-8")
    assert text == "---\n# mine\nx-own:  [1,2]\ntitle: New\n---\n\nnew\n"


@pytest.mark.parametrize(
    "raw",
    [
        b"---\npath: a: C:\\x\n---\nbody\n",
        b"---\nA rule above this text\n",
        b"---\ntitle: *Italic*\n---\nbody\n",
        b"---\n- [[link]]x\n---\nbody\n",
    ],
)
def test_tag_for_a_page_with_a_broken_block_is_refused_and_its_bytes_stay(wiki: Wiki, raw: bytes) -> None:
    path = put_file(wiki, "main/app/notes/a.md", raw)
    seen = wiki.read_page(HERE, NOTE)

    with pytest.raises(FieldsUnreadable):
        wiki.update_page_fields(HERE, NOTE, {"tags": ["x"]}, seen.content_hash, BYLINE)
    with pytest.raises(FieldsUnreadable):
        wiki.save_page(HERE, NOTE, draft("new\n", seen.content_hash, tags=["x"]), BYLINE)

    assert path.read_bytes() == raw


def test_changing_a_field_leaves_all_other_bytes(wiki: Wiki) -> None:
    raw = b"\xef\xbb\xbf---\r\ntitle: T\r\n---\r\n\r\nbody \xe9\r\n"
    path = put_file(wiki, "main/app/notes/a.md", raw)

    saved = wiki.update_page_fields(HERE, NOTE, {"tags": ["x"]}, wiki.read_page(HERE, NOTE).content_hash, BYLINE)

    assert path.read_bytes() == raw.replace(b"title: T\r\n", b"title: T\r\ntags:\r\n- x\r\n")
    assert saved.tags == ("x",)


def test_same_path_in_another_project_is_another_page(wiki: Wiki) -> None:
    mine = wiki.save_page(HERE, NOTE, draft("mine\n"), BYLINE)
    theirs = wiki.save_page(THERE, NOTE, draft("theirs\n"), BYLINE)

    changed = wiki.save_page(HERE, NOTE, draft("changed\n", mine.content_hash), BYLINE)
    moved = wiki.move_page(HERE, NOTE, page("notes/b.md"), changed.content_hash, BYLINE)
    assert indexed(wiki)[THERE, NOTE] == theirs.content_hash
    wiki.delete_page(HERE, page("notes/b.md"), moved.content_hash, BYLINE)
    assert indexed(wiki) == {(THERE, NOTE): theirs.content_hash}
    again = wiki.save_page(HERE, NOTE, draft("again\n"), BYLINE)

    commit_all(wiki)
    assert indexed(wiki) == {(HERE, NOTE): again.content_hash, (THERE, NOTE): theirs.content_hash}
    assert wiki.read_page(THERE, NOTE) == theirs
    assert len(history.log(wiki.committer.repository, "main/app/notes/a.md")) == 4
    assert_git_agrees(wiki)


def test_page_that_is_not_there_is_not_found(wiki: Wiki) -> None:
    unknown = ContentHash("0" * 64)

    for ask in (
        lambda: wiki.read_page(HERE, NOTE),
        lambda: wiki.delete_page(HERE, NOTE, unknown, BYLINE),
        lambda: wiki.move_page(HERE, NOTE, page("b.md"), unknown, BYLINE),
        lambda: wiki.update_page_fields(HERE, NOTE, {}, unknown, BYLINE),
    ):
        with pytest.raises(PageNotFound):
            ask()


def test_titles_that_share_a_name_get_different_pages_and_one_title_its_own(wiki: Wiki) -> None:
    def write(title: str) -> PagePath:
        path = wiki.choose_path(HERE, PageKind.NOTE, title)
        if wiki.find_page(HERE, path) is None:
            wiki.save_page(HERE, path, draft(title=title), BYLINE)
        return path

    assert write("Readme") == "notes/readme.md"
    assert write("README") == "notes/readme-2.md"
    assert write("Readme") == "notes/readme.md"
    assert write("é") == write("e\u0301") == "notes/é.md"
    for title in ("CON", "a:b", "a/b", "x.", "x ", "y" * 300, "Jānis", "太郎", "🚀"):
        assert wiki.read_page(HERE, write(title)).title == title.strip()[:200]


def test_page_is_saved_while_the_index_cannot_take_it(wiki: Wiki) -> None:
    wiki.index.close()

    saved = wiki.save_page(HERE, NOTE, draft(), BYLINE)

    assert wiki.read_page(HERE, NOTE) == saved
    assert wiki.unindexed.take() == {(HERE, NOTE)}
    commit_all(wiki)
    assert len(log_lines(wiki)) == 1


def test_text_that_others_cannot_read_is_replaced_before_it_is_written(wiki: Wiki) -> None:
    saved = wiki.save_page(HERE, NOTE, draft("a\x00b\ud800c"), BYLINE)

    assert saved.body == "a\ufffdb?c\n"
    assert saved.findings == ()


def test_raw_text_is_written_as_given(wiki: Wiki) -> None:
    saved = wiki.save_raw(HERE, NOTE, redact_text("---\na:  1\n---\nx"), NO_PAGE, BYLINE)

    assert (wiki.tree.root / "main/app/notes/a.md").read_bytes() == b"---\na:  1\n---\nx"
    assert saved.fields == {"a": 1}


def test_manifest_is_written_once_and_its_text_is_peoples(wiki: Wiki) -> None:
    project = Project("p1", HERE, datetime(2026, 11, 30, tzinfo=UTC))
    write_manifest(wiki, project)
    first = wiki.read_page(HERE, page("project.md"))
    wiki.save_page(HERE, page("project.md"), PageDraft({}, redact_text("Ours.\n"), first.content_hash), BYLINE)

    write_manifest(wiki, project)
    write_manifest(wiki, Project("p1", HERE, project.created_at, ("old",), ("github.com/x/app",)))

    last = wiki.read_page(HERE, page("project.md"))
    commit_all(wiki)
    assert (first.id, last.body) == ("p1", "Ours.\n")
    assert last.fields["repositories"] == ["github.com/x/app"]
    assert len(log_lines(wiki)) == 3


def test_entry_page_is_written_only_when_the_summary_changes(wiki: Wiki) -> None:
    project = Project("p1", HERE, datetime(2026, 11, 30, tzinfo=UTC))
    summary = ProjectSummary(project, [PageLine(NOTE, "A", PageKind.NOTE)], page_count=1)

    first = write_index_page(wiki, summary)
    assert write_index_page(wiki, summary) == first
    put_file(wiki, "main/app/index.md", "overwritten by hand\n")
    write_index_page(wiki, summary, session_id="s1")

    commit_all(wiki)
    assert log_lines(wiki) == [
        "memwiki: Update the entry page of main/app",
        "outside edit: Edit main/app/index.md outside memwiki",
        "memwiki: Update the entry page of main/app",
    ]
