"""Wiring an agent and taking the wires out again, on real files in a temporary home."""

import json
import shlex
import subprocess
import sys
import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.agents import registry
from app.domain.errors import DiskRefused, ForeignEntry, InvalidValue, UnknownAgent
from app.entrypoints.cli import config_files, install, install_files, uninstall
from app.entrypoints.cli.install import Options
from app.entrypoints.cli.install_files import Written
from app.entrypoints.cli.machine import Machine
from app.entrypoints.cli.plans import Plan

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
AGENTS = ["claude-code", "codex"]
FOREIGN = {"type": "command", "command": "/opt/notify.sh", "timeout": 3}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    client = tmp_path / "release" / "send_event.py"
    client.parent.mkdir()
    client.write_text("import sys\nprint(' '.join(sys.argv[1:]))\n", encoding="utf-8")
    client.with_suffix(".sh").write_text("echo by shell $*\n", encoding="utf-8")
    home = tmp_path / "home"
    home.mkdir()
    return Machine(
        home=home,
        env={},
        folder=home / ".local" / "share" / "memwiki",
        python=sys.executable,
        client_source=client,
    )


def plan_for(machine: Machine, agent: str, **options: Any) -> Plan:  # noqa: ANN401 — an option of any type
    return install.plan_install([agent], machine, Options(**options))


def wire(machine: Machine, agent: str, **options: Any) -> tuple[Written, ...]:  # noqa: ANN401 — see above
    return install_files.apply(plan_for(machine, agent, **options), machine, NOW)


def unwire(machine: Machine, *agents: str) -> tuple[Written, ...]:
    return install_files.apply(uninstall.plan_uninstall(agents, machine), machine, NOW)


def snapshot(home: Path) -> dict[str, bytes]:
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}


def put(home: Path, name: str, content: str) -> Path:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode())
    return path


def read_json(home: Path, name: str) -> dict[str, object]:
    parsed = json.loads((home / name).read_text(encoding="utf-8"))
    assert isinstance(parsed, dict)
    return parsed


def list_commands(settings: dict[str, object], event: str) -> list[str]:
    hooks = settings["hooks"]
    assert isinstance(hooks, dict)
    return [handler["command"] for group in hooks[event] for handler in group["hooks"]]


def test_claude_code_gets_its_hooks_and_its_server(machine: Machine) -> None:
    wire(machine, "claude-code", server_url="http://10.0.0.5:7470/mcp/", token_env="MEMWIKI_ACCESS_TOKEN")

    settings = read_json(machine.home, ".claude/settings.json")
    assert set(settings["hooks"]) == {event.name for event in registry.find_agent("claude-code").traits.hook_events}  # type: ignore[call-overload]
    [command] = list_commands(settings, "Stop")
    assert shlex.split(command) == [
        sys.executable, "-I", "-S", str(machine.folder / "hooks" / "send_event.py"), "--agent", "claude-code",
        "--event", "Stop", "--url", "http://10.0.0.5:7470", "||", "exit", "0",
    ]  # fmt: skip
    assert read_json(machine.home, ".claude.json")["mcpServers"] == {
        "memwiki": {
            "type": "http",
            "url": "http://10.0.0.5:7470/mcp",
            "headers": {"Authorization": "Bearer ${MEMWIKI_ACCESS_TOKEN}"},
        }
    }


def test_codex_gets_its_hooks_and_its_server(machine: Machine) -> None:
    wire(machine, "codex", token_env="MEMWIKI_ACCESS_TOKEN")

    hooks = read_json(machine.home, ".codex/hooks.json")["hooks"]
    assert set(hooks) == {event.name for event in registry.find_agent("codex").traits.hook_events}  # type: ignore[call-overload]
    parsed = tomllib.loads((machine.home / ".codex" / "config.toml").read_text(encoding="utf-8"))
    assert parsed["mcp_servers"]["memwiki"] == {
        "url": "http://127.0.0.1:7470/mcp",
        "bearer_token_env_var": "MEMWIKI_ACCESS_TOKEN",
    }


@pytest.mark.parametrize("agent", AGENTS)
def test_without_a_token_nothing_about_tokens_is_written(machine: Machine, agent: str) -> None:
    wire(machine, agent)

    written = b"".join(snapshot(machine.home).values()).lower()
    assert b"bearer" not in written
    assert b"authorization" not in written


def test_codex_is_told_that_hooks_wait_for_its_review(machine: Machine) -> None:
    notes = " ".join(plan_for(machine, "codex").notes)

    assert "/hooks" in notes


