"""Inserts and finds many plain values by one call of the driver, past the binding of each parameter."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from app.state import padding
from app.state.engine import ReadConnection, WriteConnection


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
    if is_positional:
        conn.exec_driver_sql(sql, list(rows))
    else:
        conn.exec_driver_sql(sql, [dict(zip(columns, row, strict=True)) for row in rows])


def execute_plain(conn: WriteConnection, statement: sa.UpdateBase, rows: Sequence[Mapping[str, object]]) -> int:
    """Run a statement for each row, whose values are as the database stores them; tells how many rows it met."""
    sql, names, fixed = _compile_plain(statement, conn.dialect)
    bound = [{**fixed, **row} for row in rows]
    if names is None:
        return conn.exec_driver_sql(sql, bound).rowcount
    return conn.exec_driver_sql(sql, [tuple([row[name] for name in names]) for row in bound]).rowcount


def find_values(conn: ReadConnection, column: sa.Column[str], values: Collection[str]) -> set[str]:
    """Find which of these values a column has, in few statements that are compiled once for each length."""
    found: set[str] = set()
    for wanted in padding.list_padded(values):
        sql, names = _compile_find(column, len(wanted), conn.dialect)
        bound = tuple(wanted) if names is None else dict(zip(names, wanted, strict=True))
        found.update(conn.exec_driver_sql(sql, bound).scalars())
    return found


@lru_cache(maxsize=64)
def _compile_find(column: sa.Column[str], count: int, dialect: Dialect) -> tuple[str, tuple[str, ...] | None]:
    """Compile a look-up of so many values; the names of its parameters are None where they go by position."""
    names = tuple(f"v{number}" for number in range(count))
    query = sa.select(column).where(column.in_([sa.bindparam(name, type_=sa.Text()) for name in names]))
    compiled = query.compile(dialect=dialect)
    assert not compiled.positional or tuple(compiled.positiontup or ()) == names, "they stand in this order"
    return str(compiled), None if compiled.positional else names


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
