"""What holds for every agent there is: wiring twice is once, unwiring leaves no trace, and nobody else is touched."""

import stat
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.agents import guidance, hook_shapes, registry
from app.agents.agent import Agent, TokenUse
from app.agents.places import Home, Site, System, WiringScope, find_home
from app.domain.errors import ForeignEntry, InvalidValue
from app.entrypoints.cli import config_files, config_text, entries, install, install_files, machine, uninstall
from app.entrypoints.cli.install import Options
from app.entrypoints.cli.install_files import Written
from app.entrypoints.cli.machine import Machine

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
EVERY = pytest.mark.parametrize("agent", registry.AGENTS, ids=lambda agent: agent.name.value)
ALL = [agent.name.value for agent in registry.AGENTS]
TOKEN_ENV = "MEMWIKI_ACCESS_TOKEN"


@pytest.fixture
def desk(tmp_path: Path) -> Machine:
    client = tmp_path / "release" / "send_event.py"
    client.parent.mkdir()
    client.write_text("pass\n", encoding="utf-8")
    client.with_suffix(".sh").write_text(":\n", encoding="utf-8")
    home = tmp_path / "home"
    (home / "work").mkdir(parents=True)
    folder = home / ".local" / "share" / "memwiki"
    env = {TOKEN_ENV: "mw_planted", "PATH": ""}
    return Machine(home, env, folder, sys.executable, client, shell_path="/bin/sh", program="/opt/memwiki")


def wire(desk: Machine, names: Sequence[str], **options: Any) -> tuple[Written, ...]:  # noqa: ANN401 — any option
    return install_files.apply(install.plan_install(names, desk, Options(**options)), desk, NOW)


def unwire(desk: Machine, names: Sequence[str], *, is_thorough: bool = False) -> tuple[Written, ...]:
    return install_files.apply(uninstall.plan_uninstall(names, desk, is_thorough=is_thorough), desk, NOW)


def snapshot(desk: Machine) -> dict[str, bytes | None]:
    """Read everything in the home, folders as well."""
    return {
        str(path.relative_to(desk.home)): path.read_bytes() if path.is_file() else None for path in desk.home.rglob("*")
    }


def list_scopes(agent: Agent, desk: Machine) -> list[str]:
    """List the folders to wire an agent for, the person's own work last and as nothing."""
    projects = {WiringScope.PROJECT: str(desk.home / "work"), WiringScope.USER: ""}
    return [project for scope, project in projects.items() if scope in agent.traits.scopes]


@EVERY
def test_wiring_twice_is_once_and_unwiring_leaves_no_trace(agent: Agent, desk: Machine) -> None:
    before = snapshot(desk)

    for project in list_scopes(agent, desk):
        options = {"token_env": TOKEN_ENV if not project else "", "project": project}
        wire(desk, [agent.name.value], **options)
        wired = snapshot(desk)
        assert wire(desk, [agent.name.value], **options) == ()
        assert snapshot(desk) == wired

    unwire(desk, [agent.name.value])
    assert snapshot(desk) == before


@EVERY
def test_hooks_that_were_written_are_found_again(agent: Agent, desk: Machine) -> None:
    project = list_scopes(agent, desk)[-1]
    wire(desk, [agent.name.value], project=project)

    for file in agent.list_wiring(desk.site(project)).hooks:
        if not file.is_pattern:
            content = config_files.read_file(Path(file.path))
            found = hook_shapes.list_hooks(
                config_text.parse(file.path, file.format, content, ""), file.shape, agent.name
            )
            calls = install.build_link(agent, desk, Options()).calls
            assert {event: str(calls[event]) in str(call) for event, call in found} == dict.fromkeys(calls, True)


@EVERY
def test_the_token_stands_in_no_file_unless_there_is_no_other_way(agent: Agent, desk: Machine) -> None:
    project = list_scopes(agent, desk)[-1]
    written = wire(desk, [agent.name.value], token_env=TOKEN_ENV, project=project)

    telling = {path for path in map(Path, (done.path for done in written)) if b"mw_planted" in path.read_bytes()}
    assert bool(telling) == (agent.traits.token is TokenUse.LITERAL)
    assert {stat.S_IMODE(path.stat().st_mode) for path in telling} <= {0o600}


@EVERY
def test_unwiring_without_the_record_takes_what_is_ours(agent: Agent, desk: Machine) -> None:
    project = list_scopes(agent, desk)[-1]
    wire(desk, [agent.name.value], project=project)
    (desk.folder / "installed.json").unlink()

    install_files.apply(uninstall.plan_uninstall([agent.name.value], desk, project=project), desk, NOW)

    assert entries.find_own(agent, desk.site(project)) == []


def test_all_agents_at_once_go_as_they_came(desk: Machine) -> None:
    before = snapshot(desk)
    plan = install.plan_install(ALL, desk, Options(instructions=True, skills=True))
    at_home = {agent.name.value for agent in registry.AGENTS if WiringScope.USER in agent.traits.scopes}

    install_files.apply(plan, desk, NOW)
    assert {agent for agent, _reason in plan.refused} == set(ALL) - at_home
    assert not install.plan_install(ALL, desk, Options(instructions=True, skills=True)).is_changed

    unwire(desk, ALL, is_thorough=True)
    assert snapshot(desk) == before


def test_an_agent_that_shares_a_file_keeps_its_part(desk: Machine) -> None:
    names = ["claude-code", "codex"]
    wire(desk, names, project=str(desk.home / "work"), instructions=True, skills=True)
    wire(desk, ["gemini-cli"], wires=False, skills=True, project=str(desk.home / "work"))
    skill = desk.home / "work" / ".agents" / "skills" / "memwiki" / "SKILL.md"

    unwire(desk, ["codex"])
    assert skill.exists()

    unwire(desk, ["gemini-cli"])
    assert not skill.exists()


