"""Sessions whose end never comes, comes late, or comes twice; and those in which nothing was done."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import sessions
from tests.server import Server, run_git, run_server, wait_for

pytestmark = pytest.mark.slow


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[Server]:
    """Run a server that takes a second of silence for a session's end."""
    idle = {"MEMWIKI_SESSION_IDLE_SECONDS": "1", "MEMWIKI_SESSION_IDLE_AFTER_STOP_SECONDS": "1"}
    with run_server(tmp_path / "memory", **idle) as running:
        yield running


def wait_for_end(server: Server, session: str) -> None:
    wait_for(lambda: server.get(f"/api/v1/sessions/{session}")["state"] == "ended", f"the end of {session}")
    wait_for(lambda: not sum(server.get("/api/v1/status")["jobs"].values()), "its page")


def list_page_texts(server: Server) -> list[str]:
    return [(server.wiki / place).read_text(encoding="utf-8") for place in sessions.list_session_pages(server)]


def test_a_session_that_goes_silent_is_compiled_once_and_a_late_end_adds_nothing(impatient: Server) -> None:
    prompts = [sessions.build_prompt("silent", f"wish {number}") for number in range(5)]
    for event in [sessions.build_start("silent"), *prompts, sessions.build_edit("silent", "a.py")]:
        event.send(impatient)

    wait_for_end(impatient, "silent")
    impatient.wait_until_committed()
    pages, handoffs = list_page_texts(impatient), impatient.get("/api/v1/handoffs", state="all")["handoffs"]
    head = run_git(impatient.wiki, "rev-parse", "HEAD")
    sessions.build_end("silent").send(impatient)
    wait_for_end(impatient, "silent")
    impatient.wait_until_committed()

    assert len(pages) == 1
    assert all(f"wish {number}" in pages[0] for number in range(5))
    assert list_page_texts(impatient) == pages
    assert impatient.get("/api/v1/handoffs", state="all")["handoffs"] == handoffs
    assert len(handoffs) == 1
    assert run_git(impatient.wiki, "rev-parse", "HEAD") == head


def test_work_after_the_end_grows_the_same_page(server: Server) -> None:
    for event in sessions.build_session("twice"):
        event.send(server)
    server.wait_for_page("twice")
    first = sessions.list_session_pages(server)

    sessions.build_prompt("twice", "And now the pelican").send(server)
    sessions.build_edit("twice", "pelican.py").send(server)
    sessions.build_end("twice").send(server)
    wait_for(lambda: "pelican.py" in list_page_texts(server)[0], "the page to grow")
    wait_for_end(server, "twice")

    found = server.get("/api/v1/handoffs")["handoffs"]
    assert sessions.list_session_pages(server) == first
    assert len(found) == 1


def test_an_end_that_came_twice_is_one_end(server: Server) -> None:
    for event in [*sessions.build_session("double"), sessions.build_end("double")]:
        event.send(server)
    server.wait_for_page("double")
    server.wait_until_committed()

    assert len(sessions.list_session_pages(server)) == 1
    assert len(server.get("/api/v1/handoffs", state="all")["handoffs"]) == 1


def test_sessions_without_work_leave_nothing_and_use_up_no_handoff(server: Server) -> None:
    for event in sessions.build_session("worker"):
        event.send(server)
    server.wait_for_page("worker")
    server.wait_until_committed()
    (offered,) = server.get("/api/v1/handoffs")["handoffs"]
    head, index = run_git(server.wiki, "rev-parse", "HEAD"), server.get("/readyz")["index"]

    briefs = []
    for number in range(50):
        briefs.append(sessions.build_start(f"empty-{number}").send(server))
        sessions.build_end(f"empty-{number}").send(server)
    sessions.build_end("never started").send(server)
    wait_for(lambda: not sum(server.get("/api/v1/status")["jobs"].values()), "all ends")
    last = sessions.build_start("empty-last").send(server)

    assert all(offered["id"] in brief for brief in [*briefs, last])
    assert run_git(server.wiki, "rev-parse", "HEAD") == head
    assert server.get("/readyz")["index"] == index
    assert len(sessions.list_session_pages(server)) == 1
    assert [each["id"] for each in server.get("/api/v1/handoffs", state="all")["handoffs"]] == [offered["id"]]


def test_a_session_that_starts_and_dies_gives_the_handoff_back(impatient: Server) -> None:
    for event in sessions.build_session("worker"):
        event.send(impatient)
    impatient.wait_for_page("worker")
    (offered,) = impatient.get("/api/v1/handoffs")["handoffs"]

    first = sessions.build_start("dies").send(impatient)
    repeated = [sessions.build_start("dies").send(impatient) for _ in range(3)]
    wait_for_end(impatient, "dies")
    second = sessions.build_start("lives").send(impatient)

    assert repeated == [first] * 3
    assert offered["id"] in first
    assert offered["id"] in second
