"""The recipes of proxies as they stand in `docker/`, run on loopback in front of a real server, with TLS."""

import json
import re
import ssl
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
from ruamel.yaml import YAML

from app.config import Settings
from tests import forking
from tests.e2e import proxies
from tests.e2e.proxies import CADDY, NGINX, Place, Proxy
from tests.server import Server, clean_environment, run_server, wait_for

pytestmark = pytest.mark.slow

HOOKS = Path(__file__).parents[2] / "hooks"
PASSWORD = "correct horse battery"
CLAIMED = {"x-forwarded-for": "203.0.113.5", "x-real-ip": "203.0.113.5", "forwarded": "for=203.0.113.5"}


@dataclass
class Front:
    """A proxy in front of a server, and a client that knows its certificate."""

    server: Server
    url: str
    certificate: Path
    token: str

    def open_client(self) -> httpx2.Client:
        context = ssl.create_default_context(cafile=str(self.certificate))
        return httpx2.Client(base_url=self.url, verify=context, trust_env=False)

    def list_addresses(self) -> set[str]:
        """List from where people signed in or failed to, as the trail says."""
        answer = self.server.client.get("/api/v1/audit", headers={"authorization": f"Bearer {self.token}"})
        return {row["address"] for row in answer.json()["entries"] if row["action"] == "person.sign-in"}


def memwiki(*words: str, given: str = "", **env: str) -> str:
    done = forking.run(words, env=clean_environment() | env, given=given)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module", params=[NGINX, CADDY], ids=lambda proxy: proxy.name)
def front(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Front]:
    proxy: Proxy = request.param
    if not proxy.find_program():
        print(f"skipped: {proxy.name} is not installed")
        pytest.skip(f"{proxy.name} is not installed")
    folder = tmp_path_factory.mktemp(proxy.name)
    tls, plain = proxies.find_port(), proxies.find_port()
    data, url = folder / "memwiki", f"https://localhost:{tls}"
    words = ("user", "add", "ann", "--admin", "--password-stdin", "--json", "--data-dir", str(data))
    token = json.loads(memwiki(*words, given=f"{PASSWORD}\n"))["token"]
    with run_server(data, MEMWIKI_PUBLIC_URL=url, MEMWIKI_TRUSTED_PROXIES="127.0.0.1") as server:
        place = Place(folder, tls, plain, server.port)
        proxies.make_certificate(place)
        with proxies.run(proxy, place):
            yield Front(server, url, place.certificate, token)


def sign_in(client: httpx2.Client, password: str = PASSWORD, **headers: str) -> httpx2.Response:
    form = re.search(r'name="form_token" value="([^"]+)"', client.get("/sign-in").text)
    assert form is not None
    fields = {"form_token": form[1], "name": "ann", "password": password}
    return client.post("/sign-in", data=fields, headers={"origin": str(client.base_url).rstrip("/"), **headers})


def test_a_person_signs_in_through_it_and_what_is_claimed_is_dropped(front: Front) -> None:
    with front.open_client() as client:
        assert sign_in(client, "wrong", **CLAIMED).status_code == 401
        answer = sign_in(client, **CLAIMED)

        assert answer.status_code == 303
        assert "secure" in answer.headers["set-cookie"].lower()
        assert client.get("/account", headers={"accept": "text/html"}).status_code == 200
    assert front.list_addresses() == {"127.0.0.1"}


def test_a_page_of_another_site_gains_nothing_through_it(front: Front) -> None:
    with front.open_client() as client:
        assert sign_in(client, origin="https://evil.example").status_code == 403
        rebound = client.get("/readyz", headers={"host": "evil.example"})
        # Caddy itself answers with nothing for a name that it does not serve.
        assert (rebound.status_code, rebound.text) == (200, "") or rebound.status_code == 403


def test_the_command_line_works_through_it(front: Front, tmp_path: Path) -> None:
    trust = {"SSL_CERT_FILE": str(front.certificate), "MEMWIKI_ACCESS_TOKEN": front.token, "HOME": str(tmp_path)}

    assert json.loads(memwiki("whoami", "--url", front.url, "--json", **trust))["person"] == "ann"


@pytest.mark.parametrize("size", [100, 9 * 1024 * 1024])
def test_events_come_through_it(front: Front, size: int) -> None:
    payload = {"session_id": f"s-{size}", "hook_event_name": "UserPromptSubmit", "prompt": "x" * size, "cwd": "/a/b"}
    place = "/hook?agent=claude-code&event=UserPromptSubmit"

    with front.open_client() as client:
        answer = client.post(place, json=payload, headers={"authorization": f"Bearer {front.token}"}, timeout=30)

    assert answer.status_code == 202, answer.text


@pytest.mark.parametrize("client", ["python", "curl"])
def test_hooks_come_through_it_by_either_client_with_an_authority_of_ones_own(
    front: Front, tmp_path: Path, client: str
) -> None:
    name = f"hooked-{client}"
    payload = {"session_id": name, "hook_event_name": "UserPromptSubmit", "prompt": "Look.", "cwd": str(tmp_path)}
    trust = {"SSL_CERT_FILE": str(front.certificate), "CURL_CA_BUNDLE": str(front.certificate)}
    own = {"HOME": str(tmp_path), "MEMWIKI_ACCESS_TOKEN": front.token, "MEMWIKI_HOOK_PATIENCE": "20"}
    words = ["--agent", "claude-code", "--event", "UserPromptSubmit", "--url", front.url]
    # Without Python there is nobody to whom the script could leave the event.
    by_curl = ["sh", str(HOOKS / "send_event.sh"), *words, "--python", "/nonexistent"]
    command = by_curl if client == "curl" else [sys.executable, "-I", "-S", str(HOOKS / "send_event.py"), *words]

    done = subprocess.run(
        command, input=json.dumps(payload).encode(), env=clean_environment() | own | trust, cwd=tmp_path,
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, b"")
    header = {"authorization": f"Bearer {front.token}"}
    place = f"/api/v1/sessions/{name}"
    wait_for(lambda: front.server.client.get(place, headers=header).status_code == 200, "it is kept")


def test_the_recipe_for_traefik_says_what_the_others_do() -> None:
    text = (proxies.DOCKER / "traefik.yaml").read_text(encoding="utf-8")
    parts = YAML(typ="safe").load(text)["http"]

    router = parts["routers"]["memwiki"]
    assert router["rule"] == "Host(`memory.example.org`)"
    assert router["service"] in parts["services"]
    assert set(router["middlewares"]) == set(parts["middlewares"])
    assert "tls" in router
    dropped = parts["middlewares"]["memwiki-marks"]["headers"]["customRequestHeaders"]
    assert dropped == {"Forwarded": ""}
    behind = parts["services"]["memwiki"]["loadBalancer"]
    assert behind["servers"] == [{"url": "http://127.0.0.1:7470"}]
    assert behind["responseForwarding"]["flushInterval"] == "-1ms"
    assert "MEMWIKI_TRUSTED_PROXIES=127.0.0.1" in text


def test_all_recipes_lead_to_the_port_that_is_served_by_default() -> None:
    port = Settings.model_fields["port"].default

    for recipe in ("Caddyfile", "nginx.conf", "traefik.yaml"):
        assert f"127.0.0.1:{port}" in (proxies.DOCKER / recipe).read_text(encoding="utf-8")
