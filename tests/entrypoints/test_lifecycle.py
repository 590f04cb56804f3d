"""From events to pages and handoffs: what leaves nothing, what grows, and whose words a page tells."""

import json

import pytest

from tests.entrypoints.serving import Server, find_bytes, new_name, read_payload, wait_for


def list_handoffs(server: Server) -> list[dict[str, object]]:
    found: list[dict[str, object]] = server.read("/handoffs", project="*", state="all")["handoffs"]
    return found


def read_page(server: Server, session: str) -> str:
    page = server.read(f"/pages/{server.session(session)['page_path']}", project="shop")
    return str(page["text"])


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_a_session_that_only_started_and_ended_leaves_nothing(server: Server, agent: str) -> None:
    session = new_name()
    server.start(session, agent=agent)

    server.end(session, agent=agent)

    assert server.pages() == []
    assert server.count_commits() == 0
    assert list_handoffs(server) == []


def test_fifty_empty_sessions_use_up_no_handoff(server: Server) -> None:
    server.ask(new_name(), "Look around.")
    offered = server.offer("Half of the parser is done.")
    sessions = [new_name() for _ in range(50)]
    # The project's own two pages, of which one counts what waits.
    wait_for(lambda: server.count_commits() == 2, "the project's pages")

    briefs = []
    for session in sessions:
        briefs.append(server.start(session))
        server.tell(session, "SessionEnd")
    server.settle()

    assert all("Half of the parser is done." in brief for brief in briefs)
    assert server.pages() == []
    assert server.count_commits() == 2
    assert [(found["id"], found["state"]) for found in list_handoffs(server)] in (
        [(offered["id"], "offered")],
        [(offered["id"], "released")],
    )


def test_an_end_without_a_start_leaves_nothing(server: Server) -> None:
    session = new_name()

    server.end(session)

    assert server.session(session)["state"] == "ended"
    assert server.pages() == []


def test_work_without_a_start_has_its_page(server: Server) -> None:
    session = new_name()
    server.ask(session, "Fix the lexer.")
    server.run(session, "pytest -q", "1 passed")

    server.end(session)

    assert "Fix the lexer." in read_page(server, session)


def test_a_start_alone_leaves_an_open_session_and_no_page(server: Server) -> None:
    session = new_name()

    server.start(session)

    assert server.session(session)["state"] == "open"
    assert (server.pages(), list_handoffs(server)) == ([], [])


def test_machine_text_alone_is_no_work(server: Server) -> None:
    session = new_name()
    server.start(session)
    server.tell(session, "UserPromptSubmit.task-notification")

    server.end(session)

    assert server.pages() == []


def test_work_after_the_end_grows_the_same_page(server: Server) -> None:
    session = new_name()
    server.ask(session, "Fix the lexer.")
    server.run(session, "pytest tests/lexer", "1 failed")
    server.end(session)
    first = server.pages()

    server.ask(session, "Now the parser, too.")
    server.run(session, "pytest tests/parser", "2 passed")
    reopened = server.session(session)["state"]
    server.tell(session, "SessionEnd", reason="logout")
    server.settle()

    assert reopened == "open"
    assert server.pages() == first
    assert len(first) == 1
    text = read_page(server, session)
    assert "Fix the lexer." in text
    assert "Now the parser, too." in text


def test_a_session_ends_on_command_too(server: Server) -> None:
    session = new_name()
    server.ask(session, "Fix the lexer.")
    server.run(session, "pytest -q", "1 passed")

    answer = server.post(f"/sessions/{session}/end")
    server.settle()

    assert answer.json()["state"] == "ended"
    assert len(server.pages()) == 1


def test_compiling_again_without_news_writes_nothing(server: Server) -> None:
    session = new_name()
    server.ask(session, "Fix the lexer.")
    server.run(session, "pytest -q", "1 passed")
    server.end(session)
    commits = server.count_commits()

    for _ in range(10):
        server.post(f"/sessions/{session}/end")
        server.settle()

    assert server.count_commits() == commits
    assert len(list_handoffs(server)) == 1


def test_the_goal_is_what_a_person_said(server: Server) -> None:
    session = new_name()
    server.tell(session, "UserPromptSubmit.task-notification")
    server.ask(session, "<system-reminder>Todo list is empty.</system-reminder>")
    server.ask(session, "This session is being continued from a previous conversation. Goal: dig a tunnel.")
    server.ask(session, "Fix the lexer.")
    server.run(session, "pytest -q", "1 passed")

    server.end(session)

    page = server.read(f"/pages/{server.session(session)['page_path']}", project="shop")
    assert page["title"] == "Fix the lexer"
    assert "tunnel" not in page["title"]
    assert "Todo list is empty" not in page["body"]


def test_our_own_brief_in_a_prompt_is_not_stored_again(server: Server) -> None:
    server.ask(new_name(), "Look around.")
    server.offer("Zebras were counted up to forty.")
    session = new_name()
    brief = json.loads(server.start(session))["hookSpecificOutput"]["additionalContext"]

    server.ask(session, f"{brief}\nGo on.")
    server.ask(session, f"Go on.\n{brief[: len(brief) // 2]}")
    server.run(session, "echo context", f"{brief}\nok")

    stored = json.dumps(server.observations(session))
    assert "Zebras" not in stored
    assert stored.count("Go on.") >= 2