@pytest.mark.parametrize("agent", AGENTS)
def test_installed_hook_runs_the_copied_client(machine: Machine, agent: str) -> None:
    wire(machine, agent)
    place = registry.find_agent(agent).list_wiring(machine.site()).hooks[0]
    [command] = list_commands(json.loads(Path(place.path).read_text(encoding="utf-8")), "Stop")

    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=30, check=True)

    assert ran.stdout == f"--agent {agent} --event Stop --url http://127.0.0.1:7470\n"


def test_hook_whose_client_is_gone_still_succeeds(machine: Machine) -> None:
    wire(machine, "claude-code")
    [command] = list_commands(read_json(machine.home, ".claude/settings.json"), "PreToolUse")
    (machine.folder / "hooks" / "send_event.py").unlink()

    ran = subprocess.run(["sh", "-c", command], capture_output=True, timeout=30, check=False)

    assert (ran.returncode, ran.stdout) == (0, b"")


@pytest.mark.parametrize("agent", AGENTS)
def test_with_a_shell_all_but_the_start_go_by_it(machine: Machine, agent: str) -> None:
    wire(replace(machine, shell_path="sh"), agent)
    place = registry.find_agent(agent).list_wiring(machine.site()).hooks[0]
    settings = json.loads(Path(place.path).read_text(encoding="utf-8"))

    for event in settings["hooks"]:
        [command] = list_commands(settings, event)
        ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=30, check=True)
        words = f"--agent {agent} --event {event} --url http://127.0.0.1:7470"
        is_start = event == "SessionStart"
        assert ran.stdout == (f"{words}\n" if is_start else f"by shell {words} --python {sys.executable}\n")


def test_hooks_by_shell_replace_those_without_and_go_without_a_trace(machine: Machine) -> None:
    before = snapshot(machine.home)
    wire(machine, "claude-code")
    plain = read_json(machine.home, ".claude/settings.json")

    wire(replace(machine, shell_path="sh"), "claude-code")

    assert list_commands(plain, "Stop") != list_commands(read_json(machine.home, ".claude/settings.json"), "Stop")
    assert (machine.folder / "hooks" / "send_event.sh").exists()
    # The shell may be gone by then.
    unwire(machine, "claude-code")
    assert snapshot(machine.home) == before


def test_a_client_that_another_agent_runs_by_shell_is_kept_up_to_date(machine: Machine) -> None:
    wire(replace(machine, shell_path="sh"), "codex")
    machine.client_source.with_suffix(".sh").write_text("new", encoding="utf-8")

    wire(machine, "claude-code")

    assert (machine.folder / "hooks" / "send_event.sh").read_text(encoding="utf-8") == "new"


def test_http_hooks_need_no_process_but_at_the_start(machine: Machine) -> None:
    plan = plan_for(machine, "claude-code", token_env="MEMWIKI_ACCESS_TOKEN", posts=True)
    install_files.apply(plan, machine, NOW)

    hooks = read_json(machine.home, ".claude/settings.json")["hooks"]
    assert isinstance(hooks, dict)
    assert [hook["type"] for groups in hooks.values() for hook in groups[0]["hooks"]] == ["command"] + ["http"] * 10
    assert hooks["Stop"] == [
        {
            "hooks": [
                {
                    "type": "http",
                    "url": "http://127.0.0.1:7470/hook?agent=claude-code&event=Stop&by=memwiki",
                    "timeout": 5,
                    "headers": {"Authorization": "Bearer $MEMWIKI_ACCESS_TOKEN"},
                    "allowedEnvVars": ["MEMWIKI_ACCESS_TOKEN"],
                }
            ]
        }
    ]
    assert any("not kept" in note and "Claude Code" in note for note in plan.notes)


def test_the_note_on_http_hooks_names_the_agent_that_posts(machine: Machine) -> None:
    plan = plan_for(machine, "qwen-code", token_env="MEMWIKI_ACCESS_TOKEN", posts=True)

    assert any("Qwen Code" in note for note in plan.notes)
    assert not any("Claude Code posts" in note for note in plan.notes)


def test_http_hooks_are_replaced_by_commands_and_removed(machine: Machine) -> None:
    put(machine.home, ".claude/settings.json", json.dumps({"hooks": {"Stop": [{"hooks": [FOREIGN]}]}}))
    before = snapshot(machine.home)
    wire(machine, "claude-code", posts=True)

    wire(machine, "claude-code")

    settings = read_json(machine.home, ".claude/settings.json")
    assert [len(list_commands(settings, event)) for event in ("Stop", "SessionEnd")] == [2, 1]
    wire(machine, "claude-code", posts=True)
    unwire(machine, "claude-code")
    assert snapshot(machine.home) == before


