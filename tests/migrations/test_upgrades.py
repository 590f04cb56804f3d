"""A database of each past schema, with rows in every table, is upgraded to this one and loses nothing."""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.domain.errors import SchemaTooNew
from app.state import engine, health, schema

MIGRATIONS = Path(__file__).parents[2] / "migrations"
KNOWN = schema.list_revisions(MIGRATIONS)
ROWS = (1, 2)
# What a migration gave another name keeps its values under it.
RENAMED = {("handoffs", "token_hash"): "claim_token"}
# Before accounts nothing could put a row there, and the table was made anew.
NEVER_FILLED = {"access_tokens": "0009"}

Rows = dict[str, list[dict[str, object]]]


@contextmanager
def connect(path: Path) -> Iterator[sa.Connection]:
    opened = sa.create_engine(engine.build_sqlite_url(path))
    try:
        with opened.begin() as connection:
            connection.exec_driver_sql("PRAGMA foreign_keys = ON")
            yield connection
    finally:
        opened.dispose()


def upgrade(path: Path, folder: Path) -> None:
    with closing(engine.open_engine(engine.build_sqlite_url(path))) as opened:
        schema.upgrade_schema(opened, folder)


def reflect(connection: sa.Connection) -> list[sa.Table]:
    found = sa.MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name != "alembic_version"]


def build_value(table: sa.Table, column: sa.Column[object], number: int) -> object:
    """Make a value of a column's kind; one that names another table's row names the row of the same number."""
    for key in column.foreign_keys:
        if key.column.table is not table:
            return build_value(key.column.table, key.column, number)
        return None
    if isinstance(column.type, sa.Boolean):
        return number > 1
    if isinstance(column.type, sa.Integer):
        return number
    return bytes([number]) if isinstance(column.type, sa.LargeBinary) else f"{column.name}-{number}"


def fill(path: Path) -> None:
    with connect(path) as connection:
        for table in reflect(connection):
            rows = [{each.name: build_value(table, each, number) for each in table.columns} for number in ROWS]
            connection.execute(sa.insert(table), rows)


def read(path: Path) -> Rows:
    def list_rows(connection: sa.Connection, table: sa.Table) -> list[dict[str, object]]:
        found = connection.execute(sa.select(table).order_by(*table.primary_key))
        return [dict(row) for row in found.mappings()]

    with connect(path) as connection:
        return {table.name: list_rows(connection, table) for table in reflect(connection)}


@pytest.fixture(scope="module")
def fixtures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build a filled database of each past schema by the migrations up to it."""
    folder = tmp_path_factory.mktemp("schemas")
    known = Path(shutil.copytree(MIGRATIONS, folder / "migrations"))
    files = {path.name[:4]: path for path in (known / "versions").glob("[0-9]*.py")}
    for path in files.values():
        path.rename(path.with_suffix(".later"))
    made = {}
    for revision in KNOWN[:-1]:
        files[revision].with_suffix(".later").rename(files[revision])
        upgrade(folder / "empty.db", known)
        made[revision] = Path(shutil.copy2(folder / "empty.db", folder / f"{revision}.db"))
        fill(made[revision])
    return made


@pytest.mark.parametrize("revision", KNOWN[:-1])
def test_a_database_of_a_past_schema_keeps_every_row(fixtures: dict[str, Path], tmp_path: Path, revision: str) -> None:
    path = Path(shutil.copy2(fixtures[revision], tmp_path / "state.db"))
    before = {table: rows for table, rows in read(path).items() if revision >= NEVER_FILLED.get(table, "")}

    upgrade(path, MIGRATIONS)

    after = read(path)
    assert before
    assert all(len(rows) == len(ROWS) for rows in before.values())
    assert [table for table in before if len(after.get(table, ())) != len(ROWS)] == []
    for table, rows in before.items():
        kept = {name: RENAMED.get((table, name), name) for name in rows[0]}
        present = {name: now for name, now in kept.items() if now in after[table][0]}
        assert [{now: row[now] for now in present.values()} for row in after[table]] == [
            {present[name]: row[name] for name in present} for row in rows
        ], table


@pytest.mark.parametrize("revision", [KNOWN[0], KNOWN[-2]])
def test_an_upgraded_database_is_sound_and_leaves_a_copy_of_the_past_one(
    fixtures: dict[str, Path], tmp_path: Path, revision: str
) -> None:
    path = Path(shutil.copy2(fixtures[revision], tmp_path / "state.db"))
    before = read(path)

    upgrade(path, MIGRATIONS)

    with closing(engine.open_engine(engine.build_sqlite_url(path))) as opened:
        assert opened.read(schema.find_revision) == KNOWN[-1]
        assert opened.read(health.find_fault) == ""
    assert read(tmp_path / f"state.db.before-{KNOWN[-1]}") == before


def test_a_newer_schema_is_refused_with_both_versions_named(fixtures: dict[str, Path], tmp_path: Path) -> None:
    path = Path(shutil.copy2(fixtures[KNOWN[-2]], tmp_path / "state.db"))
    with connect(path) as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(SchemaTooNew) as caught:
        upgrade(path, MIGRATIONS)

    assert "9999" in str(caught.value)
    assert KNOWN[-1] in str(caught.value)
    assert list(tmp_path.iterdir()) == [path]
