"""`memwiki doctor` on a machine of its own: what is well, what is broken and how, and that nothing is left of it."""

import json
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.domain.rehearsal import WORKSPACE
from tests import forking
from tests.server import Server, clean_environment, run_server

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SECONDS_MAX = 100
AGENTS = ("claude-code", "codex")


@dataclass(frozen=True)
class Report:
    """What a doctor found."""

    code: int
    checks: list[dict[str, Any]]

    def list_verdicts(self, name: str) -> set[str]:
        return {check["verdict"] for check in self.checks if check["name"] == name}

    @property
    def failed(self) -> list[str]:
        return [check["name"] for check in self.checks if check["verdict"] == "fail"]


@dataclass(frozen=True)
class Desk:
    """A person's home on a machine with a server."""

    home: Path
    server: Server

    def run(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in clean_environment().items() if not name.startswith("XDG_")}
        given = {"HOME": str(self.home), "PYTHONPATH": str(ROOT), "MEMWIKI_URL": self.server.url}
        return forking.run(arguments, cwd=self.home, env=kept | given | env, timeout=SECONDS_MAX)

    def examine(self, *arguments: str, **env: str) -> Report:
        done = self.run("doctor", "--json", *arguments, **env)
        assert done.stderr == "", done.stderr
        found = json.loads(done.stdout)
        assert found["ok"] == (done.returncode == 0)
        return Report(done.returncode, found["checks"])

    def wire(self, agent: str, *options: str) -> None:
        done = self.run("install", agent, "--apply", *options)
        assert done.returncode == 0, done.stderr

    @property
    def settings(self) -> Path:
        return self.home / ".claude" / "settings.json"

    @property
    def client(self) -> Path:
        return self.home / ".local" / "share" / "memwiki" / "hooks" / "send_event.py"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(tmp_path_factory.mktemp("served") / "memwiki") as server:
        yield server


@pytest.fixture
def desk(tmp_path: Path, served: Server) -> Desk:
    made = Desk(tmp_path / "home", served)
    made.home.mkdir()
    return made


def test_wired_agents_are_well_and_nothing_is_left_of_the_rehearsals(desk: Desk) -> None:
    for agent in AGENTS:
        desk.wire(agent)

    report = desk.examine()

    assert (report.code, report.failed) == (0, [])
    for agent in AGENTS:
        assert report.list_verdicts(f"{agent} rehearsal") == {"pass"}
        assert report.list_verdicts(f"{agent} hooks") == {"pass"}
    assert report.list_verdicts("codex trust") == {"warn"}
    assert report.list_verdicts("rehearsal") == {"pass"}
    status = desk.server.get("/api/v1/status")
    assert status["counts"] == {"projects": 0, "sessions": 0, "observations": 0, "handoffs_open": 0}
    assert (status["capture"], status["index"]["pages"], status["git"]["commits"]) == ([], 0, 0)
    assert not (desk.server.wiki / WORKSPACE).exists()
    assert not list((desk.home / ".local" / "state").rglob("events*"))


def test_a_person_reads_one_line_for_each_check(desk: Desk) -> None:
    desk.wire("codex")

    done = desk.run("doctor")

    assert done.returncode == 0
    assert all(
        re.match(r"(pass|warn|fail|skip) +\S|     → |\d+ checks|[a-z]+$", line) for line in done.stdout.splitlines()
    )
    assert "claude-code" not in done.stdout


def test_hooks_that_the_agent_posts_itself_are_rehearsed_by_posting(desk: Desk) -> None:
    desk.wire("claude-code", "--http-hooks")

    report = desk.examine("claude-code")

    assert (report.code, report.list_verdicts("claude-code rehearsal")) == (0, {"pass"})
    assert report.list_verdicts("claude-code hooks") == {"pass"}


def test_a_client_that_is_gone_fails_and_its_agents_are_not_rehearsed(desk: Desk) -> None:
    desk.wire("claude-code")
    shutil.rmtree(desk.client.parent)

    report = desk.examine("claude-code")

    assert report.code == 1
    assert report.list_verdicts("claude-code hook client") == {"fail"}
    assert report.list_verdicts("claude-code rehearsal") == set()


def test_an_entry_that_was_changed_and_one_that_is_missing_are_told_apart(desk: Desk) -> None:
    desk.wire("claude-code")
    settings = json.loads(desk.settings.read_text(encoding="utf-8"))
    settings["hooks"]["Notification"] = [{"hooks": [{"type": "command", "command": "say hello"}]}]
    desk.settings.write_text(json.dumps(settings), encoding="utf-8")
    assert desk.examine("claude-code").list_verdicts("claude-code hooks") == {"pass"}

    del settings["hooks"]["UserPromptSubmit"]
    desk.settings.write_text(json.dumps(settings), encoding="utf-8")
    report = desk.examine("claude-code")

    assert report.list_verdicts("claude-code hooks") == {"warn"}
    assert report.failed == ["claude-code rehearsal"]
    assert any("UserPromptSubmit" in check["seen"] for check in report.checks)


def test_hooks_that_lead_nowhere_are_found_out(desk: Desk) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        dead = f"http://127.0.0.1:{unused.getsockname()[1]}"
        desk.wire("codex", "--url", dead)

        report = desk.examine()

    assert report.list_verdicts("codex hooks") == {"warn"}
    assert report.failed == ["codex rehearsal"]
    assert desk.server.get("/api/v1/projects")["projects"] == []


def test_a_server_that_is_away_is_named(desk: Desk) -> None:
    report = desk.examine(MEMWIKI_URL="http://127.0.0.1:9")

    assert (report.code, report.failed) == (1, ["server"])
    (server,) = [check for check in report.checks if check["name"] == "server"]
    assert "http://127.0.0.1:9" in server["seen"]
    assert server["advice"]


def test_capture_that_is_switched_off_and_a_policy_that_cannot_be_read_are_found(desk: Desk) -> None:
    desk.wire("claude-code")
    folder = desk.home / "shop"
    folder.mkdir()
    (folder / ".memwiki.toml").write_text("[capture]\ndeny = 7\n", encoding="utf-8")
    payload = json.dumps({"session_id": "s1", "cwd": str(folder), "hook_event_name": "Stop"})
    line = json.loads(desk.settings.read_text(encoding="utf-8"))["hooks"]["Stop"][0]["hooks"][0]["command"]
    env = {"PATH": os.environ["PATH"], "HOME": str(desk.home)}
    subprocess.run(["sh", "-c", line], input=payload, text=True, env=env, timeout=SECONDS_MAX, check=True)

    unreadable = desk.examine()
    off = desk.examine(MEMWIKI_CAPTURE="off")

    assert unreadable.failed == ["capture here"]
    assert any(str(folder) in check["seen"] for check in unreadable.checks)
    assert off.failed == ["capture here", "capture"]


def test_an_agent_that_is_not_wired_fails_by_name_and_an_unknown_one_is_an_error(desk: Desk) -> None:
    report = desk.examine("codex")
    unknown = desk.run("doctor", "wordstar")

    assert (report.code, report.failed) == (1, ["codex hooks"])
    assert (unknown.returncode, unknown.stdout) == (2, "")
