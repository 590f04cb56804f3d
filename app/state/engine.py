"""Opens the database of state and says who may write; the only place that knows a database's own ways."""

import importlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Concatenate, Final, NewType, ParamSpec, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from app.domain.errors import AppError, DiskRefused, InvalidValue, StoreLocked, StoreUnreadable
from app.domain.limits import (
    RETRY_AFTER_MS,
    STATE_LOCK_WAIT_MS_MAX,
    STATE_READERS_MAX,
    STATEMENTS_KEPT_MAX,
    WAL_BYTES_KEPT,
    WAL_PAGES_PER_CHECKPOINT,
    WRITER_CACHE_KIB,
)

ReadConnection = NewType("ReadConnection", sa.Connection)
# A job may read what it is about to change, so each write connection is a read connection too.
WriteConnection = NewType("WriteConnection", ReadConnection)

# One row, its values in the order of the statement's columns and as the database stores them.
Row = tuple[Any, ...]

P = ParamSpec("P")
T = TypeVar("T")

_STORE: Final = "state.db"
# SQLite's primary result codes, by their names: BUSY, LOCKED; READONLY, IOERR, FULL, CANTOPEN; CORRUPT, NOTADB.
_LOCKED_CODES: Final = frozenset({5, 6})
_REFUSED_CODES: Final = frozenset({8, 10, 13, 14})
_UNREADABLE_CODES: Final = frozenset({11, 26})


