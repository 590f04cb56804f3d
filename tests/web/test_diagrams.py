"""Diagrams in a real browser: drawn in frames of their own where that is turned on, and code wherever they are not."""

import re
import socket
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect

from tests.entrypoints.serving import SHOP
from tests.server import Server, run_server
from tests.web.test_browser import watch

BASE = "/memory"
FOREIGN = "http://127.0.0.1:9"
WAIT_MS_MAX = 20_000
FLOW = "flowchart LR\n  accTitle: How a page comes to be\n  session --> page --> handoff\n"
HOSTILE = (
    f"""flowchart LR
  A["<img src={FOREIGN}/a.png onerror=parent.bitten=1>"] --> B["<script>parent.bitten=1</script>"]
  click A "javascript:parent.bitten=1" "x"
  click B call bite()
""",
    f"""flowchart LR
  A@{{ img: "{FOREIGN}/b.png", label: "x", h: 60 }} --> B
  click B "{FOREIGN}/c"
""",
    f"""%%{{init: {{'themeCSS': '@import url({FOREIGN}/d.css); * {{ background: url({FOREIGN}/e) }}',
'fontFamily': 'x; src: url({FOREIGN}/f)', 'securityLevel': 'loose', 'secure': []}}}}%%
flowchart LR
  A --> B
""",
    f"""flowchart LR
  A --> B
  style A fill:url({FOREIGN}/g),background:url({FOREIGN}/h)
  classDef x fill:url({FOREIGN}/i)
  class B x
""",
    f"""---
config:
  securityLevel: loose
  htmlLabels: true
---
sequenceDiagram
  A->>B: <a href="{FOREIGN}/j">x</a>
  link A: go @ {FOREIGN}/k
  links B: {{"x": "javascript:parent.bitten=1"}}
""",
)


def list_codes() -> dict[str, str]:
    """List what stands on the pages, by their names."""
    return {
        "flow": FLOW,
        "wrong": "flowchart LR\n  A --> B((\n",
        "unknown": "mindmap\n  root\n",
        **{f"hostile-{number}": code for number, code in enumerate(HOSTILE)},
    }


def put_pages(server: Server, stranger: socket.socket) -> None:
    """Write a page for each diagram, and one that has many."""
    payload = {"session_id": "m", "hook_event_name": "UserPromptSubmit", "prompt": "Begin."}
    server.post_event("claude-code", "UserPromptSubmit", payload, checkout=SHOP)
    bodies = {name: f"# Diagrams\n\n```mermaid\n{code}```\n" for name, code in list_codes().items()}
    bodies["none"] = "# No diagrams\n\n```python\npass\n```\n"
    bodies["many"] = "".join(f"# Part {number}\n\n```mermaid\n{FLOW}```\n\n" for number in range(30))
    for name, body in bodies.items():
        words = {"body": body.replace(FOREIGN, f"http://127.0.0.1:{stranger.getsockname()[1]}")}
        answer = server.client.put(f"/api/v1/pages/notes/{name}.md", json=words, params={"project": "shop"})
        assert answer.status_code == 200, answer.text
    nodes = "".join(f"n{number} --> m{number}\n" for number in range(25_000))
    long = server.wiki / "main" / "shop" / "notes" / "long.md"
    long.write_text(f"# Long\n\n```mermaid\nflowchart LR\n{nodes}```\n", encoding="utf-8")


@pytest.fixture(scope="module")
def stranger() -> Iterator[socket.socket]:
    """Listen where hostile diagrams point to; whoever calls there waits to be taken."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


@pytest.fixture(scope="module")
def drawing(tmp_path_factory: pytest.TempPathFactory, stranger: socket.socket) -> Iterator[Server]:
    """A server below a path that has its diagrams drawn."""
    folder = tmp_path_factory.mktemp("drawing") / "memwiki"
    with run_server(folder, MEMWIKI_DIAGRAMS="true", MEMWIKI_URL_PREFIX=BASE) as server:
        put_pages(server, stranger)
        yield server


def open_page(page: Page, server: Server, name: str, base: str = BASE) -> list[str]:
    """Open a page and tell what the browser asks for, for as long as it is looked at."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server.url}{base}/p/main/shop/page/notes/{name}.md")
    return asked


def find_frame(page: Page) -> FrameLocator:
    """Find the first diagram that is drawn, as soon as it is."""
    expect(page.locator("figure.diagram:not(.drawing) iframe").first).to_be_visible(timeout=WAIT_MS_MAX)
    return page.frame_locator("figure.diagram iframe").first


