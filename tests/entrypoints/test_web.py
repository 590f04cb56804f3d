"""The wiki in a browser, without one: each page answers, leads on, and tells what is wrong in words."""

import hashlib
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.entrypoints.web import wording
from tests.entrypoints.serving import Server, new_name, read_payload, serve, wait_for


@pytest.fixture(scope="module")
def server(shared: Server) -> Server:
    """One server with a session that ended and left a page and a handoff."""
    session = new_name()
    shared.start(session)
    shared.ask(session, "Make `pytest` green in the shop.")
    shared.run(session, "pytest -q", "1 failed")
    shared.end(session)
    shared.settle()
    shared.put("notes/setup.md", {"body": "# Setup\n\nUse [[nowhere]].\n", "title": "Setup"}, project="shop")
    known = shared.read("/pages/notes/setup.md", project="shop")["content_hash"]
    shared.put("notes/setup.md", {"body": "# Setup\n\nUse more.\n", "expected_hash": known}, project="shop")
    wait_for(lambda: len(shared.read("/history/notes/setup.md", project="shop")["revisions"]) == 2, "two commits")
    return shared


def look(server: Server, path: str, **headers: str) -> tuple[int, str]:
    answer = server.client.get(path, headers=headers, follow_redirects=True)
    return answer.status_code, answer.text


PLACES = [
    "/",
    "/search",
    "/search?q=pytest&why=1",
    "/sessions",
    "/handoffs",
    "/status",
    "/p/main/shop/",
    "/p/main/shop/pages",
    "/p/main/shop/pages?kind=note",
    "/p/main/shop/timeline",
    "/p/main/shop/graph",
    "/p/main/shop/page/notes/setup.md",
    "/p/main/shop/history/notes/setup.md",
    "/p/main/shop/blame/notes/setup.md",
    "/p/main/shop/diff/notes/setup.md",
]


@pytest.mark.parametrize("place", PLACES)
def test_each_page_answers_with_one_heading_and_a_strict_policy(server: Server, place: str) -> None:
    answer = server.client.get(place)

    assert answer.status_code == 200, answer.text
    assert len(re.findall(r"<h1\b", answer.text.partition("<article")[0])) <= 1
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "<script>" not in answer.text
    assert " style=" not in answer.text


@pytest.mark.parametrize("place", PLACES)
def test_every_link_of_ours_leads_somewhere(server: Server, place: str) -> None:
    _, text = look(server, place)
    links = {link.replace("&amp;", "&") for link in re.findall(r'(?:href|src)="(/[^"#]*)', text)}

    assert {link: look(server, link)[0] for link in links if look(server, link)[0] != 200} == {}


def test_a_page_that_has_not_changed_is_not_sent_again(server: Server) -> None:
    tag = server.client.get("/p/main/shop/page/notes/setup.md").headers["etag"]

    again = server.client.get("/p/main/shop/page/notes/setup.md", headers={"If-None-Match": tag})

    assert again.status_code == 304
    assert again.content == b""


def test_a_page_shows_its_text_and_a_link_to_nothing_is_text(server: Server) -> None:
    first = server.read("/history/notes/setup.md", project="shop")["revisions"][-1]["id"]

    assert "Use more." in look(server, "/p/main/shop/page/notes/setup.md")[1]
    assert '<span class="missing">nowhere</span>' in look(server, f"/p/main/shop/page/notes/setup.md?at={first}")[1]


def test_a_session_reads_as_a_conversation_and_opens_at_its_evidence(server: Server) -> None:
    page = next(hit for hit in server.read("/search", q="pytest green", project="shop")["hits"] if hit["session_id"])
    _, text = look(server, f"/p/main/shop/page/{page['path']}")
    evidence = re.findall(r'class="evidence" href="([^"#]+)#(o\d+)"', text)

    assert evidence
    _, session = look(server, evidence[0][0].replace("&amp;", "&"))
    assert f'id="{evidence[0][1]}"' in session
    assert "pytest -q" in session


