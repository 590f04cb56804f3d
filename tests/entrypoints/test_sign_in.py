"""Signing in with a browser: cookie, forms, ends, and that guessing does not pay."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest

from app.access import accounts, issuing, signing_in
from app.access.accounts import NewPerson
from app.access.issuing import NewToken
from app.access.signing_in import Attempt, Throttle
from app.domain import limits, limits_people
from app.domain.person import Right, Role
from app.domain.person_errors import SignInRefused, SignInsThrottled
from app.state import accounts as account_rows
from tests.entrypoints import serving
from tests.entrypoints.rights import ROOT
from tests.entrypoints.serving import Server, find_bytes
from tests.fakes import FakeClock

PASSWORD = "correct horse battery"
HTML = {"accept": "text/html"}


@dataclass
class Browser:
    """Somebody in front of a browser."""

    server: Server

    def open(self, path: str) -> httpx2.Response:
        """Look at a page; a redirect is told, not followed."""
        return self.server.client.get(path, headers=HTML, follow_redirects=False)

    def send(self, path: str, page: str, **fields: str) -> httpx2.Response:
        """Send the form of a page."""
        found = re.search(r'name="form_token" value="([^"]+)"', self.open(page).text)
        form = {"form_token": found[1] if found else "", **fields}
        return self.server.client.post(path, data=form, follow_redirects=False)

    def sign_in(self, **fields: str) -> httpx2.Response:
        """Fill in the form."""
        return self.send("/sign-in", "/sign-in", **fields)


@pytest.fixture
def browser(server: Server) -> Iterator[Browser]:
    accounts.add_person(server.runtime.people, ROOT, NewPerson("ann", Role.ADMIN, PASSWORD))
    return Browser(server)


def test_a_person_who_is_not_signed_in_is_led_to_the_form(browser: Browser) -> None:
    answer = browser.open("/sessions")

    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
    assert browser.open("/sign-in").status_code == 200
    assert browser.server.client.get("/api/v1/projects", headers=HTML).status_code == 401


def test_the_right_password_opens_the_pages_and_nothing_else(browser: Browser) -> None:
    answer = browser.sign_in(name="Ann", password=PASSWORD)

    cookie = answer.headers["set-cookie"].lower()
    assert answer.status_code == 303
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert browser.open("/").status_code == 200
    assert "ann" in browser.open("/account").text
    assert browser.server.client.get("/api/v1/projects").status_code == 401


def test_the_cookie_is_secure_off_loopback(browser: Browser) -> None:
    form = re.search(r'name="form_token" value="([^"]+)"', browser.open("/sign-in").text)
    assert form is not None
    fields = {"form_token": form[1], "name": "ann", "password": PASSWORD}

    answer = browser.server.client.post(
        "/sign-in", data=fields, headers={"host": "192.168.7.9"}, follow_redirects=False
    )

    assert "secure" in answer.headers["set-cookie"].lower()


@pytest.mark.parametrize("fields", [{"name": "ann", "password": "wrong"}, {"name": "nobody", "password": PASSWORD}])
def test_what_is_wrong_is_not_told(browser: Browser, fields: dict[str, str]) -> None:
    answer = browser.sign_in(**fields)

    assert answer.status_code == 401
    assert "do not belong together" in answer.text
    assert "set-cookie" not in answer.headers


def test_a_form_of_another_site_signs_nobody_in(browser: Browser) -> None:
    answer = browser.server.client.post("/sign-in", data={"name": "ann", "password": PASSWORD})

    assert answer.status_code == 403


def test_signing_out_ends_the_session_itself(browser: Browser) -> None:
    browser.sign_in(name="ann", password=PASSWORD)
    kept = browser.server.client.cookies["memwiki_session"]

    assert browser.send("/sign-out", "/account").status_code == 303
    browser.server.client.cookies.set("memwiki_session", kept)

    assert browser.open("/").status_code == 303


@pytest.mark.parametrize("change", ["disable", "password"])
def test_what_ends_a_persons_access_ends_its_browsers(browser: Browser, change: str) -> None:
    people = browser.server.runtime.people
    accounts.add_person(people, ROOT, NewPerson("bob", Role.MEMBER, PASSWORD))
    browser.sign_in(name="bob", password=PASSWORD)
    assert browser.open("/").status_code == 200

    if change == "disable":
        accounts.switch_person(people, ROOT, "bob", is_enabled=False)
    else:
        accounts.reset_password(people, ROOT, "bob", PASSWORD + "!")

    assert browser.open("/").status_code == 303


def test_guessing_is_stopped_after_a_few_attempts_also_for_the_right_password(browser: Browser) -> None:
    for _ in range(limits.SIGN_IN_FAILURES_MAX):
        browser.sign_in(name="ann", password="wrong")

    answer = browser.sign_in(name="ann", password=PASSWORD)

    assert answer.status_code == 401
    assert "too many attempts" in answer.text


def test_attempts_are_let_through_again_when_the_window_is_over() -> None:
    throttle, clock = Throttle(), FakeClock()
    for _ in range(limits.SIGN_IN_FAILURES_MAX):
        throttle.note_failure("ann", "192.168.1.1", clock.now())

    with pytest.raises(SignInsThrottled):
        throttle.check("ann", "192.168.1.2", clock.now())
    throttle.check("bob", "192.168.1.1", clock.now())
    throttle.check("ann", "192.168.1.2", clock.now() + timedelta(seconds=limits.SIGN_IN_WINDOW_SECONDS))


def test_neither_password_nor_cookie_is_stored(browser: Browser) -> None:
    browser.sign_in(name="ann", password=PASSWORD)

    assert find_bytes(browser.server.folder, browser.server.client.cookies["memwiki_session"]) == []
    assert find_bytes(browser.server.folder, PASSWORD) == []


def test_a_token_for_less_than_everything_signs_nobody_in(browser: Browser) -> None:
    people = browser.server.runtime.people
    whole = issuing.issue_first_token(people, ROOT, "ann").secret
    lesser = issuing.issue_token(people, ROOT, "ann", NewToken("look", [Right.READ])).secret

    assert browser.sign_in(token=lesser).status_code == 401
    assert browser.sign_in(token=whole).status_code == 303


def test_a_password_is_hashed_anew_when_it_should_cost_more(tmp_path: Path, template: Path) -> None:
    folder, hashes = tmp_path / "memwiki", []
    for rounds in (1, 2):
        with serving.serve(folder, template=template, password_rounds=rounds, password_memory_kib=8192) as server:
            if rounds == 1:
                accounts.add_person(server.runtime.people, ROOT, NewPerson("ann", Role.ADMIN, PASSWORD))
            assert Browser(server).sign_in(name="ann", password=PASSWORD).status_code == 303
            found = server.runtime.engine.read(account_rows.find_credentials, "ann")
            hashes.append(found.password_hash if found else "")

    assert ["m=8192,t=1," in hashes[0], "m=8192,t=2," in hashes[1]] == [True, True]


def test_many_guesses_at_once_are_no_more_than_many_one_by_one(browser: Browser) -> None:
    runtime = browser.server.runtime

    def guess(number: int) -> str:
        try:
            signing_in.sign_in(runtime.people, runtime.gate, runtime.throttle, Attempt("192.0.2.1", "ann", str(number)))
        except (SignInRefused, SignInsThrottled) as error:
            return error.code
        return "in"

    with ThreadPoolExecutor(24) as pool:
        told = list(pool.map(guess, range(24)))

    most = limits.SIGN_IN_FAILURES_MAX + limits_people.PASSWORD_CHECKS_AT_ONCE - 1
    assert 0 < told.count("sign_in_refused") <= most
    assert told.count("sign_ins_throttled") == 24 - told.count("sign_in_refused")


def test_signing_in_again_ends_the_session_before(browser: Browser) -> None:
    browser.sign_in(name="ann", password=PASSWORD)
    former = browser.server.client.cookies["memwiki_session"]

    browser.sign_in(name="ann", password=PASSWORD)

    assert browser.server.client.cookies["memwiki_session"] != former
    browser.server.client.cookies.clear()
    browser.server.client.cookies.set("memwiki_session", former)
    assert browser.open("/").status_code == 303
