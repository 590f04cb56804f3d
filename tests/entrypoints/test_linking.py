"""One person with a password and with an identity provider: linked by whoever is signed in, or by an administrator."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.access import accounts, issuing, linking
from app.access.accounts import NewPerson
from app.access.issuing import NewToken
from app.domain.person import Right, Role
from app.entrypoints import cookies
from app.state import audit
from app.state.audit import TrailFilter
from tests import idp
from tests.entrypoints import serving
from tests.entrypoints.rights import ROOT
from tests.entrypoints.serving import Server
from tests.entrypoints.test_provider import build_settings, come_back, sign_in, visit
from tests.idp import IdentityProvider

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def provider() -> Iterator[IdentityProvider]:
    with idp.serve() as running:
        yield running


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, template: Path, provider: IdentityProvider) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("linked") / "memwiki"
    with serving.serve(folder, template=template, **build_settings(provider)) as server:
        accounts.add_person(server.runtime.people, ROOT, NewPerson("root", Role.ADMIN, PASSWORD))
        yield server


@pytest.fixture
def server(running: Server, provider: IdentityProvider) -> Server:
    """The server in a fresh browser, while somebody new is at the provider."""
    name = serving.new_name("link")
    running.client.cookies.clear()
    provider.person = {"sub": f"sub-{name}", "preferred_username": name, "groups": ["staff"]}
    return running


def enter(server: Server, role: Role = Role.ADMIN) -> str:
    """Make an account with a password, and sign in to it; gives its name."""
    name = serving.new_name("known")
    accounts.add_person(server.runtime.people, ROOT, NewPerson(name, role, PASSWORD))
    assert send(server, "/sign-in", "/sign-in", name=name, password=PASSWORD).status_code == 303
    return name


def send(server: Server, path: str, page: str, **fields: str) -> httpx2.Response:
    """Send the form of a page."""
    shown = server.client.get(page, headers={"accept": "text/html"}).text
    token = re.search(r'name="form_token" value="([^"]+)"', shown)
    form = {"form_token": token[1] if token else "", **fields}
    return server.client.post(path, data=form, follow_redirects=False)


def begin(server: Server) -> str:
    """Begin to link; gives the path by which the browser comes back."""
    answer = send(server, "/account/link", "/account", password=PASSWORD)
    assert answer.status_code == 200, answer.text
    place = re.search(r'http-equiv="refresh" content="0;url=([^"]+)"', answer.text)
    assert place is not None
    return visit(place[1].replace("&amp;", "&"))


def whose(server: Server) -> str:
    """Tell whose browser it is."""
    found = re.search(r"<h1>([^<]+)</h1>", server.client.get("/account").text)
    return found[1] if found else ""


def read_role(server: Server, name: str) -> Role:
    return next(each.role for each in server.runtime.engine.read(accounts.list_people) if each.name == name)


def test_who_is_signed_in_links_its_account_and_comes_in_by_both(server: Server) -> None:
    name = enter(server)

    assert "Link with the identity provider" in server.client.get("/account").text
    assert come_back(server, begin(server)).status_code == 200

    assert "Linked" in server.client.get("/account?told=linked").text
    server.client.cookies.clear()
    sign_in(server)
    assert whose(server) == name
    assert read_role(server, name) is Role.ADMIN
    row = server.runtime.engine.read(audit.list_audit, 1, TrailFilter(action="person.link"))[0]
    assert (row.actor, row.subject) == (name, name)


def test_a_name_alone_links_nobody(server: Server, provider: IdentityProvider) -> None:
    name = enter(server)
    provider.person["preferred_username"] = name
    provider.person |= {"email": f"{name}@example.org", "email_verified": True}
    server.client.cookies.clear()

    sign_in(server)

    assert whose(server) == f"{name}-2"


def test_whom_the_provider_names_has_one_account(server: Server) -> None:
    sign_in(server)
    first = whose(server)
    server.client.cookies.clear()
    enter(server)

    answer = come_back(server, begin(server))

    assert answer.status_code == 409
    assert f"is {first} already" in answer.text


@pytest.mark.parametrize("change", ["signed out", "another browser"])
def test_a_link_is_finished_only_by_the_browser_that_is_signed_in(server: Server, change: str) -> None:
    name = enter(server)
    back = begin(server)

    if change == "signed out":
        send(server, "/sign-out", "/account")
    else:
        server.client.cookies.delete("memwiki_signing_in")

    assert come_back(server, back).status_code == 401
    sign_in(server)
    assert whose(server) != name


@pytest.mark.parametrize("password", ["", "not the password"])
def test_who_finds_a_browser_open_makes_no_way_in(server: Server, password: str) -> None:
    name = enter(server)

    answer = send(server, "/account/link", "/account", password=password)

    assert answer.status_code == 401
    assert 'role="alert"' in answer.text
    assert "refresh" not in answer.text
    row = server.runtime.engine.read(audit.list_audit, 1, TrailFilter(outcome="refused"))[0]
    assert (row.actor, row.action) == (name, "person.sign-in")


def test_an_access_token_links_nothing(server: Server) -> None:
    people = server.runtime.people
    secret = issuing.issue_token(people, ROOT, "root", NewToken("t", frozenset(Right))).secret

    answer = server.client.post("/account/link", data={}, headers={"authorization": f"Bearer {secret}"})

    assert answer.status_code == 403


def test_a_link_is_ended_by_its_person_while_there_is_another_way_in(server: Server) -> None:
    name = enter(server)
    come_back(server, begin(server))

    assert send(server, "/account/unlink", "/account").headers["location"] == "/sign-in"

    assert server.client.get("/account", headers={"accept": "text/html"}, follow_redirects=False).status_code == 303
    server.client.cookies.clear()
    sign_in(server)
    assert whose(server) != name
    kept = server.client.cookies[cookies.SESSION]
    assert send(server, "/account/unlink", "/account").status_code == 409
    assert server.client.cookies[cookies.SESSION] == kept


def test_an_administrator_links_and_unlinks(server: Server, provider: IdentityProvider) -> None:
    people, name = server.runtime.people, serving.new_name("by-admin")
    accounts.add_person(people, ROOT, NewPerson(name))
    header = {
        "authorization": f"Bearer {issuing.issue_token(people, ROOT, 'root', NewToken('t', frozenset(Right))).secret}"
    }

    def post(path: str, body: dict[str, Any]) -> httpx2.Response:
        return server.client.post(f"/api/v1/people/{name}/{path}", json=body, headers=header)

    assert post("link", {"subject": provider.person["sub"]}).status_code == 200
    sign_in(server)
    assert whose(server) == name
    listed = server.client.get("/api/v1/people", headers=header).json()["people"]
    assert [each["has_provider"] for each in listed if each["name"] == name] == [True]
    assert post("unlink", {}).status_code == 200
    assert post("unlink", {}).json()["code"] == "link_not_found"
    assert whose(server) == ""


def test_who_is_let_in_no_longer_by_the_provider_keeps_what_is_its_own_here(
    server: Server, provider: IdentityProvider
) -> None:
    name, people = enter(server), server.runtime.people
    linking.link(people, ROOT, name, issuer=provider.issuer, subject=provider.person["sub"])
    provider.person["groups"] = []
    mine = server.client.cookies[cookies.SESSION]

    assert sign_in(server).status_code == 403

    server.client.cookies.set(cookies.SESSION, mine)
    assert whose(server) == name
    assert read_role(server, name) is Role.ADMIN
