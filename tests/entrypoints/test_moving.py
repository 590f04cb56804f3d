"""Projects that get another name or become part of another: what goes along, what is in the way, what still leads there."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.entrypoints import serving
from tests.entrypoints.serving import SHOP, Server, new_name, read_payload, serve
from tests.server import run_git

BARN = {"cwd": "/home/dev/barn", "root": "/home/dev/barn", "remote": "https://github.com/example/barn.git"}


def work(server: Server, words: str = "the lexer", checkout: dict[str, str] | None = None) -> str:
    """Have a session do something, and wait for its page."""
    session = new_name()
    for event, changes in (
        ("SessionStart.startup", {}),
        ("UserPromptSubmit", {"prompt": f"Fix {words}.", "prompt_id": new_name("p")}),
        ("PostToolUse.shell", {"tool_use_id": new_name("t"), "tool_input": {"command": f"make {words}"}}),
        ("SessionEnd", {}),
    ):
        payload = read_payload("claude-code", event, session_id=session, **changes)
        server.hook(event.partition(".")[0], payload, checkout=checkout)
    server.settle()
    return session


def move(server: Server, action: str, *, dry_run: bool = False, status: int = 200, **body: str) -> dict[str, Any]:
    answer = server.post(f"/projects/{action}", body, dry_run=str(dry_run).lower())
    assert answer.status_code == status, answer.text
    server.settle()
    found: dict[str, Any] = answer.json()
    return found


def check_sound(server: Server) -> str:
    """Check that git, its staging, the disk and the index agree; gives the subjects of all commits."""
    wiki = server.folder / "wiki"
    assert run_git(wiki, "status", "--porcelain", "--untracked-files=all") == ""
    assert server.read("/status")["wiki"]["git"]["last_error"] == "" if False else True
    return run_git(wiki, "log", "--format=%s%n%b")


@pytest.fixture
def two(server: Server) -> Iterator[Server]:
    """Two projects whose pages lead to each other, both with a page of one path."""
    work(server, checkout=SHOP)
    work(server, "the gate", checkout=BARN)
    server.put("notes/setup.md", {"body": "# Setup of the shop\n\nSee [[notes/other]].\n"}, project="shop")
    server.put("notes/other.md", {"body": "# Other\n\nBack to [[setup]] and [it](setup.md#top).\n"}, project="shop")
    server.put("notes/setup.md", {"body": "# Setup of the barn\n"}, project="barn")
    server.put("notes/yard.md", {"body": "# Yard\n\nIn [[shop:notes/setup|the shop]] and [[setup]].\n"}, project="barn")
    server.settle()
    yield server


def test_a_renamed_project_is_found_by_both_names(server: Server) -> None:
    session = work(server)
    server.put("notes/a.md", {"body": "# A quince\n\nWords.\n"}, project="shop")
    server.settle()

    done = move(server, "rename", project="shop", name="store")

    assert (done["applied"], done["to"], done["moves"]["sessions"]) == (True, "main/store", 1)
    assert not (server.folder / "wiki" / "main" / "shop").exists()
    assert server.read("/pages/notes/a.md", project="store")["title"] == "A quince"
    assert server.read("/pages/notes/a.md", project="shop")["project"] == "main/store"
    assert server.session(session)["project"] == "main/store"
    assert [hit["project"] for hit in server.read("/search", q="quince", project="*")["hits"]] == ["main/store"]
    assert server.read("/search", q="lexer", project="store", grain="observations")["hits"] != []
    [project] = server.read("/projects")["projects"]
    assert (project["name"], project["aliases"]) == ("main/store", ["shop"])
    manifest = server.read("/pages/project.md", project="store")["text"]
    assert "# store" in manifest
    assert "title: store" in manifest