def test_an_agent_without_http_hooks_refuses_them(machine: Machine) -> None:
    with pytest.raises(InvalidValue):
        plan_for(machine, "codex", posts=True)


@pytest.mark.parametrize("agent", AGENTS)
def test_plan_alone_writes_nothing(machine: Machine, agent: str) -> None:
    plan = plan_for(machine, agent)

    assert plan.is_changed
    assert snapshot(machine.home) == {}
    assert all("memwiki" in config_files.render_diff(change) for change in plan.changes)


@pytest.mark.parametrize("agent", AGENTS)
def test_second_install_changes_no_byte(machine: Machine, agent: str) -> None:
    wire(machine, agent)
    first = snapshot(machine.home)

    written = wire(machine, agent)

    assert written == ()
    assert snapshot(machine.home) == first


@pytest.mark.parametrize("agent", AGENTS)
def test_uninstall_leaves_an_untouched_home_as_it_was(machine: Machine, agent: str) -> None:
    wire(machine, agent)

    unwire(machine, agent)

    assert snapshot(machine.home) == {}


def test_uninstall_gives_back_the_very_bytes(machine: Machine) -> None:
    odd = '\ufeff{ "hooks" :{"Stop":[ {"hooks":[{"type":"command","command":"x"}]}]} ,\r\n\t"n": 1.50e3 }'
    put(machine.home, ".claude/settings.json", odd)
    put(machine.home, ".claude.json", '{"mcpServers": {}}')
    before = snapshot(machine.home)
    wire(machine, "claude-code")

    unwire(machine, "claude-code")

    assert snapshot(machine.home) == before


def test_uninstall_after_others_wrote_takes_only_our_entries(machine: Machine) -> None:
    path = put(machine.home, ".claude/settings.json", '{\n    "model": "opus"\n}\n')
    wire(machine, "claude-code")
    path.write_text(path.read_text(encoding="utf-8").replace('"opus"', '"sonnet"'), encoding="utf-8")

    unwire(machine, "claude-code")

    assert path.read_text(encoding="utf-8") == '{\n    "model": "sonnet"\n}\n'


def test_uninstall_keeps_what_codex_wrote_since(machine: Machine) -> None:
    path = put(machine.home, ".codex/config.toml", 'model = "gpt-5.5" # mine\n')
    wire(machine, "codex")
    trust = '\n# trusted by hand\n[hooks.state."k"]\ntrusted_hash = "sha256:1"\n'
    path.write_text(path.read_text(encoding="utf-8") + trust, encoding="utf-8")

    unwire(machine, "codex")

    assert path.read_text(encoding="utf-8") == 'model = "gpt-5.5" # mine\n' + trust


def test_new_file_that_others_wrote_into_stays_with_theirs(machine: Machine) -> None:
    wire(machine, "claude-code")
    path = machine.home / ".claude.json"
    path.write_text(path.read_text(encoding="utf-8").replace("{", '{"numStartups": 3,', 1), encoding="utf-8")

    unwire(machine, "claude-code")

    assert json.loads(path.read_text(encoding="utf-8")) == {"numStartups": 3}


def test_new_file_left_with_nothing_after_a_rewrite_is_removed(machine: Machine) -> None:
    wire(machine, "claude-code")
    path = machine.home / ".claude.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8"))), encoding="utf-8")

    unwire(machine, "claude-code")

    assert not path.exists()


def test_uninstall_works_without_the_record(machine: Machine) -> None:
    path = put(machine.home, ".codex/hooks.json", '{"hooks": {"Stop": [{"hooks": [{"type": "prompt"}]}]}}')
    wire(machine, "codex")
    (machine.folder / "installed.json").write_text("damaged", encoding="utf-8")

    unwire(machine, "codex")

    assert path.read_text(encoding="utf-8") == '{"hooks": {"Stop": [{"hooks": [{"type": "prompt"}]}]}}'


def test_foreign_hooks_keep_their_place_and_order(machine: Machine) -> None:
    groups = [{"matcher": "Bash", "hooks": [FOREIGN]}, "odd", {"hooks": [FOREIGN, FOREIGN]}]
    put(
        machine.home,
        ".claude/settings.json",
        json.dumps({"hooks": {"PostToolUse": groups, "Other": [1]}, "z": 1, "a": 2}),
    )

    wire(machine, "claude-code")

    settings = read_json(machine.home, ".claude/settings.json")
    assert list(settings) == ["hooks", "z", "a"]
    hooks = settings["hooks"]
    assert isinstance(hooks, dict)
    assert hooks["PostToolUse"][:3] == groups
    assert hooks["Other"] == [1]


