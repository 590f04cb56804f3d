"""Real agents that tell less: what they do tell is captured, and their next session is told where the last stopped."""

from typing import Any

import pytest

from tests.agents import conftest
from tests.agents.conftest import Desk
from tests.agents.extended_clis import EXTENDED, Extended
from tests.agents.fake_model import Say, Step
from tests.agents.test_real_agents import EDITED, FAILING, GOAL, REASON
from tests.server import wait_for

pytestmark = [pytest.mark.agents, pytest.mark.extended, pytest.mark.timeout(400)]

EACH = pytest.mark.parametrize("extended", EXTENDED, ids=lambda extended: extended.cli.agent)


def work(desk: Desk, extended: Extended) -> dict[str, Any]:
    """Have an agent read, fail, edit and ask the memory; gives back its session, which may have to be ended."""
    cli, path = extended.cli, desk.project / "prices.py"
    looked = [cli.run("cat prices.py"), cli.run(FAILING)]
    looked += [extended.read(path)] if extended.read else []
    asked: list[Step] = [*extended.before_search, cli.search, Say("Totals round half up now.")]
    desk.model.play([*looked, cli.edit(path, *EDITED), *asked])
    desk.run(cli, GOAL)
    assert EDITED[1] in path.read_text(encoding="utf-8"), desk.said
    return end_session(desk)


def end_session(desk: Desk) -> dict[str, Any]:
    def look() -> dict[str, Any]:
        found = desk.server.get("/api/v1/sessions")["sessions"]
        return found[0] if found else {}

    found = wait_for(look, f"a session: {desk.said}")
    if found["state"] == "open":
        desk.memwiki("session", "end", found["id"])
    return desk.server.wait_for_page(found["id"])


@EACH
def test_what_an_agent_tells_is_captured(desk: Desk, extended: Extended) -> None:
    conftest.require(extended.cli)
    extended.cli.prepare(desk.home, desk.model.url)
    desk.memwiki("install", extended.cli.agent, "--apply", "--with-token")

    session = work(desk, extended)

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
    asked = [each for each in told if each["tool"].endswith("memory_search")]
    assert [each["kind"] for each in asked][: 1 + extended.tells_last_call] == [
        "tool_start",
        "tool_end",
    ][: 1 + extended.tells_last_call]
    assert {each["output"] for each in asked} == {""}
    page = (desk.server.wiki / session["project"] / session["page_path"]).read_text(encoding="utf-8")
    assert "`prices.py`" in page
    assert (GOAL in page) is extended.tells_prompts
    assert (REASON in page) is extended.tells_failures


@EACH
def test_the_next_session_is_told_where_the_last_one_stopped(desk: Desk, extended: Extended) -> None:
    conftest.require(extended.cli)
    extended.cli.prepare(desk.home, desk.model.url)
    desk.memwiki("install", extended.cli.agent, "--apply", "--with-token")
    session = work(desk, extended)

    desk.model.play([Say("I know.")])
    desk.run(extended.cli, "Where were we?")

    told = desk.model.list_told()[0]
    assert "memwiki-brief" in told, told[:2000]
    assert session["page_path"] in told


@EACH
def test_an_agent_that_ran_is_unwired_to_the_byte(desk: Desk, extended: Extended) -> None:
    conftest.require(extended.cli)
    extended.cli.prepare(desk.home, desk.model.url)
    before = conftest.read_files(desk.home)
    desk.memwiki("install", extended.cli.agent, "--apply", "--with-token")
    desk.model.play([Say("Nothing to do.")])
    desk.run(extended.cli, "Hello")

    desk.memwiki("uninstall", extended.cli.agent, "--apply")

    after = conftest.read_files(desk.home)
    assert {path: after.get(path) for path in before} == before
    assert not [path for path in after if "/memwiki/hooks/" in path]