def test_a_diagram_is_drawn_in_a_sandbox_and_its_code_is_folded(drawing: Server, context: BrowserContext) -> None:
    page = context.new_page()
    seen = watch(page, drawing)

    open_page(page, drawing, "flow")
    drawn = find_frame(page)

    expect(drawn.locator("svg")).to_contain_text("handoff")
    frame = page.locator("figure.diagram iframe")
    assert (frame.get_attribute("sandbox"), frame.get_attribute("title")) == (
        "allow-scripts",
        "Diagram: How a page comes to be",
    )
    expect(page.locator("details.fold pre.diagram")).to_be_hidden()
    page.get_by_text("Its code").click()
    expect(page.locator("details.fold pre.diagram")).to_contain_text("session --> page")
    assert seen == []


def test_a_page_without_diagrams_loads_nothing_for_them(drawing: Server, context: BrowserContext) -> None:
    page = context.new_page()

    asked = open_page(page, drawing, "none")
    page.wait_for_load_state("networkidle")

    assert [url for url in asked if "diagram" in url or "mermaid" in url] == []
    assert "frame-src" not in drawing.client.get("/p/main/shop/page/notes/none.md").headers["content-security-policy"]


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_a_hostile_diagram_runs_nothing_and_asks_for_nothing(
    drawing: Server, context: BrowserContext, stranger: socket.socket, number: int
) -> None:
    page, said = context.new_page(), []
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))

    open_page(page, drawing, f"hostile-{number}")
    expect(page.locator("figure.diagram:not(.drawing), .diagram-fault")).to_have_count(1, timeout=WAIT_MS_MAX)
    page.mouse.click(400, 300)
    inside = [frame for frame in page.frames if frame != page.main_frame]
    armed = [frame.evaluate("document.querySelectorAll('[href], svg script, [onerror]').length") for frame in inside]
    origins = [frame.evaluate("self.origin") for frame in inside]

    assert page.evaluate("window.bitten === undefined")
    assert [frame.evaluate("self.bitten === undefined") for frame in inside] == [True] * len(inside)
    with pytest.raises(BlockingIOError):
        stranger.accept()
    assert (armed, said) == ([0] * len(inside), [])
    assert set(origins) <= {"null"}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("wrong", r"Parse error on line \d"),
        ("unknown", "there is no kind of diagram that begins so"),
        ("long", "it is longer than 10,000 characters"),
    ],
)
def test_what_is_not_drawn_stays_code_and_says_why(
    drawing: Server, context: BrowserContext, name: str, why: str
) -> None:
    page = context.new_page()

    open_page(page, drawing, name)

    told = re.compile(f"^Not drawn, so this is its code: {why}\\.$")
    expect(page.locator(".diagram-fault")).to_have_text(told, timeout=WAIT_MS_MAX)
    expect(page.locator("pre.diagram")).to_be_visible()
    expect(page.locator("iframe")).to_have_count(0)


def test_diagrams_far_down_wait_and_too_many_stay_code(drawing: Server, context: BrowserContext) -> None:
    page = context.new_page()

    open_page(page, drawing, "many")
    find_frame(page)

    assert page.locator("iframe").count() < 15
    expect(page.locator(".diagram-fault")).to_have_count(6)


def test_without_scripts_the_code_stands_and_says_so(drawing: Server, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()

    open_page(page, drawing, "flow")

    expect(page.locator("pre.diagram")).to_contain_text("session --> page")
    expect(page.locator("noscript p.notice")).to_be_visible()
    context.close()


def test_a_dark_diagram_is_a_light_one_on_paper(drawing: Server, browser: Browser) -> None:
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    open_page(page, drawing, "flow")
    drawn = find_frame(page).locator("svg")

    on_screen = drawn.evaluate("each => getComputedStyle(each).filter")
    page.emulate_media(media="print")
    on_paper = drawn.evaluate("each => getComputedStyle(each).filter")
    context.close()

    assert on_screen.startswith("invert")
    assert on_paper == "none"


def test_a_drawn_diagram_is_no_barrier(drawing: Server, browser: Browser, axe: str) -> None:
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    open_page(page, drawing, "flow")
    find_frame(page)

    page.evaluate(axe)
    told = page.evaluate("axe.run({resultTypes: ['violations'], iframes: false})")

    context.close()
    assert [fault["id"] for fault in told["violations"] if fault["impact"] in {"serious", "critical"}] == []


def test_where_it_is_not_turned_on_a_diagram_is_code(site: Server, context: BrowserContext) -> None:
    page = context.new_page()

    asked = open_page(page, site, "gallery", base="")
    page.wait_for_load_state("networkidle")

    expect(page.locator("pre.diagram")).to_be_visible()
    assert [url for url in asked if "diagram" in url or "mermaid" in url] == []
    assert "frame-src" not in site.client.get("/p/main/shop/page/notes/gallery.md").headers["content-security-policy"]
