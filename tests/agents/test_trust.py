"""Codex runs only hooks that its person has looked at: the doctor asks Codex itself, and says what to do."""

import json
import subprocess
from dataclasses import replace
from typing import Any

import pytest

from app.agents import codex
from app.agents.trust import TrustQuestion
from tests.agents import clis, conftest, fetch
from tests.agents.conftest import Desk
from tests.agents.fake_model import Say

pytestmark = [pytest.mark.agents, pytest.mark.extended, pytest.mark.timeout(900)]

WIRED = clis.CLIS[1]
# As a person starts it, who has not switched the reviews off.
CODEX = replace(WIRED, words=tuple(word for word in WIRED.words if word != "--dangerously-bypass-hook-trust"))


def ask_codex(desk: Desk) -> list[dict[str, Any]]:
    """Ask Codex for its hooks, as the doctor does."""
    assert isinstance(codex.traits.trust, TrustQuestion)
    asked = "".join(json.dumps(line) + "\n" for line in codex.traits.trust.build(str(desk.project)))
    program = str(fetch.find_program(CODEX.folder, "codex"))
    with subprocess.Popen(
        [program, "app-server"],
        env=desk.build_environment(CODEX),
        cwd=desk.project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(asked)
        server.stdin.flush()
        answer = next(found for line in server.stdout if (found := json.loads(line)).get("id") == 2)
        server.kill()
    return [hook for folder in answer["result"]["data"] for hook in folder["hooks"]]


def trust_hooks(desk: Desk) -> None:
    """Do what Codex does when its person has read the hooks and said yes."""
    lines = [f'[hooks.state."{hook["key"]}"]\ntrusted_hash = "{hook["currentHash"]}"\n' for hook in ask_codex(desk)]
    with (desk.home / ".codex" / "config.toml").open("a", encoding="utf-8") as file:
        file.write("\n" + "\n".join(lines))


def check_trust(desk: Desk) -> dict[str, Any]:
    checks = json.loads(desk.memwiki("doctor", "codex", "--json", cli=CODEX, codes=(0, 1)))["checks"]
    [found] = [check for check in checks if check["name"] == "codex trust"]
    return found


def test_hooks_that_nobody_reviewed_are_named_with_what_to_do_and_run_once_they_are_trusted(desk: Desk) -> None:
    conftest.require(CODEX)
    desk.wire(CODEX)
    desk.model.play([Say("Nobody hears this.")])
    desk.run(CODEX, "Hello")
    assert desk.list_sessions() == []
    found = check_trust(desk)
    assert (found["verdict"], "nobody has reviewed" in found["seen"]) == ("fail", True), found
    assert "/hooks" in found["advice"]

    trust_hooks(desk)

    assert check_trust(desk)["verdict"] == "pass"
    desk.model.play([Say("Heard.")])
    desk.run(CODEX, "Hello again")
    session = desk.find_session("codex")
    assert "Hello again" in [each["text"] for each in session["observations"]]