def test_five_rounds_of_our_brief_do_not_grow_what_is_kept(server: Server) -> None:
    server.ask(new_name(), "Look around.")
    server.offer("Zebras were counted up to forty.")
    sizes = []
    for _ in range(5):
        session = new_name()
        brief = server.start(session)
        server.ask(session, f"{brief}\nCount on.")
        server.run(session, "wc -l zebras", "40")
        server.end(session)
        sizes.append(len(read_page(server, session)))

    assert max(sizes) - min(sizes) < 200


@pytest.mark.parametrize("open_mark", ["<private>", "<PRIVATE>", "< Private >"])
def test_private_words_are_in_no_file(server: Server, open_mark: str) -> None:
    session, hidden, close_mark = new_name(), "zyxgranny", open_mark.replace("<", "</", 1)
    said = f"Fix the lexer. {open_mark}{hidden}{close_mark} Then stop."
    server.ask(session, said)
    server.ask(session, f"An open one: {open_mark}{hidden}")
    server.tell(session, "Stop", last_assistant_message=said, odd_field={"a": [said], f"{said}": 1})
    server.run(session, f"echo '{open_mark}{hidden}{close_mark}'", said)
    server.tell(
        session,
        "PostToolUse.edit",
        tool_use_id=new_name("t"),
        tool_input={"file_path": f"/home/dev/shop/{open_mark}{hidden}{close_mark}.md", "new_string": said},
    )
    server.hook("Odd", {"session_id": session, "parts": [f"{open_mark}{hidden}", f"{hidden}{close_mark}"]})
    server.end(session)

    assert find_bytes(server.folder, hidden) == []
    assert "Then stop." in json.dumps(server.observations(session))


@pytest.mark.parametrize("where", ["head", "middle", "tail"])
def test_private_words_in_a_text_that_is_cut_are_in_no_file(server: Server, where: str) -> None:
    session, hidden, filler = new_name(), "zyxgranny " * 2000, "word " * 20_000
    passage = f"<private>{hidden}"
    text = {
        "head": f"{passage}</private>{filler}",
        "middle": f"{filler}{passage}</private>{filler}",
        "tail": filler + passage,
    }

    server.ask(session, text[where])
    server.run(session, "cat notes", text[where])

    assert len(server.observations(session)) == 2
    assert find_bytes(server.folder, "zyxgranny") == []


def test_a_huge_tool_output_keeps_its_head_and_tail_with_a_visible_cut(server: Server) -> None:
    session = new_name()
    output = "first line\n" + "x" * 80 + "\n" + ("filler " * 12 + "\n") * 105_000 + "last line"
    assert len(output) > 8_500_000

    server.run(session, "make all", output)

    kept = server.observations(session)[0]["output"]
    assert kept.startswith("first line")
    assert kept.rstrip('"}').endswith("last line")
    assert "…[cut " in kept
    assert len(kept) <= 8 * 1024


def test_five_thousand_events_in_one_session_make_one_bounded_page(server: Server) -> None:
    session = new_name()
    server.ask(session, "Fix all of it.")
    for first in range(0, 5000, 250):
        items = [
            {
                "agent": "claude-code",
                "event": "PostToolUse",
                "payload": read_payload(
                    "claude-code",
                    "PostToolUse.shell",
                    session_id=session,
                    tool_use_id=f"t{number}",
                    tool_input={"command": f"pytest tests/test_{number}.py"},
                ),
            }
            for number in range(first, first + 250)
        ]
        assert {result["status"] for result in server.batch(*items).json()["results"]} == {"stored"}

    server.end(session)

    assert server.get(f"/sessions/{session}").json()["total"] == 5002
    assert len(read_page(server, session).encode()) <= 12 * 1024


def test_a_helpers_events_belong_to_its_parents_session(server: Server) -> None:
    session = new_name()
    server.ask(session, "Fix the lexer.")
    for number in range(20):
        server.tell(session, "PostToolUse.shell", agent_id=f"helper-{number}", tool_use_id=new_name("t"))
    server.end(session)

    assert len(server.read("/sessions")["sessions"]) == 1
    assert len(server.pages()) == 1


def test_worktrees_of_one_repository_are_one_project(server: Server) -> None:
    main = {"cwd": "/w/shop", "root": "/w/shop", "common_dir": "/w/shop/.git"}
    linked = {"cwd": "/w/fix/lib", "root": "/w/fix", "common_dir": "/w/shop/.git"}
    for checkout in (main, linked):
        payload = read_payload("claude-code", "UserPromptSubmit", session_id=new_name(), cwd=checkout["cwd"])
        server.hook("UserPromptSubmit", payload, checkout=checkout)

    assert [project["name"] for project in server.read("/projects")["projects"]] == ["main/shop"]


def test_two_repositories_of_one_name_are_two_projects(server: Server) -> None:
    for owner in ("anna", "bert"):
        checkout = {"cwd": f"/{owner}/api", "root": f"/{owner}/api", "remote": f"git@github.com:{owner}/api.git"}
        payload = read_payload("claude-code", "UserPromptSubmit", session_id=new_name(), cwd=checkout["cwd"])
        server.hook("UserPromptSubmit", payload, checkout=checkout)

    names = [project["name"] for project in server.read("/projects")["projects"]]
    assert len(set(names)) == 2
