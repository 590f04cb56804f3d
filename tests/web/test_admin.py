"""Administrators' use of their pages in a real browser, with and without scripts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.server import Server
from tests.web.places import LOOKS
from tests.web.team import NAMES, PASSWORD, open_team, sign_in


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that has a team."""
    with open_team(tmp_path_factory.mktemp("team") / "memwiki") as server:
        yield server


@pytest.fixture
def office(browser: Browser, team: Server) -> Iterator[BrowserContext]:
    """A browser without scripts in which the administrator is signed in."""
    context = sign_in(browser, team, java_script_enabled=False)
    yield context
    context.close()


@pytest.mark.parametrize("look", ["desktop", "dark", "phone"])
def test_no_page_of_administrators_has_a_serious_barrier(browser: Browser, team: Server, axe: str, look: str) -> None:
    context = sign_in(browser, team, **LOOKS[look], bypass_csp=True)
    page = context.new_page()
    found: dict[str, list[str]] = {}

    for name in NAMES:
        page.goto(f"{team.url}/admin/{name}")
        page.evaluate(axe)
        told = page.evaluate("axe.run({resultTypes: ['violations']})")
        grave = [fault for fault in told["violations"] if fault["impact"] in {"serious", "critical"}]
        found[name] = [f"{fault['id']}: {fault['nodes'][0]['html']}" for fault in grave]
        if page.evaluate("document.documentElement.scrollWidth") > LOOKS[look]["viewport"]["width"]:
            found[name].append("it is too wide")

    context.close()
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_somebody_is_added_and_locked_out(office: BrowserContext, team: Server) -> None:
    page = office.new_page()
    page.goto(f"{team.url}/admin/people")
    page.get_by_label("Name").fill("dora")
    page.locator("form.filters").get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("Added.")

    page.get_by_role("button", name="Disable dora").click()

    row = page.locator(".folk > li", has_text="dora")
    expect(row.locator(".badge.old")).to_have_text("disabled")
    people = team.get("/api/v1/people")["people"]
    assert [each["disabled_at"] is None for each in people if each["name"] in {"bob", "dora"}] == [True, False]


def test_access_is_granted_and_taken(office: BrowserContext, team: Server) -> None:
    page = office.new_page()
    page.goto(f"{team.url}/admin/projects")
    row = page.locator(".folk > li", has_text="main/shop")
    row.locator("select[name=holder]").select_option("@backend")
    row.locator("select[name=access]").select_option("manage")
    row.get_by_role("button", name="Grant").click()
    expect(row.locator(".holders")).to_contain_text("@backend manage")

    page.get_by_role("button", name="Take away @backend from main/shop").click()

    expect(row.locator(".holders li")).to_have_count(0)
    assert team.get("/api/v1/grants", project="shop")["grants"] == []


def test_the_trail_says_that_it_is_whole_and_can_be_narrowed(office: BrowserContext, team: Server) -> None:
    page = office.new_page()
    page.goto(f"{team.url}/admin/audit")
    expect(page.locator(".health-good")).to_contain_text("The trail is whole")

    page.get_by_label("Outcome").select_option("denied")
    page.get_by_role("button", name="Show").click()

    expect(page.locator(".trail > li").first).to_contain_text("nobody known")
    expect(page.locator(".trail .badge.old").first).to_have_text("denied")


def test_a_token_is_revoked_and_a_browser_signed_out(office: BrowserContext, browser: Browser, team: Server) -> None:
    other = sign_in(browser, team, "bob")
    page = office.new_page()
    page.goto(f"{team.url}/admin/sign-ins")
    page.get_by_role("button", name="Sign out bob").click()
    expect(page.get_by_role("status")).to_have_text("Signed out.")
    page.goto(f"{team.url}/admin/tokens")
    page.get_by_role("button", name="Revoke laptop of bob").click()

    expect(page.locator("tbody")).not_to_contain_text("laptop")
    outside = other.new_page()
    outside.goto(team.url)
    expect(outside).to_have_url(f"{team.url}/sign-in")
    other.close()


def test_for_everybody_else_there_is_no_such_page(browser: Browser, team: Server) -> None:
    context = sign_in(browser, team, "čeněk")
    page = context.new_page()
    told = []

    for place in ("admin/people", "admin/none"):
        answer = page.goto(f"{team.url}/{place}")
        assert answer is not None
        told.append((answer.status, page.content().replace(place, "")))

    context.close()
    assert told[0] == told[1]
    assert told[0][0] == 404
