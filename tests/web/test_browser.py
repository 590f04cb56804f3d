"""People's use of the pages in a real browser: reading, searching, history, handoffs, with and without scripts."""

import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.server import Server
from tests.web.places import LOOKS, find_session_page, list_places

# What is wider than its place and does not say so: views to choose from, and what stands beside a page.
CUT = """[...document.querySelectorAll(".top nav, .tabs, .side")]
  .filter(each => each.scrollWidth > each.clientWidth).map(each => each.className)"""


def watch(page: Page, site: Server) -> list[str]:
    """Collect what the browser asks of anybody else, and what it complains about."""
    seen: list[str] = []
    page.on("request", lambda request: None if request.url.startswith(site.url) else seen.append(request.url))
    page.on("pageerror", lambda error: seen.append(str(error)))
    page.on("console", lambda line: seen.append(line.text) if "Content Security" in line.text else None)
    return seen


@pytest.mark.parametrize("look", LOOKS)
def test_every_page_fits_and_asks_nobody_else(site: Server, browser: Browser, look: str) -> None:
    context = browser.new_context(**LOOKS[look])
    page = context.new_page()
    seen = watch(page, site)

    for name, place in list_places(site).items():
        page.goto(site.url + place)
        expect(page.locator("main")).to_be_visible()
        width = page.evaluate("document.documentElement.scrollWidth") if look != "without-scripts" else 0
        assert width <= LOOKS[look]["viewport"]["width"], f"{name} is too wide"
        cut = page.evaluate(CUT) if look != "without-scripts" else []
        assert cut == [], f"{name} has what nobody sees behind an edge"

    context.close()
    assert seen == []


