"""What git remembers of a page."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from app.domain.errors import PageNotFound, WikiUnreadable
from app.wiki import history
from app.wiki.pages import Byline, Wiki
from app.wiki.repository import HeadState, Repository, open_repository
from tests.wiki.conftest import BYLINE, HERE, commit_all, draft, page

PLACE = "main/app/notes/a.md"


def test_log_of_an_empty_repository_is_empty(wiki: Wiki) -> None:
    assert history.log(wiki.committer.repository, PLACE) == ()


def test_the_first_commit_may_come_while_history_is_asked_for(wiki: Wiki) -> None:
    wiki.save_page(HERE, page("notes/a.md"), draft("one\n"), Byline("Ann", "Write it", "s1"))

    class Late(Repository):
        def read_head(self, places: Sequence[str]) -> HeadState:
            commit_all(wiki)
            return super().read_head(places)

    known = wiki.committer.repository
    [written] = history.log(Late(known.root, known.git_dir), PLACE)

    assert written.message == "Write it"


def test_history_follows_a_page_through_a_move(wiki: Wiki) -> None:
    saved = wiki.save_page(HERE, page("notes/a.md"), draft("one\n"), Byline("Ann", "Write it", "s1"))
    wiki.move_page(HERE, page("notes/a.md"), page("concepts/b.md"), saved.content_hash, Byline("Bob", "Move it"))
    commit_all(wiki)

    moved, written = history.log(wiki.committer.repository, "main/app/concepts/b.md")

    assert (moved.author, moved.message, moved.session_id) == ("Bob", "Move it", "")
    assert (written.author, written.message, written.session_id) == ("Ann", "Write it", "s1")
    assert history.show(wiki.committer.repository, written.id, PLACE).endswith(b"one\n")
    assert len(history.log(wiki.committer.repository, "main/app/concepts/b.md", limit=1)) == 1


@pytest.mark.parametrize("revision", ["", "HEAD", "main", "--help", "0000000", "f" * 40, "-p", "HEAD~1", "a" * 65])
def test_bad_revision_looks_like_an_unknown_one(wiki: Wiki, revision: str) -> None:
    wiki.save_page(HERE, page("notes/a.md"), draft(), BYLINE)
    commit_all(wiki)

    with pytest.raises(PageNotFound):
        history.show(wiki.committer.repository, revision, PLACE)


def test_unknown_page_at_a_known_revision_is_not_found(wiki: Wiki) -> None:
    wiki.save_page(HERE, page("notes/a.md"), draft(), BYLINE)
    commit_all(wiki)
    (revision,) = history.log(wiki.committer.repository, PLACE)

    with pytest.raises(PageNotFound):
        history.show(wiki.committer.repository, revision.id, "main/app/notes/other.md")
    with pytest.raises(PageNotFound):
        history.show(wiki.committer.repository, revision.id, "main/app/notes")


def test_a_small_page_has_not_the_history_of_another_that_looks_like_it(wiki: Wiki) -> None:
    wiki.save_page(HERE, page("notes/a.md"), draft("one\n"), Byline("Ann", "Write a", "s1"))
    commit_all(wiki)
    wiki.save_page(HERE, page("notes/b.md"), draft("two\n"), Byline("Bob", "Write b", "s2"))
    commit_all(wiki)

    assert [each.message for each in history.log(wiki.committer.repository, "main/app/notes/b.md")] == ["Write b"]


@pytest.mark.parametrize("head", [None, b""], ids=["no HEAD", "empty HEAD"])
def test_a_repository_whose_making_was_cut_short_is_made(tmp_path: Path, head: bytes | None) -> None:
    repository = open_repository(tmp_path / "wiki")
    (repository.git_dir / "HEAD").unlink()
    if head is not None:
        (repository.git_dir / "HEAD").write_bytes(head)

    again = open_repository(tmp_path / "wiki")

    assert history.log(again, PLACE) == ()


def test_a_repository_with_history_is_never_made_anew(wiki: Wiki) -> None:
    wiki.save_page(HERE, page("notes/a.md"), draft(), BYLINE)
    commit_all(wiki)
    git_dir = wiki.committer.repository.git_dir
    (git_dir / "HEAD").unlink()

    with pytest.raises(WikiUnreadable):
        open_repository(wiki.tree.root)

    assert any(path.is_file() for path in (git_dir / "objects").rglob("*"))


def test_history_follows_a_page_that_moved_onto_the_place_of_a_deleted_one(wiki: Wiki) -> None:
    repository = wiki.committer.repository
    other = wiki.save_page(HERE, page("notes/b.md"), draft("other\n"), Byline("Ann", "Write b"))
    commit_all(wiki)
    wiki.delete_page(HERE, page("notes/b.md"), other.content_hash, Byline("Ann", "Delete b"))
    saved = wiki.save_page(HERE, page("notes/a.md"), draft("one\n"), Byline("Ann", "Write a"))
    commit_all(wiki)
    saved = wiki.save_page(HERE, page("notes/a.md"), draft("two\n", saved.content_hash), Byline("Ann", "Change a"))
    commit_all(wiki)
    wiki.move_page(HERE, page("notes/a.md"), page("notes/b.md"), saved.content_hash, Byline("Bob", "Move it"))
    commit_all(wiki)

    found = [each.message for each in history.log(repository, "main/app/notes/b.md")]

    assert found == ["Move it", "Change a", "Write a"]
    assert [each.message for each in history.log(repository, PLACE)] == ["Move it", "Change a", "Write a"]
    assert len(history.log(repository, "main/app/notes/b.md", limit=2)) == 2


def test_an_empty_repository_has_no_timeline_and_nobodys_lines(wiki: Wiki) -> None:
    assert history.log_folders(wiki.committer.repository, ["main/app"]) == ()
    with pytest.raises(PageNotFound):
        history.blame(wiki.committer.repository, PLACE)
