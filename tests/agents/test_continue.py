"""`memwiki continue` opens the newest session of each real agent again, with all that was said in it before."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.agents import clis
from tests.agents.clis import CLIS, Cli
from tests.agents.conftest import PATIENCE_SECONDS, Desk
from tests.agents.fake_model import Say
from tests.agents.test_baton import leave_work, list_told, set_up
from tests.agents.test_real_agents import GOAL
from tests.entrypoints.terminal import Terminal
from tests.server import SERVE, wait_for

pytestmark = [pytest.mark.agents, pytest.mark.extended, pytest.mark.timeout(900)]

ASKED = "And now what is left?"
# How a session that is opened again is asked without a terminal: the words behind those that open it.
WORDS = {
    "claude-code": CLIS[0].words[1:],
    "gemini-cli": CLIS[2].words[1:],
    "copilot-cli": CLIS[3].words[1:],
    "pi": CLIS[5].words[1:],
}
# This one does so in a terminal alone.
AT_TERMINAL = {"codex": ("--dangerously-bypass-hook-trust",)}


def trust_folder(desk: Desk) -> None:
    """Have the person at the keyboard trust the folder, as Codex asks before it opens anything in it."""
    with (desk.home / ".codex" / "config.toml").open("a", encoding="utf-8") as file:
        file.write(f'[projects."{desk.project}"]\ntrust_level = "trusted"\n')


def run(desk: Desk, words: list[str], env: dict[str, str]) -> str:
    done = subprocess.run(
        words, env=env, cwd=desk.project, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        timeout=clis.TURN_SECONDS_MAX,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout if "--json" in words else done.stdout + done.stderr


def go_on(desk: Desk, cli: Cli) -> None:
    """Have `memwiki continue` open the last session, and ask something in it."""
    env = desk.build_environment(cli) | {"PYTHONPATH": str(Path(__file__).parents[2]), "TERM": "xterm-256color"}
    if cli.agent in WORDS:
        said = run(desk, [*SERVE, "continue", *WORDS[cli.agent], ASKED], env)
        assert "opens its session again" in said
        return
    if cli.agent not in AT_TERMINAL:
        # What opens the session for a person is asked without one by one word more.
        program, *opening = json.loads(run(desk, [*SERVE, "continue", "--json"], env))["command"]
        run(desk, [program, "run", *opening, ASKED], env)
        return
    opened = Terminal([*SERVE, "continue", *AT_TERMINAL[cli.agent], ASKED], desk.project, env)
    try:
        wait_for(lambda: opened.answer() and list_told(desk, ASKED), f"a question of {cli.agent}", PATIENCE_SECONDS)
    except AssertionError as error:
        raise AssertionError(opened.text[-3000:]) from error
    finally:
        opened.program.terminate()
        opened.end()


@pytest.mark.parametrize("cli", CLIS, ids=lambda cli: str(cli.agent))
def test_the_same_agent_goes_on_in_the_session_that_it_left(desk: Desk, cli: Cli) -> None:
    set_up(desk, cli)
    if cli.agent == "codex":
        trust_folder(desk)
    leave_work(desk, cli)
    desk.model.play([Say("The tests are left.")])

    go_on(desk, cli)

    [told, *_] = list_told(desk, ASKED)
    assert GOAL in told
    [session] = desk.list_sessions()
    assert session["agent"] == cli.agent
