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
from tests.entrypoints import serving
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


def list_actions(folder: Path) -> list[str]:
    return [row["action"] for row in read_operators_rows(folder)]


def test_a_backup_beside_a_running_server_stands_in_its_trail_at_once_and_only_once(
    server: Server, tmp_path: Path
) -> None:
    server.put("notes/one.md", {"body": "# One"}, project="shop")
    run("backup", "--to", str(tmp_path / "kept.tar.zst"), "--data-dir", str(server.folder))
    left = next((server.folder / "state" / "deeds").iterdir())
    text = left.read_bytes()

    row = server.read("/audit")["entries"][0]
    # As if the server had been killed after it wrote the row and before it removed the file.
    left.write_bytes(text)
    again = server.read("/audit")["entries"]

    assert (row["actor"], row["action"], row["subject"]) == ("operator", "backup.make", "kept.tar.zst")
    assert row["address"].startswith("this machine")
    assert row["detail"].endswith("files, in clear")
    assert [entry["action"] for entry in again].count("backup.make") == 1
    assert list((server.folder / "state" / "deeds").iterdir()) == []
    assert server.read("/audit/verify")["broken_at"] is None


def test_what_was_done_while_no_server_ran_is_there_after_the_next_start(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "kept.tar.zst"
    run("backup", "--to", str(file), "--data-dir", str(folder), "--with-secrets")
    file.write_bytes(file.read_bytes()[:-1])
    done = CliRunner().invoke(app, ["restore-drill", "--from", str(file), "--data-dir", str(folder), "--json"])
    (folder / "state").chmod(0o755)
    CliRunner().invoke(app, ["doctor", "--fix", "--data-dir", str(folder), "--json"])
    (folder / "state" / "deeds" / "odd.json").write_text("{", encoding="utf-8")

    with serving.serve(folder, access_token="mw_secret") as server:
        rows = {row["action"]: row for row in server.read("/audit")["entries"]}

    assert done.exit_code == 1
    assert rows["backup.make"]["detail"].endswith("in clear, with secrets")
    assert rows["backup.drill"]["detail"] == "does not work: 1 fault"
    assert rows["doctor.fix"]["subject"] == "permissions"
    assert list_actions(folder).count("backup.make") == 1


def test_what_the_server_has_done_by_itself_is_nobodys_deed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMWIKI_OWN_RUN", "1")

    run("backup", "--data-dir", str(folder))

    assert not (folder / "state" / "deeds").exists()
