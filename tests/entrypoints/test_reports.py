"""Sessions, projects, where a caller stands, and how the server is."""

import json
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from tests.entrypoints.serving import SHOP, Server, new_name, read_payload, wait_for


def test_sessions_are_listed_with_the_latest_first(server: Server) -> None:
    first, second = new_name(), new_name()
    server.ask(first, "One.")
    server.ask(second, "Two.")

    listed = server.read("/sessions", project="shop")["sessions"]

    assert [session["agent_session_id"] for session in listed] == [second, first]
    assert {session["project"] for session in listed} == {"main/shop"}


def test_a_session_is_found_by_either_id(server: Server) -> None:
    session = new_name()
    server.ask(session, "One.")
    own = server.session(session)["id"]

    assert server.session(own) == server.session(session)


@pytest.mark.parametrize("route", ["/sessions/nowhere", "/sessions/..", "/handoffs/nowhere"])
def test_what_does_not_exist_is_not_found(shared: Server, route: str) -> None:
    assert shared.get(route).status_code == 404


def test_the_end_of_an_unknown_session_is_not_found(shared: Server) -> None:
    answer = shared.post("/sessions/nowhere/end")

    assert (answer.status_code, answer.json()["code"]) == (404, "session_not_found")


def test_observations_are_paged_without_a_gap(server: Server) -> None:
    session = new_name()
    for number in range(7):
        server.ask(session, f"Number {number}.")

    first = server.read(f"/sessions/{session}", limit=3)
    seen = [row["id"] for row in first["observations"]]
    while rows := server.read(f"/sessions/{session}", limit=3, after=seen[-1])["observations"]:
        seen += [row["id"] for row in rows]

    assert (first["total"], first["omitted"]) == (7, 4)
    assert len(set(seen)) == len(seen) == 7


@pytest.mark.parametrize("after", ["-1", "9" * 30, "x", str(1 << 63)])
def test_an_impossible_page_of_observations_is_refused(shared: Server, after: str) -> None:
    session = new_name()
    shared.ask(session, "One.")

    answer = shared.get(f"/sessions/{session}", after=after)

    assert answer.status_code == 422
    assert "after" in answer.json()["detail"]


def test_more_projects_than_a_list_shows_keep_their_names(server: Server) -> None:
    items = [
        {
            "agent": "claude-code",
            "event": "UserPromptSubmit",
            "payload": read_payload("claude-code", "UserPromptSubmit", session_id=f"many-{number}"),
            "checkout": {"cwd": f"/home/dev/p{number:03d}", "root": f"/home/dev/p{number:03d}"},
        }
        for number in range(510)
    ]
    for first in range(0, 510, 255):
        assert server.batch(*items[first : first + 255]).status_code == 200

    assert server.session("many-509")["project"] == "main/p509"
    assert server.read("/status")["counts"]["projects"] == 510


def test_where_tells_the_project_of_a_checkout(server: Server) -> None:
    server.ask(new_name(), "One.")

    answer = server.client.get("/api/v1/where", headers={"memwiki-checkout": quote(json.dumps(SHOP))})

    assert answer.json()["project"]["name"] == "main/shop"


def test_where_tells_that_a_folder_is_no_known_project_and_makes_none(server: Server) -> None:
    stranger = {"memwiki-checkout": quote(json.dumps({"cwd": "/nowhere", "root": "/nowhere"}))}

    answer = server.client.get("/api/v1/where", headers=stranger).json()

    assert (answer["project"], answer["would_create"]) == (None, "main/nowhere")
    assert server.read("/projects")["projects"] == []


def test_the_server_lives_and_is_ready(server: Server) -> None:
    assert server.client.get("/healthz").text == "ok\n"
    ready = server.client.get("/readyz")

    assert ready.status_code == 200
    assert ready.json()["status"] == "ready"
    assert ready.json()["version"] == server.runtime.version
    wait_for(lambda: server.client.get("/readyz").json()["index"]["state"] == "ready", "the index is ready")


def test_status_counts_what_was_captured(server: Server) -> None:
    session = new_name()
    server.start(session)
    server.ask(session, "One.")
    server.start(new_name(), agent="codex")

    status = server.read("/status")

    assert status["counts"] == {"projects": 1, "sessions": 2, "observations": 3, "handoffs_open": 0}
    assert {row["agent"]: row["events"] for row in status["capture"]} == {"claude-code": 2, "codex": 1}
    assert status["problems"] == []
    assert status["url"] == "http://127.0.0.1:7470"


def test_a_spool_that_lost_events_is_a_problem_that_the_next_start_is_told(server: Server) -> None:
    payload = read_payload("claude-code", "Stop", session_id=new_name())
    server.hook("Stop", payload, **{"memwiki-spool": "3;40;2"})

    status = server.read("/status")
    brief = server.start(new_name())

    assert (status["capture"][0]["spooled"], status["capture"][0]["lost"]) == (3, 2)
    assert any("lost 2 events" in problem for problem in status["problems"])
    assert "lost 2 events" in brief


def test_reindex_leads_to_the_same_answers(server: Server) -> None:
    server.ask(new_name(), "Look around.")
    for name in ("zebra", "giraffe"):
        server.put(f"notes/{name}.md", {"body": f"A {name} eats."}, project="shop")
    before = server.read("/search", q="eats", project="shop")

    answer = server.post("/reindex")
    wait_for(lambda: server.client.get("/readyz").json()["index"]["state"] == "ready", "the index is ready")

    assert answer.status_code == 202
    wait_for(lambda: server.read("/search", q="eats", project="shop") == before, "the answers are the same")


def test_a_file_put_into_the_wiki_is_found(server: Server) -> None:
    server.ask(new_name(), "Look around.")
    folder = server.folder / "wiki" / "main" / "shop" / "notes"
    folder.mkdir(parents=True)
    (folder / "hand.md").write_text("# By hand\n\nAn okapi.\n", encoding="utf-8")

    wait_for(lambda: server.read("/search", q="okapi", project="shop")["hits"], "the page is found")


def lose_table(server: Server, name: str) -> None:
    """Take a table away, by the server's own connection: a second SQLite in this process would break its locks."""
    with server.runtime.engine.write_connection() as conn, conn.begin():
        conn.exec_driver_sql(f"ALTER TABLE {name} RENAME TO gone")


def test_a_damaged_store_is_a_problem_document_that_shows_no_sql(server: Server) -> None:
    lose_table(server, "projects")
    client = TestClient(server.client.app, base_url="http://127.0.0.1", raise_server_exceptions=False)

    answer = client.get("/api/v1/projects")

    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == 500
    assert "select" not in answer.text.lower()


def test_an_event_that_cannot_be_stored_is_not_acknowledged(server: Server) -> None:
    lose_table(server, "observations")
    client = TestClient(server.client.app, base_url="http://127.0.0.1", raise_server_exceptions=False)
    payload = read_payload("claude-code", "Stop", session_id=new_name())

    one = client.post("/hook?agent=claude-code&event=Stop", json=payload)
    many = client.post("/hook/batch", json={"events": [{"agent": "claude-code", "event": "Stop", "payload": payload}]})

    assert one.status_code >= 500
    assert many.status_code >= 500
