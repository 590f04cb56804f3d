"""Real agents one after the other in one checkout: open work is handed to exactly one of them, and lost with none."""

import json
import os
import signal
import threading
from pathlib import Path

import pytest

from tests.agents import clis, conftest
from tests.agents.clis import CLIS, Cli
from tests.agents.conftest import PATIENCE_SECONDS, RUN, TAKE, Desk
from tests.agents.fake_model import Hold, Say
from tests.agents.test_real_agents import ANSWER, EDITED, FAILING, GOAL, REASON
from tests.entrypoints.terminal import Terminal
from tests.server import SERVE, wait_for

pytestmark = [pytest.mark.agents, pytest.mark.timeout(900)]

CLAUDE, CODEX, GEMINI = CLIS[:3]


def set_up(desk: Desk, *agents: Cli) -> None:
    conftest.require(*agents)
    desk.wire(*agents)


def leave_work(desk: Desk, cli: Cli) -> None:
    """Have an agent work and quit; its next one is offered what is open."""
    edit = cli.edit(desk.project / "prices.py", *EDITED)
    desk.model.play([cli.run(FAILING), edit, Say(ANSWER)])
    desk.run(cli, GOAL, through=RUN)
    wait_for(lambda: desk.find_handoff()["state"] == "offered", "work that is offered", PATIENCE_SECONDS)


def list_told(desk: Desk, prompt: str) -> list[str]:
    return [told for told in desk.model.list_told() if prompt in told]


def test_open_work_is_told_to_the_next_agent_once_and_to_no_other(desk: Desk) -> None:
    set_up(desk, CODEX, CLAUDE, GEMINI)
    leave_work(desk, CODEX)
    is_asked = threading.Event()
    desk.model.play([Hold(is_asked, Say("I go on."))])

    second = desk.start(CLAUDE, "What is left to do?")
    wait_for(lambda: list_told(desk, "What is left to do?"), "the second agent's question", PATIENCE_SECONDS)
    desk.run(GEMINI, "And what is left for me?", through=TAKE)
    is_asked.set()
    second.communicate(timeout=clis.TURN_SECONDS_MAX)
    assert second.returncode == 0

    [told, *_] = list_told(desk, "What is left to do?")
    assert told.count(REASON) == 1, told
    assert told.count("This session holds it now") == 1
    [other, *_] = list_told(desk, "And what is left for me?")
    assert "memwiki-brief" in other
    assert REASON not in other


def test_work_taken_by_an_agent_that_is_killed_before_its_first_prompt_goes_to_the_next(desk: Desk) -> None:
    set_up(desk, CODEX, CLAUDE, GEMINI)
    leave_work(desk, CODEX)
    opened = open_claude(desk)
    wait_for(
        lambda: desk.find_handoff()["state"] == "claimed", f"a claim of Claude Code: {opened.text}", PATIENCE_SECONDS
    )
    assert desk.find_handoff()["is_provisional"]

    [agent] = Path(f"/proc/{opened.program.pid}/task/{opened.program.pid}/children").read_text().split()
    os.kill(int(agent), signal.SIGKILL)

    assert opened.end() == 128 + signal.SIGKILL, opened.text
    assert desk.find_handoff()["state"] == "offered"
    desk.model.play([Say("I go on.")])
    desk.run(GEMINI, "What is left to do?", through=TAKE)
    assert list_told(desk, "What is left to do?")[0].count(REASON) == 1


def open_claude(desk: Desk) -> Terminal:
    """Open Claude Code at a terminal, where it has greeted its person before, and ask it nothing."""
    known = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "bypassPermissionsModeAccepted": True,
        "customApiKeyResponses": {"approved": ["dummy"], "rejected": []},
        "projects": {str(desk.project): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}},
    }
    path = desk.home / ".claude.json"
    settings = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(json.dumps(settings | known), encoding="utf-8")
    env = desk.build_environment(CLAUDE) | {"PYTHONPATH": str(Path(__file__).parents[2]), "TERM": "xterm"}
    return Terminal([*SERVE, "run", "claude"], desk.project, env)
