"""Real agents one after the other in one checkout: open work is handed to exactly one of them, and lost with none."""

import json
import os
import signal
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from app.agents import registry
from tests.agents import clis, conftest
from tests.agents.clis import CLIS, Cli
from tests.agents.conftest import Desk
from tests.agents.fake_model import Hold, Say
from tests.agents.test_real_agents import ANSWER, EDITED, FAILING, GOAL, REASON
from tests.entrypoints.terminal import Terminal
from tests.server import SERVE, wait_for

pytestmark = [pytest.mark.agents, pytest.mark.timeout(400)]

CLAUDE, CODEX, GEMINI = CLIS[:3]


def set_up(desk: Desk, *agents: Cli) -> None:
    conftest.require(*agents)
    for cli in agents:
        cli.prepare(desk.home, desk.model.url)
        desk.memwiki("install", cli.agent, "--apply", "--with-token")


def leave_work(desk: Desk, cli: Cli) -> None:
    """Have an agent work and quit; its next one is offered what is open."""
    edit = cli.edit(desk.project / "prices.py", *EDITED)
    desk.model.play([cli.run(FAILING), edit, Say(ANSWER)])
    assert desk.start(cli, GOAL).wait(clis.TURN_SECONDS_MAX) == 0
    wait_for(lambda: find_handoff(desk)["state"] == "offered", "work that is offered")


def find_handoff(desk: Desk) -> dict[str, Any]:
    found = desk.server.get("/api/v1/handoffs", project="*", state="all")["handoffs"]
    return found[-1] if found else {"state": ""}


def list_told(desk: Desk, prompt: str) -> list[str]:
    return [told for told in desk.model.list_told() if prompt in told]


def test_open_work_is_told_to_the_next_agent_once_and_to_no_other(desk: Desk) -> None:
    set_up(desk, CODEX, CLAUDE, GEMINI)
    leave_work(desk, CODEX)
    is_asked = threading.Event()
    desk.model.play([Hold(is_asked, Say("I go on."))])

    second = desk.start(CLAUDE, "What is left to do?")
    wait_for(lambda: list_told(desk, "What is left to do?"), "the second agent's question")
    third = desk.start(GEMINI, "And what is left for me?")
    assert third.wait(clis.TURN_SECONDS_MAX) == 0
    is_asked.set()
    assert second.wait(clis.TURN_SECONDS_MAX) == 0

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
    wait_for(lambda: find_handoff(desk)["state"] == "claimed", f"a claim of Claude Code: {opened.text}")
    assert find_handoff(desk)["is_provisional"]

    [agent] = Path(f"/proc/{opened.program.pid}/task/{opened.program.pid}/children").read_text().split()
    os.kill(int(agent), signal.SIGKILL)

    assert opened.end() == 128 + signal.SIGKILL, opened.text
    assert find_handoff(desk)["state"] == "offered"
    desk.model.play([Say("I go on.")])
    assert desk.start(GEMINI, "What is left to do?").wait(clis.TURN_SECONDS_MAX) == 0
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


def list_readable() -> list[Any]:
    """List the agents whose own transcripts can be read."""
    known = [(cli, registry.find_agent(cli.agent).traits.launch) for cli in CLIS]
    marks = {True: [pytest.mark.extended], False: []}
    return [
        pytest.param(cli, id=cli.agent, marks=marks[cli.is_extended]) for cli, launch in known if launch and launch.read
    ]


@pytest.mark.parametrize("cli", list_readable())
def test_what_hooks_told_is_not_taken_from_the_transcript_again(desk: Desk, cli: Cli) -> None:
    set_up(desk, cli)

    leave_work(desk, cli)

    [session] = desk.server.get("/api/v1/sessions")["sessions"]
    seen = desk.server.get(f"/api/v1/sessions/{session['id']}")["observations"]
    kinds = Counter(each["kind"] for each in seen)
    assert [kinds[kind] for kind in ("session_start", "prompt", "tool_end", "turn_end", "session_end")] == [
        1,
        1,
        2,
        1,
        1,
    ]