@pytest.mark.parametrize(
    "place",
    ["/p/main/none/", "/p/main/shop/page/notes/none.md", "/sessions/none", "/handoffs/none", "/nope", "/p/main/..%2f/",
     "/p/main/shop/page/notes/setup.md?at=deadbeef", "/static/x/../../secret", "/p/main/shop/blame/notes/none.md"],
)  # fmt: skip
def test_what_is_not_there_is_said_in_words(server: Server, place: str) -> None:
    status, text = look(server, place)

    assert status in {404, 422}
    assert "<h1>" in text
    assert "Traceback" not in text


def test_a_deleted_page_shows_what_git_remembers(server: Server) -> None:
    server.put("notes/gone.md", {"body": "soon gone"}, project="shop")
    wait_for(lambda: server.read("/history/notes/gone.md", project="shop")["revisions"], "the commit")
    known = server.read("/pages/notes/gone.md", project="shop")["content_hash"]
    server.client.delete("/api/v1/pages/notes/gone.md", params={"project": "shop", "expected_hash": known})
    wait_for(lambda: len(server.read("/history/notes/gone.md", project="shop")["revisions"]) == 2, "the second commit")

    status, text = look(server, "/p/main/shop/page/notes/gone.md")

    assert status == 404
    assert "This is what git remembers of it" in text


def test_a_form_of_another_site_changes_nothing(server: Server) -> None:
    handoff = server.offer()

    answer = server.client.post(f"/handoffs/{handoff['id']}/cancel", data={"form_token": "guess"})

    assert answer.status_code == 403
    assert server.read(f"/handoffs/{handoff['id']}")["state"] == "offered"


def test_a_handoff_is_cancelled_by_its_own_form(server: Server) -> None:
    handoff = server.offer()
    _, text = look(server, f"/handoffs/{handoff['id']}")
    token = re.findall(r'name="form_token" value="([0-9a-f]+)"', text)[0]

    answer = server.client.post(f"/handoffs/{handoff['id']}/cancel", data={"form_token": token})

    assert answer.history[0].status_code == 303
    assert server.read(f"/handoffs/{handoff['id']}")["state"] == "cancelled"


def test_below_a_path_every_address_begins_with_it(tmp_path: Path, template: Path) -> None:
    with serve(tmp_path / "memwiki", template=template, url_prefix="memory/") as server:
        text = server.client.get("/memory/").text

        assert set(re.findall(r'(?:href|src)="(/[^/"]*)', text)) == {"/memory"}
        assert server.client.get("/memory/healthz").status_code == 200


def test_search_and_sessions_are_narrowed_by_who_and_when(server: Server) -> None:
    shown = "/p/main/shop/page/sessions/"
    for asked in ("agent=claude-code", "person=local", "since=2000-01-01", "until=2999-01-01", "as_of=2999-01-01"):
        assert shown in look(server, f"/search?q=pytest+green&{asked}")[1], asked
    for asked in ("agent=codex", "person=nobody", "since=2999-01-01", "until=2000-01-01", "as_of=2000-01-01"):
        assert "with these filters" in look(server, f"/search?q=pytest+green&{asked}")[1], asked

    row = 'class="title" href="/sessions/'
    for asked in ("agent=claude-code", "person=local", "state=ended", "since=2000-01-01", "until=2999-01-01"):
        assert row in look(server, f"/sessions?{asked}")[1], asked
    for asked in ("agent=codex", "person=nobody", "since=2999-01-01", "until=2000-01-01"):
        text = look(server, f"/sessions?{asked}")[1]
        assert (row in text, "No session is like that." in text) == (False, True), asked


ODD_PAGES = {
    "big": ("# Big\n\n" + "Line of *text* with [[nowhere]].\n\n" * 150_000, "more characters are not shown"),
    "list": ("# List\n\n" + "".join(f"- entry {number}\n" for number in range(10_000)), "<li>entry 9999</li>"),
    "broken": ("---\ntitle: [unclosed\n---\n\n# Broken\n\nStill read.\n", "Frontmatter unreadable"),
    "conflict": ("# C\n\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n", "Merge conflict"),
    "empty": ("", "This page is empty."),
    "arabic": ("# \u0645\u0631\u062d\u0628\u0627\n\n\u0646\u0635 `code`\n", 'dir="auto"'),
}


