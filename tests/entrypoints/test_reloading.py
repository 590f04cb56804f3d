"""Settings that are read again by a running server: what holds at once, what waits, and what is refused whole."""

import os
import pty
import signal
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from app import config
from app.config import Settings
from app.entrypoints.cli import reloading
from app.entrypoints.cli import serve as server_of_cli
from app.entrypoints.cli.reloading import Reloader
from tests.entrypoints import serving
from tests.server import SERVE, STOP_SECONDS_MAX, Server, clean_environment, read_line, run_server, wait_for

ROOT = Path(__file__).parents[2]
AGENT, START = "claude-code", "SessionStart"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run one server, whose file each test writes anew."""
    with run_server(tmp_path_factory.mktemp("reloaded") / "data") as running:
        yield running


def reload(server: Server, text: str) -> dict[str, Any]:
    """Write the settings' file, tell the server, and wait until it has read it."""
    (server.data_dir / config.CONFIG_NAME).write_text(text, encoding="utf-8")
    before = server.get("/readyz")["settings"]["times_read_again"]
    os.kill(server.pid, signal.SIGHUP)

    def look() -> dict[str, Any] | None:
        found: dict[str, Any] = server.get("/readyz")["settings"]
        return found if found["times_read_again"] > before else None

    return wait_for(look, "settings that are read again")


def read_log(server: Server) -> str:
    return (server.data_dir / "logs" / "memwiki.log").read_text(encoding="utf-8")


def post_start(server: Server, session: str) -> int:
    payload = {"session_id": session, "cwd": "/srv/shop", "hook_event_name": START, "source": "startup"}
    return server.client.post("/hook", params={"agent": AGENT, "event": START}, json=payload).status_code


def test_every_setting_is_taken_over_or_said_to_need_a_restart() -> None:
    reloaded = frozenset[str]().union(*reloading.RELOADED)
    files = set(config.list_kept_files())

    assert reloaded | config.BOUND_AT_START | files == set(Settings.model_fields)
    assert not reloaded & config.BOUND_AT_START


@pytest.mark.slow
def test_limits_hold_from_the_moment_they_are_read_again(server: Server) -> None:
    reload(server, "")
    assert [post_start(server, f"s{number}") for number in range(3)] == [202, 202, 202]

    found = reload(server, "rate_limit_per_session = 0.001\n")
    answers = [post_start(server, "s9") for _ in range(3)]

    assert (found["changed"], found["need_restart"], found["fault"]) == (["rate_limit_per_session"], [], "")
    assert answers == [202, 429, 429]
    assert reload(server, "")["changed"] == ["rate_limit_per_session"]
    assert post_start(server, "s9") == 202


@pytest.mark.slow
def test_a_file_that_is_not_good_leaves_everything_as_it_was_and_is_told(server: Server) -> None:
    reload(server, "rate_limit_per_session = 0.001\n")

    for number, (text, named) in enumerate(
        (
            ("rate_limit_per_session = 0\nlog_levl = 'debug'\n", "log_level"),
            ("rate_limit_per_session = 0\nlog_level = 'loud'\n", "log_level"),
            ("rate_limit_per_session = [\n", config.CONFIG_NAME),
            (f"rate_limit_per_session = 0\nbackup_every_hours = 1\nbackup_folder = '{server.wiki}'\n", "wiki"),
        )
    ):
        found = reload(server, text)

        assert named in found["fault"]
        assert found["changed"] == []
        assert [post_start(server, f"kept-{number}") for _ in range(2)] == [202, 429]
        assert any(named in problem for problem in server.get("/api/v1/status")["problems"])
    assert reload(server, "")["fault"] == ""


@pytest.mark.slow
def test_what_needs_a_restart_is_named_in_the_log_and_in_status_until_it_is_put_back(server: Server) -> None:
    reload(server, "")

    found = reload(server, "workspace = 'team'\nlog_level = 'debug'\n")

    assert (found["changed"], found["need_restart"]) == (["log_level"], ["workspace"])
    assert "need a restart: workspace" in read_log(server)
    assert "changed settings need a restart: workspace" in server.get("/api/v1/status")["problems"]
    assert reload(server, "")["need_restart"] == []
    assert server.get("/api/v1/status")["problems"] == []


