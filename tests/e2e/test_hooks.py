"""The hook client against a real server, called by hand and as the installer wires it, in an empty home."""

import json
import stat
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests import forking
from tests.e2e import sessions
from tests.e2e.sessions import PAYLOADS, ROOT, SentEvent
from tests.server import Server, clean_environment, run_git, wait_for

pytestmark = pytest.mark.slow

CLIENT = (sys.executable, "-I", "-S", str(ROOT / "hooks" / "send_event.py"))
RUNS_MAX = 60
HOOK_FILES = {"claude-code": ".claude/settings.json", "codex": ".codex/hooks.json"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Make an empty home."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Make a small repository to stand in."""
    folder = tmp_path / "shop"
    folder.mkdir()
    run_git(folder, "init", "--quiet", "--initial-branch=main")
    run_git(folder, "remote", "add", "origin", "git@github.com:example/shop.git")
    return folder


def build_environment(home: Path) -> dict[str, str]:
    foreign = ("XDG_", "CODEX_HOME", "CLAUDE_CONFIG_DIR")
    kept = {name: value for name, value in clean_environment().items() if not name.startswith(foreign)}
    return kept | {"HOME": str(home)}


def run(command: Sequence[str], home: Path, payload: Mapping[str, Any], cwd: Path) -> str:
    """Run a hook as an agent does; whatever happens it succeeds, and says nothing on standard error."""
    done = subprocess.run(
        command,
        input=json.dumps(payload).encode(),
        capture_output=True,
        cwd=cwd,
        env=build_environment(home),
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def send(server: Server, home: Path, event: SentEvent, checkout: Path) -> str:
    """Send one event through the client, as if it had happened in the checkout."""
    command = (*CLIENT, "--agent", event.agent, "--event", event.event, "--url", server.url)
    return run(command, home, {**event.payload, "cwd": str(checkout)}, checkout)


def list_waiting(home: Path) -> list[dict[str, Any]]:
    files = sorted((home / ".local" / "state" / "memwiki" / "spool").glob("events*.jsonl"))
    return [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]


def send_until_drained(server: Server, home: Path, checkout: Path, session: str) -> list[str]:
    """Send more prompts until nothing waits: each hook sends what it can in its little time."""
    sent = []
    for number in range(RUNS_MAX):
        sent.append(f"after {number}")
        send(server, home, sessions.build_prompt(session, sent[-1]), checkout)
        if not list_waiting(home):
            return sent
    pytest.fail("the spool was not drained")


def test_a_start_prints_exactly_what_the_server_says(server: Server, home: Path, checkout: Path) -> None:
    for event in sessions.build_session("first"):
        send(server, home, event, checkout)
    send_until_drained(server, home, checkout, "other")
    server.wait_for_page("first")

    # A machine under load may answer too late for a hook; the same start asked again gets the same text.
    printed = wait_for(lambda: send(server, home, sessions.build_start("second"), checkout), "an answer in time")
    (offered,) = server.get("/api/v1/handoffs")["handoffs"]

    assert json.loads(printed)["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert offered["content"]["summary"] in json.loads(printed)["hookSpecificOutput"]["additionalContext"]
    payload = {**sessions.build_start("second").payload, "cwd": str(checkout)}
    assert printed == server.post_event("claude-code", "SessionStart", payload)
    assert [each["name"] for each in server.get("/api/v1/projects")["projects"]] == ["main/shop"]


def test_what_happens_while_the_server_is_away_arrives_later_in_order_and_once(
    server: Server, home: Path, checkout: Path
) -> None:
    server.stop()
    away = [f"away {number}" for number in range(8)]
    printed = [send(server, home, sessions.build_prompt("spooled", text), checkout) for text in away]
    waiting = list_waiting(home)
    modes = {
        stat.S_IMODE(path.stat().st_mode)
        for path in (home / ".local" / "state" / "memwiki" / "spool").iterdir()
        if path.is_file()
    }

    server.start()
    after = send_until_drained(server, home, checkout, "spooled")

    assert printed == [""] * len(away)
    assert [entry["payload"]["prompt"] for entry in waiting] == away
    assert modes == {0o600}
    assert sessions.list_texts(server.data_dir) == away + after
    assert server.get("/api/v1/status")["problems"] == []


def test_an_agent_that_starts_while_the_server_is_killed_is_told_so(server: Server, home: Path, checkout: Path) -> None:
    server.kill()

    printed = send(server, home, sessions.build_start("alone"), checkout)
    server.start()
    send_until_drained(server, home, checkout, "alone")

    assert f"does not answer at {server.url}: this session starts without it" in printed
    assert server.get("/api/v1/sessions/alone")["observations"][0]["native_name"] == "SessionStart"


def memwiki(home: Path, *arguments: str) -> dict[str, Any]:
    done = forking.run([*arguments, "--json"], env=build_environment(home))
    assert done.returncode == 0, done.stderr
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


def list_commands(home: Path, agent: str) -> dict[str, str]:
    """Read the hooks' commands by event, as the agent finds them in its settings."""
    hooks = json.loads((home / HOOK_FILES[agent]).read_text(encoding="utf-8"))["hooks"]
    return {
        event: hook["command"]
        for event, groups in hooks.items()
        for group in groups
        for hook in group["hooks"]
        if "send_event" in hook["command"]
    }


def find_payload(agent: str, event: str) -> dict[str, Any]:
    path = next(iter(sorted((PAYLOADS / agent).glob(f"{event}.*json"))), None) or PAYLOADS / agent / f"{event}.json"
    payload: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return payload


def read_tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_installed_hooks_capture_every_event_they_are_registered_for(
    server: Server, home: Path, checkout: Path, agent: str
) -> None:
    memwiki(home, "install", agent, "--apply", "--url", server.url)
    commands = list_commands(home, agent)

    for event, command in commands.items():
        run(("sh", "-c", command), home, find_payload(agent, event) | {"session_id": "installed"}, checkout)
    send_until_drained(server, home, checkout, "other")

    seen = server.get("/api/v1/sessions/installed", limit=500)["observations"]
    assert {"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"} <= set(commands)
    assert [each["native_name"] for each in seen] == list(commands)


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_an_uninstall_gives_back_every_byte(server: Server, home: Path, agent: str) -> None:
    settings = home / HOOK_FILES[agent]
    settings.parent.mkdir()
    settings.write_bytes(
        b'{"model":"opus",\r\n\t"hooks" : { "Stop": [ {"hooks":[{"type":"command","command":"true"}]} ] }}'
    )
    (home / ".codex").mkdir(exist_ok=True)
    (home / ".codex" / "config.toml").write_bytes(b"# mine\nmodel = 'gpt-5.5'   # keep\n\n[tui]\nx = 1")
    (home / ".claude.json").write_bytes(b'{"numStartups": 7}')
    before = read_tree(home)

    shown = memwiki(home, "install", agent, "--url", server.url)
    assert read_tree(home) == before
    memwiki(home, "install", agent, "--apply", "--url", server.url)
    installed = read_tree(home)
    again = memwiki(home, "install", agent, "--apply", "--url", server.url)
    assert read_tree(home) == installed
    memwiki(home, "uninstall", agent, "--apply")

    assert (shown["changed"], shown["applied"], again["changed"]) == (True, False, False)
    assert installed != before
    assert read_tree(home) == before


def test_a_hook_whose_client_is_gone_still_succeeds(server: Server, home: Path, checkout: Path) -> None:
    memwiki(home, "install", "claude-code", "--apply", "--url", server.url)
    command = list_commands(home, "claude-code")["Stop"]
    next(home.rglob("send_event.py")).unlink()

    done = subprocess.run(
        ["sh", "-c", command], input=b"{}", capture_output=True, timeout=30, cwd=checkout, check=False
    )

    assert (done.returncode, done.stdout) == (0, b"")
