"""A database built by the migrations, and its writer, for each test of state."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.state import engine, schema
from app.state.writer import Writer
from tests.state import builders
from tests.state.builders import Store

MIGRATIONS = Path(__file__).parents[2] / "migrations"


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Migrate once; each test starts from a copy."""
    path = tmp_path_factory.mktemp("migrated") / "state.db"
    opened = engine.open_engine(engine.build_sqlite_url(path))
    schema.upgrade_schema(opened, MIGRATIONS)
    opened.close()
    return path


@pytest.fixture
def state_file(migrated_file: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(migrated_file, tmp_path / "state.db"))


@pytest.fixture
def empty_store(state_file: Path) -> Iterator[Store]:
    opened = engine.open_engine(engine.build_sqlite_url(state_file))
    writer = Writer(opened)
    writer.start()
    yield Store(opened, writer)
    writer.stop()
    opened.close()


@pytest.fixture
def store(empty_store: Store) -> Store:
    """Hold project `p1` with its sessions `s1` to `s4`."""
    empty_store.write(builders.seed)
    return empty_store
