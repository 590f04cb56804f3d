"""The recipe for nginx as it stands in `docker/`, run on loopback in front of a real server, with TLS."""

import ipaddress
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.server import Server, clean_environment, run_server, wait_for

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PASSWORD = "correct horse battery"
CLAIMED = {"x-forwarded-for": "203.0.113.5", "x-real-ip": "203.0.113.5", "forwarded": "for=203.0.113.5"}


@dataclass
class Front:
    """nginx in front of a server, and a client that knows its certificate."""

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


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate of an authority of our own, for loopback."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, secret = folder / "localhost.crt", folder / "localhost.key"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    secret.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))
    return certificate, secret


def find_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def fill_recipe(folder: Path, ports: tuple[int, int, int]) -> Path:
    """Take the recipe with the names and ports of this test in place of its own."""
    tls, plain, inner = ports
    certificate, secret = folder / "localhost.crt", folder / "localhost.key"
    recipe = (ROOT / "docker" / "nginx.conf").read_text(encoding="utf-8")
    for own, ours in (
        ("listen 443 ssl", f"listen 127.0.0.1:{tls} ssl"),
        ("listen 80", f"listen 127.0.0.1:{plain}"),
        ("memory.example.org;", "localhost;"),
        ("/etc/nginx/tls/memory.example.org.crt", str(certificate)),
        ("/etc/nginx/tls/memory.example.org.key", str(secret)),
        ("127.0.0.1:7470", f"127.0.0.1:{inner}"),
    ):
        assert own in recipe
        recipe = recipe.replace(own, ours)
    temps = " ".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.getuid() == 0 else ""
    path = folder / "nginx.conf"
    path.write_text(
        f"{user} pid {folder}/nginx.pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {temps}\n{recipe}\n}}\n",
        encoding="utf-8",
    )
    return path


@contextmanager
def run_nginx(folder: Path, ports: tuple[int, int, int]) -> Iterator[None]:
    program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    assert program
    words = [program, "-p", str(folder), "-c", str(fill_recipe(folder, ports)), "-e", str(folder / "error.log")]
    with subprocess.Popen([*words, "-g", "daemon off;"], stderr=subprocess.DEVNULL) as process:
        try:
            wait_for(lambda: process.poll() is not None or _answers(ports[0]), "nginx listens")
            assert process.poll() is None, (folder / "error.log").read_text(encoding="utf-8")
            yield
        finally:
            process.terminate()


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def memwiki(*words: str, given: str = "", **env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "app.entrypoints.cli.main", *words],
        env=clean_environment() | env,
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    if shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin") is None:
        print("skipped: nginx is not installed")
        pytest.skip("nginx is not installed")
    folder = tmp_path_factory.mktemp("nginx")
    certificate, _ = make_certificate(folder)
    tls, plain = find_port(), find_port()
    data = folder / "memwiki"
    words = ("user", "add", "ann", "--admin", "--password-stdin", "--json", "--data-dir", str(data))
    token = json.loads(memwiki(*words, given=f"{PASSWORD}\n"))["token"]
    url = f"https://localhost:{tls}"
    with (
        run_server(data, MEMWIKI_PUBLIC_URL=url, MEMWIKI_TRUSTED_PROXIES="127.0.0.1") as server,
        run_nginx(folder, (tls, plain, server.port)),
    ):
        yield Front(server, url, certificate, token)


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
        assert client.get("/readyz", headers={"host": "evil.example"}).status_code == 403


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