def test_new_address_replaces_our_entries_in_place(machine: Machine) -> None:
    put(machine.home, ".claude/settings.json", json.dumps({"hooks": {"Stop": [{"hooks": [FOREIGN]}]}}))
    before = snapshot(machine.home)
    wire(machine, "claude-code")

    wire(machine, "claude-code", server_url="http://10.0.0.5:80")

    settings = read_json(machine.home, ".claude/settings.json")
    foreign, ours = list_commands(settings, "Stop")
    assert foreign == FOREIGN["command"]
    assert "http://10.0.0.5:80" in ours
    unwire(machine, "claude-code")
    assert snapshot(machine.home) == before


def test_twice_registered_hook_is_made_one(machine: Machine) -> None:
    wire(machine, "claude-code")
    path = machine.home / ".claude" / "settings.json"
    settings = read_json(machine.home, ".claude/settings.json")
    hooks = settings["hooks"]
    assert isinstance(hooks, dict)
    hooks["Stop"].insert(0, {"hooks": [FOREIGN, *hooks["Stop"][0]["hooks"]]})
    path.write_text(json.dumps(settings), encoding="utf-8")

    wire(machine, "claude-code")

    commands = list_commands(read_json(machine.home, ".claude/settings.json"), "Stop")
    assert commands[0] == FOREIGN["command"]
    assert len(commands) == 2


def test_settings_that_a_person_added_to_our_server_stay(machine: Machine) -> None:
    put(
        machine.home,
        ".codex/config.toml",
        '[mcp_servers.memwiki]\nurl = "http://old:1/mcp"\nstartup_timeout_sec = 20\n',
    )

    wire(machine, "codex")

    parsed = tomllib.loads((machine.home / ".codex" / "config.toml").read_text(encoding="utf-8"))
    assert parsed["mcp_servers"]["memwiki"] == {"url": "http://127.0.0.1:7470/mcp", "startup_timeout_sec": 20}


def test_backup_stands_beside_the_file_before_the_first_change_only(machine: Machine) -> None:
    path = put(machine.home, ".claude/settings.json", '{"model": "opus"}')

    written = wire(machine, "claude-code")
    wire(machine, "claude-code", server_url="http://10.0.0.5:80")

    [backup] = [Path(item.backup) for item in written if item.path == str(path)]
    assert [found.name for found in path.parent.glob("*.bak")] == [backup.name]
    assert backup.name == "settings.json.memwiki-20261130T120000Z.bak"
    assert backup.read_text(encoding="utf-8") == '{"model": "opus"}'


def test_permissions_are_kept_and_new_files_are_private(machine: Machine) -> None:
    path = put(machine.home, ".claude/settings.json", "{}")
    path.chmod(0o640)

    wire(machine, "claude-code")

    assert path.stat().st_mode & 0o777 == 0o640
    assert (machine.home / ".claude.json").stat().st_mode & 0o777 == 0o600
    assert machine.folder.stat().st_mode & 0o777 == 0o700


def test_linked_file_is_changed_where_it_lies(machine: Machine) -> None:
    real = put(machine.home, "dotfiles/settings.json", '{"model": "opus"}')
    link = machine.home / ".claude" / "settings.json"
    link.parent.mkdir()
    link.symlink_to(real)

    wire(machine, "claude-code")

    assert link.is_symlink()
    assert "send_event.py" in real.read_text(encoding="utf-8")
    unwire(machine, "claude-code")
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == '{"model": "opus"}'


@pytest.mark.parametrize(
    ("agent", "name", "content"),
    [
        ("claude-code", ".claude/settings.json", '{"model": opus}'),
        ("claude-code", ".claude/settings.json", '// mine\n{"model": "opus"}'),
        ("claude-code", ".claude.json", '{"mcpServers": {},}'),
        ("claude-code", ".claude/settings.json", '{"hooks": []}'),
        ("claude-code", ".claude/settings.json", '{"hooks": {"Stop": {}}}'),
        ("claude-code", ".claude/settings.json", "[]"),
        ("claude-code", ".claude.json", '{"mcpServers": []}'),
        ("claude-code", ".claude.json", '{"mcpServers": {"memwiki": {"type": "stdio", "command": "x"}}}'),
        ("claude-code", ".claude.json", "nope"),
        ("codex", ".codex/config.toml", "mcp_servers = 1\n"),
        ("codex", ".codex/config.toml", "mcp_servers = {}\n"),
        ("codex", ".codex/config.toml", '[mcp_servers.memwiki]\ncommand = "x"\n'),
        ("codex", ".codex/config.toml", "= broken"),
        ("codex", ".codex/hooks.json", '{"hooks": {"Stop": 1}}'),
    ],
    ids=lambda value: str(value)[:40],
)
def test_unfit_file_is_refused_and_nothing_is_written(machine: Machine, agent: str, name: str, content: str) -> None:
    put(machine.home, name, content)
    before = snapshot(machine.home)

    with pytest.raises(ForeignEntry):
        wire(machine, agent)

    assert snapshot(machine.home) == before