@pytest.mark.parametrize("name", ODD_PAGES)
def test_a_page_unlike_others_is_shown_with_what_is_odd_about_it(server: Server, name: str) -> None:
    text, said = ODD_PAGES[name]
    (server.folder / "wiki" / "main" / "shop" / "odd").mkdir(exist_ok=True)
    (server.folder / "wiki" / "main" / "shop" / "odd" / f"{name}.md").write_text(text, encoding="utf-8")

    status, shown = look(server, f"/p/main/shop/page/odd/{name}.md")

    assert (status, said in shown) == (200, True)
    assert len(shown) < 4_000_000
    assert look(server, f"/p/main/shop/raw/odd/{name}.md") == (200, text)


def test_how_long_ago_a_page_was_checked_is_said_in_words() -> None:
    now = datetime(2026, 11, 30, 1, tzinfo=UTC)

    told = [wording.tell_age(now - timedelta(days=days), now) for days in (0, 1, 2, 59, 60, 729, 730, -3)]

    assert told == ["today", "yesterday", "2 days ago", "59 days ago", "2 months ago", "24 months ago", "2 years ago",
                    "today"]  # fmt: skip


def test_a_line_leads_by_its_mark_to_what_it_comes_from(server: Server) -> None:
    page = next(hit for hit in server.read("/search", q="pytest green", project="shop")["hits"] if hit["session_id"])
    _, shown = look(server, f"/p/main/shop/blame/{page['path']}")
    places = re.findall(r'class="evidence" href="([^"#]+)#(o\d+)"', shown)

    assert places
    assert f'id="{places[0][1]}"' in look(server, places[0][0].replace("&amp;", "&"))[1]
    assert "lines of frontmatter</summary>" in shown


def test_words_that_changed_are_marked_within_their_line(server: Server) -> None:
    newest, oldest = (each["id"] for each in server.read("/history/notes/setup.md", project="shop")["revisions"])

    _, shown = look(server, f"/p/main/shop/diff/notes/setup.md?from={oldest}&to={newest}")

    assert "Use <mark>more</mark>." in shown
    assert "Use <mark>[[nowhere]]</mark>." in shown


def test_a_page_without_a_heading_is_headed_by_its_title(server: Server) -> None:
    server.put("notes/plain.md", {"body": "Only text.\n", "title": "A plain `page`"}, project="shop")

    assert "<h1>A plain <code>page</code></h1>" in look(server, "/p/main/shop/page/notes/plain.md")[1]


def test_what_a_page_says_of_itself_stands_beside_it_in_words(server: Server) -> None:
    fact = {"subject": "tax", "property": "rate", "value": "19 %", "valid_from": "2026-01-01"}
    fields = {
        "entities": ["file:app/tax.py", "plain"], "facts": [fact], "relations": {"fixes": ["gotchas/none.md"]},
        "stale_after": "2020-01-31", "seen by": ["ann", "bob"], "checked": True,
    }  # fmt: skip
    server.put("notes/said.md", {"body": "Text.\n", "fields": fields}, project="shop")

    _, shown = look(server, "/p/main/shop/page/notes/said.md")

    assert "tax rate: <strong>19 %</strong>" in shown
    assert 'title="file" dir="auto">app/tax.py</a>' in shown
    assert '<dt>Seen by</dt><dd dir="auto">ann, bob</dd>' in shown
    assert "good until 2020-01-31" in shown
    assert "{&#39;" not in shown


def test_what_took_a_pages_place_and_what_it_speaks_of_are_named_by_their_titles(server: Server) -> None:
    server.put(
        "notes/older.md", {"body": "Old.\n", "fields": {"relations": {"fixes": ["notes/newer"]}}}, project="shop"
    )
    server.put("notes/gone.md", {"body": "Old.\n", "fields": {"superseded_by": "notes/nothing"}}, project="shop")
    fields = {"supersedes": ["notes/older"]}
    server.put("notes/newer.md", {"body": "New.\n", "title": "Use `newer`", "fields": fields}, project="shop")

    _, older = look(server, "/p/main/shop/page/notes/older.md")
    _, gone = look(server, "/p/main/shop/page/notes/gone.md")

    named = '<a href="/p/main/shop/page/notes/newer.md" dir="auto">Use <code>newer</code></a>'
    assert f"Superseded by {named}" in older
    assert f"<li>fixes {named}</li>" in older
    assert "notes/nothing</span>, which is no page" in gone
    assert "<title>Use newer · memwiki</title>" in look(server, "/p/main/shop/page/notes/newer.md")[1]