@pytest.mark.slow
def test_an_access_token_is_changed_without_a_restart(server: Server) -> None:
    def ask(token: str) -> int:
        headers = {"Authorization": f"Bearer {token}"}
        return server.client.get("/api/v1/projects", headers=headers).status_code

    (server.data_dir / config.CONFIG_NAME).write_text("access_token = 'mw_first-of-the-test'\n", encoding="utf-8")
    os.kill(server.pid, signal.SIGHUP)
    wait_for(lambda: ask("mw_other") == 401, "a server that wants its token")
    assert ask("mw_first-of-the-test") == 200

    (server.data_dir / config.CONFIG_NAME).write_text("access_token = 'mw_second-of-the-test'\n", encoding="utf-8")
    os.kill(server.pid, signal.SIGHUP)

    wait_for(lambda: ask("mw_second-of-the-test") == 200, "the new token")
    assert ask("mw_first-of-the-test") == 401
    (server.data_dir / config.CONFIG_NAME).write_text("", encoding="utf-8")
    os.kill(server.pid, signal.SIGHUP)
    wait_for(lambda: ask("mw_other") == 200, "an open server again")
    assert "of-the-test" not in read_log(server)


@pytest.mark.slow
def test_a_schedule_that_is_set_while_the_server_runs_makes_its_first_backup(server: Server, tmp_path: Path) -> None:
    found = reload(server, f"backup_every_hours = 24\nbackup_folder = '{tmp_path}'\n")

    assert found["changed"] == ["backup_every_hours", "backup_folder"]
    wait_for(lambda: list(tmp_path.glob("memwiki-*.tar.zst")), "a backup")
    wait_for(lambda: server.get("/readyz")["backup"]["last_at"], "a record of it")
    reload(server, "")


def test_an_identity_provider_comes_and_goes_without_a_restart(tmp_path: Path, template: Path) -> None:
    with serving.serve(tmp_path / "memwiki", template=template) as running:
        read = partial(config.load_settings, data_dir=running.folder)
        reloader = Reloader(read, read(), lambda *_: None)
        ways: list[tuple[int, bool]] = []
        for text in ("oidc_issuer = 'http://127.0.0.1:9'\noidc_client_id = 'm'\noidc_domains = ['*']\n", ""):
            (running.folder / config.CONFIG_NAME).write_text(text, encoding="utf-8")
            assert reloader.reload(running.runtime).fault == ""
            ways.append((running.get("/projects").status_code, running.read("/login")["provider"]))

    assert ways == [(401, True), (200, False)]


def test_what_would_open_the_server_to_others_is_refused(tmp_path: Path, template: Path) -> None:
    with serving.serve(tmp_path / "memwiki", template=template) as running:
        (running.folder / config.CONFIG_NAME).write_text("access_token = 'mw_of-the-test'\n", encoding="utf-8")
        read = partial(config.load_settings, data_dir=running.folder, host="0.0.0.0")  # noqa: S104 - what is refused
        check = partial(server_of_cli.check_posture, has_admin=False)
        reloader = Reloader(read, read(), lambda wanted, _: check(wanted))
        (running.folder / config.CONFIG_NAME).write_text("rate_limit_per_token = 1\n", encoding="utf-8")

        found = reloader.reload(running.runtime)

    assert "0.0.0.0" in found.fault  # noqa: S104 - see above
    assert found.applied == ()


@pytest.mark.slow
def test_a_server_whose_terminal_is_closed_ends_in_order(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [*SERVE, "serve", "--data-dir", str(tmp_path / "data"), "--port", "0", "--json"]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=clean_environment(),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        os.close(theirs)
        assert read_line(process.stdout, STOP_SECONDS_MAX)

        os.close(ours)
        process.send_signal(signal.SIGHUP)

        assert process.wait(STOP_SECONDS_MAX) == 0
