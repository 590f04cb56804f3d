"""Sessions of agents that tell no id: named by the hook client, one for each agent and folder."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.hooks.conftest import SCRIPT, Loopback, answer_well

Serve = Callable[..., Loopback]


def send(home: Path, url: str, event: str, agent: str = "devin", **payload: object) -> None:
    """Run the client as an agent does in a folder of its own."""
    folder = home / str(payload.pop("at", "shop"))
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [sys.executable, "-I", "-S", str(SCRIPT), "--agent", agent, "--event", event, "--url", url],
        input=json.dumps(payload).encode(),
        cwd=folder,
        env={"HOME": str(home), "PATH": os.environ["PATH"], "MEMWIKI_HOOK_PATIENCE": "20"},
        timeout=30,
        check=True,
    )


def list_names(server: Loopback) -> list[str]:
    return [event["payload"].get("session_id", "") for event in server.list_events()]


def test_a_session_without_an_id_has_one_from_its_start_to_its_end(serve: Serve, tmp_path: Path) -> None:
    server = serve(answer_well)

    for event in ("SessionStart", "UserPromptSubmit", "SessionEnd", "SessionStart", "Stop"):
        send(tmp_path, server.url, event, prompt="Go on")

    first, second, third, fourth, fifth = list_names(server)
    assert first == second == third
    assert fourth == fifth
    assert len({"", first, fourth}) == 3


def test_two_folders_have_two_sessions_and_one_below_another_has_its(serve: Serve, tmp_path: Path) -> None:
    server = serve(answer_well)

    send(tmp_path, server.url, "SessionStart")
    send(tmp_path, server.url, "SessionStart", at="bank")
    send(tmp_path, server.url, "Stop", at="shop/src")

    shop, bank, below = list_names(server)
    assert shop != bank
    assert below == shop


def test_an_id_that_is_told_stays_and_other_agents_are_given_none(serve: Serve, tmp_path: Path) -> None:
    server = serve(answer_well)

    send(tmp_path, server.url, "SessionStart", session_id="its-own")
    send(tmp_path, server.url, "SessionStart", agent="claude-code")

    assert list_names(server) == ["its-own", ""]
