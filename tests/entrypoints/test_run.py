"""`memwiki run` and `memwiki continue`, with a small program in the place of an agent, in a real terminal."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.entrypoints import terminal
from tests.entrypoints.desk import CLOSED, Desk, make_desk
from tests.entrypoints.terminal import Terminal
from tests.server import SERVE, run_server

GOAL = "Make totals round half up"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with run_server(tmp_path / "memory") as server:
        yield make_desk(tmp_path, server.url, server)


@pytest.fixture
def alone(tmp_path: Path) -> Desk:
    return make_desk(tmp_path, CLOSED)


def test_an_agent_is_wired_once_and_keeps_its_words_terminal_and_exit_code(desk: Desk) -> None:
    first = desk.run("run", "claude", "-p", f"say:{GOAL}", "exit:3", code=3)
    second = desk.run("run", "claude-code", "--no-install", "--help", "exit:0")

    assert f'ARGUMENTS ["-p", "say:{GOAL}", "exit:3"]' in first
    assert "TERMINAL True" in first
    assert "memwiki: wired Claude Code" in first
    assert "memwiki uninstall claude-code --apply" in first
    assert 'ARGUMENTS ["--no-install", "--help", "exit:0"]' in second
    assert "wired" not in second


def test_a_session_without_an_end_is_ended_with_the_process_and_hands_on(desk: Desk) -> None:
    text = desk.run("run", "claude", f"say:{GOAL}", "work")

    [session] = desk.list_sessions()
    assert session["state"] == "ended"
    assert f"{session['page_path']} has this session; what is open waits" in text
    assert desk.list_handoffs() == [("offered", "")]


def test_a_start_that_is_killed_before_it_is_asked_gives_the_work_back_at_once(desk: Desk) -> None:
    desk.run("run", "claude", f"say:{GOAL}", "work", "end")
    desk.env["FAKE_SESSION"] = "fake-session-2"

    text = desk.run("run", "claude", "die", code=128 + signal.SIGKILL)

    assert GOAL in text
    assert desk.list_handoffs() == [("offered", "")]


def test_what_the_hooks_missed_is_taken_from_the_transcript_once(desk: Desk) -> None:
    words = ("run", "claude", f"say:{GOAL}", "work", "unheard:Totals round half up now.")
    desk.run(*words, "die", code=128 + signal.SIGKILL)
    [session] = desk.list_sessions()

    desk.run("run", "claude", "--resume", session["agent_session_id"], "end")

    assert desk.server is not None
    seen = desk.server.get(f"/api/v1/sessions/{session['id']}")["observations"]
    said = [(each["kind"], each["text"]) for each in seen if each["text"]]
    assert said == [("prompt", GOAL), ("turn_end", "Totals round half up now.")]


def test_an_interrupt_typed_in_the_terminal_reaches_the_agent_once(desk: Desk) -> None:
    opened = desk.open("run", "claude", f"say:{GOAL}", "work", "wait")
    opened.wait_for("WAITING")

    opened.type(b"\x03")

    assert opened.end() == 7, opened.text
    assert opened.text.count("INTERRUPTED 2") == 1
    assert desk.list_sessions()[0]["state"] == "ended"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["terminate", "interrupt"])
def test_a_signal_sent_to_the_run_alone_is_passed_on(alone: Desk, number: signal.Signals) -> None:
    with subprocess.Popen(
        [*SERVE, "run", "claude", "wait"], cwd=alone.project, env=alone.env, stdout=-1, stderr=-1, stdin=-3, text=True
    ) as started:
        assert started.stdout is not None
        assert any("WAITING" in line for line in iter(started.stdout.readline, ""))
        started.send_signal(number)
        said, _ = started.communicate(timeout=60)

    assert f"INTERRUPTED {int(number)}" in said
    assert started.returncode == 7


def test_an_agent_that_stops_itself_gives_the_shell_its_prompt_back(alone: Desk) -> None:
    command = f"{sys.executable} -m app.entrypoints.cli.main run claude stop exit:5"
    script = f"set -m; {command}; echo SHELL $?; fg; echo ENDED $?"
    opened = Terminal(["bash", "-c", script], alone.project, alone.env)

    assert opened.end() == 0, opened.text
    told = opened.text
    assert told.index("STOPPING") < told.index("SHELL 147") < told.index("GOES ON") < told.index("ENDED 5")


def test_without_a_server_the_agent_starts_all_the_same_and_it_is_said_in_one_line(alone: Desk) -> None:
    began = time.monotonic()

    text = alone.run("run", "--no-install", "claude", "exit:0")

    assert time.monotonic() - began < terminal.SECONDS_MAX
    assert text.count(f"memwiki: no server answers at {CLOSED}") == 1
    assert "is not wired" in text
    assert text.index("no server answers") < text.index("ARGUMENTS")
    assert not (alone.home / ".claude" / "settings.json").exists()


@pytest.mark.parametrize(
    ("agent", "code", "said"),
    [("zed", 2, "is not started from a terminal"), ("codex", 2, "no codex on PATH"), ("clade", 2, "clade")],
    ids=["editor", "missing", "unknown"],
)
def test_what_cannot_be_started_is_said(alone: Desk, agent: str, code: int, said: str) -> None:
    alone.env["PATH"] = f"{alone.home / 'bin'}:/usr/bin:/bin"

    assert said in alone.run("run", agent, code=code)


def test_the_same_agent_goes_on_in_its_own_session(desk: Desk) -> None:
    desk.run("run", "claude", f"say:{GOAL}", "work", "end")

    shown = desk.memwiki("continue", "--print")
    text = desk.run("continue", "end")

    assert shown.strip().endswith("/claude --resume fake-session-1")
    assert "Claude Code opens its session again" in text
    assert 'ARGUMENTS ["--resume", "fake-session-1", "end"]' in text
    assert len(desk.list_sessions()) == 1


def test_another_agent_goes_on_by_the_handoff_also_of_a_session_that_never_ended(desk: Desk) -> None:
    desk.memwiki("install", "claude-code", "--apply")
    terminal.write_agent(desk.home / "bin", "codex")
    subprocess.run([desk.home / "bin" / "claude", f"say:{GOAL}", "work"], cwd=desk.project, env=desk.env, check=True)

    planned = json.loads(desk.memwiki("continue", "--agent", "codex", "--json"))
    before = desk.list_handoffs()
    text = desk.run("continue", "--agent", "codex", "exit:0")

    assert (planned["way"], planned["command"][1:], before) == ("handoff", [], [])
    assert "Codex CLI starts, and is handed what Claude Code left" in text
    assert desk.list_handoffs() == [("offered", "")]


def test_a_session_whose_file_is_gone_is_handed_over_to_its_own_agent(desk: Desk) -> None:
    desk.run("run", "claude", f"say:{GOAL}", "work", "end")
    for kept in (desk.home / ".claude" / "projects").rglob("*.jsonl"):
        kept.unlink()

    planned = json.loads(desk.memwiki("continue", "--json"))

    assert planned["way"] == "handoff"
    assert planned["handoff"]


def test_where_nobody_has_worked_there_is_nothing_to_go_on_with(desk: Desk) -> None:
    assert "no session has worked here yet" in desk.run("continue", code=2)
