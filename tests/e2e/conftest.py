"""A server for tests that need one as it comes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server import Server, run_server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Run a server on an empty data directory."""
    with run_server(tmp_path / "memory") as running:
        yield running
