"""The proxies whose recipes stand in `docker/`, run on loopback with TLS and a certificate of our own."""

import ipaddress
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.server import wait_for

DOCKER = Path(__file__).parents[2] / "docker"
PROGRAMS = f"{os.environ.get('PATH', '')}:/usr/sbin"


@dataclass(frozen=True)
class Place:
    """Where a proxy listens, with TLS and without, and what stands behind it."""

    folder: Path
    tls: int
    plain: int
    inner: int

    @property
    def certificate(self) -> Path:
        return self.folder / "localhost.crt"

    @property
    def key(self) -> Path:
        return self.folder / "localhost.key"


@dataclass(frozen=True)
class Proxy:
    """A program, and how it is run on its recipe as that stands in `docker/`."""

    name: str
    build_command: Callable[[Place, str], Sequence[str]]

    def find_program(self) -> str:
        return shutil.which(self.name, path=PROGRAMS) or ""


def make_certificate(place: Place) -> None:
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
    place.certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    place.key.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))


def find_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def fill(recipe: str, changes: Mapping[str, str]) -> str:
    """Take a recipe with the names and ports of a test in place of its own."""
    text = (DOCKER / recipe).read_text(encoding="utf-8")
    for own, ours in changes.items():
        assert own in text
        text = text.replace(own, ours)
    return text


@contextmanager
def run(proxy: Proxy, place: Place) -> Iterator[None]:
    """Run a proxy until the block ends."""
    log = place.folder / "proxy.log"
    home = {"HOME": str(place.folder), "XDG_DATA_HOME": str(place.folder), "XDG_CONFIG_HOME": str(place.folder)}
    command = proxy.build_command(place, proxy.find_program())
    with (
        log.open("wb") as said,
        subprocess.Popen(command, stdout=said, stderr=said, env={"PATH": PROGRAMS, **home}) as process,
    ):
        try:
            wait_for(lambda: process.poll() is not None or _answers(place.tls), f"{proxy.name} listens")
            assert process.poll() is None, log.read_text(encoding="utf-8")
            yield
        finally:
            process.terminate()


def _build_nginx(place: Place, program: str) -> Sequence[str]:
    recipe = fill(
        "nginx.conf",
        {
            "listen 443 ssl": f"listen 127.0.0.1:{place.tls} ssl",
            "listen 80": f"listen 127.0.0.1:{place.plain}",
            "memory.example.org;": "localhost;",
            "/etc/nginx/tls/memory.example.org.crt": str(place.certificate),
            "/etc/nginx/tls/memory.example.org.key": str(place.key),
            "127.0.0.1:7470": f"127.0.0.1:{place.inner}",
        },
    )
    kinds, folder = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"), place.folder
    temps = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    user = "user root;" if os.getuid() == 0 else ""
    path = folder / "nginx.conf"
    path.write_text(
        f"{user} pid {folder}/nginx.pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {temps}\n{recipe}\n}}\n",
        encoding="utf-8",
    )
    return [program, "-p", str(folder), "-c", str(path), "-e", str(folder / "error.log"), "-g", "daemon off;"]


def _build_caddy(place: Place, program: str) -> Sequence[str]:
    # Caddy would ask an authority for a certificate; this one is ours.
    site = f"localhost:{place.tls} {{\n\ttls {place.certificate} {place.key}"
    changes = {"{$MEMWIKI_NAME:memory.example.org} {": site, "127.0.0.1:7470": f"127.0.0.1:{place.inner}"}
    options = f"{{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port {place.plain}\n}}\n"
    path = place.folder / "Caddyfile"
    path.write_text(options + fill("Caddyfile", changes), encoding="utf-8")
    return [program, "run", "--adapter", "caddyfile", "--config", str(path)]


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


NGINX, CADDY = Proxy("nginx", _build_nginx), Proxy("caddy", _build_caddy)
