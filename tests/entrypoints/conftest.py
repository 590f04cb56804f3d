"""Servers in this process: one for a whole module where tests do not get in each other's way, else one for each."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.entrypoints import serving
from tests.entrypoints.serving import Server


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Migrate once; every other server starts from a copy."""
    folder = tmp_path_factory.mktemp("template") / "memwiki"
    with serving.serve(folder):
        pass
    for leftover in ("server.lock", "logs"):
        path = folder / leftover
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    return folder


@pytest.fixture
def server(tmp_path: Path, template: Path) -> Iterator[Server]:
    """A server of one test."""
    with serving.serve(tmp_path / "memwiki", template=template) as running:
        yield running


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[Server]:
    """A server of one module, with one project, `main/shop`."""
    with serving.serve(tmp_path_factory.mktemp("shared") / "memwiki", template=template) as running:
        running.ask(serving.new_name(), "Look around.")
        yield running
