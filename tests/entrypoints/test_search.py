"""Search over HTTP: no query breaks it, every filter filters, and a wrong one is named."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.search.answer import Grain
from tests.entrypoints import serving
from tests.entrypoints.serving import Server, new_name, read_payload

HOSTILE = [
    "memory:safe", 'say "hi', "(python", "foo AND", "OR", "NEAR(a b", "don't use", "GB/s", "ubuntu 20.04", "2026-05-08",
    "NOTE: retry", "grammar::fa", "blah=", "--error-on-warnings", "a*", "^x", '"', "*", "'", "%", "_", "\\", "{}", "[]",
    "a\x00b", "\u202e", "\ufeff", "🚀", "NOT NOT", "* *", '""', '"" ""', "-", "- -", "a:b:c", "NEAR/5", "rowid:1",
    "col : x",
]  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[Server]:
    """Two projects with a few pages each."""
    with serving.serve(tmp_path_factory.mktemp("library") / "memwiki", template=template) as running:
        running.ask(new_name(), "Look around.")
        seen = {"cwd": "/home/dev/api", "root": "/home/dev/api"}
        prompt = read_payload("claude-code", "UserPromptSubmit", session_id=new_name(), cwd="/home/dev/api")
        running.hook("UserPromptSubmit", prompt, checkout=seen)
        for project in ("shop", "api"):
            for path, body in PAGES.items():
                tags = ["100%", "a_b"] if path == "notes/tagged.md" else ["plain", "100x", "axb"]
                answer = running.put(path, {"body": body, "tags": tags}, project=project)
                assert answer.status_code == 200, answer.text
        yield running


PAGES = {
    "notes/tagged.md": "A zebra with tags.",
    "decisions/zebra.md": "We decided for the zebra.",
    "gotchas/stripes.md": "A zebra has stripes, and `getUserByID` fails.",
    "notes/hostile.md": "\n\n".join(text for text in HOSTILE if text.isprintable()),
}


def search(server: Server, q: str, **filters: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = server.read("/search", q=q, **filters)["hits"]
    return found


def refuse(server: Server, **query: object) -> dict[str, Any]:
    answer = server.get("/search", **query)
    assert answer.status_code == 422, answer.text
    problem: dict[str, Any] = answer.json()
    return problem


@pytest.mark.parametrize("text", HOSTILE)
def test_no_query_breaks_the_search(library: Server, text: str) -> None:
    answer = library.get("/search", q=text, project="*")

    assert answer.status_code == 200, answer.text
    assert answer.json()["degraded"] == []


@settings(max_examples=80, deadline=None)
@given(
    parts=st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=12)), min_size=1, max_size=8),
    glue=st.sampled_from(["", " ", '" "', ":", " -"]),
    grain=st.sampled_from(Grain),
)
def test_no_mixture_of_hostile_texts_breaks_the_search(
    library: Server, parts: list[str], glue: str, grain: Grain
) -> None:
    text = glue.join(parts).encode("utf-8", "ignore").decode()

    answer = library.get("/search", q=text, project="*", grain=grain.value)

    assert answer.status_code == 200, answer.text
    assert answer.json()["degraded"] == []


@pytest.mark.parametrize(
    "text", [text for text in HOSTILE if any(char.isalnum() for char in text) and text.isprintable()]
)
def test_a_page_is_found_by_what_stands_in_it(library: Server, text: str) -> None:
    paths = [hit["path"] for hit in search(library, text, project="shop")[:3]]

    assert "notes/hostile.md" in paths


@pytest.mark.parametrize("text", ["(" * 10_000, "a " * 5_000, "x" * 10_000, '"' * 9_999, "用" * 5_000])
def test_a_very_long_query_is_cut_and_answered(library: Server, text: str) -> None:
    assert library.get("/search", q=text).status_code == 200


@pytest.mark.parametrize("text", ["", "   ", "\t\n"])
def test_a_blank_query_finds_nothing(library: Server, text: str) -> None:
    answer = library.read("/search", q=text, project="*")

    assert (answer["hits"], answer["degraded"]) == ([], [])


def test_without_a_query_nothing_is_found(library: Server) -> None:
    assert library.read("/search")["hits"] == []


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_a_limit_is_kept(library: Server, limit: int) -> None:
    assert len(search(library, "zebra", project="*", limit=limit)) == min(limit, 6)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limit", "0"),
        ("limit", "101"),
        ("limit", "-1"),
        ("limit", "many"),
        ("limit", "9" * 400),
        ("since", "yesterday"),
        ("since", "2026-13-01"),
        ("until", "0001-01-01T00:00:00+14:00"),
        ("since", "9999-12-31T23:59:59-14:00"),
        ("why", "perhaps"),
        ("include_superseded", "2"),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_parameter(library: Server, name: str, value: str) -> None:
    problem = refuse(library, q="zebra", **{name: value})

    assert problem["code"] == "invalid_value"
    assert name in problem["detail"]


def test_an_unknown_kind_is_refused_and_the_known_ones_are_named(library: Server) -> None:
    problem = refuse(library, q="zebra", kind="poem")

    assert problem["code"] == "unknown_kind"
    assert "gotcha" in problem["detail"]


@pytest.mark.parametrize("name", ["budget", "Limit", "query", "kinds", "project_id", ""])
def test_an_unknown_parameter_is_refused_by_its_name(library: Server, name: str) -> None:
    problem = refuse(library, q="zebra", **{name: "1"})

    assert problem["code"] == "invalid_value"
    assert "limit" in problem["detail"]


@pytest.mark.parametrize("route", ["/recent", "/sessions", "/handoffs", "/projects", "/where", "/status"])
def test_every_route_refuses_parameters_that_it_does_not_have(library: Server, route: str) -> None:
    answer = library.get(route, limmit=5)

    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("limmit")


def test_numbers_as_text_are_numbers(library: Server) -> None:
    assert len(search(library, "zebra", project="*", limit="1")) == 1


@pytest.mark.parametrize(
    ("kind", "paths"),
    [
        ("decision", {"decisions/zebra.md"}),
        ("decision,gotcha", {"decisions/zebra.md", "gotchas/stripes.md"}),
        (" decision , ", {"decisions/zebra.md"}),
        ("slot", set()),
    ],
)
def test_kinds_filter(library: Server, kind: str, paths: set[str]) -> None:
    assert {hit["path"] for hit in search(library, "zebra", project="shop", kind=kind)} == paths


def test_nothing_passes_filters_that_contradict_each_other(library: Server) -> None:
    assert search(library, "zebra kind:gotcha", project="shop", kind="decision") == []


def test_filters_that_meet_let_through_what_both_do(library: Server) -> None:
    found = search(library, "zebra kind:gotcha kind:note", project="shop", kind="decision,gotcha")

    assert [hit["path"] for hit in found] == ["gotchas/stripes.md"]


@pytest.mark.parametrize("tag", ["100%", "a_b", "100%,a_b"])
def test_tags_are_literal(library: Server, tag: str) -> None:
    assert [hit["path"] for hit in search(library, "zebra", project="shop", tag=tag)] == ["notes/tagged.md"]


@pytest.mark.parametrize("tag", ["%", "c*", "[x]", "a%", "100_", "_", "*", "'"])
def test_a_pattern_is_no_tag(library: Server, tag: str) -> None:
    assert search(library, "zebra", project="*", tag=tag) == []


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({"since": "2020-01-01"}, 3),
        ({"since": "2020-01-01T00:00:00Z"}, 3),
        ({"since": "2199-01-01"}, 0),
        ({"until": "2020-01-01"}, 0),
        ({"until": "2199-01-01T00:00:00+05:00"}, 3),
        ({"since": "2020-01-01", "until": "2199-01-01"}, 3),
    ],
)
def test_times_filter(library: Server, filters: dict[str, str], count: int) -> None:
    hits = search(library, "zebra", project="shop", **filters)

    # Where the local model is installed, what is near in meaning may stand behind them.
    assert len([hit for hit in hits if "zebra" in f"{hit['title']} {hit['snippet']}".lower()]) == count


@pytest.mark.parametrize("project", ["shop", "main/shop", "SHOP"])
def test_a_project_filters(library: Server, project: str) -> None:
    answer = library.get("/search", q="zebra", project=project)

    if answer.status_code == 200:
        assert {hit["project"] for hit in answer.json()["hits"]} == {"main/shop"}
    else:
        assert (project, answer.status_code) == ("SHOP", 404)


def test_without_a_project_all_are_searched(library: Server) -> None:
    assert {hit["project"] for hit in search(library, "zebra")} == {"main/shop", "main/api"}


def test_the_callers_checkout_says_the_project(library: Server) -> None:
    seen = {"memwiki-checkout": "%7B%22cwd%22%3A%22%2Fhome%2Fdev%2Fapi%22%2C%22root%22%3A%22%2Fhome%2Fdev%2Fapi%22%7D"}

    answer = library.client.get("/api/v1/search?q=zebra", headers=seen)

    assert {hit["project"] for hit in answer.json()["hits"]} == {"main/api"}


def test_an_unknown_project_is_not_found(library: Server) -> None:
    answer = library.get("/search", q="zebra", project="zoo")

    assert (answer.status_code, answer.json()["code"]) == (404, "project_not_found")


def test_a_hit_says_why_only_when_asked(library: Server) -> None:
    plain, told = search(library, "zebra", limit=1), search(library, "zebra", limit=1, why=True)

    assert plain[0]["why"] == []
    assert told[0]["why"]
    assert plain[0]["path"] == told[0]["path"]


def test_a_hit_shows_where_the_words_are(library: Server) -> None:
    hit = search(library, "stripes", project="shop")[0]

    (begin, end), *_ = hit["snippet_marks"]
    assert hit["snippet"][begin:end].lower() == "stripes"
    assert hit["updated_at"]


@pytest.mark.parametrize(
    ("asked", "paths"),
    [
        ({"q": "kind:decision"}, ["decisions/zebra.md"]),
        ({"q": "tag:plain"}, ["notes/hostile.md", "gotchas/stripes.md", "decisions/zebra.md"]),
        ({"q": "tag:plain -stripes", "kind": "gotcha,decision"}, ["decisions/zebra.md"]),
        ({"kind": "decision"}, ["decisions/zebra.md"]),
        ({"tag": "plain", "since": "2020-01-01", "q": "path:notes/"}, ["notes/hostile.md"]),
        ({"q": "tag:plain until:2020"}, []),
        ({"q": "is:pinned"}, []),
    ],
)
def test_filters_alone_list_what_passes_them_the_newest_change_first(
    library: Server, asked: dict[str, str], paths: list[str]
) -> None:
    found = library.read("/search", project="shop", why=True, **asked)

    assert [hit["path"] for hit in found["hits"]] == paths
    assert found["understood"]["order"] == "newest"
    assert all(hit["why"] == ["filter"] and hit["snippet"] and not hit["snippet_marks"] for hit in found["hits"])


@pytest.mark.parametrize("bounds", [{"limit": 1}, {"budget_tokens": 400}, {"limit": 2, "budget_chars": 700}])
def test_a_listing_goes_on_and_keeps_its_budget_as_any_answer_does(library: Server, bounds: dict[str, int]) -> None:
    asked: dict[str, object] = {"q": "tag:plain", "project": "*", **bounds}
    shown, total, cursor = [], 6, ""
    for _ in range(total):
        answer = library.get("/search", **asked, **({"cursor": cursor} if cursor else {}))
        assert len(answer.text) <= bounds.get("budget_chars", 10**6)
        shown += [(hit["project"], hit["path"]) for hit in answer.json()["hits"]]
        assert answer.json()["omitted"] == total - len(shown)
        if not (cursor := answer.json()["next_cursor"]):
            break

    whole = [(hit["project"], hit["path"]) for hit in search(library, "tag:plain", project="*")]
    assert shown == whole
    assert len(set(shown)) == total
    assert refuse(library, q="tag:other", project="*", cursor=library.read("/search", **asked)["next_cursor"])


def test_what_was_said_is_listed_by_filters_alone_too(library: Server) -> None:
    session = new_name()
    library.ask(session, "Count the okapis.")
    library.end(session)
    library.settle()

    found = library.read("/search", q="agent:claude-code kind:session", project="shop", grain="observations", limit=1)

    assert found["hits"][0]["observations"][0]["session_id"] == library.session(session)["id"]
    assert "okapis" in found["hits"][0]["snippet"]
