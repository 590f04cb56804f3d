"""Text that wants to run, in every field that can carry text: a browser shows it, runs and fetches nothing."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.entrypoints.serving import SHOP, read_payload
from tests.server import Server, run_server

FOREIGN = "http://127.0.0.1:9"
BITES = (
    "<script>window.bitten=1</script>",
    f'<img src="{FOREIGN}/a.png" onerror="window.bitten=1">',
    f'<svg onload="window.bitten=1"><image href="{FOREIGN}/b.svg"/></svg>',
    f'<iframe src="{FOREIGN}/c" srcdoc="<script>parent.bitten=1</script>"></iframe>',
    '<a href="javascript:window.bitten=1" autofocus onfocus="window.bitten=1">x</a>',
    f"![x]({FOREIGN}/d.png)",
    "[x](javascript:window.bitten=1) [y](data:text/html,<script>window.bitten=1</script>)",
    '"><script>window.bitten=1</script>',
    "'-window.bitten-'{{7*7}}${7*7}<%= 7*7 %>",
    f'<style>@import url("{FOREIGN}/e.css");*{{background:url({FOREIGN}/f)}}</style>',
    f'<meta http-equiv="refresh" content="0;url={FOREIGN}/g"><base href="{FOREIGN}/">',
    f'<form action="{FOREIGN}/h"><button formaction="javascript:window.bitten=1">ok</button></form>',
    f'<object data="{FOREIGN}/i"></object><embed src="{FOREIGN}/j"><link rel=stylesheet href={FOREIGN}/k>',
    f'<div style="background:url({FOREIGN}/l)" id="main" class="top" hx-get="{FOREIGN}/m" hx-trigger="load">x</div>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.bitten=1&gt;">',
    "<<b>script>window.bitten=1<</b>/script> <scr\0ipt>window.bitten=1</scr\0ipt>",
)
ALL = "\n\n".join(BITES)


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which every text that somebody may write is one of these."""
    with run_server(tmp_path_factory.mktemp("planted") / "memwiki") as server:
        _plant_session(server)
        page = {
            "body": f"# {BITES[0]}\n\n{ALL}\n\n## {BITES[1]}\n",
            "title": " ".join(BITES[:5]),
            "tags": list(BITES[3:8]),
            "fields": {
                "entities": [f"file:{bite}" for bite in BITES[:8]] + list(BITES[8:12]),
                "facts": [{"subject": bite, "property": bite, "value": bite, "valid_from": bite} for bite in BITES],
                "relations": {"fixes": list(BITES[:6]), BITES[0]: list(BITES[6:8])},
                "verified_by": BITES[1],
                "stale_after": "2020-01-01",
                BITES[6]: {BITES[0]: [BITES[1], {BITES[4]: BITES[5]}]},
            },
        }
        answer = server.client.put("/api/v1/pages/notes/a.md", json=page, params={"project": "shop"})
        assert answer.status_code == 200, answer.text
        _plant_file(server.wiki / "main" / "shop" / "notes")
        offer = {"summary": ALL, "next_steps": list(BITES), "open_questions": list(BITES)}
        assert server.client.post("/api/v1/handoffs", json=offer, params={"project": "shop"}).status_code == 201
        _plant_people(server)
        server.wait_until_committed()
        yield server


def _plant_people(server: Server) -> None:
    """Name a token so, and let a machine of that name be refused and be heard."""
    boss = server.client.post("/api/v1/people", json={"name": "ann", "role": "admin", "with_token": True})
    server.client.headers["authorization"] = f"Bearer {boss.json()['token']}"
    for path, body in (("people", {"name": "bob"}), ("groups", {"name": "backend"})):
        assert server.client.post(f"/api/v1/{path}", json=body).status_code == 201
    token = {"name": BITES[0], "person": "bob", "days": 90}
    answer = server.client.post("/api/v1/tokens", json=token)
    assert answer.status_code == 201, answer.text
    payload = {"session_id": "m", "hook_event_name": "UserPromptSubmit", "prompt": ALL}
    server.post_event("claude-code", "UserPromptSubmit", payload, checkout={**SHOP, "machine": BITES[1]})
    refused = {"authorization": "Bearer mw_wrong", "memwiki-machine": BITES[2]}
    server.client.post("/hook?agent=codex&event=Stop", json={}, headers=refused)
    server.client.get(f"/api/v1/pages/{quote(BITES[0], safe='')}", params={"project": BITES[1]})


