"""A server with a small team, for the pages of administrators."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext

from tests.server import Server, run_server

PASSWORD = "correct horse battery"
NAMES = ("people", "groups", "tokens", "projects", "sign-ins", "audit")


@contextmanager
def open_team(folder: Path) -> Iterator[Server]:
    """Run a server with two projects, three people, a group, tokens and grants; its client is the administrator's."""
    with run_server(folder) as server:
        for name in ("shop", "engine"):
            checkout = {"cwd": f"/home/dev/{name}", "remote": f"https://github.com/example/{name}.git"}
            payload = {"session_id": f"s-{name}", "hook_event_name": "UserPromptSubmit", "prompt": "Look around."}
            server.post_event("claude-code", "UserPromptSubmit", payload, checkout=checkout)
        _let_in(server)
        yield server


def sign_in(browser: Browser, server: Server, name: str = "ann", **look: Any) -> BrowserContext:  # noqa: ANN401 - as Playwright takes it
    """Sign somebody in with a fresh browser profile."""
    context = browser.new_context(**look)
    page = context.new_page()
    page.goto(f"{server.url}/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{server.url}/")
    return context


def _let_in(server: Server) -> None:
    def post(path: str, body: object = None, **query: str) -> Any:  # noqa: ANN401 - JSON
        answer = server.client.post(f"/api/v1{path}", json=body or {}, params=query)
        assert answer.status_code < 300, answer.text
        return answer.json()

    ann = post("/people", {"name": "ann", "role": "admin", "password": PASSWORD, "with_token": True})
    server.client.headers["authorization"] = f"Bearer {ann['token']}"
    for name in ("bob", "čeněk"):
        post("/people", {"name": name, "password": PASSWORD, "with_token": True})
    post("/groups", {"name": "backend"})
    post("/groups/backend/members/bob")
    post("/projects/restrict", project="engine")
    post("/grants", {"holder": "@backend", "access": "write"}, project="engine")
    post("/grants", {"holder": "čeněk", "access": "read"}, project="engine")
    post("/tokens", {"name": "laptop", "person": "bob", "days": 90})
    server.client.get("/api/v1/people", headers={"authorization": "Bearer mw_wrong"})
