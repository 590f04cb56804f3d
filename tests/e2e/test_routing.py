"""Real repositories, the real client and a real server: one project for each, and each event once."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e import sessions
from tests.e2e.sessions import ROOT, SentEvent
from tests.server import Server, clean_environment, run_git, wait_for

pytestmark = pytest.mark.slow

SOURCE = ROOT / "hooks" / "send_event.py"
IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "protocol.file.allow=always")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Make a repository without a remote, with one commit, a worktree, a submodule and a folder inside."""
    library, folder = tmp_path / "library", tmp_path / "shop"
    for each in (library, folder):
        each.mkdir()
        run_git(each, "init", "--quiet", "--initial-branch=main")
        run_git(each, *IDENTITY, "commit", "--quiet", "--allow-empty", "-m", "begin")
    run_git(folder, *IDENTITY, "submodule", "--quiet", "add", str(library), "lib")
    run_git(folder, *IDENTITY, "commit", "--quiet", "-m", "library")
    run_git(folder, "worktree", "add", "--quiet", str(tmp_path / "fix"), "-b", "fix")
    (folder / "deep" / "er").mkdir(parents=True)
    return folder


def send(server: Server, home: Path, event: SentEvent, folder: Path, client: Path = SOURCE) -> None:
    """Run the hook in a folder until the event has arrived: under load it may have to wait in the spool first."""
    command = (sys.executable, "-I", "-S", str(client), "--agent", event.agent, "--event", event.event)
    subprocess.run(
        (*command, "--url", server.url),
        input=json.dumps({**event.payload, "cwd": str(folder)}).encode(),
        capture_output=True,
        cwd=folder if folder.is_dir() else home,
        env=clean_environment() | {"HOME": str(home)},
        timeout=30,
        check=True,
    )


def find_project(server: Server, home: Path, session: str) -> str:
    """Tell a session's project; on a machine under load its events may wait in the spool for a later hook."""

    def look() -> str | None:
        answer = server.client.get(f"/api/v1/sessions/{session}")
        if answer.is_success:
            return str(answer.json()["project"])
        send(server, home, sessions.build_prompt("another", "Anything?"), home)
        return None

    return wait_for(look, f"events of {session}")


def test_every_part_of_a_repository_is_its_project(server: Server, home: Path, shop: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    run_git(tmp_path, "clone", "--quiet", "--bare", str(shop), str(bare))
    places = {"main": shop, "below": shop / "deep" / "er", "worktree": tmp_path / "fix", "submodule": shop / "lib"}

    for name, place in {**places, "bare": bare}.items():
        send(server, home, sessions.build_prompt(name, f"Look at {name}."), place)

    assert {find_project(server, home, name) for name in places} == {"main/shop"}
    assert find_project(server, home, "bare") == "main/bare"


def test_a_worktree_that_is_gone_ends_its_session_all_the_same(
    server: Server, home: Path, shop: Path, tmp_path: Path
) -> None:
    for event in sessions.build_session("gone")[:-1]:
        send(server, home, event, tmp_path / "fix")
    find_project(server, home, "gone")
    shutil.rmtree(tmp_path / "fix")

    send(server, home, sessions.build_end("gone"), tmp_path / "fix")
    send(server, home, sessions.build_prompt("other", "Go on."), shop)

    assert server.wait_for_page("gone")["project"] == "main/shop"
    assert find_project(server, home, "other") == "main/shop"


def test_two_installed_copies_of_the_hook_tell_one_event_and_one_copy_tells_two(
    server: Server, home: Path, shop: Path, tmp_path: Path
) -> None:
    plugin = tmp_path / "plugin" / "send_event.py"
    plugin.parent.mkdir()
    shutil.copy(SOURCE, plugin)
    stop = SentEvent("claude-code", "Stop", {"session_id": "twice", "last_assistant_message": "Done."}, {})

    for client in (SOURCE, plugin, SOURCE, plugin):
        send(server, home, stop, shop, client)
    find_project(server, home, "twice")

    def look() -> bool:
        send(server, home, sessions.build_prompt("another", "Anything?"), home)
        return not list((home / ".local" / "state" / "memwiki" / "spool").glob("events*.jsonl"))

    wait_for(look, "an empty spool")
    assert server.get("/api/v1/sessions/twice")["total"] == 2