def test_a_page_of_knowledge_opens_the_moment_that_it_rests_on(server: Server) -> None:
    session = server.read("/sessions", project="shop", limit=1)["sessions"][0]["id"]
    fields = {"sources": [f"session:{session}#o2-o9", "session:../x#o10-o11"], "generated_sections": {"lead": "0815"}}
    server.put("gotchas/seen.md", {"body": "See [[notes/setup]] (o3-o4) (o10).\n", "fields": fields}, project="shop")

    _, shown = look(server, "/p/main/shop/page/gotchas/seen.md")

    assert re.search(rf'<a class="evidence" href="/sessions/{session}\?at=3#o3"[^>]*>o3-o4</a> \(o10\)', shown)
    assert re.search(r'<a class="wikilink" href="/p/main/shop/page/notes/setup.md"[^>]*>Setup</a>', shown)
    assert "0815" not in shown
    wait_for(lambda: "o3-o4</a>" in look(server, "/p/main/shop/blame/gotchas/seen.md")[1], "its lines are committed")


def test_whose_lines_a_page_has_is_answered_also_before_it_is_committed(server: Server) -> None:
    (server.folder / "wiki" / "main" / "shop" / "fresh.md").write_text("Only just written.\n", encoding="utf-8")

    status, shown = look(server, "/p/main/shop/blame/fresh.md")

    assert status == 200
    assert "Not committed yet" in shown or "Only just written." in shown


def test_faults_are_narrowed_by_kind_and_read_in_stretches(server: Server) -> None:
    folder = server.folder / "wiki" / "main" / "shop" / "lonely"
    folder.mkdir()
    for number in range(120):
        (folder / f"{number:03d}.md").write_text(f"# Lonely {number}\n", encoding="utf-8")
    wait_for(lambda: server.read("/lint", project="shop")["counts"]["info"] >= 120, "the watcher")

    _, first = look(server, "/p/main/shop/lint?code=orphan")
    _, rest = look(server, re.findall(r'href="(/p/main/shop/lint[^"]*skip=100[^"]*)"', first)[0].replace("&amp;", "&"))

    assert first.count('class="title"') == 100
    assert "broken link" not in first.partition("<ul")[2]
    assert 20 <= rest.count('class="title"') < 100


def test_a_search_goes_on_where_its_first_hits_end(server: Server) -> None:
    for number in range(25):
        server.put(f"many/{number}.md", {"body": f"The walrus number {number}.\n"}, project="shop")
    _, first = look(server, "/search?q=walrus&why=1")
    following = re.findall(r'href="(/search[^"]*cursor=[^"]*)"', first)[0].replace("&amp;", "&")

    _, rest = look(server, following)

    assert (first.count('<a class="title"'), rest.count('<a class="title"')) == (20, 5)
    assert "why=1" in following
    assert "From the beginning" in rest


def test_clauses_that_were_understood_are_said(server: Server) -> None:
    _, shown = look(server, "/search?q=setup+kind:note+since:7d")

    assert "Only <code>kind:note</code> <code>since:7d</code>" in shown


@pytest.mark.parametrize("asked", ["q=kind:note+path:setup", "q=&kind=note&project=main/shop"])
def test_filters_alone_list_pages_in_the_browser_too(server: Server, asked: str) -> None:
    shown = look(server, f"/search?{asked}")[1]

    assert 'class="title" href="/p/main/shop/page/' in shown
    assert "he newest change first" in shown
    assert "filters alone list all pages" not in shown


