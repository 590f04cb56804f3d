"""Real agents that tell less: what they do tell is captured, and their next session is told where the last stopped."""

from typing import Any

import pytest

from tests.agents import conftest
from tests.agents.conftest import RUN, Desk
from tests.agents.extended_clis import EXTENDED, Extended
from tests.agents.fake_model import Say, Step
from tests.agents.test_real_agents import EDITED, FAILING, GOAL, REASON

pytestmark = [pytest.mark.agents, pytest.mark.extended, pytest.mark.timeout(900)]


def work(desk: Desk, extended: Extended) -> dict[str, Any]:
    """Have an agent read, fail, edit and ask the memory; gives back its session, which may have to be ended."""
    cli, path = extended.cli, desk.project / "prices.py"
    looked = [cli.run("cat prices.py"), cli.run(FAILING)]
    looked += [extended.read(path)] if extended.read else []
    asked: list[Step] = [*extended.before_search, cli.search, Say("Totals round half up now.")]
    desk.model.play([*looked, cli.edit(path, *EDITED), *asked])
    # Sessions of which no end is told end with it.
    desk.run(cli, GOAL, through=RUN)
    assert EDITED[1] in path.read_text(encoding="utf-8"), desk.said
    return desk.find_session(cli.agent)


def check_events(session: dict[str, Any], extended: Extended) -> None:
    """See that what an agent tells was captured, with how it went."""
    told = session["observations"]
    assert (told[0]["kind"], session["agent"]) == ("session_start", extended.cli.agent)
    people = [each["text"] for each in told if each["kind"] == "prompt" and each["actor"] == "person"]
    assert people == ([GOAL] if extended.tells_prompts else [])
    ended = {each["command"]: each for each in told if each["kind"] == "tool_end" and each["command"]}
    assert "def total" in ended["cat prices.py"]["output"]
    assert FAILING in {each["command"] for each in told if each["kind"] == "tool_start"}
    assert (ended[FAILING]["outcome"] == "failed") if extended.tells_failures else (FAILING not in ended)
    files = [file for each in told if each["kind"] == "tool_end" for file in each["files"] if file["change"] != "read"]
    assert [(file["path"].rpartition("/")[2], file["change"]) for file in files] == [("prices.py", "modified")]


def check_own_call(session: dict[str, Any], extended: Extended) -> None:
    """See that what the memory answered is not remembered once more."""
    asked = [each for each in session["observations"] if each["tool"].endswith("memory_search")]
    kinds = ["tool_start", "tool_end"][: 1 + extended.tells_last_call]
    assert [each["kind"] for each in asked][: len(kinds)] == kinds
    assert {each["output"] for each in asked} == {""}


def check_page(desk: Desk, session: dict[str, Any], extended: Extended) -> None:
    page = (desk.server.wiki / session["project"] / session["page_path"]).read_text(encoding="utf-8")
    assert "`prices.py`" in page
    assert (GOAL in page) is extended.tells_prompts
    assert (REASON in page) is extended.tells_failures


def check_next_session(desk: Desk, session: dict[str, Any], extended: Extended) -> None:
    looked = [extended.cli.run("cat prices.py")] if extended.is_told_late else []
    desk.model.play([*looked, Say("I know.")])
    desk.run(extended.cli, "Where were we?")
    told = desk.model.list_told()[len(looked)]
    assert "memwiki-brief" in told, told[:2000]
    assert session["page_path"] in told


@pytest.mark.parametrize("extended", EXTENDED, ids=lambda extended: extended.cli.agent)
def test_what_an_agent_tells_is_captured_its_next_session_is_told_of_it_and_it_is_unwired(
    desk: Desk, extended: Extended
) -> None:
    conftest.require(extended.cli)
    before = desk.wire(extended.cli)

    session = work(desk, extended)

    check_events(session, extended)
    check_own_call(session, extended)
    check_page(desk, session, extended)
    check_next_session(desk, session, extended)
    desk.unwire(before)
