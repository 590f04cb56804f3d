"""Outside edits are noticed, indexed and committed, and never answered with a write."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.search import pages as search
from app.search.answer import SearchRequest
from app.wiki.pages import Wiki
from app.wiki.watch import Watcher
from tests.wiki.conftest import (
    BYLINE,
    HERE,
    assert_git_agrees,
    commit_all,
    draft,
    dump_index,
    log_lines,
    page,
    put_file,
    wait_for,
)


@pytest.fixture(params=["events", "polling"])
def watcher(wiki: Wiki, request: pytest.FixtureRequest) -> Iterator[Watcher]:
    made = Watcher(wiki, quiet_seconds=0.1, poll_seconds=0.1, is_polling=request.param == "polling")
    wiki.committer.start()
    made.start()
    wait_for(lambda: made.stats.mode == request.param and made.stats.passes >= 2)
    yield made
    made.stop(10)


def find(wiki: Wiki, text: str) -> list[str]:
    return sorted(hit.path for hit in search.search(wiki.index, SearchRequest(text)).hits)


@pytest.mark.usefixtures("watcher")
def test_edit_is_found_by_search_and_committed_as_it_is(wiki: Wiki) -> None:
    path = put_file(wiki, "main/app/a.md", "apple\r\n")
    wait_for(lambda: find(wiki, "apple") == ["a.md"])
    before = path.stat()
    wait_for(lambda: log_lines(wiki) == ["outside edit: Edit main/app/a.md outside memwiki"])

    path.write_bytes(b"cherry\r\n")
    wait_for(lambda: find(wiki, "cherry") == ["a.md"] and find(wiki, "apple") == [])
    wait_for(lambda: len(log_lines(wiki)) == 2)
    commit_all(wiki)

    assert path.read_bytes() == b"cherry\r\n"
    assert path.stat().st_ino == before.st_ino
    assert_git_agrees(wiki)


@pytest.mark.usefixtures("watcher")
def test_new_renamed_and_deleted_folders_are_followed(wiki: Wiki) -> None:
    for number in range(30):
        put_file(wiki, f"main/fresh/deep/er/{number}.md", f"apple {number}")
    wait_for(lambda: len(find(wiki, "apple 29")) >= 10)
    (wiki.tree.root / "main/fresh/deep").rename(wiki.tree.root / "main/fresh/other")
    wait_for(lambda: bool(find(wiki, "apple")) and all(path.startswith("other/") for path in find(wiki, "apple")))
    shutil.rmtree(wiki.tree.root / "main/fresh")
    wait_for(lambda: find(wiki, "apple") == [])
    wait_for(lambda: wiki.committer.repository.run("ls-files") == b"")


def test_saves_through_the_wiki_are_no_outside_edits(wiki: Wiki, watcher: Watcher) -> None:
    saved = wiki.save_page(HERE, page("a.md"), draft("one\n"), BYLINE)
    wiki.save_page(HERE, page("a.md"), draft("two\n", saved.content_hash), BYLINE)
    put_file(wiki, "main/app/z.md", "marker")
    wait_for(lambda: find(wiki, "marker") == ["z.md"])
    wait_for(lambda: len(log_lines(wiki)) == 3)

    assert log_lines(wiki)[1:] == ["Ann: Write a page", "Ann: Write a page"]
    assert watcher.stats.edits == 1


def test_idle_wiki_gets_no_commit_and_no_write(wiki: Wiki, watcher: Watcher) -> None:
    path = put_file(wiki, "main/app/a.md", "apple")
    wait_for(lambda: len(log_lines(wiki)) == 1)
    before, passes = path.stat(), watcher.stats.passes

    for _ in range(3):
        passes = watcher.stats.passes
        watcher.request_pass()
        wait_for(lambda passes=passes: watcher.stats.passes > passes)

    commit_all(wiki)
    assert path.stat() == before
    assert len(log_lines(wiki)) == 1


def test_deleted_index_is_built_again_with_the_same_content(wiki: Wiki, watcher: Watcher) -> None:
    for number in range(50):
        put_file(wiki, f"main/app/{number}.md", f"apple {number} [[{number + 1}]]")
    wait_for(lambda: find(wiki, "apple 49")[:1] != [] and len(log_lines(wiki)) >= 1)
    commit_all(wiki)
    before = dump_index(wiki)

    for file in wiki.index.path.parent.iterdir():
        file.unlink()
    wait_for(lambda: watcher.stats.rebuilds == 1 and wiki.index.is_intact() and wiki.index.progress is None)
    passes = watcher.stats.passes
    wait_for(lambda: watcher.stats.passes > passes or find(wiki, "apple 49") != [])

    assert dump_index(wiki) == before
    wait_for(lambda: watcher.stats.last_error == "")


def test_asked_rebuild_ends_with_a_complete_index(wiki: Wiki, watcher: Watcher) -> None:
    put_file(wiki, "main/app/a.md", "apple")
    wait_for(lambda: find(wiki, "apple") == ["a.md"])

    watcher.request_rebuild()
    wait_for(lambda: watcher.stats.rebuilds == 1 and wiki.index.progress is None)

    assert find(wiki, "apple") == ["a.md"]


@pytest.mark.usefixtures("watcher")
def test_page_that_the_index_could_not_take_is_taken_later(wiki: Wiki) -> None:
    wiki.index.close()
    wiki.save_page(HERE, page("a.md"), draft("apple\n"), BYLINE)

    wait_for(lambda: wiki.index.is_intact() and find(wiki, "apple") == ["a.md"])


def test_broken_page_harms_no_other_and_keeps_its_bytes(wiki: Wiki, watcher: Watcher) -> None:
    raws = [
        b"---\na: C: \\x\n---\nfind me",
        b"---\nfind me",
        b"---\ntitle: *I*\n---\nfind me",
        b"---\n- [[l]]x\n---\nfind me",
    ]
    for number, raw in enumerate(raws):
        put_file(wiki, f"main/app/bad{number}.md", raw)
    put_file(wiki, "main/app/good.md", b"find me")

    wait_for(lambda: len(find(wiki, "find me")) == 5)
    wait_for(lambda: wiki.committer.repository.run("ls-files").count(b"\n") == 5)

    assert [(wiki.tree.root / f"main/app/bad{number}.md").read_bytes() for number in range(4)] == raws
    assert watcher.stats.last_error == ""


def test_symlink_is_reported_and_not_followed(wiki: Wiki, watcher: Watcher, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("topsecret", encoding="utf-8")
    put_file(wiki, "main/app/a.md", "apple")
    (wiki.tree.root / "main/app/link.md").symlink_to(tmp_path / "secret.md")
    watcher.request_pass()

    wait_for(lambda: [skip.place for skip in watcher.stats.skipped] == ["main/app/link.md"])
    wait_for(lambda: len(log_lines(wiki)) == 1)

    # Staging follows HEAD a moment later.
    wait_for(lambda: wiki.committer.repository.run("ls-files") == b"main/app/a.md\n")
    assert find(wiki, "topsecret") == []


def test_edit_waiting_for_quiet_is_committed_when_the_watcher_stops(wiki: Wiki) -> None:
    watcher = Watcher(wiki, quiet_seconds=600)
    watcher.start()
    wait_for(lambda: watcher.stats.passes >= 2)
    put_file(wiki, "main/app/a.md", "apple")
    wait_for(lambda: find(wiki, "apple") == ["a.md"])

    watcher.stop(10)
    commit_all(wiki)

    assert len(log_lines(wiki)) == 1


def test_watch_that_the_system_refuses_becomes_polling_with_its_reason(wiki: Wiki) -> None:
    watcher = Watcher(wiki, quiet_seconds=0.1, poll_seconds=0.1)
    shutil.move(wiki.tree.root, wiki.tree.root.with_name("away"))
    watcher.start()
    wait_for(lambda: watcher.stats.mode == "polling" and watcher.stats.reason != "")
    wait_for(lambda: "not there" in watcher.stats.last_error)

    shutil.move(wiki.tree.root.with_name("away"), wiki.tree.root)
    put_file(wiki, "main/app/a.md", "apple")
    wait_for(lambda: find(wiki, "apple") == ["a.md"])

    watcher.stop(10)
