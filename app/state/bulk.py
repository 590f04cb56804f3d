"""Runs the statements of each event by the driver itself, past what SQLAlchemy does for each statement and value."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from app.state import engine, padding
from app.state.engine import ReadConnection, Row, WriteConnection


def insert_rows(
    conn: WriteConnection, table: sa.Table, columns: tuple[str, ...], rows: Sequence[tuple[object, ...]]
) -> None:
    """Insert rows whose values are as the database stores them, in the order of `columns`.

    Binding each value through the statement costs three times what the row itself does, which is too dear where
    thousands of events a second are saved.
    """
    if not rows:
        return
    sql, is_positional = _compile_insert(table, columns, conn.dialect)
    engine.run_each(conn, sql, rows if is_positional else [dict(zip(columns, row, strict=True)) for row in rows])


def execute_plain(conn: WriteConnection, statement: sa.UpdateBase, rows: Sequence[Mapping[str, object]]) -> int:
    """Run a statement for each row, whose values are as the database stores them; tells how many rows it met."""
    sql, names, fixed = _compile_plain(statement, conn.dialect)
    bound = [{**fixed, **row} for row in rows]
    if names is None:
        return engine.run_each(conn, sql, bound)
    return engine.run_each(conn, sql, [tuple([row[name] for name in names]) for row in bound])


def find_values(conn: ReadConnection, column: sa.Column[str], values: Collection[str]) -> set[str]:
    """Find which of these values a column has, in few statements that are compiled once for each length."""
    return {found for (found,) in _find(conn, (column,), column, values)}


def find_rows(
    conn: ReadConnection, table: sa.Table, column: sa.Column[str], values: Collection[str]
) -> list[Mapping[str, Any]]:
    """Find the rows whose column has one of these values, by the names of their columns."""
    names, readers = _list_readers(table, conn.dialect)
    found: list[Mapping[str, Any]] = []
    for stored in _find(conn, tuple(table.c), column, values):
        row = dict(zip(names, stored, strict=True))
        for name, read in readers:
            row[name] = read(row[name])
        found.append(row)
    return found


def find_number(conn: ReadConnection, query: sa.Select[tuple[int]]) -> int:
    """Ask for the one number that a query without parameters gives."""
    sql, fixed = _compile_query(query, conn.dialect)
    return int(engine.run_plain(conn, sql, fixed)[0][0])


def _find(
    conn: ReadConnection, columns: tuple[sa.Column[Any], ...], column: sa.Column[str], values: Collection[str]
) -> list[Row]:
    found: list[Row] = []
    for wanted in padding.list_padded(values):
        sql, names = _compile_find(columns, column, len(wanted), conn.dialect)
        found += engine.run_plain(conn, sql, wanted if names is None else dict(zip(names, wanted, strict=True)))
    return found


@lru_cache(maxsize=64)
def _compile_find(
    columns: tuple[sa.Column[Any], ...], column: sa.Column[str], count: int, dialect: Dialect
) -> tuple[str, tuple[str, ...] | None]:
    """Compile a look-up of so many values; the names of its parameters are None where they go by position."""
    names = tuple(f"v{number}" for number in range(count))
    query = sa.select(*columns).where(column.in_([sa.bindparam(name, type_=sa.Text()) for name in names]))
    compiled = query.compile(dialect=dialect)
    assert not compiled.positional or tuple(compiled.positiontup or ()) == names, "they stand in this order"
    return str(compiled), None if compiled.positional else names


@lru_cache(maxsize=16)
def _list_readers(
    table: sa.Table, dialect: Dialect
) -> tuple[tuple[str, ...], tuple[tuple[str, Callable[[Any], Any]], ...]]:
    """List the names of a table's columns, and how the values of some are read, which are stored in another form."""
    found = ((column.name, column.type.result_processor(dialect, None)) for column in table.c)
    readers = tuple((name, read) for name, read in found if read is not None)
    return tuple(column.name for column in table.c), readers


@lru_cache(maxsize=16)
def _compile_query(query: sa.Select[Any], dialect: Dialect) -> tuple[str, Any]:
    compiled = query.compile(dialect=dialect)
    values = compiled.params
    return str(compiled), tuple(values[name] for name in compiled.positiontup or ()) if compiled.positional else values


@lru_cache(maxsize=64)
def _compile_plain(
    statement: sa.UpdateBase, dialect: Dialect
) -> tuple[str, tuple[str, ...] | None, Mapping[str, object]]:
    """Compile a statement; the names of its parameters are None where they go by name, and some have a value."""
    compiled = statement.compile(dialect=dialect)
    names = tuple(compiled.positiontup or ()) if compiled.positional else None
    return str(compiled), names, {name: value for name, value in compiled.params.items() if value is not None}


@lru_cache(maxsize=64)
def _compile_insert(table: sa.Table, columns: tuple[str, ...], dialect: Dialect) -> tuple[str, bool]:
    compiled = sa.insert(table).compile(dialect=dialect, column_keys=list(columns))
    order = tuple(compiled.positiontup or columns)
    assert order == columns, "the table declares its columns in this order"
    return str(compiled), bool(compiled.positional)
