"""How a data directory is taken and given back."""

import sqlite3
import stat
from pathlib import Path

import pytest

from app import config, wiring
from app.domain.errors import DirectoryInUse, DiskRefused, SchemaTooNew
from app.system import RandomIds
from tests.entrypoints import serving
from tests.entrypoints.serving import new_name


def build(folder: Path) -> wiring.Runtime:
    return wiring.build_runtime(config.load_settings(data_dir=folder))


def test_the_directory_is_its_owners_alone(tmp_path: Path) -> None:
    build(tmp_path / "deep" / "memwiki").close()

    folders = [tmp_path / "deep" / "memwiki" / name for name in ("", "state", "index", "wiki")]
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}


def test_a_file_in_its_place_is_refused_with_path_and_user(tmp_path: Path) -> None:
    (tmp_path / "memwiki").write_text("x", encoding="utf-8")

    with pytest.raises(DiskRefused) as refused:
        build(tmp_path / "memwiki")

    assert str(tmp_path / "memwiki") in str(refused.value)
    assert "uid" in str(refused.value)


def test_a_directory_is_free_again_after_a_start_that_failed(tmp_path: Path) -> None:
    folder = tmp_path / "memwiki"
    build(folder).close()
    place = folder / "state" / "state.db"
    with sqlite3.connect(place) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999_from_the_future'")
    connection.close()

    for _ in range(2):
        with pytest.raises(SchemaTooNew):
            build(folder)


def test_one_directory_serves_one_server(tmp_path: Path) -> None:
    first = build(tmp_path / "memwiki")

    with pytest.raises(DirectoryInUse):
        build(tmp_path / "memwiki")
    first.close()

    build(tmp_path / "memwiki").close()


def test_what_was_acknowledged_is_there_after_a_restart(tmp_path: Path, template: Path) -> None:
    folder, session = tmp_path / "memwiki", new_name()
    with serving.serve(folder, template=template) as server:
        server.ask(session, "Fix the lexer.")
        server.run(session, "pytest -q", "1 passed")

    with serving.serve(folder) as server:
        before = len(server.observations(session))
        server.end(session)
        pages = server.pages()

    assert (before, len(pages)) == (2, 1)


def test_ids_sort_by_time_and_differ(tmp_path: Path) -> None:
    del tmp_path
    ids = RandomIds()

    made = [ids.new_id() for _ in range(1000)]

    assert len(set(made)) == 1000
    assert [identifier[:9] for identifier in made] == sorted(identifier[:9] for identifier in made)
    assert {len(identifier) for identifier in made} == {26}
    assert len({ids.new_secret() for _ in range(100)}) == 100
