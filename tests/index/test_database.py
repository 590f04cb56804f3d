"""The index's file: made when missing, replaced when wrong, noticed when gone, never in its readers' way."""

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.domain.errors import DiskRefused, StoreUnreadable
from app.index import catalog
from app.index.database import INDEX_VERSION, IndexDatabase
from tests.index import builders

WAIT_SECONDS = 30


def count(index: IndexDatabase) -> int:
    return index.read(catalog.count_pages)


def test_an_index_whose_building_was_cut_short_is_built_again(tmp_path: Path) -> None:
    first = IndexDatabase(tmp_path)
    first.open()
    builders.put(first, builders.make_page("a.md", "text"))
    first.close()

    second = IndexDatabase(tmp_path)

    assert second.open()
    second.close()


def test_a_missing_file_is_made_and_a_present_one_is_kept(tmp_path: Path) -> None:
    first = IndexDatabase(tmp_path / "deep" / "index")
    assert first.open()
    builders.put(first, builders.make_page("a.md", "text"))
    first.mark_complete()
    first.close()

    second = IndexDatabase(tmp_path / "deep" / "index")

    assert not second.open()
    assert count(second) == 1
    assert second.is_intact()
    second.close()


def overwrite(path: Path) -> None:
    path.write_bytes(b"this is no database, whatever its name says" * 100)


def make_newer(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version={INDEX_VERSION + 1}")
    connection.close()


def make_foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE somebodys (work TEXT)")
    connection.close()


@pytest.mark.parametrize("spoil", [overwrite, make_newer, make_foreign], ids=["garbage", "other version", "foreign"])
def test_a_file_that_is_not_ours_is_made_anew(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    index = IndexDatabase(tmp_path)
    index.open()
    builders.put(index, builders.make_page("a.md", "text"))
    index.close()
    spoil(index.path)

    assert index.open()
    assert count(index) == 0
    index.close()


def test_files_of_other_versions_are_removed(tmp_path: Path) -> None:
    (tmp_path / "index-v0.db").write_bytes(b"old")
    (tmp_path / "index-v0.db-wal").write_bytes(b"old")
    (tmp_path / "notes.txt").write_bytes(b"mine")
    index = IndexDatabase(tmp_path)

    index.open()

    assert not list(tmp_path.glob("index-v0*"))
    assert (tmp_path / "notes.txt").exists()
    index.close()


def test_a_file_deleted_under_us_is_noticed_and_replaced(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("a.md", "text"))
    assert index.is_intact()

    for path in index.path.parent.iterdir():
        path.unlink()

    assert not index.is_intact()
    assert count(index) == 1
    assert index.recreate()
    assert index.is_intact()
    assert count(index) == 0


def test_a_folder_deleted_under_us_is_made_again(index: IndexDatabase) -> None:
    for path in index.path.parent.iterdir():
        path.unlink()
    index.path.parent.rmdir()

    assert not index.is_intact()
    index.recreate()

    builders.put(index, builders.make_page("a.md", "text"))
    assert count(index) == 1


def test_another_file_in_its_place_is_noticed(index: IndexDatabase, tmp_path: Path) -> None:
    other = IndexDatabase(tmp_path / "other")
    other.open()
    other.close()

    other.path.replace(index.path)

    assert not index.is_intact()


def test_damage_found_by_a_read_is_noticed(index: IndexDatabase) -> None:
    index.write(lambda connection: connection.execute("DROP TABLE page_terms"))

    with pytest.raises(StoreUnreadable):
        index.read(lambda connection: connection.execute("SELECT count(*) FROM page_terms").fetchone())

    assert not index.is_intact()
    index.recreate()
    assert index.is_intact()


def test_a_groundless_suspicion_is_dropped(index: IndexDatabase) -> None:
    index.suspect("a stream failed once")

    assert index.is_intact()


def test_a_failed_change_leaves_nothing_behind(index: IndexDatabase) -> None:
    def change(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO scopes (workspace, project) VALUES ('w', 'p')")
        raise KeyError

    with pytest.raises(KeyError):
        index.write(change)

    assert index.read(lambda connection: connection.execute("SELECT count(*) FROM scopes").fetchone()) == (0,)


def test_a_reader_cannot_write(index: IndexDatabase) -> None:
    with pytest.raises(StoreUnreadable):
        index.read(lambda connection: connection.execute("DELETE FROM pages"))


def test_a_closed_index_says_so(tmp_path: Path) -> None:
    index = IndexDatabase(tmp_path)
    index.open()
    index.close()

    assert not index.is_intact()
    with pytest.raises(StoreUnreadable):
        index.read(catalog.count_pages)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"in the way")

    with pytest.raises(DiskRefused):
        IndexDatabase(tmp_path / "file" / "index").open()


def test_a_reader_sees_one_snapshot_while_a_writer_commits(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("a.md", "text"))

    def look_twice(connection: sqlite3.Connection) -> tuple[int, int]:
        before = catalog.count_pages(connection)
        writing = threading.Thread(target=builders.put, args=(index, builders.make_page("b.md", "text")))
        writing.start()
        writing.join(WAIT_SECONDS)
        return before, catalog.count_pages(connection)

    assert index.read(look_twice) == (1, 1)
    assert count(index) == 2


def test_a_reader_at_work_finishes_on_the_old_file_while_the_index_is_recreated(index: IndexDatabase) -> None:
    builders.fill(index, 50)

    def look(connection: sqlite3.Connection) -> tuple[int, int]:
        before = catalog.count_pages(connection)
        swapping = threading.Thread(target=index.recreate)
        swapping.start()
        swapping.join(WAIT_SECONDS)
        return before, catalog.count_pages(connection)

    assert index.read(look) == (50, 50)
    builders.put(index, builders.make_page("new.md", "text"))
    assert count(index) == 1
    assert index.is_intact()


def test_searches_go_on_while_pages_are_written_and_the_file_is_swapped(index: IndexDatabase) -> None:
    builders.fill(index, 100, extra="lexer")
    answers: list[int] = []

    def look(_: int) -> None:
        answers.append(len(builders.ask(index, "lexer").hits))

    with ThreadPoolExecutor(6) as pool:
        looks = [pool.submit(look, number) for number in range(120)]
        for number in range(20):
            builders.put(index, builders.make_page(f"late/{number}.md", "lexer"))
            if number % 7 == 6:
                index.recreate()
        for done in looks:
            done.result(WAIT_SECONDS)

    assert len(answers) == 120
    assert count(index) == 6
    assert index.is_intact()
