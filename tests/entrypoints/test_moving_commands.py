"""Moving projects, and taking along and deleting what is one person's, by the command line on a running server."""

import json
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from app.domain.errors import AppError
from app.domain.moving_errors import MoveConflicts
from app.entrypoints.cli.main import app
from tests.entrypoints.serving import read_payload
from tests.server import Server, run_server


def run(server: Server, *arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "--url", server.url])


def say(server: Server, *arguments: str) -> str:
    done = run(server, *arguments)
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output


def refuse(server: Server, *arguments: str) -> AppError:
    done = run(server, *arguments)
    assert isinstance(done.exception, AppError), done.output
    return done.exception


def fill(server: Server) -> None:
    for name in ("shop", "barn"):
        place = {"cwd": f"/home/dev/{name}", "root": f"/home/dev/{name}"}
        payload = read_payload("claude-code", "UserPromptSubmit", session_id=name, prompt="Look around.")
        server.post_event("claude-code", "UserPromptSubmit", payload, checkout=place)
        body = {"body": f"# Setup of {name}\n"}
        answer = server.client.put("/api/v1/pages/notes/setup.md", json=body, params={"project": name})
        assert answer.status_code == 200


def test_projects_and_people_by_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with run_server(tmp_path / "memwiki") as server:
        fill(server)

        plan = say(server, "project", "rename", "shop", "store")
        assert say(server, "project", "rename", "shop", "store", "--dry-run") == plan
        assert "would have renamed main/shop to main/store" in plan
        assert "Nothing was moved" in plan
        assert "renamed main/shop to main/store" in say(server, "project", "rename", "shop", "store", "--apply")
        in_the_way = json.loads(say(server, "project", "rename", "store", "barn", "--dry-run", "--json"))
        assert {each["kind"] for each in in_the_way["conflicts"]} == {"name_taken", "folder_taken"}
        assert refuse(server, "project", "rename", "store", "barn", "--apply").code == MoveConflicts.code
        assert "nobody can be asked" in str(refuse(server, "project", "merge", "barn", "store", "--apply"))
        merged = say(server, "project", "merge", "barn", "store", "--apply", "--yes")
        assert "other path: notes/setup.md -> notes/setup-2.md" in merged
        assert "retail/store" in say(server, "project", "move", "store", "retail", "--apply")

        check_export(server, tmp_path / "local.zip")
        told = say(server, "purge", "person", "local")
        assert "would delete person local" in told
        gone: dict[str, Any] = json.loads(say(server, "purge", "person", "local", "--apply", "--yes", "--json"))
        assert (gone["applied"], gone["gone"]["sessions"]) == (True, 2)


def check_export(server: Server, to: Path) -> None:
    assert "2 sessions" in say(server, "export", "person", "local", "--to", str(to))
    assert stat.S_IMODE(to.stat().st_mode) == 0o600
    with zipfile.ZipFile(to) as archive:
        assert "observations.jsonl" in archive.namelist()
    assert refuse(server, "export", "person", "local", "--to", str(to)).code == "invalid_value"
    assert refuse(server, "export", "person", "nobody", "--to", f"{to}.zip").code == "nothing_of_person"
    assert sorted(path.name for path in to.parent.glob("*.zip*")) == [to.name]


SHOWN_FIRST = (
    ("purge", "project", "shop"),
    ("project", "rename", "shop", "store"),
    ("project", "move", "shop", "retail"),
    ("project", "merge", "shop", "barn"),
    ("session", "forget", "s1"),
    ("page", "restore", "--at", "HEAD"),
    ("install", "codex"),
    ("uninstall", "codex"),
    ("bootstrap",),
    ("service",),
)


@pytest.mark.parametrize("words", SHOWN_FIRST, ids=" ".join)
def test_what_is_to_be_done_and_only_to_be_shown_is_refused_before_anybody_is_asked(words: tuple[str, ...]) -> None:
    done = CliRunner().invoke(app, [*words, "--apply", "--dry-run"])

    assert isinstance(done.exception, AppError), done.output
    assert "--apply" in str(done.exception)


@pytest.mark.parametrize("words", [SHOWN_FIRST[0], SHOWN_FIRST[3]], ids=" ".join)
def test_a_script_that_only_says_that_it_is_sure_is_stopped(words: tuple[str, ...]) -> None:
    done = CliRunner().invoke(app, [*words, "--yes"])

    assert isinstance(done.exception, AppError), done.output
    assert "it only goes with --apply" in str(done.exception)
