"""What the hook client finds out about the agent that runs it: whether a person is there."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.capture import client_parents
from tests.hooks.conftest import SCRIPT, Loopback

START = json.dumps({"session_id": "s-1", "hook_event_name": "SessionStart", "source": "startup"})
HEADLESS_CODEX = ["codex", "-c", "a=b", "exec", "--skip-git-repo-check", "Hello"]


def build_program(folder: Path, name: str) -> Path:
    """Make a program by an agent's name that runs its hook, as a shell of its own, and waits for it."""
    program = folder / name
    program.write_text('#!/bin/sh\n/bin/sh -c "$HOOK || exit 0" <"$PAYLOAD"\nexit 0\n', encoding="utf-8")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(
    ("agent", "words", "environ", "expected"),
    [
        ("codex", HEADLESS_CODEX, {}, "one-shot"),
        ("codex", ["codex", "-m", "exec-model", "Hello"], {}, None),
        ("codex", HEADLESS_CODEX, {"MEMWIKI_TAKE": "1"}, "take"),
        ("gemini-cli", ["gemini", "--yolo", "-p", "Hello"], {}, "one-shot"),
        ("gemini-cli", ["gemini", "-i", "use mkdir -p"], {}, None),
        # Another agent's hook below a run that is not its own.
        ("gemini-cli", HEADLESS_CODEX, {}, None),
        ("copilot-cli", ["copilot", "--prompt=Hello"], {}, "one-shot"),
        ("droid", ["droid", "exec", "Hello"], {}, "one-shot"),
    ],
)
def test_a_run_without_a_person_is_told_by_the_words_that_its_agent_was_started_with(
    serve: Callable[[], Loopback],
    tmp_path: Path,
    agent: str,
    words: list[str],
    environ: dict[str, str],
    expected: str | None,
) -> None:
    server = serve()
    payload = tmp_path / "payload.json"
    payload.write_text(START, encoding="utf-8")
    hook = f"{sys.executable} -I -S {SCRIPT} --agent {agent} --event SessionStart --url {server.url}"
    env = {"HOOK": hook, "PAYLOAD": str(payload), "MEMWIKI_HOOK_PATIENCE": "20", "PATH": os.environ["PATH"]}
    env |= {"MEMWIKI_SPOOL_DIR": str(tmp_path / "spool"), **environ}

    subprocess.run([build_program(tmp_path, words[0]), *words[1:]], env=env, cwd=tmp_path, check=True, timeout=60)

    [event] = server.list_events()
    assert event["checkout"].get("run") == expected


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        (["/usr/bin/node", "--max-old-space-size=100", "/opt/bin/gemini", "-p", "Hi"], True),
        (["C:\\npm\\gemini.cmd", "--prompt=Hi"], True),
        (["node", "/x/gemini.js"], False),
        (["-p", "gemini"], False),
        (["sh", "-c", "gemini -p Hi"], False),
        ([""], False),
        ([], False),
    ],
)
def test_a_program_is_found_behind_its_interpreter_and_its_words_behind_it(line: list[str], *, is_found: bool) -> None:
    assert client_parents.is_started_with(["gemini"], ["-p", "--prompt"], [[], line]) is is_found


def test_without_a_process_file_system_ps_tells_a_parents_words(tmp_path: Path) -> None:
    if not Path("/bin/ps").exists():
        pytest.skip("there is no ps here")
    program = build_program(tmp_path, "sleeper")
    env = {"HOOK": "sleep 60", "PAYLOAD": os.devnull, "PATH": os.environ["PATH"]}
    with subprocess.Popen([program, "exec", "now"], env=env, start_new_session=True) as process:
        line, parent = client_parents._ask_processes(60)[process.pid]
        os.killpg(process.pid, signal.SIGKILL)

    assert parent == os.getpid()
    assert client_parents.is_started_with(["sleeper"], ["exec"], [line])
