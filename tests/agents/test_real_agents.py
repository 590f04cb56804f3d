"""Real agents, wired by `memwiki install`: what they do is captured, and the next one is told of it."""

from typing import Any

import pytest

from tests.agents import conftest
from tests.agents.clis import CLIS, Cli
from tests.agents.conftest import Desk
from tests.agents.fake_model import Say

pytestmark = [pytest.mark.agents, pytest.mark.timeout(400)]

GOAL = "Make totals round half up in prices.py"
ANSWER = "Totals round half up now; the check still fails."
FAILING = "python3 -c \"assert round(2.5) == 3, 'totals must round half up'\""
REASON = "AssertionError: totals must round half up"
EDITED = ("round(amount)", "int(amount + 0.5)")

MAIN = [cli for cli in CLIS if not cli.is_extended]
# Each is followed by the next, the last by the first, so that a handoff is never to the agent that wrote it.
PAIRS = [*zip(MAIN, [*MAIN[1:], MAIN[0]], strict=True)]
EXTENDED = [(cli, MAIN[0]) for cli in CLIS if cli.is_extended]


def each(pairs: list[tuple[Cli, Cli]], *marks: pytest.MarkDecorator) -> list[Any]:
    return [pytest.param(*pair, id=f"{pair[0].agent}-then-{pair[1].agent}", marks=marks) for pair in pairs]


def work(desk: Desk, cli: Cli) -> dict[str, Any]:
    """Have an agent run a command, one that fails, edit a file and ask the memory; gives back its session."""
    path = desk.project / "prices.py"
    edit = cli.edit(path, *EDITED)
    desk.model.play([cli.run("cat prices.py"), cli.run(FAILING), edit, cli.search, Say(ANSWER)])
    desk.run(cli, GOAL)
    assert EDITED[1] in path.read_text(encoding="utf-8"), desk.said
    return desk.find_session(cli.agent)


def list_ended(session: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for each in session["observations"] if each["kind"] == "tool_end"]


def check_events(cli: Cli, session: dict[str, Any]) -> None:
    """See that everything that was done was told of, with who did it and how it went."""
    kinds = [each["kind"] for each in session["observations"]]
    # Copilot runs the hooks of a start and of its first prompt at the same time.
    assert "session_start" in kinds[:2]
    assert kinds[-1] == "session_end"
    assert kinds.count("turn_end") == 1
    prompts = [each for each in session["observations"] if each["kind"] == "prompt"]
    assert [(each["text"], each["actor"]) for each in prompts] == [(GOAL, "person")]
    looked, failed, edited, searched = list_ended(session)
    assert (looked["command"], looked["outcome"]) == ("cat prices.py", looked["outcome"])
    assert "def total" in looked["output"]
    assert (failed["command"], failed["outcome"]) == (FAILING, "failed")
    assert REASON in failed["output"]
    assert [(each["path"].rpartition("/")[2], each["change"]) for each in edited["files"]] == [
        ("prices.py", "modified")
    ]
    assert searched["tool"].endswith("memory_search"), cli.agent
    # What the memory answered is not remembered once more.
    assert searched["output"] == ""


@pytest.mark.parametrize(("cli", "successor"), [*each(PAIRS), *each(EXTENDED, pytest.mark.extended)])
def test_an_agents_work_is_captured_and_the_next_agent_is_told_of_it(desk: Desk, cli: Cli, successor: Cli) -> None:
    conftest.require(cli, successor)
    for agent in (cli, successor):
        agent.prepare(desk.home, desk.model.url)
        desk.memwiki("install", agent.agent, "--apply", "--with-token")

    session = work(desk, cli)

    check_events(cli, session)
    page = (desk.server.wiki / session["project"] / session["page_path"]).read_text(encoding="utf-8")
    assert GOAL in page
    assert "`prices.py`" in page
    assert REASON in page

    desk.model.play([Say("I know.")])
    desk.run(successor, "Where were we?")

    told = desk.model.list_told()[0]
    assert "memwiki-brief" in told, told[:2000]
    assert GOAL in told
    assert (ANSWER in told) is cli.tells_answers
    assert "Handoff id: " in told
    if successor.is_known_alone:
        # A run that is known to have nobody at the keyboard is told that there is work, and does not take it.
        assert "This session has not taken it" in told


@pytest.mark.parametrize(
    "cli",
    [pytest.param(cli, id=cli.agent, marks=[pytest.mark.extended] if cli.is_extended else []) for cli in CLIS],
)
def test_an_agent_that_ran_is_unwired_to_the_byte(desk: Desk, cli: Cli) -> None:
    conftest.require(cli)
    cli.prepare(desk.home, desk.model.url)
    before = conftest.read_files(desk.home)
    desk.memwiki("install", cli.agent, "--apply", "--with-token")
    desk.model.play([Say("Nothing to do.")])
    desk.run(cli, "Hello")
    desk.find_session(cli.agent)

    desk.memwiki("uninstall", cli.agent, "--apply")

    after = conftest.read_files(desk.home)
    assert {path: after.get(path) for path in before} == before
    assert not [path for path in after if "/memwiki/hooks/" in path or path.endswith(("memwiki.js", "memwiki.json"))]
