"""How much each table and each folder of the data directory takes, measured seldom, since it reads all of them."""

import os
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import sqlalchemy as sa

from app.domain.clock import Clock, has_passed
from app.domain.limits import SIZES_FILES_MAX, SIZES_KEPT_SECONDS, SIZES_SAMPLE_ROWS
from app.state import engine as engines
from app.state.engine import ReadConnection, StateEngine
from app.state.tables import SCHEMA


@dataclass(frozen=True, slots=True)
class TableSize:
    """One table with its indexes."""

    name: str
    rows: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class FolderSize:
    """One folder with all below it; `is_cut` says that there were more files than are counted."""

    name: str
    files: int
    size_bytes: int
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Sizes:
    """Everything at one moment; `is_estimate` says that tables' bytes are shares of the file by sampled rows."""

    measured_at: datetime
    tables: tuple[TableSize, ...]
    is_estimate: bool
    empty_bytes: int
    folders: tuple[FolderSize, ...]


class SizeGauge:
    """Measures when asked, and gives the same answer again for a while."""

    def __init__(self, engine: StateEngine, folders: Mapping[str, Path], clock: Clock) -> None:
        self._engine, self._folders, self._clock = engine, folders, clock
        self._lock = threading.Lock()
        self._last: Sizes | None = None

    def measure(self) -> Sizes:
        """Measure, or tell what was measured less than `SIZES_KEPT_SECONDS` ago."""
        with self._lock:
            now = self._clock.now()
            if self._last is None or has_passed(self._last.measured_at, now, timedelta(seconds=SIZES_KEPT_SECONDS)):
                tables, is_estimate, empty = self._engine.read(_measure_tables)
                folders = tuple(measure_folder(name, path) for name, path in self._folders.items())
                self._last = Sizes(now, tables, is_estimate, empty, folders)
            return self._last


def measure_folder(name: str, folder: Path, files_max: int = SIZES_FILES_MAX) -> FolderSize:
    """Add up the files below a folder, following no links; one that vanishes meanwhile counts for nothing."""
    files = total = 0
    for size in _list_sizes(folder):
        if files == files_max:
            return FolderSize(name, files, total, is_cut=True)
        files += 1
        total += size
    return FolderSize(name, files, total)


def _list_sizes(folder: Path) -> Iterator[int]:
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        yield entry.stat(follow_symlinks=False).st_size
        except OSError:
            continue


def _measure_tables(conn: ReadConnection) -> tuple[tuple[TableSize, ...], bool, int]:
    total, empty = engines.measure_file(conn)
    rows = {table.name: _count(conn, table) for table in SCHEMA.sorted_tables}
    exact = engines.measure_tables(conn)
    sizes = exact if exact is not None else _share(conn, rows, total - empty)
    found = [TableSize(name, count, sizes.get(name, 0)) for name, count in rows.items()]
    found.sort(key=lambda table: (-table.size_bytes, table.name))
    return tuple(found), exact is None, empty


def _count(conn: ReadConnection, table: sa.Table) -> int:
    return conn.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()


def _share(conn: ReadConnection, rows: Mapping[str, int], used_bytes: int) -> dict[str, int]:
    """Share the file's bytes among the tables by their rows' lengths, as the last rows of each show them."""
    weights = {
        table.name: rows[table.name] * _sample_length(conn, table) for table in SCHEMA.sorted_tables if rows[table.name]
    }
    whole = sum(weights.values()) or 1
    return {name: round(used_bytes * weight / whole) for name, weight in weights.items()}


def _sample_length(conn: ReadConnection, table: sa.Table) -> float:
    key = [column.desc() for column in table.primary_key.columns]
    sample = sa.select(table).order_by(*key).limit(SIZES_SAMPLE_ROWS).subquery()
    length = sum((_length(column) for column in sample.columns), sa.literal(0))
    return float(conn.execute(sa.select(sa.func.avg(length))).scalar_one())


def _length(column: sa.ColumnElement[object]) -> sa.ColumnElement[int]:
    # Numbers and moments take about so much; texts take their length, and each is looked up by an index or two.
    if isinstance(column.type, sa.Text):
        return sa.func.coalesce(sa.func.length(column), 0) + 8
    return sa.literal(8)
