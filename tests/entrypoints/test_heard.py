"""What sessions said is found once they are compiled, is forgotten with them, and outlives the index's file."""

from typing import Any

from tests.entrypoints.serving import Server, new_name, wait_for


def hear(server: Server, q: str, **more: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = server.read("/search", q=q, grain="observations", project="*", **more)["hits"]
    return found


def work(server: Server, words: str) -> str:
    session = new_name()
    server.start(session)
    server.ask(session, f"Find out about {words}.")
    server.run(session, f"grep -rn '{words}' src", "src/a.py:1")
    server.end(session)
    return session


def test_a_prompt_is_found_with_its_session_and_range(server: Server) -> None:
    session = work(server, "zebracrossing")

    first = hear(server, "zebracrossing")[0]

    (heard,) = first["observations"]
    assert heard["session_id"] == server.session(session)["id"]
    assert heard["stretch"] == f"o{heard['id']}"
    assert heard["id"] in [each["id"] for each in server.observations(session)]
    assert "zebracrossing" in heard["snippet"]
    assert first["path"] == server.session(session)["page_path"]


def test_a_page_hit_shows_what_of_its_session_fits(server: Server) -> None:
    work(server, "zebracrossing")

    hits = server.read("/search", q="zebracrossing", project="*")["hits"]

    assert any(hit["observations"] for hit in hits)


def test_a_forgotten_session_is_not_heard_any_more(server: Server) -> None:
    session = work(server, "zebracrossing")
    assert hear(server, "zebracrossing")

    server.post(f"/sessions/{session}/forget", {"apply": True})

    assert hear(server, "zebracrossing") == []


def test_the_index_made_anew_hears_what_the_old_one_heard(server: Server) -> None:
    for number in range(25):
        work(server, f"zebra{number}crossing")
    before = [hear(server, f"zebra{number}crossing") for number in range(25)]

    server.runtime.watcher.request_rebuild()
    wait_for(lambda: server.runtime.index.progress is None, "the rebuild")

    def is_heard() -> bool:
        server.runtime.worker.wake()
        return [hear(server, f"zebra{number}crossing") for number in range(25)] == before

    wait_for(is_heard, "every session to be heard again")


def test_what_was_understood_is_returned(server: Server) -> None:
    work(server, "zebracrossing")

    answer = server.read("/search", q="zebracrossing kind:session -unicorn yesterday", project="*")

    assert answer["understood"]["filters"] == ["kind:session"]
    assert answer["understood"]["without"] == ["unicorn"]
    assert answer["understood"]["period"]["words"] == "yesterday"
    assert {hit["kind"] for hit in answer["hits"]} == {"session"}


def test_an_unknown_stream_is_named_with_those_that_there_are(server: Server) -> None:
    refused = server.get("/search", q="x", project="*", skip="nonsense")

    assert refused.status_code == 422
    assert "observations" in refused.text
