"""What commands do to a stopped server's folder stands in its trail, as what clients do to a running one."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app import config, wiring
from app.entrypoints import people_shapes
from app.entrypoints.cli.main import app
from app.state import audit
from tests.entrypoints.serving import Server

PASSWORD = "correct horse battery"


def run(*arguments: str, given: str = "") -> dict[str, Any]:
    done = CliRunner().invoke(app, [*arguments, "--json"], input=given)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def read_operators_rows(folder: Path) -> list[dict[str, Any]]:
    with wiring.open_people(config.load_settings(data_dir=folder)) as parts:
        rows = parts.engine.read(audit.list_audit_after, 0)
        assert parts.engine.read(audit.verify_audit).broken_at is None
    return [row for row in map(people_shapes.shape_entry, rows) if row["actor"] == "operator"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "memwiki"
    run("user", "add", "ann", "--admin", "--data-dir", str(place))
    return place


def test_commands_about_people_say_who_from_where_and_what(folder: Path) -> None:
    at = ("--data-dir", str(folder))
    run("user", "reset-password", "ann", "--password-stdin", *at, given=f"{PASSWORD}\n")
    run("user", "enable", "ann", *at)
    run("user", "enable", "ann", "--dry-run", *at)

    rows = read_operators_rows(folder)

    assert [row["action"] for row in rows] == ["person.add", "token.create", "person.password", "person.enable"]
    assert all(row["address"].startswith("this machine") and row["request"] for row in rows)
    assert [row["request"] == rows[0]["request"] for row in rows] == [True, True, False, False]
    assert (rows[3]["before"], rows[3]["after"]) == ("admin", "admin")


def test_a_change_of_keys_stands_there(folder: Path) -> None:
    run("key", "rotate", "--data-dir", str(folder))

    row = read_operators_rows(folder)[-1]

    assert (row["action"], row["subject"], row["detail"]) == ("key.rotate", "no key", "0 sealed files")


def test_a_restored_folder_says_that_it_was_restored(server: Server, tmp_path: Path) -> None:
    server.put("notes/one.md", {"body": "# One"}, project="shop")
    file, back = tmp_path / "kept.tar.zst", tmp_path / "back"
    run("backup", "--to", str(file), "--data-dir", str(server.folder))

    run("restore", str(file), "--data-dir", str(back))

    row = read_operators_rows(back)[-1]
    assert (row["action"], row["subject"]) == ("backup.restore", "kept.tar.zst")
    assert row["address"].startswith("this machine")
