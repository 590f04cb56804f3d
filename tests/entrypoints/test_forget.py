"""Forgetting a session, opting one out, and what late events of either get."""

import pytest

from tests.entrypoints.serving import Server, find_bytes, new_name, read_payload, serve

WORDS = "zyxgranny keeps the recipe"


def work(server: Server, session: str) -> None:
    server.start(session)
    server.ask(session, f"Fix the lexer: {WORDS}.")
    server.run(session, f"echo '{WORDS}'", WORDS)


def send_late(server: Server, session: str) -> tuple[int, str]:
    answer = server.hook("Stop", read_payload("claude-code", "Stop", session_id=session))
    return answer.status_code, answer.json()["code"] if answer.content else ""


def test_without_apply_nothing_is_deleted_and_the_answer_says_what_would_be(server: Server) -> None:
    session = new_name()
    work(server, session)
    server.end(session)

    plan = server.post(f"/sessions/{session}/forget").json()

    assert (plan["applied"], plan["observations"], plan["pages"]) == (False, 4, [server.session(session)["page_path"]])
    assert any("git history" in line for line in plan["remains"])
    assert len(server.observations(session)) == 4
    assert len(server.pages()) == 1


def test_a_forgotten_session_is_gone_and_stays_gone(server: Server) -> None:
    session = new_name()
    work(server, session)
    server.end(session)
    ours = server.session(session)["id"]

    gone = server.post(f"/sessions/{session}/forget", {"apply": True}).json()
    server.settle()

    assert (gone["applied"], gone["session"], gone["handoffs"]) == (True, ours, 1)
    assert server.get(f"/sessions/{session}").status_code == 404
    assert server.pages() == []
    assert server.read("/search", q="zyxgranny")["hits"] == []
    assert server.read("/handoffs", project="*", state="all")["handoffs"] == []
    assert send_late(server, session) == (410, "refused_purged")
    assert server.get(f"/sessions/{session}").status_code == 404
    assert server.post(f"/sessions/{session}/forget", {"apply": True}).status_code == 404


def test_its_words_are_in_no_file_of_state_or_wiki(server: Server) -> None:
    session = new_name()
    work(server, session)
    server.end(session)
    assert find_bytes(server.folder / "state", "zyxgranny") != []

    server.post(f"/sessions/{session}/forget", {"apply": True})
    server.settle()

    assert find_bytes(server.folder / "state", "zyxgranny") == []
    assert find_bytes(server.folder / "raw", "zyxgranny") == []
    kept = [path for path in find_bytes(server.folder / "wiki", "zyxgranny") if "/.git/" not in path]
    assert kept == []


def test_a_spool_with_events_of_a_forgotten_session_costs_the_others_nothing(server: Server) -> None:
    forgotten, living = new_name(), new_name()
    work(server, forgotten)
    server.post(f"/sessions/{forgotten}/forget", {"apply": True})
    items = [
        {
            "agent": "claude-code",
            "event": "PostToolUse",
            "payload": read_payload("claude-code", "PostToolUse.shell", session_id=name, tool_use_id=new_name("t")),
        }
        for name in (forgotten, living, forgotten)
    ]

    results = server.batch(*items).json()["results"]

    assert [result["status"] for result in results] == ["refused_purged", "stored", "refused_purged"]
    assert server.read("/status")["dropped"][0]["purged"] == 2


def test_another_session_is_left_as_it_was(server: Server) -> None:
    one, other = new_name(), new_name()
    for session in (one, other):
        work(server, session)
        server.end(session)
    before = server.session(other)

    server.post(f"/sessions/{one}/forget", {"apply": True})
    server.settle()

    assert server.session(other) == before
    assert server.pages() == [f"main/shop/{before['page_path']}"]
    assert before["page_path"] in server.read("/pages/index.md", project="shop")["text"]


def test_a_session_that_is_open_can_be_forgotten_too(server: Server) -> None:
    session = new_name()
    work(server, session)

    assert server.post(f"/sessions/{session}/forget", {"apply": True}).json()["observations"] == 3
    assert send_late(server, session) == (410, "refused_purged")
    assert server.get(f"/sessions/{session}").status_code == 404


def test_what_it_held_is_offered_again(server: Server) -> None:
    server.ask(new_name(), "Look around.")
    offered = server.offer("Half of the parser is done.")
    session = new_name()
    work(server, session)
    assert server.read(f"/handoffs/{offered['id']}")["state"] == "claimed"

    server.post(f"/sessions/{session}/forget", {"apply": True})

    assert server.read(f"/handoffs/{offered['id']}")["state"] == "offered"


def test_a_session_is_not_known_after_a_restart_either(server: Server) -> None:
    session, folder = new_name(), server.folder
    work(server, session)
    server.post(f"/sessions/{session}/forget", {"apply": True})
    server.client.__exit__(None, None, None)
    server.runtime.close()

    with serve(folder) as again:
        assert send_late(again, session) == (410, "refused_purged")


@pytest.mark.parametrize("is_known", [True, False])
def test_an_opted_out_session_is_told_nothing_and_nothing_of_it_is_kept(server: Server, *, is_known: bool) -> None:
    server.ask(new_name(), "Look around.")
    server.offer("Half of the parser is done.")
    session = new_name()
    if is_known:
        server.ask(session, "Before.")

    answer = server.post(f"/sessions/{session}/capture", {"enabled": False})
    brief = server.start(session)
    server.ask(session, "After.")
    result = server.batch({"agent": "codex", "event": "Stop", "payload": {"session_id": session}}).json()["results"][0]

    assert answer.json() == {"session": session, "enabled": False}
    assert brief == ""
    assert result["status"] == "dropped_by_policy"
    assert [row["text"] for row in server.observations(session)] == (["Before."] if is_known else [])
    server.post(f"/sessions/{session}/capture", {"enabled": True})
    server.ask(session, "Again.")
    assert server.observations(session)[-1]["text"] == "Again."


def test_an_id_that_is_no_id_is_refused(server: Server) -> None:
    assert server.post(f"/sessions/{'x' * 201}/capture", {"enabled": False}).status_code == 422
    assert server.post(f"/sessions/{'x' * 200}/capture", {"enabled": False}).status_code == 200


def test_what_it_had_handed_on_is_taken_out_of_later_sessions(server: Server) -> None:
    session, second, third = new_name(), new_name(), new_name()
    work(server, session)
    failed = {"command": f"make '{WORDS}'"}
    server.tell(session, "PostToolUseFailure.shell", tool_use_id=new_name("t"), tool_input=failed)
    server.end(session)
    for later in (second, third):
        assert "zyxgranny" in server.start(later)
        server.ask(later, "go on")
        server.run(later, f"touch {later}.py", "")
        server.end(later)
    [left] = [each for each in server.read("/handoffs", project="*")["handoffs"] if each["state"] == "offered"]
    assert "zyxgranny" in str(left["content"]["carried"])

    server.post(f"/sessions/{session}/forget", {"apply": True})
    server.settle()

    assert find_bytes(server.folder / "state", "zyxgranny") == []
    places = [path.relative_to(server.folder) for path in server.folder.glob("wiki/*/*/**/*.md")]
    assert not [place for place in places if "zyxgranny" in str(place)]
    assert [path for path in find_bytes(server.folder / "wiki", "zyxgranny") if "/.git/" not in path] == []
    assert "zyxgranny" not in str(server.read("/search", q="recipe")["hits"])
    assert len(server.pages()) == 2
