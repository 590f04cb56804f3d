"""The schema: migrated equals declared, upgraded with a copy, refused when newer, and cheap when current."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from app.domain.errors import DiskRefused, SchemaTooNew, StoreUnreadable
from app.state import engine, schema
from app.state.engine import ReadConnection, StateEngine
from app.state.tables import SCHEMA

ROOT = Path(__file__).parents[2]
MIGRATIONS = ROOT / "migrations"
HEAD = schema.list_revisions(MIGRATIONS)[-1]
NEXT = f"{int(HEAD) + 1:04d}"
NEWER = '''"""Add a table."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{down_revision}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table("extra", sa.Column("id", sa.Text(), nullable=False))
    {after}
'''
UPGRADING = """
import sys
from pathlib import Path
from app.state import engine, schema
schema.upgrade_schema(engine.open_engine(engine.build_sqlite_url(Path(sys.argv[1]))), Path(sys.argv[2]))
"""


def use_engine(path: Path, use: Callable[[StateEngine], object]) -> object:
    opened = engine.open_engine(engine.build_sqlite_url(path))
    try:
        return use(opened)
    finally:
        opened.close()


def upgrade(path: Path, folder: Path = MIGRATIONS) -> None:
    use_engine(path, lambda opened: schema.upgrade_schema(opened, folder))


def read(path: Path, query: Callable[[ReadConnection], object]) -> object:
    return use_engine(path, lambda opened: opened.read(query))


def list_tables(conn: ReadConnection) -> list[str]:
    return sa.inspect(conn).get_table_names()


def add_migration(tmp_path: Path, *, after: str = "pass") -> Path:
    folder = Path(shutil.copytree(MIGRATIONS, tmp_path / "newer"))
    text = NEWER.format(revision=NEXT, down_revision=HEAD, after=after)
    (folder / "versions" / f"{NEXT}_extra.py").write_text(text, encoding="utf-8")
    return folder


def test_migrated_tables_equal_the_declared_ones(tmp_path: Path) -> None:
    def compare(conn: ReadConnection) -> list[object]:
        context = MigrationContext.configure(conn, opts={"compare_type": True, "compare_server_default": True})
        return list(compare_metadata(context, SCHEMA))

    upgrade(tmp_path / "state.db")

    assert read(tmp_path / "state.db", compare) == []


def test_every_constraint_and_index_has_the_name_that_the_declaration_gives_it(tmp_path: Path) -> None:
    def list_names(conn: sa.Connection) -> set[str]:
        inspector = sa.inspect(conn)
        tables = [table for table in inspector.get_table_names() if table != "alembic_version"]
        names = {str(inspector.get_pk_constraint(table)["name"]) for table in tables}
        for listed in (inspector.get_foreign_keys, inspector.get_unique_constraints, inspector.get_indexes):
            names |= {str(found["name"]) for table in tables for found in listed(table)}
        return names

    upgrade(tmp_path / "state.db")
    declared = sa.create_engine("sqlite://")
    with declared.begin() as conn:
        SCHEMA.create_all(conn)
        expected = list_names(conn)
    declared.dispose()

    assert read(tmp_path / "state.db", list_names) == expected
    assert "None" not in expected


def test_migrations_import_nothing_of_the_app() -> None:
    sources = [path.read_text(encoding="utf-8") for path in MIGRATIONS.rglob("*.py")]

    assert sources
    assert not [source for source in sources if "import app" in source or "from app" in source]


def test_revisions_are_one_chain_named_like_their_files() -> None:
    revisions = schema.list_revisions(MIGRATIONS)
    files = sorted((MIGRATIONS / "versions").glob("[0-9]*.py"))

    assert revisions == [f"{number:04d}" for number in range(1, len(files) + 1)]
    assert all(f'revision = "{path.name[:4]}"' in path.read_text(encoding="utf-8") for path in files)


def test_a_newer_schema_is_refused_and_left_alone(tmp_path: Path) -> None:
    upgrade(tmp_path / "state.db", add_migration(tmp_path))

    with pytest.raises(SchemaTooNew) as caught:
        upgrade(tmp_path / "state.db")

    assert (caught.value.found, caught.value.known) == (NEXT, HEAD)
    assert read(tmp_path / "state.db", schema.find_revision) == NEXT


def test_an_upgrade_keeps_a_copy_of_what_was_there(tmp_path: Path) -> None:
    upgrade(tmp_path / "state.db")

    upgrade(tmp_path / "state.db", add_migration(tmp_path))

    copy = tmp_path / f"state.db.before-{NEXT}"
    assert read(copy, schema.find_revision) == HEAD
    assert "extra" not in read(copy, list_tables)
    assert "extra" in read(tmp_path / "state.db", list_tables)


def test_a_new_database_gets_no_copy(tmp_path: Path) -> None:
    upgrade(tmp_path / "state.db")

    assert [path.name for path in tmp_path.iterdir()] == ["state.db"]


def test_an_upgrade_that_fails_leaves_everything_as_it_was(tmp_path: Path) -> None:
    upgrade(tmp_path / "state.db")

    with pytest.raises(ZeroDivisionError):
        upgrade(tmp_path / "state.db", add_migration(tmp_path, after="1 / 0"))

    assert read(tmp_path / "state.db", schema.find_revision) == HEAD
    assert "extra" not in read(tmp_path / "state.db", list_tables)


def test_an_upgrade_that_is_killed_leaves_everything_as_it_was_and_the_next_one_is_whole(tmp_path: Path) -> None:
    upgrade(tmp_path / "state.db")
    waiting = add_migration(tmp_path, after="print('in the middle', flush=True); input()")
    command = [sys.executable, "-c", UPGRADING, str(tmp_path / "state.db"), str(waiting)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"in the middle\n"
        process.kill()

    assert read(tmp_path / "state.db", schema.find_revision) == HEAD
    assert "extra" not in read(tmp_path / "state.db", list_tables)
    (waiting / "versions" / f"{NEXT}_extra.py").write_text(
        NEWER.format(revision=NEXT, down_revision=HEAD, after="pass"), encoding="utf-8"
    )
    upgrade(tmp_path / "state.db", waiting)

    assert read(tmp_path / "state.db", schema.find_revision) == NEXT
    assert "extra" in read(tmp_path / "state.db", list_tables)
    assert read(tmp_path / "state.db", engine.find_damage) == ""


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    foreign = sa.create_engine(engine.build_sqlite_url(tmp_path / "state.db"))
    with foreign.begin() as conn:
        conn.execute(sa.text("CREATE TABLE theirs (id INTEGER)"))
    foreign.dispose()

    with pytest.raises(StoreUnreadable):
        upgrade(tmp_path / "state.db")


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state.db").write_text("not a database, " * 100, encoding="utf-8")

    with pytest.raises(StoreUnreadable):
        upgrade(tmp_path / "state.db")


def test_a_missing_folder_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(DiskRefused):
        upgrade(tmp_path / "missing" / "state.db")


def test_a_path_with_odd_characters_is_taken_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "a b%20?#ü"
    folder.mkdir()
    migrations = Path(shutil.copytree(MIGRATIONS, folder / "100% migrations"))

    upgrade(folder / "state.db", migrations)

    assert (folder / "state.db").is_file()


def test_a_start_with_a_current_schema_does_not_import_alembic(tmp_path: Path) -> None:
    upgrade(tmp_path / "state.db")
    program = (
        "import json, pathlib, sys\n"
        "from app.state import engine, schema\n"
        f"opened = engine.open_engine(engine.build_sqlite_url(pathlib.Path({str(tmp_path / 'state.db')!r})))\n"
        f"schema.upgrade_schema(opened, pathlib.Path({str(MIGRATIONS)!r}))\n"
        "opened.close()\n"
        "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))\n"
    )

    answer = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )

    modules = json.loads(answer.stdout)
    assert "sqlalchemy" in modules
    assert not {"alembic", "mako"} & set(modules)