class StateEngine:
    """Pooled readers that cannot write, and the one connection that writes and checkpoints."""

    def __init__(self, url: sa.URL) -> None:
        self.path = Path(str(url.database))
        self._readers = _create_engine(url, pool_size=STATE_READERS_MAX, begin="BEGIN")
        self._writer = _create_engine(url, pool_size=1, begin="BEGIN IMMEDIATE")
        # Between two writes the connection is kept: taking it from its pool costs as much as the smaller ones.
        self._turn = threading.Lock()
        self._idle_writer: sa.Connection | None = None
        sa.event.listen(self._readers, "connect", _prepare_reader)
        sa.event.listen(self._writer, "connect", _prepare_writer)

    def read(self, fn: Callable[Concatenate[ReadConnection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call `fn` with a connection that sees one moment; safe on any thread.

        Raises:
            StoreUnreadable: the file cannot be opened or is damaged.
            StoreLocked: no connection came free in time.
        """
        with _named_faults(), self._readers.connect() as conn, conn.begin():
            return fn(ReadConnection(conn), *args, **kwargs)

    @contextmanager
    def write_connection(self) -> Iterator[WriteConnection]:
        """Lend the only write connection, outside a transaction; it is dropped if the block fails.

        Raises:
            StoreLocked: it did not come free in time.
        """
        if not self._turn.acquire(timeout=STATE_LOCK_WAIT_MS_MAX / 1000):
            raise StoreLocked(_STORE, RETRY_AFTER_MS)
        try:
            with _named_faults():
                conn, self._idle_writer = self._idle_writer or self._writer.connect(), None
                try:
                    yield WriteConnection(ReadConnection(conn))
                    if conn.in_transaction():
                        conn.rollback()
                except BaseException:
                    # What a failed write left behind is unknown; a new connection recovers without a restart.
                    conn.invalidate()
                    conn.close()
                    raise
                self._idle_writer = conn
        finally:
            self._turn.release()

    def copy_to(self, target: Path) -> None:
        """Copy the database as it is at this moment; a half-made copy never has the target's name.

        Raises:
            DiskRefused: the copy cannot be written.
        """
        part = target.with_name(target.name + ".part")
        driver = self._readers.dialect.loaded_dbapi
        try:
            part.unlink(missing_ok=True)
            with self._readers.connect() as conn, closing(driver.connect(str(part))) as copy:
                conn.connection.driver_connection.backup(copy)  # type: ignore[union-attr]  # sqlite3's own
            part.replace(target)
        except (OSError, driver.Error) as error:
            raise DiskRefused(str(target), str(error)) from error

    def truncate_log(self) -> bool:
        """Move all that was written into the database's file and empty the log; False if a reader is in the way."""
        with self.write_connection() as conn:
            # Past SQLAlchemy, which would begin a transaction, and within one nothing is moved.
            return not run_plain(conn, "PRAGMA wal_checkpoint(TRUNCATE)", ())[0][0]

    def sqlite_version(self) -> str:
        """Tell which SQLite is in use, for people who look for a known fault in it."""
        return str(self._readers.dialect.loaded_dbapi.sqlite_version)

    def renew_writer(self) -> None:
        """Have the next write open a new connection.

        The current driver keeps those statements compiled that it met most often; where it has met many once, as in
        an upgrade, none of the new ones stays long enough to be met twice.
        """
        with self._turn:
            if self._idle_writer is not None:
                self._idle_writer.close()
                self._idle_writer = None
        self._writer.dispose()

    def close(self) -> None:
        """Close the readers first, so that the last checkpoint is the writer's."""
        self._readers.dispose()
        self.renew_writer()


def open_engine(url: str) -> StateEngine:
    """Prepare the connections; the file is opened at first use.

    Raises:
        InvalidValue: the URL names no database that state can live in.
    """
    parsed = sa.make_url(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database or parsed.database == ":memory:":
        raise InvalidValue("state_url", "state lives in a SQLite file: sqlite:////folder/state.db")
    return StateEngine(parsed)


def build_sqlite_url(path: Path) -> str:
    """Build the URL of a database file, whatever characters its path has."""
    return sa.URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)


def give_back_pages(conn: WriteConnection, pages_max: int) -> int:
    """Shorten the file by pages that stand empty; tells how many, 0 where the file was made without that ability."""
    before = _ask_number(conn, "PRAGMA freelist_count")
    if not before or not _ask_number(conn, "PRAGMA auto_vacuum"):
        return 0
    driver = conn.connection.driver_connection
    assert driver is not None, "the connection is in use"
    # Each call gives back one page: SQLAlchemy, and Python's own driver, take the first for the last.
    for _ in range(min(before, pages_max)):
        driver.execute("PRAGMA incremental_vacuum(1)")
    return before - _ask_number(conn, "PRAGMA freelist_count")


@contextmanager
def overwriting(conn: WriteConnection) -> Iterator[None]:
    """Have what the block deletes overwritten in the file, which costs time and is not done otherwise."""
    conn.exec_driver_sql("PRAGMA secure_delete = ON")
    try:
        yield
    finally:
        conn.exec_driver_sql("PRAGMA secure_delete = FAST")


def find_damage(conn: ReadConnection) -> str:
    """Look at every page of the file; empty if all is sound, else what is wrong."""
    found = str(conn.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())
    return "" if found == "ok" else found


def measure_file(conn: ReadConnection) -> tuple[int, int]:
    """Tell the bytes of the database's pages in all, and of those that stand empty."""
    size = _ask_number(conn, "PRAGMA page_size")
    return size * _ask_number(conn, "PRAGMA page_count"), size * _ask_number(conn, "PRAGMA freelist_count")


def measure_tables(conn: ReadConnection) -> dict[str, int] | None:
    """Tell the bytes of each table with its indexes; None where this SQLite cannot tell."""
    try:
        rows = conn.exec_driver_sql(
            "SELECT entry.tbl_name, sum(tree.pgsize) FROM dbstat AS tree JOIN sqlite_schema AS entry"
            " ON entry.name = tree.name WHERE tree.aggregate = TRUE GROUP BY entry.tbl_name"
        ).all()
    except sa.exc.OperationalError:
        return None
    return {name: size for name, size in rows}  # noqa: C416 -- a row is no pair to the type checker


def run_plain(conn: ReadConnection, sql: str, values: Sequence[object] | Mapping[str, object]) -> list[Row]:
    """Run a compiled statement by the driver itself and take all of its rows, as the database stores them.

    Through SQLAlchemy it costs several times what a small statement does; a fault looks as if it came from there.
    """
    cursor = conn.connection.cursor()
    try:
        cursor.execute(sql, values)
        return list(cursor.fetchall())
    except conn.dialect.loaded_dbapi.Error as error:
        raise _wrap_fault(conn, error) from error
    finally:
        cursor.close()


def run_each(conn: WriteConnection, sql: str, rows: Sequence[Sequence[object]] | Sequence[Mapping[str, object]]) -> int:
    """Run a compiled statement for each row by the driver itself; tells how many rows of the table it met."""
    cursor = conn.connection.cursor()
    try:
        cursor.executemany(sql, rows)
        return int(cursor.rowcount)
    except conn.dialect.loaded_dbapi.Error as error:
        raise _wrap_fault(conn, error) from error
    finally:
        cursor.close()


def translate_error(error: BaseException) -> AppError | None:
    """Name a fault of the store or its disk; None for a fault of the statement or the job."""
    if isinstance(error, sa.exc.TimeoutError):
        return StoreLocked(_STORE, RETRY_AFTER_MS)
    if not isinstance(error, sa.exc.DBAPIError):
        return None
    # The low byte is the primary code; the rest tells which call failed.
    code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    if code in _LOCKED_CODES:
        return StoreLocked(_STORE, RETRY_AFTER_MS)
    if code in _REFUSED_CODES:
        return DiskRefused(_STORE, str(error.orig))
    if code in _UNREADABLE_CODES:
        return StoreUnreadable(_STORE, str(error.orig))
    return None


def _ask_number(conn: ReadConnection, pragma: str) -> int:
    return int(conn.exec_driver_sql(pragma).scalar_one())


@contextmanager
def _named_faults() -> Iterator[None]:
    try:
        yield
    except sa.exc.SQLAlchemyError as error:
        known = translate_error(error)
        if known is None:
            raise
        raise known from error


def _wrap_fault(conn: sa.Connection, error: Exception) -> Exception:
    """Make of a driver's fault what SQLAlchemy would; the values, which nobody is to see in a log, stay out of it."""
    known = conn.dialect.loaded_dbapi.Error
    return sa.exc.DBAPIError.instance(None, None, error, known, hide_parameters=True, dialect=conn.dialect)


def _create_engine(url: sa.URL, *, pool_size: int, begin: str) -> sa.Engine:
    engine = sa.create_engine(
        url,
        module=_find_driver(),
        poolclass=QueuePool,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=STATE_LOCK_WAIT_MS_MAX / 1000,
        connect_args={
            "check_same_thread": False,
            "timeout": STATE_LOCK_WAIT_MS_MAX / 1000,
            "cached_statements": STATEMENTS_KEPT_MAX,
        },
    )
    # The driver's own transactions begin too late for a guarded read-then-write, so we begin them ourselves.
    sa.event.listen(engine, "begin", lambda conn: run_plain(conn, begin, ()))
    return engine


def _find_driver() -> ModuleType | None:
    """Prefer the current SQLite of the pysqlite3 wheel; None leaves the choice to SQLAlchemy."""
    try:
        return importlib.import_module("pysqlite3.dbapi2")
    except ModuleNotFoundError:
        return None


def _prepare_reader(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    connection.isolation_level = None
    _run_pragmas(connection, "query_only = ON")


def _prepare_writer(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    connection.isolation_level = None
    # Only a file without tables takes this; it lets emptied pages be given back bit by bit.
    _run_pragmas(connection, "auto_vacuum = INCREMENTAL")
    mode = _run_pragmas(connection, "journal_mode = WAL")
    if mode != "wal":
        raise StoreUnreadable(_STORE, f"its file system allows no write-ahead log (journal mode is {mode})")
    _run_pragmas(connection, "synchronous = FULL", "foreign_keys = ON", f"journal_size_limit = {WAL_BYTES_KEPT}")
    # A page whose rows move to others would keep a copy of them, which no later deletion could find.
    _run_pragmas(connection, "secure_delete = FAST")
    # A page that many commits change goes to the file once; each commit is in the log, and safe, all the same.
    _run_pragmas(connection, f"wal_autocheckpoint = {WAL_PAGES_PER_CHECKPOINT}", f"cache_size = -{WRITER_CACHE_KIB}")


def _run_pragmas(connection: DBAPIConnection, *pragmas: str) -> object:
    cursor = connection.cursor()
    try:
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        row = cursor.fetchone()
        return row[0] if row else None
    finally:
        cursor.close()
