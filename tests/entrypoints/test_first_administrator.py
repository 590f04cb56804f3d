"""A server without an administrator, reachable by others: who knows its secret begins, once."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.access import accounts
from app.domain import limits
from app.domain.person import Role
from tests.entrypoints import serving
from tests.entrypoints.serving import Server, find_bytes

SECRET = "a-secret-that-somebody-wrote-down"
WISH = {"name": "ann", "password": "correct horse battery", "secret": SECRET}


@pytest.fixture
def fresh(tmp_path: Path, template: Path) -> Iterator[Server]:
    with serving.serve(tmp_path / "memwiki", template=template, setup_secret=SECRET) as server:
        yield server


def test_whoever_knows_the_secret_becomes_the_administrator_once(fresh: Server) -> None:
    assert fresh.get("/projects").status_code == 401
    assert fresh.get("/login").json()["setup"]

    made = fresh.post("/login/first", WISH)

    assert made.status_code == 201
    header = {"authorization": f"Bearer {made.json()['token']}"}
    assert fresh.client.get("/api/v1/whoami", headers=header).json()["role"] == "admin"
    again = fresh.post("/login/first", WISH | {"name": "eve"})
    assert (again.status_code, again.json()["code"]) == (409, "setup_over")
    assert not fresh.get("/login").json()["setup"]
    assert find_bytes(fresh.folder, SECRET) == []


@pytest.mark.parametrize("secret", ["", "guess", SECRET + "x", SECRET[:-1]])
def test_a_guess_makes_nobody(fresh: Server, secret: str) -> None:
    answer = fresh.post("/login/first", WISH | {"secret": secret})

    assert (answer.status_code, answer.json()["code"]) == (401, "setup_refused")
    assert fresh.runtime.engine.read(accounts.list_people) == []


def test_guessing_is_stopped(fresh: Server) -> None:
    for _ in range(limits.SIGN_IN_FAILURES_MAX):
        fresh.post("/login/first", WISH | {"secret": "guess"})

    assert fresh.post("/login/first", WISH).json()["code"] == "sign_ins_throttled"


def test_without_a_secret_nobody_begins_so(shared: Server) -> None:
    assert shared.post("/login/first", WISH).json()["code"] == "setup_over"
    assert "setup_secret" not in shared.client.get("/sign-in").text


def test_the_first_administrator_begins_in_the_browser(fresh: Server) -> None:
    form = re.search(r'name="form_token" value="([^"]+)"', fresh.client.get("/sign-in").text)
    assert form is not None
    fields = {**WISH, "form_token": form[1]}

    weak = fresh.client.post("/sign-in/first", data=fields | {"password": ""}, follow_redirects=False)
    answer = fresh.client.post("/sign-in/first", data=fields, follow_redirects=False)

    assert (weak.status_code, answer.status_code) == (422, 303)
    assert [person.role for person in fresh.runtime.engine.read(accounts.list_people)] == [Role.ADMIN]
    assert fresh.client.get("/", headers={"accept": "text/html"}).status_code == 200