def test_a_project_is_found_under_its_former_name_and_an_empty_one_says_so(server: Server) -> None:
    checkout = {"cwd": "/home/dev/market", "marker_project": "market", "marker_aliases": ["stall"]}
    payload = read_payload("claude-code", "UserPromptSubmit", session_id=new_name(), cwd="/home/dev/market")
    assert server.hook("UserPromptSubmit", payload, checkout=checkout).status_code == 202

    answer = server.client.get("/p/main/stall/pages?kind=note", follow_redirects=False)

    assert (answer.status_code, answer.headers["location"]) == (308, "/p/main/market/pages?kind=note")
    assert "no index page yet" in look(server, "/p/main/market/")[1]
    assert "Nothing to draw yet" in look(server, "/p/main/market/graph?kind=")[1]
    assert "Nothing is wrong." in look(server, "/p/main/market/lint")[1]


def find_scripts(server: Server) -> tuple[str, dict[str, str]]:
    """Find what the frame of a diagram is and loads, where diagrams are drawn."""
    server.put("notes/drawn.md", {"body": "# Drawn\n\n```mermaid\ngraph LR; a --> b\n```\n"}, project="shop")
    server.runtime.draws_diagrams = True
    answer = server.client.get("/p/main/shop/page/notes/drawn.md")
    server.runtime.draws_diagrams = False
    (address,) = re.findall(r'data-frame="([^"]+)"', answer.text)
    assert "frame-src 'self'" in answer.headers["content-security-policy"]
    found = re.findall(r'<script src="([^"]+)"', server.client.get(address).text)
    return address, {place.rpartition("/")[2]: place for place in found}


def test_the_frame_of_a_diagram_may_load_two_scripts_and_nothing_else(server: Server) -> None:
    address, scripts = find_scripts(server)

    headers = server.client.get(address).headers
    given = [server.client.get(place, headers={"origin": "null"}) for place in scripts.values()]

    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src")
    assert "sandbox allow-scripts" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "SAMEORIGIN"
    assert sorted(scripts) == ["diagram.js", "mermaid.tiny.js"]
    assert [answer.status_code for answer in given] == [200, 200]
    assert {answer.headers["cross-origin-resource-policy"] for answer in given} == {"cross-origin"}


def test_an_origin_without_a_name_is_given_our_files_and_nothing_else(server: Server) -> None:
    places = ["/", "/p/main/shop/page/notes/setup.md", "/api/v1/pages/notes/setup.md?project=shop", "/status"]

    answers = [server.client.get(place, headers={"origin": "null"}) for place in places]

    assert [answer.status_code for answer in answers] == [403] * len(places)


@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [("gzip, br", True), ("br, *", True), ("identity", False), ("gzip;q=0, br", False), ("gzip; q=0.5", True)],
)
def test_a_packed_file_is_unpacked_for_who_cannot_do_that(server: Server, accepted: str, *, is_packed: bool) -> None:
    _, scripts = find_scripts(server)
    named = Path("app/entrypoints/web/static/LICENSES.txt").read_text(encoding="utf-8")
    sums = {name: digest for digest, name in re.findall(r"^([0-9a-f]{64})  (\S+)$", named, re.MULTILINE)}

    answer = server.client.get(scripts["mermaid.tiny.js"], headers={"accept-encoding": accepted})

    assert answer.headers.get("content-encoding", "") == ("gzip" if is_packed else "")
    assert answer.headers["vary"] == "Accept-Encoding"
    assert hashlib.sha256(answer.content).hexdigest() == sums["mermaid.tiny.js"]


def test_files_of_others_are_as_their_sums_say() -> None:
    folder = Path("app/entrypoints/web/static")
    named = (folder / "LICENSES.txt").read_text(encoding="utf-8")
    sums = dict(re.findall(r"^([0-9a-f]{64})  (\S+)$", named, re.MULTILINE))

    assert {hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.min.js")} <= set(sums)
    assert {hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.gz")} <= set(sums)


def test_a_claim_by_a_session_that_is_not_known_here_is_shown_until_when(server: Server) -> None:
    handoff = server.offer()
    claimed = server.client.post(f"/api/v1/handoffs/{handoff['id']}/claim", json={"session_id": new_name("far")})

    texts = [look(server, place)[1] for place in ("/handoffs", f"/handoffs/{handoff['id']}")]

    assert claimed.status_code == 200, claimed.text
    assert all(re.search(r"held by a session until <time", text) for text in texts)
