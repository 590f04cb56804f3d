"""Real agents whose hooks stand in another place than usual: in the project, or in a home that a variable moves."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.agents import clis, conftest
from tests.agents.clis import CLIS, Cli
from tests.agents.conftest import PATIENCE_SECONDS, Desk, read_files
from tests.agents.fake_model import Say
from tests.server import wait_for

pytestmark = [pytest.mark.agents, pytest.mark.extended, pytest.mark.timeout(900)]

CLAUDE, CODEX, GEMINI, COPILOT, OPENCODE = CLIS[:5]
# Hooks that came with a folder run only where the person trusts the folder.
IN_PROJECT = (
    CLAUDE,
    CODEX,
    GEMINI,
    replace(COPILOT, words=("copilot", "--trust-folder", *COPILOT.words[1:])),
    OPENCODE,
)
MOVED = (
    (CLAUDE, "CLAUDE_CONFIG_DIR", ".claude"),
    (CODEX, "CODEX_HOME", ".codex"),
    (COPILOT, "COPILOT_HOME", ".copilot"),
    (OPENCODE, "XDG_CONFIG_HOME", ".config"),
)


def trust_project(home: Path, project: Path) -> None:
    with (home / ".codex" / "config.toml").open("a", encoding="utf-8") as file:
        file.write(f'\n[projects."{project}"]\ntrust_level = "trusted"\n')


def list_prompts(desk: Desk, cli: Cli) -> list[str]:
    found = wait_for(desk.list_sessions, f"a session of {cli.agent}: {desk.said}", PATIENCE_SECONDS)
    seen = desk.server.get(f"/api/v1/sessions/{found[0]['id']}")["observations"]
    return [each["text"] for each in seen if each["kind"] == "prompt"]


def read_work(project: Path) -> dict[str, str]:
    return {path: text for path, text in read_files(project).items() if not path.startswith(".git/")}


@pytest.mark.parametrize("cli", IN_PROJECT, ids=lambda cli: str(cli.agent))
def test_an_agent_that_is_wired_in_one_project_is_heard_there(desk: Desk, cli: Cli) -> None:
    conftest.require(cli)
    cli.prepare(desk.home, desk.model.url)
    if cli is CODEX:
        trust_project(desk.home, desk.project)
    if cli is OPENCODE:
        clis.link_library(desk.project / ".opencode")
    at_home, in_project = read_files(desk.home), read_work(desk.project)
    desk.memwiki("install", cli.agent, "--scope", "project", "--apply", "--with-token", folder=desk.project)
    after = read_files(desk.home)
    assert {path: text for path, text in after.items() if not path.startswith(".local/share/memwiki/")} == at_home

    desk.model.play([Say("Nothing to do.")])
    desk.run(cli, "Say whether all is well")

    assert list_prompts(desk, cli) == ["Say whether all is well"]
    desk.memwiki("uninstall", cli.agent, "--apply", folder=desk.project)
    left = read_work(desk.project)
    assert {path: left.get(path) for path in in_project} == in_project
    assert [path for path, text in left.items() if "memwiki" in path + text] == []


@pytest.mark.parametrize(("cli", "variable", "folder"), MOVED, ids=[variable for _, variable, _ in MOVED])
def test_an_agent_whose_home_a_variable_moves_is_wired_and_heard_there(
    desk: Desk, cli: Cli, variable: str, folder: str
) -> None:
    conftest.require(cli)
    elsewhere = desk.home / "elsewhere"
    desk.more[variable] = str(elsewhere / folder)
    cli.prepare(elsewhere, desk.model.url)
    before = read_files(desk.home)
    desk.memwiki("install", cli.agent, "--apply", "--with-token")
    assert not (desk.home / folder).exists()

    desk.model.play([Say("Nothing to do.")])
    desk.run(cli, "Say whether all is well")

    assert list_prompts(desk, cli) == ["Say whether all is well"]
    desk.unwire(before)
