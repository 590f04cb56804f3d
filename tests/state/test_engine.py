"""The engine: readers cannot write, each read sees one moment, and faults have names."""

import threading
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.domain.errors import DiskRefused, InvalidValue, StoreUnreadable
from app.state import engine, schema
from app.state.engine import ReadConnection, WriteConnection
from tests.state import builders
from tests.state.builders import WAIT_SECONDS, Store


def test_a_reader_cannot_write(store: Store) -> None:
    with pytest.raises(DiskRefused):
        store.read(lambda conn: builders.store_text(conn, "no"))  # type: ignore[arg-type]

    assert store.read(builders.list_texts) == []


def test_a_read_sees_one_moment_while_others_write(store: Store) -> None:
    def read_twice(conn: ReadConnection) -> tuple[list[str], list[str]]:
        before = builders.list_texts(conn)
        store.write(partial(builders.store_text, text="meanwhile"))
        return before, builders.list_texts(conn)

    assert store.read(read_twice) == ([], [])
    assert store.read(builders.list_texts) == ["meanwhile"]


def test_reads_are_safe_from_many_threads(store: Store) -> None:
    store.write(partial(builders.store_text, text="kept"))
    seen: list[list[str]] = []

    def read_many() -> None:
        seen.extend(store.read(builders.list_texts) for _ in range(20))

    threads = [threading.Thread(target=read_many) for _ in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_SECONDS)

    assert seen == [["kept"]] * 640


def test_a_read_passes_its_arguments_on(store: Store) -> None:
    def add(_conn: ReadConnection, left: int, *, right: int) -> int:
        return left + right

    assert store.engine.read(add, 1, right=2) == 3


def test_an_error_of_the_reading_function_arrives_as_it_is(store: Store) -> None:
    def fail(_conn: ReadConnection) -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        store.read(fail)


def test_every_connection_is_durable_and_checked(store: Store) -> None:
    names = ("journal_mode", "synchronous", "foreign_keys")

    def list_settings(conn: ReadConnection) -> list[object]:
        return [conn.execute(sa.text(f"PRAGMA {name}")).scalar_one() for name in names]

    assert store.write(list_settings) == ["wal", 2, 1]


def test_what_every_write_asks_stays_compiled_after_an_upgrade(tmp_path: Path) -> None:
    opened = engine.open_engine(engine.build_sqlite_url(tmp_path / "state.db"))
    schema.upgrade_schema(opened, Path(__file__).parents[2] / "migrations")

    with opened.write_connection() as conn:
        compiled = _count_compiled(conn)
    opened.close()

    assert compiled == 0


def test_what_every_write_asks_stays_compiled_beside_much_that_was_asked_once(store: Store) -> None:
    def ask(conn: WriteConnection) -> int:
        for number in range(200):
            engine.run_plain(conn, f"SELECT 'once', {number}", ())
        return _count_compiled(conn)

    compiled = store.write(ask)

    assert compiled == 0


def _count_compiled(conn: WriteConnection) -> int:
    """Ask a dozen things in turn, and count those that SQLite compiles again in the third turn."""
    calls: list[object] = []
    driver = conn.connection.driver_connection
    assert driver is not None
    # It is asked for its leave whenever a statement is compiled, and never when one runs.
    driver.set_authorizer(lambda *act: calls.append(act) or 0)
    for _ in range(3):
        calls.clear()
        for number in range(12):
            engine.run_plain(conn, f"SELECT 'often', {number}", ())
    return len(calls)


def test_a_damaged_file_is_named_when_it_is_read(store: Store, state_file: Path) -> None:
    for number in range(200):
        store.write(partial(builders.store_text, text=f"{number}" * 100))
    store.writer.stop()
    store.engine.close()
    size = state_file.stat().st_size
    with state_file.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))

    reopened = engine.open_engine(engine.build_sqlite_url(state_file))
    with pytest.raises(StoreUnreadable):
        reopened.read(builders.list_texts)
    reopened.close()


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "postgresql://host/base"])
def test_a_url_that_is_no_sqlite_file_is_refused(url: str) -> None:
    with pytest.raises(InvalidValue):
        engine.open_engine(url)


def test_a_copy_that_cannot_be_written_is_named(store: Store, tmp_path: Path) -> None:
    with pytest.raises(DiskRefused):
        store.engine.copy_to(tmp_path / "missing" / "copy.db")


def test_closing_leaves_one_file_with_everything_in_it(store: Store, state_file: Path) -> None:
    store.write(partial(builders.store_text, text="kept"))
    store.writer.stop()
    store.engine.close()

    assert [path.name for path in state_file.parent.iterdir()] == ["state.db"]
    reopened = engine.open_engine(engine.build_sqlite_url(state_file))
    assert reopened.read(builders.list_texts) == ["kept"]
    reopened.close()