def _plant_session(server: Server) -> None:
    told = (
        ("SessionStart.startup", {}),
        ("UserPromptSubmit", {"prompt": f"Never do this: {ALL}"}),
        ("PostToolUse.shell", {"tool_input": {"command": BITES[0]}, "tool_response": {"stdout": ALL, "stderr": ALL}}),
        ("Stop", {"last_assistant_message": f"We decided to use {BITES[7]} instead of {BITES[0]}. {ALL}"}),
        ("SessionEnd", {}),
    )
    for name, changes in told:
        payload = read_payload("claude-code", name, session_id="bites", **changes)
        server.post_event("claude-code", str(payload["hook_event_name"]), payload, checkout=SHOP)
    server.wait_for_page("bites")


def _plant_file(folder: Path) -> None:
    """Write a page as somebody's editor might, with markup in its frontmatter and in its name."""
    fields = "\n".join(
        f"field{number}: {bite!r}" for number, bite in enumerate(BITES) if "\0" not in bite and "'" not in bite
    )
    (folder / "b <img onerror=x>.md").write_text(
        f"---\ntitle: '{BITES[0]}'\n{fields}\n---\n\n{BITES[1]}\n", encoding="utf-8"
    )


def list_addresses(server: Server) -> list[str]:
    """List the pages of all kinds that show any of it."""
    paths = [page["path"] for page in server.get("/api/v1/recent", project="shop", limit=50)["pages"]]
    session = server.get("/api/v1/sessions", limit=1)["sessions"][0]["id"]
    handoffs = server.get("/api/v1/handoffs", state="all")["handoffs"]
    views = [f"/p/main/shop/{view}/{path}" for path in paths for view in ("page", "history", "blame", "diff")]
    searches = [f"/search?why=1&q={word}" for word in ("script", "%3Cscript%3Ewindow.bitten%3D1%3C/script%3E")]
    plain = ["/", "/sessions", "/handoffs", "/status", "/review", "/account", *searches]
    inside = [f"/p/main/shop/{view}" for view in ("", "pages", "timeline", "graph", "lint")]
    offices = [f"/admin/{name}" for name in ("people", "groups", "tokens", "projects", "sign-ins", "audit")]
    work = [f"/sessions/{session}", *(f"/handoffs/{each['id']}" for each in handoffs)]
    return [*views, *plain, *inside, *offices, *work, *list_asked()]


def list_asked() -> list[str]:
    """List addresses that carry such text themselves, in each of their parts."""
    asked = []
    for bite in (quote(BITES[number], safe="") for number in (0, 1, 4, 7)):
        filters = "&".join(
            f"{name}={bite}" for name in ("project", "kind", "agent", "person", "since", "as_of", "cursor")
        )
        asked += [f"/search?q={bite}&{filters}", f"/sessions?{filters}&state={bite}", f"/sign-in?told={bite}"]
        asked += [f"/admin/audit?actor={bite}&action={bite}&scope={bite}&outcome={bite}", f"/admin/people?told={bite}"]
        asked += [f"/p/main/shop/graph?page={bite}&kind={bite}", f"/p/main/shop/lint?code={bite}&skip={bite}"]
        asked += [f"/p/main/shop/pages?kind={bite}&after={bite}", f"/p/main/shop/page/{bite}.md?at={bite}"]
        asked += [f"/p/main/{bite}/", f"/sessions/{bite}", f"/handoffs/{bite}", f"/{bite}"]
        asked += [f"/p/main/shop/diff/notes/a.md?from={bite}&to={bite}&layout={bite}"]
    return asked


def look(page: Page, server: Server, place: str) -> bool:
    """Open a page and tell whether anything on it ran or could."""
    page.goto(server.url + place)
    ran: bool = page.evaluate("window.bitten !== undefined")
    armed: int = page.evaluate(
        """[...document.querySelectorAll('*')].filter((e) =>
             ['SCRIPT', 'STYLE'].includes(e.tagName) && !e.src ||
             ['IFRAME', 'OBJECT', 'EMBED', 'BASE'].includes(e.tagName) ||
             [...e.attributes].some((a) => a.name.startsWith('on') || a.name === 'style'
               || /^\\s*(javascript|data|vbscript):/i.test(a.value))).length"""
    )
    return ran or armed > 0


def test_planted_markup_runs_nowhere_and_fetches_nothing(planted: Server, context: BrowserContext) -> None:
    context.set_extra_http_headers({"authorization": planted.client.headers["authorization"]})
    page, foreign, said = context.new_page(), [], []
    page.on("request", lambda request: None if request.url.startswith(planted.url) else foreign.append(request.url))
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))

    addresses = list_addresses(planted)
    live = [place for place in addresses if look(page, planted, place)]

    assert len(addresses) > 90
    assert (live, foreign, said) == ([], [], [])
