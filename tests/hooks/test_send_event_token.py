"""An access token that the installer kept beside the hook client is used where no variable names one."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hooks.conftest import PAYLOAD, SCRIPT, SHELL_SCRIPT, Loopback

Serve = Callable[..., Loopback]
PROGRAMS = {"python": [sys.executable, "-I", "-S"], "shell": ["sh"]}


def send(folder: Path, program: str, url: str, **env: str) -> None:
    script = folder / (SCRIPT.name if program == "python" else SHELL_SCRIPT.name)
    done = subprocess.run(
        [*PROGRAMS[program], str(script), "--agent", "codex", "--event", "PostToolUse", "--url", url,
         *(["--python", sys.executable] if program == "shell" else [])],
        input=json.dumps(PAYLOAD | {"cwd": str(folder)}),
        text=True,
        env={"HOME": str(folder), "PATH": os.environ["PATH"], "MEMWIKI_HOOK_PATIENCE": "20", **env},
        capture_output=True,
        timeout=30,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for script in (SCRIPT, SHELL_SCRIPT):
        shutil.copy(script, tmp_path)
    (tmp_path / "token").write_text("mw_kept\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_kept_token_is_sent(serve: Serve, folder: Path, program: str) -> None:
    server: Loopback = serve()

    send(folder, program, server.url)

    assert [request.headers["authorization"] for request in server.requests] == ["Bearer mw_kept"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_variable_goes_before_a_kept_token(serve: Serve, folder: Path, program: str) -> None:
    server: Loopback = serve()

    send(folder, program, server.url, MEMWIKI_ACCESS_TOKEN="mw_of-today")

    assert [request.headers["authorization"] for request in server.requests] == ["Bearer mw_of-today"]
