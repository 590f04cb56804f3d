"""Real agents, wired by `memwiki install`: what they do is captured, and the next one is told of it."""

from typing import Any

import pytest

from tests.agents import conftest
from tests.agents.clis import CLIS, Cli
from tests.agents.conftest import RUN, Desk
from tests.agents.fake_model import Say

pytestmark = [pytest.mark.agents, pytest.mark.timeout(900)]

GOAL = "Make totals round half up in prices.py"
ANSWER = "Totals round half up now; the check still fails."
FAILING = "python3 -c \"assert round(2.5) == 3, 'totals must round half up'\""
REASON = "AssertionError: totals must round half up"
EDITED = ("round(amount)", "int(amount + 0.5)")

MAIN = [cli for cli in CLIS if not cli.is_extended]
# Each is followed by the next, the last by the first, so that a handoff is never to the agent that wrote it.
PAIRS = [*zip(MAIN, [*MAIN[1:], MAIN[0]], strict=True), *((cli, MAIN[0]) for cli in CLIS if cli.is_extended)]


def work(desk: Desk, cli: Cli) -> dict[str, Any]:
    """Have an agent run a command, one that fails, edit a file and ask the memory; gives back its session."""
    path = desk.project / "prices.py"
    edit = cli.edit(path, *EDITED)
    desk.model.play([cli.run("cat prices.py"), cli.run(FAILING), edit, cli.search, Say(ANSWER)])
    # What its hooks told is not taken from its own transcript again when it ends.
    desk.run(cli, GOAL, through=RUN)
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
    assert [kinds.count(kind) for kind in ("session_start", "turn_end", "session_end")] == [1, 1, 1]
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


def check_page(desk: Desk, session: dict[str, Any]) -> None:
    page = (desk.server.wiki / session["project"] / session["page_path"]).read_text(encoding="utf-8")
    assert GOAL in page
    assert "`prices.py`" in page
    assert REASON in page


def check_successor(desk: Desk, cli: Cli, successor: Cli) -> None:
    """See that another agent's next session is told of the work, and as a run without a person leaves it to others."""
    desk.model.play([Say("I know.")])
    desk.run(successor, "Where were we?")
    told = desk.model.list_told()[0]
    assert "memwiki-brief" in told, told[:2000]
    assert GOAL in told
    assert (ANSWER in told) is cli.tells_answers
    assert "Handoff id: " in told
    assert "This session has not taken it" in told
    assert desk.find_handoff()["state"] == "offered"


def list_pairs() -> list[Any]:
    marks = {True: [pytest.mark.extended], False: []}
    return [
        pytest.param(*pair, id=f"{pair[0].agent}-then-{pair[1].agent}", marks=marks[pair[0].is_extended])
        for pair in PAIRS
    ]


@pytest.mark.parametrize(("cli", "successor"), list_pairs())
def test_work_is_captured_the_next_agent_is_told_of_it_and_both_are_unwired(
    desk: Desk, cli: Cli, successor: Cli
) -> None:
    conftest.require(cli, successor)
    before = desk.wire(cli, successor)

    session = work(desk, cli)

    check_events(cli, session)
    check_page(desk, session)
    check_successor(desk, cli, successor)
    desk.unwire(before)
