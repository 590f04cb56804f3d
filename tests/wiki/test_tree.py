"""Files under the root: atomic, contained, portable."""

import os
import resource
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.domain.errors import BodyTooLarge, DiskRefused, PageChanged, PageExists, UnsafePath, WikiUnreadable
from app.domain.limits import PAGE_BYTES_MAX
from app.domain.page import PagePath
from app.domain.scope import Scope
from app.wiki.markdown import hash_content
from app.wiki.pages import NO_PAGE
from app.wiki.tree import Tree

HERE = Scope("main", "app")
NOTE = PagePath("notes/a.md")


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    (tmp_path / "wiki").mkdir()
    return Tree(tmp_path / "wiki")


def put(tree: Tree, place: str, content: bytes = b"x") -> Path:
    path = tree.root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def paths(tree: Tree) -> list[str]:
    return [f"{stamp.scope}/{stamp.path}" for stamp in tree.list_files()]


def test_installed_page_is_read_back_and_leaves_no_other_file(tree: Tree) -> None:
    stamp = tree.install_page(HERE, NOTE, b"hello", NO_PAGE)

    assert tree.read_page(HERE, NOTE) == b"hello"
    assert stamp == next(tree.list_files())
    assert [entry.name for entry in (tree.root / "main/app/notes").iterdir()] == ["a.md"]


def test_new_page_does_not_take_the_place_of_another(tree: Tree) -> None:
    tree.install_page(HERE, NOTE, b"one", NO_PAGE)

    with pytest.raises(PageExists):
        tree.install_page(HERE, NOTE, b"two", NO_PAGE)
    assert tree.read_page(HERE, NOTE) == b"one"


def test_page_that_changed_meanwhile_is_a_conflict(tree: Tree) -> None:
    tree.install_page(HERE, NOTE, b"one", NO_PAGE)
    put(tree, "main/app/notes/a.md", b"by hand")

    with pytest.raises(PageChanged) as refused:
        tree.install_page(HERE, NOTE, b"two", hash_content(b"one"))
    assert refused.value.actual == hash_content(b"by hand")
    with pytest.raises(PageChanged):
        tree.remove_page(HERE, NOTE, hash_content(b"one"))
    with pytest.raises(PageChanged):
        tree.install_page(HERE, PagePath("gone.md"), b"two", hash_content(b"one"))


def test_page_is_taken_at_its_bound_and_refused_past_it(tree: Tree) -> None:
    tree.install_page(HERE, NOTE, b"x" * PAGE_BYTES_MAX, NO_PAGE)

    assert len(tree.read_page(HERE, NOTE) or b"") == PAGE_BYTES_MAX
    with pytest.raises(BodyTooLarge):
        tree.install_page(HERE, PagePath("b.md"), b"x" * (PAGE_BYTES_MAX + 1), NO_PAGE)
    put(tree, "main/app/c.md", b"x" * (PAGE_BYTES_MAX + 1))
    with pytest.raises(BodyTooLarge):
        tree.read_page(HERE, PagePath("c.md"))


def test_names_that_some_disk_confuses_are_one_page(tree: Tree) -> None:
    tree.install_page(HERE, PagePath("notes/Readme.md"), b"one", NO_PAGE)

    with pytest.raises(PageExists):
        tree.install_page(HERE, PagePath("Notes/README.md"), b"two", NO_PAGE)
    stamp = tree.install_page(HERE, PagePath("NOTES/readme.md"), b"three", hash_content(b"one"))

    assert stamp.path == "notes/Readme.md"
    assert paths(tree) == ["main/app/notes/Readme.md"]
    assert tree.find_path(HERE, PagePath("notes/README.md")) == "notes/Readme.md"


def test_new_page_goes_into_the_folder_that_exists_in_another_spelling(tree: Tree) -> None:
    put(tree, "main/app/Notes/x.md")

    stamp = tree.install_page(HERE, PagePath("notes/deep/y.md"), b"y", NO_PAGE)

    assert stamp.path == "Notes/deep/y.md"


def test_decomposed_name_on_disk_is_the_composed_page(tree: Tree) -> None:
    put(tree, "main/app/" + unicodedata.normalize("NFD", "Jānis.md"), b"one")

    assert paths(tree) == ["main/app/Jānis.md"]
    assert tree.read_page(HERE, PagePath("Jānis.md")) == b"one"
    tree.install_page(HERE, PagePath("Jānis.md"), b"two", hash_content(b"one"))
    assert len(list((tree.root / "main/app").iterdir())) == 1


def test_twins_in_both_normal_forms_are_one_page_and_the_other_is_reported_once(tree: Tree) -> None:
    put(tree, "main/app/" + unicodedata.normalize("NFD", "é.md"), b"decomposed")
    put(tree, "main/app/é.md", b"composed")

    assert paths(tree) == ["main/app/é.md"]
    assert tree.read_page(HERE, PagePath("é.md")) == b"composed"
    assert len(tree.take_new_skips()) == 1
    paths(tree)
    assert tree.take_new_skips() == ()
    assert len(tree.list_skips()) == 1


