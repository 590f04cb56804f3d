"""The commands about keys: what is sealed moves under the key that the settings name."""

import json
import os
from pathlib import Path

import pytest

from tests import forking
from tests.entrypoints import serving
from tests.entrypoints.serving import wait_for
from tests.entrypoints.test_verbatim import AT_ONCE, is_released, work
from tests.server import clean_environment

SECONDS_MAX = 60


def run(*arguments: str, code: int = 0, **env: str) -> str:
    done = forking.run(arguments, env=clean_environment() | env, timeout=SECONDS_MAX)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path, template: Path) -> Path:
    """A data directory with two sealed sessions whose rows have left."""
    made = tmp_path / "memwiki"
    with serving.serve(made, template=template, **AT_ONCE) as server:
        work(server, "one")
        work(server, "two")
        wait_for(lambda: is_released(server), "rows have left state")
    return made


def read_words(folder: Path, **settings: object) -> list[bytes]:
    with serving.serve(folder, **settings) as server:
        return [server.get(f"/sessions/{session}", limit=500).content for session in ("one", "two")]


def list_ends(folder: Path) -> set[str]:
    return {path.name.partition(".jsonl.zst")[2].lstrip(".") for path in (folder / "raw").rglob("*") if path.is_file()}


def test_a_new_key_is_made_with_a_warning(tmp_path: Path) -> None:
    answer = json.loads(run("key", "new", str(tmp_path / "key"), "--json"))

    assert answer["file"] == str(tmp_path / "key")
    assert "read by nobody" in answer["warning"]
    assert "exists" in run("key", "new", str(tmp_path / "key"), code=2)


def test_sealed_files_are_encrypted_put_under_another_key_and_opened_again(folder: Path, tmp_path: Path) -> None:
    before = read_words(folder)
    first, second = tmp_path / "first", tmp_path / "second"
    ids = [json.loads(run("key", "new", str(path), "--json"))["key_id"] for path in (first, second)]
    assert list_ends(folder) == {""}

    rotate = ("key", "rotate", "--data-dir", str(folder), "--json")
    assert json.loads(run(*rotate, MEMWIKI_RAW_KEY_FILE=str(first)))["moved"] == 2
    assert list_ends(folder) == {ids[0]}
    assert serving.find_bytes(folder / "raw", "Request") == []
    assert (
        json.loads(run(*rotate, MEMWIKI_RAW_KEY_FILE=str(second), MEMWIKI_RAW_OLD_KEY_FILES=str(first)))["moved"] == 2
    )
    assert list_ends(folder) == {ids[1]}
    assert read_words(folder, raw_key_file=second) == before
    assert json.loads(run(*rotate, MEMWIKI_RAW_OLD_KEY_FILES=str(second))) == {
        "key_id": "",
        "moved": 2,
        "unreadable": [],
    }
    assert read_words(folder) == before


def test_a_running_server_keeps_its_directory(folder: Path) -> None:
    with serving.serve(folder):
        told = run("key", "rotate", "--data-dir", str(folder), code=6)

    assert f"process {os.getpid()}" in told


def test_a_damaged_file_stays_and_is_told_while_the_others_move(folder: Path, tmp_path: Path) -> None:
    damaged = min(path for path in (folder / "raw").rglob("*.zst"))
    damaged.write_bytes(b"zap")
    run("key", "new", str(tmp_path / "key"))

    told = run("key", "rotate", "--data-dir", str(folder), code=3, MEMWIKI_RAW_KEY_FILE=str(tmp_path / "key"))

    assert damaged.name in told
    assert "1 sealed files were put under key" in told
    assert damaged.read_bytes() == b"zap"


def test_a_key_that_cannot_be_used_stops_the_start(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("no key", encoding="ascii")
    (tmp_path / "key").chmod(0o600)

    told = run("serve", "--data-dir", str(folder), code=2, MEMWIKI_RAW_KEY_FILE=str(tmp_path / "key"))

    assert "raw_key_file" in told