def test_an_agent_that_is_refused_holds_up_no_other(desk: Machine) -> None:
    (desk.home / ".codex").mkdir()
    (desk.home / ".codex" / "hooks.json").write_text("[]", encoding="utf-8")

    plan = install.plan_install(["codex", "claude-code"], desk)

    assert [agent for agent, _reason in plan.refused] == ["codex"]
    assert {owner.agent for change in plan.changes for owner in change.owners} == {"claude-code"}


@pytest.mark.parametrize("text", ["", "# Mine\n", "# Mine", "a\r\nb\r\n", "\n\n", "x\n<!-- memwiki -->\n"], ids=repr)
def test_instructions_come_and_go_to_the_byte(desk: Machine, text: str) -> None:
    path = desk.home / "work" / "AGENTS.md"
    path.write_bytes(text.encode())
    options = {"wires": False, "instructions": True, "project": str(path.parent)}
    wire(desk, ["codex"], **options)
    assert path.read_bytes().startswith(text.encode())
    assert wire(desk, ["codex"], **options) == ()
    (desk.folder / "installed.json").unlink()

    # Nothing but the block's own marks says now what was there.
    install_files.apply(uninstall.plan_uninstall(["codex"], desk, project=str(path.parent)), desk, NOW)
    assert path.read_bytes() == text.encode()


def test_what_a_person_wrote_around_the_block_stays(desk: Machine) -> None:
    path = desk.home / "work" / "AGENTS.md"
    path.write_text("# Mine\n", encoding="utf-8")
    wire(desk, ["codex"], wires=False, instructions=True, project=str(path.parent))
    path.write_text(f"Above.\n{path.read_text(encoding='utf-8')}Below.\n", encoding="utf-8")

    unwire(desk, ["codex"])

    assert path.read_text(encoding="utf-8") == "Above.\n# Mine\nBelow.\n"


def test_claude_code_is_told_in_its_own_file(desk: Machine) -> None:
    wire(desk, ["claude-code"], wires=False, instructions=True, skills=True)

    assert guidance.render_block() in (desk.home / ".claude" / "CLAUDE.md").read_text(encoding="utf-8")
    assert (desk.home / ".claude" / "skills" / "memwiki" / "SKILL.md").exists()


def test_a_skill_of_anothers_is_left_alone(desk: Machine) -> None:
    path = desk.home / ".agents" / "skills" / "memwiki" / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\nname: memwiki\n---\n", encoding="utf-8")

    with pytest.raises(ForeignEntry):
        wire(desk, ["codex"], wires=False, skills=True)


def test_a_token_is_kept_for_the_hooks_alone_and_goes_with_them(desk: Machine) -> None:
    wire(desk, ["claude-code"], token_env=TOKEN_ENV, keeps_token=True)

    kept = desk.folder / "hooks" / "token"
    assert (kept.read_text(encoding="utf-8"), stat.S_IMODE(kept.stat().st_mode)) == ("mw_planted\n", 0o600)
    unwire(desk, ["claude-code"])
    assert not kept.exists()


def test_a_token_that_is_nowhere_cannot_be_kept(desk: Machine) -> None:
    with pytest.raises(InvalidValue):
        wire(replace(desk, env={}), ["claude-code"], token_env=TOKEN_ENV, keeps_token=True)


def test_project_files_are_backed_up_elsewhere(desk: Machine) -> None:
    settings = desk.home / "work" / ".claude" / "settings.local.json"
    settings.parent.mkdir()
    settings.write_text("{}\n", encoding="utf-8")

    wire(desk, ["claude-code"], project=str(desk.home / "work"))

    assert [path.name for path in settings.parent.iterdir()] == ["settings.local.json"]
    assert len(list((desk.folder / "backups").iterdir())) == 1


def test_an_agent_is_detected_by_its_program_or_its_folder(desk: Machine, tmp_path: Path) -> None:
    codex, program = registry.find_agent("codex"), tmp_path / "bin" / "codex"
    assert not machine.is_detected(codex, desk)

    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    assert machine.is_detected(codex, replace(desk, env={"PATH": str(program.parent)}))

    (desk.home / ".codex").mkdir()
    assert machine.is_detected(codex, desk)


@pytest.mark.parametrize(
    ("env", "system", "home", "expected"),
    [
        ({}, System.LINUX, Home("zed", is_config=True), "/h/.config/zed"),
        ({"XDG_CONFIG_HOME": " "}, System.LINUX, Home("zed", is_config=True), "/h/.config/zed"),
        ({"XDG_CONFIG_HOME": "relative"}, System.LINUX, Home("zed", is_config=True), "/h/.config/zed"),
        ({"XDG_CONFIG_HOME": "/x"}, System.LINUX, Home("zed", is_config=True), "/x/zed"),
        ({"APPDATA": "C:\\A"}, System.WINDOWS, Home("Zed", is_config=True), "C:\\A\\Zed"),
        ({}, System.MACOS, Home("Claude", is_config=True, is_native=True), "/h/Library/Application Support/Claude"),
        ({"K": "\t"}, System.LINUX, Home(".k", variable="K"), "/h/.k"),
        ({"K": "/moved"}, System.LINUX, Home(".k", variable="K"), "/moved"),
    ],
)
def test_homes_are_found_the_same_way_everywhere(
    env: dict[str, str], system: System, home: Home, expected: str
) -> None:
    assert str(find_home(Site("/h", env, system), home)) == expected