@pytest.mark.parametrize("look", ["desktop", "dark", "phone"])
def test_no_page_has_a_serious_barrier(site: Server, browser: Browser, axe: str, look: str) -> None:
    # The checker is put into the page from outside, which the page's own policy would not allow.
    context = browser.new_context(**LOOKS[look], bypass_csp=True)
    page = context.new_page()
    found: dict[str, list[str]] = {}

    for name, place in list_places(site).items():
        page.goto(site.url + place)
        page.evaluate(axe)
        told = page.evaluate("axe.run({resultTypes: ['violations']})")
        found[name] = [
            f"{fault['id']}: {fault['nodes'][0]['html']}"
            for fault in told["violations"]
            if fault["impact"] in {"serious", "critical"}
        ]

    context.close()
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_a_search_answers_while_somebody_types(site: Server, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{site.url}/search")

    page.locator("#q").press_sequentially("ROUND_HALF_UP")

    expect(page.locator("#hits .title").first).to_be_visible()
    expect(page).to_have_url(re.compile("q=ROUND_HALF_UP"))


def test_the_slash_and_the_arrows_search_without_a_mouse(site: Server, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(site.url)

    page.keyboard.press("/")
    page.keyboard.type("decimal")
    page.keyboard.press("Enter")
    expect(page.locator("#hits .title").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect(page.locator("article.prose")).to_contain_text("Decimal")


def test_without_scripts_one_reads_searches_and_goes_back_in_time(site: Server, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()

    page.goto(f"{site.url}/search")
    page.locator("#q").fill("decimal")
    page.get_by_role("button", name="Search").click()
    page.locator("#hits .title").first.click()
    page.get_by_role("link", name="History").click()
    page.get_by_role("link", name="changes").first.click()

    expect(page.locator("table.diff")).to_be_visible()
    context.close()


def test_a_sentence_leads_to_what_it_comes_from(site: Server, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{site.url}/p/main/shop/page/{find_session_page(site)}")

    page.locator("a.evidence").first.click()

    expect(page.locator(".turn.at")).to_be_visible()


def test_a_handoff_is_cancelled_on_the_board(site: Server, context: BrowserContext) -> None:
    offer = {"summary": "Paint the shed blue."}
    answer = site.client.post("/api/v1/handoffs", json=offer, params={"project": "shop"})
    page = context.new_page()
    page.goto(f"{site.url}/handoffs")

    page.get_by_text("Paint the shed blue.").click()
    page.get_by_role("button", name="Cancel it").click()

    expect(page.locator(".state-cancelled")).to_be_visible()
    assert site.get(f"/api/v1/handoffs/{answer.json()['id']}")["state"] == "cancelled"


def test_a_first_look_is_small(site: Server, context: BrowserContext) -> None:
    page = context.new_page()
    sizes: list[int] = []
    page.on("response", lambda response: sizes.append(len(response.body())))

    page.goto(f"{site.url}/p/main/shop/page/{find_session_page(site)}", wait_until="networkidle")

    assert sum(sizes) <= 150 * 1024


def test_times_are_those_of_the_reader_and_without_scripts_of_greenwich(site: Server, browser: Browser) -> None:
    shown = []
    for can_run in (True, False):
        context = browser.new_context(timezone_id="Asia/Kolkata", java_script_enabled=can_run)
        page = context.new_page()
        page.goto(f"{site.url}/p/main/shop/page/notes/german.md")
        time = page.locator(".facts time").first
        shown.append((time.get_attribute("datetime"), time.inner_text()))
        context.close()

    (exact, local), (_, universal) = shown
    assert exact is not None
    at = datetime.fromisoformat(exact)
    assert universal == f"{at:%d %b %Y, %H:%M}"
    assert local == f"{at + timedelta(hours=5, minutes=30):%d %b %Y, %H:%M}"


def test_the_keyboard_reaches_the_text_first_and_shows_where_it_is(site: Server, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{site.url}/p/main/shop/")

    page.keyboard.press("Tab")
    expect(page.locator("a.skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("Tab")

    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_from_the_first_hit_the_arrow_goes_back_to_the_words(site: Server, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{site.url}/search?q=decimal")

    page.locator("#q").press("ArrowDown")
    expect(page.locator(".hits > li.chosen a.title")).to_be_focused()
    page.keyboard.press("ArrowUp")

    expect(page.locator("#q")).to_be_focused()


def test_a_search_that_was_typed_can_be_shared(site: Server, context: BrowserContext) -> None:
    page, other = context.new_page(), context.new_page()
    page.goto(f"{site.url}/search")
    page.locator("#q").press_sequentially("rounding")
    page.get_by_label("say why").check()
    expect(page.locator(".why").first).to_be_visible()
    expect(page).to_have_url(f"{site.url}/search?q=rounding&why=1")

    other.goto(page.url)

    assert other.locator("#hits .title").all_inner_texts() == page.locator("#hits .title").all_inner_texts()
    expect(other.locator(".why li").first).to_be_visible()


def test_on_paper_a_page_has_its_text_and_no_controls(site: Server, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{site.url}/p/main/shop/page/notes/gallery.md")

    page.emulate_media(media="print")

    expect(page.locator("header.top")).to_be_hidden()
    expect(page.locator("nav.tabs")).to_be_hidden()
    expect(page.get_by_text("half a cent goes up")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.columns')).display") == "block"


@pytest.mark.parametrize("can_run", [True, False], ids=["scripts", "no-scripts"])
def test_a_dot_of_the_picture_leads_to_its_page(site: Server, browser: Browser, can_run: bool) -> None:  # noqa: FBT001 - a row of the table
    context = browser.new_context(viewport={"width": 1280, "height": 900}, java_script_enabled=can_run)
    page = context.new_page()
    page.goto(f"{site.url}/p/main/shop/graph?kind=gotcha")

    named = page.locator("svg[data-graph] a.named text").all_inner_texts()
    page.locator("svg[data-graph] a:has(.kind-gotcha)").first.click()

    assert named
    expect(page).to_have_url(re.compile("/page/gotchas/"))
    context.close()
