"""A team's server below a path of a proxy, in a browser: who signs in sees what is theirs to see, and no more."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.entrypoints.serving import read_payload
from tests.server import Server, build_headers, run_server
from tests.web.places import LOOKS

PASSWORD = "correct horse battery"
BASE = "/memory"


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server below a path with an administrator, a member, and one project that the member may not read."""
    with run_server(tmp_path_factory.mktemp("team") / "memwiki", MEMWIKI_URL_PREFIX=BASE) as server:
        _write_page(server, "shop", "# Prices\n\nRound half up.\n")
        _write_page(server, "vault", "# Plans\n\nBuy the moon.\n")
        boss = {"name": "ann", "role": "admin", "password": PASSWORD, "with_token": True}
        token = server.client.post(f"{BASE}/api/v1/people", json=boss).json()["token"]
        server.client.headers["authorization"] = f"Bearer {token}"
        for path, sent in (("people", {"name": "bob", "password": PASSWORD}), ("projects/restrict?project=vault", {})):
            answer = server.client.post(f"{BASE}/api/v1/{path}", json=sent)
            assert answer.status_code in {200, 201}, answer.text
        yield server


def _write_page(server: Server, project: str, body: str) -> None:
    """Have a project by a session's start, and a page in it."""
    start = read_payload("claude-code", "SessionStart.startup", session_id=project)
    place = f"/home/dev/{project}"
    start["cwd"] = place
    headers = build_headers(
        checkout={"cwd": place, "root": place, "remote": f"https://github.com/example/{project}.git"}
    )
    told = {"agent": "claude-code", "event": "SessionStart"}
    assert server.client.post(f"{BASE}/hook", params=told, json=start, headers=headers).status_code == 202
    address, about = f"{BASE}/api/v1/pages/notes/{project}.md", {"project": project}
    answer = server.client.put(address, json={"body": body}, params=about)
    assert answer.status_code == 200, answer.text


def enter(team: Server, page: Page, name: str) -> None:
    page.goto(f"{team.url}{BASE}/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Sign in")


def read_absent(team: Server, page: Page, project: str) -> str:
    """Look for a page that one may not see or that is not there; gives what is said but for the project's name."""
    answer = page.goto(f"{team.url}{BASE}/p/main/{project}/page/notes/vault.md")
    assert answer is not None
    assert answer.status == 404
    return answer.text().replace(f"main/{project}", "")


@pytest.mark.parametrize("look", ["desktop", "without-scripts"])
def test_a_member_signs_in_reads_what_is_open_and_signs_out(team: Server, browser: Browser, look: str) -> None:
    context = browser.new_context(**LOOKS[look])
    page = context.new_page()
    enter(team, page, "bob")

    expect(page.locator("a.card")).to_have_count(1)
    expect(page.get_by_text("vault")).to_have_count(0)
    assert read_absent(team, page, "vault") == read_absent(team, page, "nothing")

    page.goto(f"{team.url}{BASE}/account")
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"{team.url}{BASE}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    context.close()


def test_below_a_path_an_administrator_reads_searches_and_looks_back(team: Server, browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    enter(team, page, "ann")

    page.goto(f"{team.url}{BASE}/search?q=moon")
    page.locator("#hits a.title").first.click()
    expect(page.locator("article.prose")).to_contain_text("Buy the moon.")
    page.get_by_role("link", name="History").click()
    expect(page.locator("ol.revisions > li")).to_have_count(1)

    context.close()
    assert [url for url in asked if not url.startswith(f"{team.url}{BASE}/")] == []
