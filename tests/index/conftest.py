"""An open index in its own folder for each test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.index.database import IndexDatabase
from tests.index import builders


@pytest.fixture
def index(tmp_path: Path) -> Iterator[IndexDatabase]:
    opened = IndexDatabase(tmp_path / "index")
    opened.open()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def open_index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], IndexDatabase]]:
    """Opens indexes that the tests of a module share, and closes them."""
    opened: list[IndexDatabase] = []

    def open_one() -> IndexDatabase:
        opened.append(IndexDatabase(tmp_path_factory.mktemp("shared")))
        opened[-1].open()
        return opened[-1]

    yield open_one
    for index in opened:
        index.close()


@pytest.fixture(scope="module")
def filled(open_index: Callable[[], IndexDatabase]) -> IndexDatabase:
    """Five hundred pages of prose; tests that share it only read."""
    opened = open_index()
    builders.fill(opened, 500)
    return opened
