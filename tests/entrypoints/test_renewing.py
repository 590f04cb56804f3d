"""The cookie of a browser that is used for long: it is replaced, and nobody is signed out by that."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
import sqlalchemy as sa

from app.access import accounts, renewing, signing_in
from app.access.accounts import NewPerson
from app.access.signing_in import Attempt, Throttle
from app.domain.limits_people import WEB_SECRET_OVERLAP_SECONDS, WEB_SECRET_SECONDS
from app.domain.person import Role
from app.entrypoints import cookies
from tests.entrypoints import serving
from tests.entrypoints.rights import ROOT
from tests.entrypoints.serving import Server, find_bytes

PASSWORD = "correct horse battery"
MOMENTS = ("created_at", "renewed_at", "next_at", "former_until")


@dataclass
class Signed:
    """Somebody who is signed in with a browser."""

    server: Server
    secret: str

    def open(self, secret: str) -> httpx2.Response:
        """Look at a page with a cookie."""
        header = {"cookie": f"{cookies.SESSION}={secret}"}
        return self.server.client.get("/account", headers=header, follow_redirects=False)

    def wait(self, seconds: int) -> None:
        """Let time go by, as far as secrets are concerned."""
        moved = ", ".join(f"{name} = {name} - {seconds * 1_000_000}" for name in MOMENTS)
        move = sa.text(f"UPDATE web_sessions SET {moved}")  # noqa: S608 - our own names
        self.server.runtime.writer.submit(lambda conn: conn.execute(move)).result(20)
        self.server.runtime.gate.forget()


def read_cookie(answer: httpx2.Response) -> str:
    """Read the secret that an answer gives; empty where it gives none."""
    told = answer.headers.get("set-cookie", "")
    return told.partition("=")[2].partition(";")[0] if told.startswith(cookies.SESSION) else ""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[Server]:
    with serving.serve(tmp_path_factory.mktemp("renewing") / "memwiki", template=template) as running:
        accounts.add_person(running.runtime.people, ROOT, NewPerson("ann", Role.ADMIN, PASSWORD))
        yield running


@pytest.fixture
def signed(server: Server) -> Signed:
    runtime = server.runtime
    secret = signing_in.sign_in(runtime.people, runtime.gate, Throttle(), Attempt("192.0.2.1", "ann", PASSWORD))
    server.client.cookies.clear()
    return Signed(server, secret)


def test_a_cookie_stays_what_it_is_within_its_hour(signed: Signed) -> None:
    assert read_cookie(signed.open(signed.secret)) == ""

    signed.wait(WEB_SECRET_SECONDS - 10)

    answer = signed.open(signed.secret)
    assert (answer.status_code, read_cookie(answer)) == (200, "")


def test_after_an_hour_of_use_another_takes_its_place(signed: Signed) -> None:
    signed.wait(WEB_SECRET_SECONDS)

    answer = signed.open(signed.secret)

    fresh = read_cookie(answer)
    assert fresh not in {"", signed.secret}
    assert {"HttpOnly", "SameSite=strict", "Path=/"} < set(answer.headers["set-cookie"].split("; "))
    assert "ann" in signed.open(fresh).text
    assert find_bytes(signed.server.folder, fresh) == []


def test_what_was_under_way_with_the_former_one_is_answered_and_what_comes_later_is_not(signed: Signed) -> None:
    signed.wait(WEB_SECRET_SECONDS)
    fresh = read_cookie(signed.open(signed.secret))
    signed.open(fresh)

    at_once = signed.open(signed.secret)
    signed.wait(WEB_SECRET_OVERLAP_SECONDS)

    assert (at_once.status_code, read_cookie(at_once)) == (200, "")
    assert signed.open(signed.secret).status_code == 401
    assert signed.open(fresh).status_code == 200


def test_of_requests_that_come_at_once_one_is_given_another(signed: Signed) -> None:
    signed.wait(WEB_SECRET_SECONDS)

    given = [read_cookie(signed.open(signed.secret)) for _ in range(4)]

    assert [bool(secret) for secret in given] == [True, False, False, False]


def test_an_answer_that_got_lost_signs_nobody_out(signed: Signed) -> None:
    signed.wait(WEB_SECRET_SECONDS)
    lost = read_cookie(signed.open(signed.secret))
    signed.wait(WEB_SECRET_SECONDS)

    again = signed.open(signed.secret)

    assert again.status_code == 200
    assert read_cookie(again) not in {"", lost}
    assert signed.open(lost).status_code == 401


def test_who_is_signed_out_from_afar_has_no_cookie_left(signed: Signed) -> None:
    signed.wait(WEB_SECRET_SECONDS)
    fresh = read_cookie(signed.open(signed.secret))
    people = signed.server.runtime.people
    found = people.engine.read(signing_in.list_sign_ins, people.clock.now())

    for session in found:
        signing_in.end_sign_in(people, ROOT, session.id)

    assert [signed.open(secret).status_code for secret in (signed.secret, fresh)] == [401, 401]
    assert renewing.renew(people, fresh.encode()) is None
