"""The index is made equal to the tree, whatever was done to the tree."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import AppError, DiskRefused, WikiUnreadable
from app.domain.limits import PAGE_BYTES_MAX
from app.domain.page import PagePath
from app.domain.scope import Scope
from app.index import build
from app.search import pages as search
from app.search.answer import SearchRequest
from app.wiki import reconcile
from app.wiki.committer import build_outside_request
from app.wiki.pages import NO_PAGE, Wiki
from tests.wiki.conftest import BYLINE, HERE, commit_all, draft, dump_index, open_wiki, page, put_file

_NOBODY = 65534


def find(wiki: Wiki, text: str) -> list[str]:
    return [hit.path for hit in search.search(wiki.index, SearchRequest(text)).hits]


def test_files_put_edited_and_deleted_outside_are_followed(wiki: Wiki) -> None:
    put_file(wiki, "main/app/a.md", "apple")
    gone = put_file(wiki, "main/app/b.md", "banana")
    first = reconcile.reconcile(wiki)
    put_file(wiki, "main/app/a.md", "cherry")
    gone.unlink()

    second = reconcile.reconcile(wiki)

    assert [path for _, path in first.added] == ["a.md", "b.md"]
    assert (second.added, second.changed, second.removed) == ((), ((HERE, "a.md"),), ((HERE, "b.md"),))
    assert find(wiki, "cherry") == ["a.md"]
    assert find(wiki, "banana") == []


def test_unchanged_tree_is_not_read_again(wiki: Wiki) -> None:
    path = put_file(wiki, "main/app/a.md", "apple")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    reconcile.reconcile(wiki)
    generation = wiki.index.read(lambda connection: connection.execute("SELECT value FROM meta").fetchall())

    report = reconcile.reconcile(wiki)

    assert report.pages == ()
    assert wiki.index.read(lambda connection: connection.execute("SELECT value FROM meta").fetchall()) == generation


def test_edit_within_the_clocks_grain_and_of_the_same_size_is_noticed(wiki: Wiki) -> None:
    path = put_file(wiki, "main/app/a.md", "apple")
    found = path.stat()
    reconcile.reconcile(wiki)
    path.write_text("grape", encoding="utf-8")
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))

    assert reconcile.reconcile(wiki).changed == ((HERE, "a.md"),)


def test_touched_file_is_read_once_and_is_no_edit(wiki: Wiki) -> None:
    path = put_file(wiki, "main/app/a.md", "apple")
    reconcile.reconcile(wiki)
    os.utime(path, (1_000_000_000, 1_000_000_000))

    assert reconcile.reconcile(wiki).pages == ()
    stamps = wiki.index.read(build.list_stamps)
    assert stamps[HERE, page("a.md")].mtime_ns == 1_000_000_000 * 10**9


def test_outside_files_are_never_rewritten(wiki: Wiki) -> None:
    raws = {
        "bom.md": b"\xef\xbb\xbf---\r\ntitle: T\r\n---\r\nfind me\r\n",
        "latin.md": b"find me \xe9",
        "zero.md": b"find me \x00",
        "wide.md": "\ufefffind me".encode("utf-16-le"),
        "broken.md": b"---\na: b: c\n---\nfind me\n",
        "rule.md": b"---\nfind me\n",
        "long.md": b"find me " * 650_000,
        "date.md": b"---\ntitle: 2024-06-01\ntags: 5\n---\nfind me\n",
        "good.md": b"find me\n",
    }
    for name, raw in raws.items():
        put_file(wiki, f"main/app/{name}", raw)

    report = reconcile.reconcile(wiki)

    assert {(wiki.tree.root / "main/app" / name).read_bytes() for name in raws} == set(raws.values())
    assert sorted(find(wiki, "find me")) == sorted(raws)
    assert {path for _, path, _ in report.findings} == set(raws) - {"good.md", "date.md"}


def test_file_too_large_to_read_is_flagged_and_found_by_its_beginning(wiki: Wiki) -> None:
    put_file(wiki, "main/app/huge.md", b"find me\n" + b"x" * PAGE_BYTES_MAX)
    put_file(wiki, "main/app/good.md", b"find me\n")

    report = reconcile.reconcile(wiki)

    assert ("huge.md", "file_too_large") in [(path, finding.code) for _, path, finding in report.findings]
    assert sorted(find(wiki, "find me")) == ["good.md", "huge.md"]


@pytest.fixture
def wiki_without_privileges() -> Iterator[Wiki]:
    """A wiki opened by somebody whom file modes bind, also when the tests run as root."""
    with tempfile.TemporaryDirectory() as folder:
        if os.geteuid() == 0:
            os.chown(folder, _NOBODY, _NOBODY)
            os.seteuid(_NOBODY)
        opened = open_wiki(Path(folder))
        yield opened
        opened.committer.stop(10)
        opened.index.close()
        os.seteuid(os.getuid())


def test_file_that_cannot_be_read_is_flagged_until_it_can(wiki_without_privileges: Wiki) -> None:
    wiki = wiki_without_privileges
    path = put_file(wiki, "main/app/a.md", "apple")
    put_file(wiki, "main/app/b.md", "banana")
    path.chmod(0)

    report = reconcile.reconcile(wiki)

    assert [finding.code for _, _, finding in report.findings] == ["unreadable"]
    assert find(wiki, "banana") == ["b.md"]
    assert reconcile.reconcile(wiki).pages == ()
    path.chmod(0o600)
    reconcile.reconcile(wiki)
    assert find(wiki, "apple") == ["a.md"]


def test_pages_in_a_folder_that_cannot_be_read_stay_known(wiki_without_privileges: Wiki) -> None:
    wiki = wiki_without_privileges
    folder = put_file(wiki, "main/app/notes/a.md", "apple").parent
    reconcile.reconcile(wiki)
    wiki.committer.queue_differences()
    commit_all(wiki)
    folder.chmod(0)

    report = reconcile.reconcile(wiki)
    made = wiki.committer.commit_batch([build_outside_request(["main/app/notes/a.md"], wiki.clock)])

    folder.chmod(0o700)
    assert (report.removed, made) == ((), 0)
    assert [skip.place for skip in report.skipped] == ["main/app/notes"]
    assert find(wiki, "apple") == ["notes/a.md"]


def test_read_only_disk_refuses_a_save_and_takes_it_later(wiki_without_privileges: Wiki) -> None:
    wiki = wiki_without_privileges
    folder = put_file(wiki, "main/app/notes/a.md", "apple").parent
    folder.chmod(0o500)

    with pytest.raises(DiskRefused):
        wiki.save_page(HERE, page("notes/b.md"), draft(), BYLINE)
    folder.chmod(0o700)
    wiki.save_page(HERE, page("notes/b.md"), draft(), BYLINE)

    assert sorted(entry.name for entry in folder.iterdir()) == ["a.md", "b.md"]


def test_symlinks_are_reported_once_and_their_targets_are_not_found(wiki: Wiki, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("topsecret", encoding="utf-8")
    put_file(wiki, "main/app/a.md", "apple")
    (wiki.tree.root / "main/app/link.md").symlink_to(tmp_path / "secret.md")
    (wiki.tree.root / "main/app/up").symlink_to(wiki.tree.root)

    assert len(reconcile.reconcile(wiki).skipped) == 2
    assert reconcile.reconcile(wiki).skipped == ()
    assert find(wiki, "topsecret") == []


def test_wiki_whose_folder_is_gone_is_not_taken_for_empty(wiki: Wiki) -> None:
    put_file(wiki, "main/app/a.md", "apple")
    reconcile.reconcile(wiki)
    moved = wiki.tree.root.rename(wiki.tree.root.with_name("away"))

    with pytest.raises(WikiUnreadable):
        reconcile.reconcile(wiki)

    moved.rename(wiki.tree.root)
    assert find(wiki, "apple") == ["a.md"]


def test_only_the_asked_project_is_looked_at(wiki: Wiki) -> None:
    put_file(wiki, "main/app/a.md", "apple")
    put_file(wiki, "main/other/b.md", "banana")

    report = reconcile.reconcile(wiki, HERE)

    assert report.added == ((HERE, "a.md"),)
    reconcile.reconcile(wiki, Scope("main", "other"))
    assert reconcile.reconcile(wiki, HERE).pages == ()
    assert find(wiki, "banana") == ["b.md"]


def test_hinted_page_is_read_whatever_its_time_says(wiki: Wiki) -> None:
    path = put_file(wiki, "main/app/a.md", "apple")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    reconcile.reconcile(wiki)
    path.write_text("grape", encoding="utf-8")
    os.utime(path, (1_000_000_000, 1_000_000_000))

    report = reconcile.reconcile_pages(wiki, [(HERE, page("a.md")), (HERE, page("none.md"))])

    assert report.changed == ((HERE, "a.md"),)
    assert report.removed == ()


def test_hint_about_our_own_save_is_no_edit(wiki: Wiki) -> None:
    wiki.save_page(HERE, page("a.md"), draft(), BYLINE)

    assert reconcile.reconcile_pages(wiki, [(HERE, page("a.md"))]).pages == ()
    assert reconcile.reconcile(wiki).pages == ()


def test_rebuild_without_manifest_gives_the_same_answers_and_no_deleted_page(wiki: Wiki) -> None:
    put_file(wiki, "main/app/project.md", "---\nid: p1\n---\n")
    for number in range(30):
        put_file(wiki, f"main/app/notes/{number}.md", f"# Page {number}\n\napple [[{number + 1}]] number{number % 5}\n")
    put_file(wiki, "main/other/notes/x.md", "apple pie")
    gone = put_file(wiki, "main/app/notes/gone.md", "apple gone")
    reconcile.reconcile(wiki)
    gone.unlink()
    (wiki.tree.root / "main/app/project.md").unlink()
    reconcile.reconcile(wiki)
    asked = ["apple", "number3", "page 7", "pie", "gone", "apple number1"]
    before = [search.search(wiki.index, SearchRequest(text)).hits for text in asked]

    reconcile.rebuild(wiki)

    assert [search.search(wiki.index, SearchRequest(text)).hits for text in asked] == before
    assert find(wiki, "gone") == []
    assert wiki.index.progress is None


names = st.sampled_from(
    ["a.md", "A.md", "notes/b.md", "Notes/b.md", "é.md", "e\u0301.md", "notes/deep/c.md", "index.md"]
)
texts = st.sampled_from(
    ["one", "two", "# T\n[[b]]", "---\ntitle: x\ntags: [q]\n---\n\nthree", "---\na: b: c\n---\n", "\x00"]
)
projects = st.sampled_from(["app", "other"])
actions = st.tuples(
    st.sampled_from(
        ["put", "put", "append", "unlink", "rename", "rmtree", "save", "save", "move", "delete", "look", "hint"]
    ),
    projects,
    names,
    names,
    texts,
)


def act(wiki: Wiki, action: tuple[str, str, str, str, str]) -> None:
    """Do one thing to the tree, from outside or through the wiki; what is refused is refused."""
    what, project, name, other, text = action
    folder = wiki.tree.root / "main" / project
    try:
        if what in {"save", "move", "delete", "look", "hint"}:
            act_inside(wiki, what, Scope("main", project), (PagePath(name), PagePath(other), text))
        else:
            act_outside(what, folder / name, folder / other, text)
    except (OSError, AppError):
        return


def act_outside(what: str, file: Path, target: Path, text: str) -> None:
    if what == "put":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    elif what == "append":
        with file.open("a", encoding="utf-8") as opened:
            opened.write(text)
    elif what == "rename":
        target.parent.mkdir(parents=True, exist_ok=True)
        file.rename(target)
    elif what == "unlink":
        file.unlink()
    else:
        shutil.rmtree(file.parent)


def act_inside(wiki: Wiki, what: str, scope: Scope, given: tuple[PagePath, PagePath, str]) -> None:
    path, to, text = given
    seen = wiki.find_page(scope, path)
    expected = seen.content_hash if seen else NO_PAGE
    if what == "save":
        wiki.save_page(scope, path, draft(text, expected, title=to), BYLINE)
    elif what == "move":
        wiki.move_page(scope, path, to, expected, BYLINE)
    elif what == "delete":
        wiki.delete_page(scope, path, expected, BYLINE)
    elif what == "hint":
        reconcile.reconcile_pages(wiki, [(scope, path), (scope, to)])
    else:
        reconcile.reconcile(wiki)


@settings(max_examples=40, deadline=None)
@given(st.lists(actions, max_size=12))
def test_index_after_any_sequence_of_edits_equals_a_rebuild(done: list[tuple[str, str, str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        wiki = open_wiki(Path(folder))
        try:
            for action in done:
                act(wiki, action)
            reconcile.reconcile(wiki)
            followed = dump_index(wiki)

            reconcile.rebuild(wiki)

            assert followed == dump_index(wiki)
        finally:
            wiki.index.close()
