"""What leads on from a hit, and what a page was worth, at each door: HTTP, tools and commands."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.entrypoints import serving
from tests.entrypoints.rpc import call_tool
from tests.entrypoints.serving import Server, new_name


@pytest.fixture
def house(tmp_path: Path, template: Path) -> Iterator[Server]:
    """A project with two pages that say the same words, and one that links."""
    with serving.serve(tmp_path / "memwiki", template=template) as running:
        running.ask(new_name(), "Look around.")
        for name in ("one", "two"):
            running.put(f"notes/{name}.md", {"body": "The zebra eats src/grass.go.", "title": name}, project="shop")
        running.put("notes/three.md", {"body": "See [[notes/one]].", "title": "three"}, project="shop")
        yield running


def order(server: Server) -> list[str]:
    hits = server.read("/search", q="zebra eats", project="shop")["hits"]
    return [hit["path"] for hit in hits if hit["path"] != "notes/three.md"]


def give(server: Server, path: str, verdict: str, **more: object) -> httpx2.Response:
    return server.client.post("/api/v1/feedback?project=shop", json={"path": path, "verdict": verdict, **more})


def test_a_page_is_shown_with_what_links_to_it_and_names_the_same(house: Server) -> None:
    found = house.read("/related/notes/one.md", project="shop")

    assert [page["path"] for page in found["backlinks"]] == ["notes/three.md"]
    assert "notes/two.md" in [page["path"] for page in found["sharing"]]


def test_a_timeline_tells_when_a_file_came_up(house: Server) -> None:
    story = house.read("/timeline", subject="src/grass.go", project="shop")

    assert {moment["path"] for moment in story["moments"]} == {"notes/one.md", "notes/two.md"}


def test_a_page_that_is_called_wrong_ranks_lower_and_stays(house: Server) -> None:
    first, second = order(house)

    assert give(house, first, "wrong", note="it eats hay").status_code == 200

    assert order(house) == [second, first]
    findings = house.read("/feedback", project="shop")["findings"]
    assert [(each["path"], each["code"]) for each in findings] == [(first, "said_wrong")]
    assert findings[0]["detail"].endswith("it eats hay")
    linted = house.read("/lint", project="shop")["findings"]
    assert ("said_wrong", first) in [(each["code"], each["path"]) for each in linted]


def test_a_changed_page_begins_anew(house: Server) -> None:
    first, second = order(house)
    give(house, first, "wrong")
    page = house.read(f"/pages/{first}", project="shop")
    body = {"body": "The zebra eats src/grass.go!", "title": page["title"], "expected_hash": page["content_hash"]}

    house.put(first, body, project="shop")

    assert order(house) == [first, second]
    assert house.read("/feedback", project="shop")["findings"] == []


def test_a_word_on_a_page_that_changed_since_it_was_read_is_a_conflict(house: Server) -> None:
    answer = give(house, "notes/one.md", "stale", content_hash="0" * 64)

    assert (answer.status_code, answer.json()["code"]) == (409, "page_changed")


@pytest.mark.parametrize(("path", "verdict", "status"), [("notes/no.md", "wrong", 404), ("notes/one.md", "meh", 422)])
def test_a_page_or_verdict_that_there_is_not_is_refused(house: Server, path: str, verdict: str, status: int) -> None:
    assert give(house, path, verdict).status_code == status


def test_what_was_said_is_taken_back(house: Server) -> None:
    first, second = order(house)
    give(house, first, "wrong")

    answer = house.client.delete(f"/api/v1/feedback/{first}?project=shop")

    assert answer.json()["taken_back"] is True
    assert order(house) == [first, second]


def test_reading_a_page_often_changes_neither_rank_nor_age_nor_file(house: Server) -> None:
    before = house.read("/search", q="zebra eats", project="shop")["hits"]
    path = before[-1]["path"]
    file = next(house.folder.rglob(path.rpartition("/")[2]))
    serving.wait_for(lambda: house.read(f"/history/{path}", project="shop")["revisions"], "its commit")
    content, revisions = file.read_bytes(), house.read(f"/history/{path}", project="shop")

    for _ in range(50):
        house.read(f"/pages/{path}", project="shop")
        house.read(f"/related/{path}", project="shop")

    assert house.read("/search", q="zebra eats", project="shop")["hits"] == before
    assert file.read_bytes() == content
    assert house.read(f"/history/{path}", project="shop") == revisions


def test_tools_lead_from_a_hit_to_what_belongs_to_it(house: Server) -> None:
    related, is_error = call_tool(house, "memory_related", path="notes/one.md", project="shop")
    story, _ = call_tool(house, "memory_related", subject="src/grass.go", project="shop")
    said, _ = call_tool(house, "memory_feedback", path="notes/one.md", verdict="not helpful", project="shop")

    assert not is_error
    assert "linked from [main/shop:notes/three.md]" in related
    assert "[main/shop:notes/two.md]" in story
    assert said == "noted: notes/one.md is not_helpful"


@pytest.mark.parametrize(
    "arguments", [{}, {"path": "notes/one.md", "subject": "x"}, {"subject": "zebra", "until": "x"}]
)
def test_a_tool_call_that_asks_for_nothing_or_both_is_refused(house: Server, arguments: dict[str, str]) -> None:
    _, is_error = call_tool(house, "memory_related", **arguments)

    assert is_error


@pytest.mark.parametrize("chars", [400, 500, 700, 900, 1200, 1500, 2500])
def test_an_answer_and_its_wrappers_keep_within_the_budget(house: Server, chars: int) -> None:
    whole = house.read("/search", q="zebra eats", project="shop")
    answer = house.get("/search", q="zebra eats", project="shop", budget_chars=chars)

    assert len(answer.text) <= chars
    assert answer.json()["omitted"] + len(answer.json()["hits"]) == whole["omitted"] + len(whole["hits"])


def test_a_small_budget_leaves_out_what_the_pages_tell_before_it_leaves_out_pages(house: Server) -> None:
    whole = house.read("/search", q="zebra eats", project="shop")
    full = len(house.get("/search", q="zebra eats", project="shop").text)
    bound = {"q": "zebra eats", "project": "shop"}

    filled = house.read("/search", **bound, budget_chars=full - 1)["hits"]
    brief = house.read("/search", **bound, budget_tokens=500)["hits"]

    assert [hit["path"] for hit in filled] == [hit["path"] for hit in brief] == [hit["path"] for hit in whole["hits"]]
    assert filled == [
        {name: value for name, value in hit.items() if value not in (None, "", [], {})} for hit in whole["hits"]
    ]
    assert all({"content_hash", "id", "snippet_marks"}.isdisjoint(hit) for hit in brief)
    assert all(hit["snippet"] and hit["updated_at"] and hit["title"] for hit in brief)


def test_a_hit_outlasts_how_the_question_was_understood(house: Server) -> None:
    asked = {"q": f"zebra eats {' '.join(f'whatever{number}' for number in range(30))}", "project": "shop"}
    whole = house.read("/search", **asked)

    answer = house.read("/search", **asked, limit=1, budget_chars=400)

    assert len(whole["understood"]["terms"]) == 32
    assert [hit["path"] for hit in answer["hits"]] == [whole["hits"][0]["path"]]
    assert answer["understood"] == {"is_cut": False}


def test_a_list_of_projects_is_searched_and_an_unknown_one_named(house: Server) -> None:
    found = house.read("/search", q="zebra", projects="shop")["hits"]
    refused = house.get("/search", q="zebra", projects="shop,nowhere")

    assert {hit["project"] for hit in found} == {"main/shop"}
    assert refused.json()["code"] == "project_not_found"


def test_the_story_of_a_project_without_pages_is_empty(server: Server) -> None:
    server.ask(new_name(), "Look around.")

    assert server.read("/timeline", subject="parser", project="shop")["moments"] == []
