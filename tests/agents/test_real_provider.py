"""Signing in by an identity provider that others wrote: `oidc-provider` for Node, fetched by npm, on loopback."""

import json
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urljoin

import httpx2
import pytest

from tests import idp
from tests.agents import fetch
from tests.server import Server, read_line, run_server, wait_for

pytestmark = [pytest.mark.agents, pytest.mark.slow]

PACKAGE = "oidc-provider@9.13.3"
FORMS_MAX = 30
SERVE = r"""
import Provider from 'oidc-provider';
const [port, back, mcp, id, secret] = process.argv.slice(1);
const told = { preferred_username: 'ann', email: 'ann@example.org', email_verified: true, groups: ['staff'] };
const device = 'urn:ietf:params:oauth:grant-type:device_code';
new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: id, client_secret: secret, redirect_uris: [back], response_types: ['code'],
    grant_types: ['authorization_code', device] }],
  findAccount: async (_, sub) => ({ accountId: sub, claims: async () => ({ sub, ...told }) }),
  claims: { openid: ['sub'], profile: ['preferred_username', 'groups'], email: ['email', 'email_verified'] },
  pkce: { required: () => true },
  features: { deviceFlow: { enabled: true }, devInteractions: { enabled: true } },
}).listen(Number(port), '127.0.0.1', () => console.log('ready'));
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose people come from that provider."""
    lack = fetch.install("oidc-provider", PACKAGE) or ("" if shutil.which("node") else "node is not there")
    if lack:
        print(f"skipped: {lack}")
        pytest.skip(lack)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = {
        "MEMWIKI_OIDC_ISSUER": f"http://127.0.0.1:{port}",
        "MEMWIKI_OIDC_CLIENT_ID": idp.CLIENT_ID,
        "MEMWIKI_OIDC_CLIENT_SECRET": idp.CLIENT_SECRET,
        "MEMWIKI_OIDC_MEMBER_GROUPS": "staff",
    }
    with (
        run_server(tmp_path_factory.mktemp("provided") / "memwiki", **settings) as running,
        run_provider(port, running),
    ):
        yield running


@contextmanager
def run_provider(port: int, server: Server) -> Iterator[None]:
    words = (str(port), f"{server.url}/sign-in/oidc/back", f"{server.url}/mcp", idp.CLIENT_ID, idp.CLIENT_SECRET)
    with subprocess.Popen(
        ["node", "--input-type=module", "-e", SERVE, *words],
        cwd=fetch.find_cache() / "oidc-provider",
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            assert read_line(process.stdout, 60.0).strip() == b"ready"
            yield
        finally:
            process.terminate()


def browse(browser: httpx2.Client, url: str, home: str) -> httpx2.Response:
    """Follow where one is led, and fill in the provider's forms, until one is home or there is none."""
    answer = browser.get(url)
    for _ in range(FORMS_MAX):
        if answer.is_redirect:
            answer = browser.get(urljoin(str(answer.url), answer.headers["location"]))
            continue
        form = re.search(r'<form[^>]*action="([^"]+)"', answer.text)
        if str(answer.url).startswith(home) or form is None:
            break
        fields = dict(re.findall(r'<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"', answer.text))
        typed = {"login": "u-77", "password": "anything"}
        fields |= {name: value for name, value in typed.items() if f'name="{name}"' in answer.text}
        answer = browser.post(urljoin(str(answer.url), form[1].replace("&amp;", "&")), data=fields)
    return answer


def test_a_person_signs_in_with_a_browser(server: Server) -> None:
    with httpx2.Client(trust_env=False, timeout=30) as browser:
        answer = browse(browser, f"{server.url}/sign-in/oidc?next=/status", server.url)

        assert (answer.status_code, 'content="0;url=/status"' in answer.text) == (200, True), answer.text
        account = browser.get(f"{server.url}/account", headers={"accept": "text/html"})
        assert "<h1>ann</h1>" in account.text


def test_a_machine_without_a_browser_is_signed_in(server: Server) -> None:
    begun = server.client.post("/api/v1/login/device", json={}).json()
    with httpx2.Client(trust_env=False, timeout=30) as browser:
        browse(browser, begun["page_with_code"], server.url)

    def poll() -> str:
        answer = server.client.post("/api/v1/login/device/poll", json={"handle": begun["handle"]})
        assert answer.status_code == 200, answer.text
        return str(json.loads(answer.text).get("token", ""))

    token = wait_for(poll, "the person has signed in")

    who = server.client.get("/api/v1/whoami", headers={"authorization": f"Bearer {token}"})
    assert who.json()["person"] == "ann"
