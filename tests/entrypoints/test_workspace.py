"""A project that is named without its workspace is one of the workspace that the server is set to."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.entrypoints import rpc, serving
from tests.entrypoints.serving import SHOP, Server, new_name, read_payload
from tests.server import SERVE, clean_environment, run_server


@pytest.fixture
def team(tmp_path: Path, template: Path) -> Iterator[Server]:
    """A server of the workspace `team`, with a project `shop` there and another in `main`."""
    with serving.serve(tmp_path / "memwiki", template=template, workspace="team") as running:
        for place in (SHOP, {**SHOP, "marker_workspace": "main", "marker_project": "shop"}):
            prompt = read_payload("claude-code", "UserPromptSubmit", session_id=new_name())
            running.hook("UserPromptSubmit", prompt, checkout=place)
        yield running


@pytest.mark.parametrize(
    ("name", "found"), [("shop", "team/shop"), ("team/shop", "team/shop"), ("main/shop", "main/shop")]
)
def test_http_finds_a_project_by_its_name_alone(team: Server, name: str, found: str) -> None:
    assert team.put("notes/a.md", {"body": "A zebra."}, project=name).status_code == 200

    assert (team.folder / "wiki" / found / "notes" / "a.md").is_file()
    assert [hit["project"] for hit in team.read("/search", q="zebra", project=name)["hits"]] == [found]


def test_mcp_finds_a_project_by_its_name_alone(team: Server) -> None:
    said, has_failed = rpc.call_tool(team, "memory_write", path="notes/b.md", body="A yak.", project="shop")

    assert not has_failed, said
    assert (team.folder / "wiki" / "team" / "shop" / "notes" / "b.md").is_file()


def test_a_project_of_another_workspace_is_not_found_by_its_name_alone(tmp_path: Path, template: Path) -> None:
    with serving.serve(tmp_path / "memwiki", template=template) as before:
        before.ask(new_name(), "Look around.")

    with serving.serve(tmp_path / "memwiki", workspace="team") as after:
        assert after.get("/search", q="zebra", project="shop").status_code == 404
        assert after.get("/search", q="zebra", project="main/shop").status_code == 200


@pytest.mark.slow
def test_the_command_line_finds_a_project_by_its_name_alone(tmp_path: Path) -> None:
    with run_server(tmp_path / "memwiki", MEMWIKI_WORKSPACE="team") as server:
        prompt = read_payload("claude-code", "UserPromptSubmit", session_id=new_name())
        server.post_event("claude-code", "UserPromptSubmit", prompt, checkout=SHOP)
        page = {"body": "A zebra.\n"}
        server.client.put("/api/v1/pages/notes/a.md?project=team/shop", json=page).raise_for_status()
        command = [*SERVE, "read", "notes/a.md", "--project", "shop", "--json"]
        env = {**clean_environment(), "MEMWIKI_URL": server.url}
        done = subprocess.run(command, capture_output=True, cwd=tmp_path, env=env, timeout=60, check=False)

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["project"] == "team/shop"