def test_symlinks_are_neither_read_nor_listed_nor_written_through(tree: Tree, tmp_path: Path) -> None:
    put(tree, "main/app/real.md", b"inside")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_bytes(b"secret")
    base = tree.root / "main/app"
    (base / "file.md").symlink_to(outside / "secret.md")
    (base / "inside.md").symlink_to(base / "real.md")
    (base / "folder").symlink_to(outside)
    (base / "up").symlink_to(tree.root)
    (base / "self.md").symlink_to(base / "self.md")
    (tree.root / "main/linked").symlink_to(outside)

    assert paths(tree) == ["main/app/real.md"]
    assert len(tree.take_new_skips()) == 6
    assert paths(tree) == ["main/app/real.md"]
    assert tree.take_new_skips() == ()
    for name in ("file.md", "inside.md", "folder/secret.md", "self.md", "up/main/app/real.md"):
        assert tree.read_page(HERE, PagePath(name)) is None
        with pytest.raises(UnsafePath):
            tree.install_page(HERE, PagePath(name), b"evil", NO_PAGE)
        with pytest.raises(WikiUnreadable):
            tree.read_place(f"main/app/{name}")
    with pytest.raises(UnsafePath):
        tree.install_page(HERE, PagePath("folder/new.md"), b"evil", NO_PAGE)
    assert tree.read_page(Scope("main", "linked"), PagePath("secret.md")) is None
    assert [entry.name for entry in outside.iterdir()] == ["secret.md"]
    assert (outside / "secret.md").read_bytes() == b"secret"


def test_only_visible_markdown_in_projects_is_a_page(tree: Tree) -> None:
    for place in (
        "main/app/a.md",
        "main/app/.hidden.md",
        "main/app/.obsidian/x.md",
        "main/app/picture.png",
        "main/loose.md",
        "top.md",
        ".git/x/y.md",
        "main/app/.memwiki-1-1.tmp",
    ):
        put(tree, place)

    assert paths(tree) == ["main/app/a.md"]
    assert tree.take_new_skips() == ()


def test_entry_that_cannot_be_a_page_is_skipped_with_its_reason(tree: Tree) -> None:
    put(tree, "main/app/CON.md")
    put(tree, "bad name!/app/a.md")
    put(tree, os.fsdecode(b"main/app/caf\xe9.md"))
    os.mkfifo(tree.root / "main/app/pipe.md")

    assert paths(tree) == []
    assert [skip.place for skip in tree.take_new_skips()] == [
        "bad name!",
        "main/app/CON.md",
        "main/app/caf?.md",
        "main/app/pipe.md",
    ]
    assert tree.read_page(HERE, PagePath("pipe.md")) is None


def test_missing_root_is_not_an_empty_wiki(tree: Tree) -> None:
    tree.root.rmdir()

    with pytest.raises(WikiUnreadable):
        list(tree.list_files())


@pytest.fixture
def full_disk() -> Iterator[None]:
    """Let every write of this process past 64 KiB fail, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("full_disk")
def test_full_disk_is_named_without_the_place_of_the_wiki_and_leaves_nothing_behind(tree: Tree) -> None:
    tree.install_page(HERE, NOTE, b"one", NO_PAGE)

    with pytest.raises(DiskRefused) as refused:
        tree.install_page(HERE, NOTE, b"x" * 100_000, hash_content(b"one"))

    assert refused.value.what == "main/app/notes/a.md"
    assert str(tree.root) not in str(refused.value)
    assert tree.read_page(HERE, NOTE) == b"one"
    assert [entry.name for entry in (tree.root / "main/app/notes").iterdir()] == ["a.md"]


def test_file_where_a_folder_is_needed_is_unsafe(tree: Tree) -> None:
    put(tree, "main/app/notes/deep", b"a file")

    with pytest.raises(UnsafePath):
        tree.install_page(HERE, PagePath("notes/deep/x.md"), b"x", NO_PAGE)


def test_leftovers_of_a_crash_are_removed_and_block_nothing(tree: Tree) -> None:
    leftover = put(tree, f"main/app/notes/.memwiki-{os.getpid()}-1.tmp")

    tree.install_page(HERE, NOTE, b"x", NO_PAGE)

    now = datetime.now(UTC)
    assert tree.remove_leftovers(now - timedelta(hours=1)) == 0
    assert tree.remove_leftovers(now + timedelta(hours=1)) == 1
    assert not leftover.exists()


def test_moved_page_keeps_its_bytes_and_takes_no_other_place(tree: Tree) -> None:
    put(tree, "main/app/notes/a.md", b"one")
    put(tree, "main/app/b.md", b"two")

    with pytest.raises(PageExists):
        tree.move_page(HERE, NOTE, PagePath("B.md"), hash_content(b"one"))
    stamp = tree.move_page(HERE, NOTE, PagePath("deep/er/c.md"), hash_content(b"one"))
    assert stamp.path == "deep/er/c.md"
    assert paths(tree) == ["main/app/b.md", "main/app/deep/er/c.md"]


def test_page_can_be_moved_to_its_own_name_in_another_case(tree: Tree) -> None:
    put(tree, "main/app/notes/a.md", b"one")

    stamp = tree.move_page(HERE, NOTE, PagePath("notes/A.md"), hash_content(b"one"))

    assert stamp.path == "notes/A.md"
    assert paths(tree) == ["main/app/notes/A.md"]
