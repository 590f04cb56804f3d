"""What stays on a person's machine: the token that is kept for the hooks, and what the hooks keep of their own."""

import json
from pathlib import Path

from tests.entrypoints.desk import CLOSED, make_desk
from tests.server import run_server

TOKEN = "mw_" + "5e" * 16
VARIABLE = "MEMWIKI_ACCESS_TOKEN"


def test_every_command_reads_the_token_that_is_kept_for_the_hooks(tmp_path: Path) -> None:
    with run_server(tmp_path / "memory", **{VARIABLE: TOKEN}) as server:
        desk = make_desk(tmp_path, server.url, server)
        desk.env[VARIABLE] = TOKEN
        desk.memwiki("install", "claude-code", "--keep-token", "--apply")
        del desk.env[VARIABLE]

        assert json.loads(desk.memwiki("projects", "--json")) == {"projects": []}


def test_unwiring_everything_says_what_stays_in_the_spool(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, CLOSED)
    desk.run("run", "claude", "say:Make totals round half up", "end")

    notes = json.loads(desk.memwiki("uninstall", "--all", "--apply", "--json"))["notes"]

    spool = desk.home / ".local" / "state" / "memwiki" / "spool"
    assert notes[0] == f"3 events wait in {spool} for the server: any memwiki command sends them once it answers"
    assert notes[1].startswith(f"{spool} stays, with ")
    assert all(path.name in notes[1] for path in spool.iterdir())
    assert not (desk.home / ".claude" / "settings.json").exists()
