"""Sessions that go on with others, helpers that have ids of their own, and conversations that were cleared."""

import pytest

from tests.entrypoints.serving import Server, new_name


def read_page(server: Server, session: str) -> str:
    path = server.session(session)["page_path"]
    return str(server.read(f"/pages/{path}", project="shop")["text"])


def work(server: Server, session: str, words: str) -> None:
    server.ask(session, words)
    server.run(session, f"pytest -k {words.rsplit(maxsplit=1)[-1]}", "1 passed")


def resume(server: Server, session: str, earlier: str) -> None:
    server.tell(session, "SessionStart.resume", previous_session_id=earlier)


def test_a_session_and_the_one_that_goes_on_with_it_lead_to_each_other(server: Server) -> None:
    old, new = new_name(), new_name()
    work(server, old, "Fix the lexer")
    server.end(old)
    resume(server, new, old)
    work(server, new, "Fix the parser")
    server.end(new)

    assert f"Continues [[{server.session(old)['page_path']}]]." in read_page(server, new)
    assert f"Continued in [[{server.session(new)['page_path']}]]." in read_page(server, old)
    assert server.session(new)["continues"] == old
    assert len(server.pages()) == 2


def test_the_link_is_made_also_where_the_earlier_session_arrives_later(server: Server) -> None:
    old, new = new_name(), new_name()
    resume(server, new, old)
    work(server, new, "Fix the parser")
    server.end(new)
    assert "Continues" not in read_page(server, new)

    work(server, old, "Fix the lexer")
    server.end(old)

    assert f"Continues [[{server.session(old)['page_path']}]]." in read_page(server, new)
    assert f"Continued in [[{server.session(new)['page_path']}]]." in read_page(server, old)


def test_links_that_stand_are_not_written_again(server: Server) -> None:
    old, new = new_name(), new_name()
    work(server, old, "Fix the lexer")
    server.end(old)
    resume(server, new, old)
    work(server, new, "Fix the parser")
    server.end(new)
    commits = server.count_commits()

    for session in (old, new, old, new):
        server.post(f"/sessions/{session}/end")
        server.settle()

    assert server.count_commits() == commits


def test_a_page_does_not_lead_to_one_that_was_forgotten(server: Server) -> None:
    old, new = new_name(), new_name()
    work(server, old, "Fix the lexer")
    server.end(old)
    resume(server, new, old)
    work(server, new, "Fix the parser")
    server.end(new)

    server.post(f"/sessions/{old}/forget", {"apply": True})
    server.settle()

    assert "Continues" not in read_page(server, new)


@pytest.mark.parametrize("reason", ["clear", "compact", "resume"])
def test_a_session_that_goes_on_under_its_own_id_has_one_page(server: Server, reason: str) -> None:
    session = new_name()
    work(server, session, "Fix the lexer")
    server.tell(session, "SessionStart.startup", source=reason)
    work(server, session, "Fix the parser")
    server.end(session)

    assert len(server.pages()) == 1
    text = read_page(server, session)
    assert "Fix the lexer" in text
    assert "Fix the parser" in text


def test_a_cleared_conversation_ends_and_the_next_one_has_its_own_page(server: Server) -> None:
    cleared, fresh = new_name(), new_name()
    work(server, cleared, "Fix the lexer")
    server.tell(cleared, "SessionEnd", reason="clear")
    server.tell(fresh, "SessionStart.startup", source="clear")
    work(server, fresh, "Fix the parser")
    server.end(fresh)

    assert len(server.pages()) == 2
    assert "Fix the lexer" not in read_page(server, fresh).partition("## Provenance")[0].replace("[[", "")


def test_twenty_helpers_with_ids_of_their_own_are_in_their_parents_session(server: Server) -> None:
    session = new_name()
    server.ask(session, "Fix the lexer.")
    for number in range(20):
        helper = new_name("h")
        brief = server.tell(helper, "SessionStart.startup", isSidechain=True, parent_session_id=session).text
        server.tell(
            helper,
            "PostToolUse.shell",
            isSidechain=True,
            parent_session_id=session,
            tool_use_id=new_name("t"),
            tool_input={"command": f"pytest -k {number}"},
        )
        assert brief == ""
    server.end(session)

    assert [found["agent_session_id"] for found in server.read("/sessions")["sessions"]] == [session]
    assert len(server.observations(session)) == 42
    assert len(server.pages()) == 1


def test_helpers_that_do_not_say_whose_they_are_leave_no_page_and_no_handoff(server: Server) -> None:
    server.ask(new_name(), "Look around.")
    server.offer("Half of the parser is done.")
    helper = new_name("h")

    brief = server.tell(helper, "SessionStart.startup", isSidechain=True).text
    server.tell(helper, "PostToolUse.shell", isSidechain=True, tool_use_id=new_name("t"))
    server.tell(helper, "SessionEnd", isSidechain=True)
    server.settle()

    assert brief == ""
    assert server.pages() == []
    handoffs = server.read("/handoffs", project="*", state="all")["handoffs"]
    assert [found["state"] for found in handoffs] == ["offered"]


def test_a_recap_is_stored_as_one_and_never_told_as_a_persons_words(server: Server) -> None:
    session = new_name()
    server.ask(session, "Fix the lexer.")
    server.ask(session, "This session is being continued from a previous conversation. Goal: dig a tunnel. " * 400)
    server.run(session, "pytest -q", "1 passed")
    server.end(session)

    recap = server.observations(session)[1]
    assert (recap["kind"], recap["actor"]) == ("compaction", "machine")
    assert 30_000 < len(recap["text"]) <= 32 * 1024
    assert "tunnel" not in read_page(server, session)
