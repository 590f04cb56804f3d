"""`memwiki upgrade check`: what it says of each state of a data directory, and that it asks nobody unless told to."""

import json
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app import config, system
from app.domain.limits_faces import INDEX_ANSWER_BYTES_MAX
from app.domain.upkeep_errors import ReleaseUnknown
from app.entrypoints.cli import main
from app.index.database import INDEX_VERSION
from app.state import schema
from app.state.lock import DirectoryLock

KNOWN = schema.list_revisions(config.find_bundled("migrations"))


@dataclass
class Index:
    """An index of packages on loopback: what it answers, and what it was asked."""

    url: str
    body: bytes = b'{"info": {"version": "99.1"}, "releases": {}}'
    status: int = 200
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def index() -> Iterator[Index]:
    found = Index("")

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append(self.path)
            self.send_response(found.status)
            self.send_header("Content-Length", str(len(found.body)))
            self.end_headers()
            self.wfile.write(found.body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        found.url = f"http://127.0.0.1:{server.server_port}/pypi/memwiki/json"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield found
        server.shutdown()
        thread.join()


@pytest.fixture
def folder(tmp_path: Path, template: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory of this release, in a home of its own without agents and proxies."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return Path(shutil.copytree(template, tmp_path / "memwiki"))


def check(folder: Path, *options: str, code: int = 0) -> dict[str, Any]:
    done = CliRunner().invoke(main.app, ["upgrade", "check", "--json", "--data-dir", str(folder), *options])
    assert done.exit_code == code, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def set_schema(folder: Path, revision: str) -> None:
    with closing(sqlite3.connect(folder / "state" / "state.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))


def list_files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_data_of_this_release_needs_nothing_and_is_left_as_it_is(folder: Path) -> None:
    before = list_files(folder)

    found = check(folder)

    assert found["start"] == ["change nothing"]
    assert (found["state"]["found"], found["state"]["missing"]) == (KNOWN[-1], [])
    assert (found["index"]["found"], found["refusals"], found["advice"]) == ([INDEX_VERSION], [], [])
    assert (found["hook_client"], found["agents"], found["latest"]) == ("not installed", [], None)
    assert list_files(folder) == before


def test_a_folder_without_data_is_told_as_such_and_not_made(folder: Path) -> None:
    found = check(folder / "none")

    assert (found["state"]["found"], found["start"]) == (None, ["make the database"])
    assert not (folder / "none").exists()


def test_an_older_schema_is_copied_and_changed_and_the_room_for_it_is_told(folder: Path) -> None:
    set_schema(folder, KNOWN[-2])

    found = check(folder)

    assert found["state"]["missing"] == [KNOWN[-1]]
    assert [word in " ".join(found["start"]) for word in (f"before-{KNOWN[-1]}", KNOWN[-2])] == [True, True]
    assert found["space"]["needed_bytes"] > 2 * found["state"]["bytes"]


def test_a_newer_schema_would_be_refused_with_both_named(folder: Path) -> None:
    set_schema(folder, "9999")

    found = check(folder, code=1)

    assert "9999" in found["refusals"][0]
    assert KNOWN[-1] in found["refusals"][0]


def test_state_that_cannot_be_read_would_be_refused(folder: Path) -> None:
    (folder / "state" / "state.db").write_bytes(b"no database" * 999)

    assert "state.db" in check(folder, code=1)["refusals"][0]


def test_a_database_of_another_program_would_be_refused(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "state" / "state.db")) as connection, connection:
        connection.execute("DROP TABLE alembic_version")

    assert "did not make" in check(folder, code=1)["refusals"][0]


def test_an_index_of_another_release_is_built_anew(folder: Path) -> None:
    (folder / "wiki" / "main" / "shop").mkdir(parents=True)
    (folder / "index" / f"index-v{INDEX_VERSION}.db").rename(folder / "index" / "index-v1.db")

    found = check(folder)

    assert found["index"]["found"] == [1]
    assert any("index anew" in step for step in found["start"])


def test_a_server_of_another_release_and_hooks_of_another_one_are_told(folder: Path) -> None:
    CliRunner().invoke(main.app, ["install", "claude-code", "--apply"])
    current = check(folder)
    client = Path.home() / ".local" / "share" / "memwiki" / "hooks" / "send_event.py"
    client.write_text("# of another release", encoding="utf-8")

    with DirectoryLock(folder, {"pid": 1, "version": "0.0.9", "url": "http://127.0.0.1:9"}):
        found = check(folder)

    assert current["agents"] == [{"name": "claude-code", "is_current": True}]
    assert (found["hook_client"], found["running"]["version"]) == ("another release's", "0.0.9")
    assert found["agents"] == [{"name": "claude-code", "is_current": False}]
    assert ["restart" in line or "install claude-code" in line for line in found["advice"]] == [True, True]


def test_nobody_is_asked_unless_a_person_says_so(folder: Path, index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMWIKI_UPGRADE_URL", index.url)

    quiet = check(folder)
    asked = check(folder, "--online")

    assert quiet["latest"] is None
    assert index.asked == ["/pypi/memwiki/json"]
    assert asked["latest"] == {"asked": index.url, "version": "99.1", "is_newer": True}


@pytest.mark.parametrize(("latest", "is_newer"), [("0.0.1", False), ("99", True)])
def test_a_release_is_newer_by_its_numbers(folder: Path, index: Index, latest: str, is_newer: bool) -> None:  # noqa: FBT001
    index.body = json.dumps({"info": {"version": latest}}).encode()

    assert check(folder, "--online", "--index", index.url)["latest"]["is_newer"] is is_newer


def test_the_present_release_is_not_newer_than_itself(folder: Path, index: Index) -> None:
    index.body = json.dumps({"info": {"version": f"{system.find_version()}.0"}}).encode()

    assert not check(folder, "--online", "--index", index.url)["latest"]["is_newer"]


@pytest.mark.parametrize(
    ("status", "body"),
    [(500, b"{}"), (200, b"<html>"), (200, b'{"info": {}}'), (200, b" " * (INDEX_ANSWER_BYTES_MAX + 1))],
    ids=["fault", "no-json", "no-version", "too-long"],
)
def test_an_index_that_does_not_tell_is_named(folder: Path, index: Index, status: int, body: bytes) -> None:
    index.status, index.body = status, body

    done = CliRunner().invoke(
        main.app, ["upgrade", "check", "--data-dir", str(folder), "--online", "--index", index.url]
    )

    assert isinstance(done.exception, ReleaseUnknown)
    assert index.url in str(done.exception)


def test_a_person_reads_what_a_start_would_do(folder: Path) -> None:
    set_schema(folder, KNOWN[-2])

    done = CliRunner().invoke(main.app, ["upgrade", "check", "--data-dir", str(folder)])

    assert done.exit_code == 0
    assert f"schema {KNOWN[-2]}, this release has {KNOWN[-1]}" in done.output
    assert "A start of this release would:" in done.output
