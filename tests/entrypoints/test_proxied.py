"""Behind a proxy: who is believed of whom a request comes from, and that nothing is open to who comes through one."""

import ipaddress
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from app.access import accounts
from app.access.accounts import NewPerson
from app.domain.person import Role
from app.entrypoints.http.proxied import Proxied
from app.state import audit
from tests.entrypoints import serving
from tests.entrypoints.rights import ROOT
from tests.entrypoints.serving import Server

NETWORKS = ("10.0.0.0/8", "127.0.0.1/32", "fd00::/8")


async def heard(peer: str, headers: Mapping[str, str]) -> Scope:
    """Pass a request through; gives what the application sees of it."""
    seen: list[Scope] = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        del receive, send
        seen.append(scope)

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        del message

    sent = [(name.encode(), value.encode()) for name, value in {"host": "inner:7470", **headers}.items()]
    scope = {"type": "http", "scheme": "http", "client": (peer, 5000), "headers": sent}
    await Proxied(application, [ipaddress.ip_network(network) for network in NETWORKS])(scope, receive, send)
    return seen[0]


@pytest.mark.parametrize(
    ("peer", "said", "address"),
    [
        ("127.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("127.0.0.1", "1.2.3.4, 198.51.100.7", "198.51.100.7"),
        ("127.0.0.1", "198.51.100.7, 10.1.1.1, 10.2.2.2", "198.51.100.7"),
        ("127.0.0.1", "10.1.1.1", "10.1.1.1"),
        ("127.0.0.1", "198.51.100.7:4711", "198.51.100.7"),
        ("127.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"),
        ("127.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"),
        ("fd00::1", '"[2001:db8::1]"', "2001:db8::1"),
        ("127.0.0.1", "198.51.100.7, unknown", "127.0.0.1"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("192.0.2.1", "127.0.0.1", "192.0.2.1"),
        ("testclient", "127.0.0.1", "testclient"),
    ],
)
@pytest.mark.anyio
async def test_the_nearest_address_that_is_no_proxy_asks(peer: str, said: str, address: str) -> None:
    assert (await heard(peer, {"x-forwarded-for": said}))["client"][0] == address


@pytest.mark.anyio
async def test_a_proxy_is_believed_about_name_and_encryption() -> None:
    said = {"x-forwarded-proto": "https", "x-forwarded-host": "memory.example", "forwarded": "for=1.2.3.4"}

    believed, doubted = await heard("10.0.0.1", said), await heard("192.0.2.1", said)

    assert (believed["scheme"], dict(believed["headers"])) == ("https", {b"host": b"memory.example"})
    assert (doubted["scheme"], dict(doubted["headers"])[b"host"]) == ("http", b"inner:7470")


@pytest.mark.anyio
async def test_of_several_words_the_last_proxys_counts() -> None:
    said = {"x-forwarded-proto": "https, http", "x-forwarded-host": "evil.example, memory.example"}

    believed = await heard("10.0.0.1", said)

    assert (believed["scheme"], dict(believed["headers"])[b"host"]) == ("http", b"memory.example")
    assert (await heard("10.0.0.1", {"x-forwarded-proto": "gopher"}))["scheme"] == "http"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[Server]:
    """A server behind a proxy on this machine, with an administrator."""
    settings = {"trusted_proxies": "127.0.0.0/8", "public_url": "https://memory.example"}
    with serving.serve(tmp_path_factory.mktemp("behind") / "memwiki", template=template, **settings) as server:
        accounts.add_person(server.runtime.people, ROOT, NewPerson("ann", Role.ADMIN, "correct horse battery"))
        yield server


def through(server: Server, peer: str = "127.0.0.1") -> TestClient:
    """Come through a proxy that writes what it should."""
    said = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https", "x-forwarded-host": "memory.example"}
    return TestClient(server.client.app, base_url="http://127.0.0.1:7470", headers=said, client=(peer, 5000))


def test_behind_a_trusted_proxy_names_cookies_and_the_trail_are_right(proxied: Server) -> None:
    browser = through(proxied)
    form = re.search(r'name="form_token" value="([^"]+)"', browser.get("/sign-in").text)
    assert form is not None
    fields = {"form_token": form[1], "name": "ann", "password": "correct horse battery"}

    answer = browser.post("/sign-in", data=fields, headers={"origin": "https://memory.example"}, follow_redirects=False)

    assert answer.status_code == 303
    assert "secure" in answer.headers["set-cookie"].lower()
    rows = proxied.runtime.engine.read(audit.list_audit, 5)
    assert any('"203.0.113.9"' in row.context for row in rows if row.action == "person.sign-in")


def test_anybody_elses_word_about_the_name_is_not_taken(proxied: Server) -> None:
    answer = through(proxied, "192.0.2.1").get("/readyz", headers={"host": "evil.example"})

    assert (answer.status_code, answer.json()["code"]) == (403, "host_refused")


@pytest.mark.parametrize("mark", ["x-forwarded-for", "forwarded", "x-real-ip", "x-forwarded-proto", "x-forwarded-host"])
@pytest.mark.parametrize("path", ["/healthz", "/api/v1/projects", "/", "/api/v1/login"])
def test_an_open_server_is_not_open_through_a_proxy(shared: Server, mark: str, path: str) -> None:
    answer = shared.client.get(path, headers={mark: "127.0.0.1"})

    assert (answer.status_code, answer.json()["code"]) == (403, "forwarded_open")
