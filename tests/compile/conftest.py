"""A real store and a real wiki for tests of compile."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.compile import builders
from tests.compile.builders import House


@pytest.fixture(scope="session")
def migrated_state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Migrate once; each test starts from a copy."""
    return builders.migrate(tmp_path_factory.mktemp("migrated"))


@pytest.fixture
def house(migrated_state: Path, tmp_path: Path) -> Iterator[House]:
    with builders.open_house(migrated_state, tmp_path) as opened:
        opened.seed()
        yield opened