def test_refusal_of_a_broken_file_shows_what_to_paste(machine: Machine) -> None:
    put(machine.home, ".claude/settings.json", '{"model": opus}')

    with pytest.raises(ForeignEntry) as refused:
        wire(machine, "claude-code")

    assert '"SessionStart"' in refused.value.reason
    assert "send_event.py" in refused.value.reason


def test_file_that_changes_between_plan_and_apply_is_not_overwritten(machine: Machine) -> None:
    path = put(machine.home, ".claude.json", "{}")
    plan = plan_for(machine, "claude-code")
    path.write_text('{"numStartups": 4}', encoding="utf-8")

    with pytest.raises(ForeignEntry):
        install_files.apply(plan, machine, NOW)

    assert path.read_text(encoding="utf-8") == '{"numStartups": 4}'
    assert not (machine.home / ".claude").exists()


def test_client_stays_until_the_last_agent_is_unwired(machine: Machine) -> None:
    wire(machine, "claude-code")
    wire(machine, "codex")

    unwire(machine, "claude-code")
    assert (machine.folder / "hooks" / "send_event.py").exists()
    unwire(machine, "codex")

    assert snapshot(machine.home) == {}


@pytest.mark.parametrize(
    ("variable", "agent", "expected"),
    [
        ("CLAUDE_CONFIG_DIR", "claude-code", {"settings.json", ".claude.json"}),
        ("CODEX_HOME", "codex", {"hooks.json", "config.toml"}),
    ],
)
def test_relocated_configuration_is_found(machine: Machine, variable: str, agent: str, expected: set[str]) -> None:
    elsewhere = machine.home / "else where"

    wire(replace(machine, env={variable: str(elsewhere)}), agent)

    assert {path.name for path in elsewhere.iterdir()} == expected


@pytest.mark.parametrize("variable", ["CLAUDE_CONFIG_DIR", "CODEX_HOME"])
def test_blank_relocation_counts_as_none(machine: Machine, variable: str) -> None:
    blank = replace(machine, env={variable: "  "})

    for agent in AGENTS:
        assert plan_for(blank, agent).changes == plan_for(machine, agent).changes


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"server_url": "ftp://x"}, InvalidValue),
        ({"server_url": "http://user:secret@x"}, InvalidValue),
        ({"server_url": "http://x/'; rm -rf ~"}, InvalidValue),
        ({"server_url": "http://x/$(id)"}, InvalidValue),
        ({"token_env": "mw_0123456789-secret"}, InvalidValue),
    ],
)
def test_unusable_option_is_refused(machine: Machine, options: dict[str, str], error: type[Exception]) -> None:
    with pytest.raises(error):
        plan_for(machine, "claude-code", **options)


def test_unknown_agent_is_refused(machine: Machine) -> None:
    with pytest.raises(UnknownAgent):
        plan_for(machine, "emacs")


def test_missing_client_is_refused(machine: Machine) -> None:
    machine.client_source.unlink()

    with pytest.raises(DiskRefused):
        plan_for(machine, "claude-code")


def test_folder_that_cannot_be_is_a_named_refusal(machine: Machine) -> None:
    put(machine.home, ".claude", "a file where a folder should be")

    with pytest.raises(DiskRefused):
        wire(machine, "claude-code")


def test_home_with_blanks_and_quotes_is_quoted(machine: Machine, tmp_path: Path) -> None:
    odd = tmp_path / 'o\'brien "x" $HOME'
    odd.mkdir()
    moved = replace(machine, home=odd, folder=odd / "memwiki")
    wire(moved, "claude-code")
    [command] = list_commands(read_json(odd, ".claude/settings.json"), "Stop")

    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=30, check=True)

    assert "--event Stop" in ran.stdout
    assert not plan_for(moved, "claude-code").is_changed


def test_uninstall_of_an_agent_that_was_never_wired_does_nothing(machine: Machine) -> None:
    put(machine.home, ".claude/settings.json", '{"hooks": {}}')
    plan: Plan = uninstall.plan_uninstall(["claude-code"], machine)

    assert not plan.is_changed
    assert install_files.apply(plan, machine, NOW) == ()
