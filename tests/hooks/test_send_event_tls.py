"""The hook client against a server whose certificate nobody should trust: nothing is told to it, nothing is lost."""

import os
import socket
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.hooks.conftest import PAYLOAD, Client


def write_certificate(folder: Path, ends_at: datetime) -> Path:
    """Write a self-signed certificate for localhost with its key into one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(ends_at - timedelta(days=30))
        .not_valid_after(ends_at)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / "server.pem"
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def tls_port(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[int, list[bytes]]]:
    """Serve TLS with a certificate that ended or that nobody vouches for; collects what clients say in it."""
    days = -1 if request.param == "expired" else 30
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(write_certificate(tmp_path, datetime.now(UTC) + timedelta(days=days)))
    heard: list[bytes] = []

    def run() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            try:
                with context.wrap_socket(connection, server_side=True) as secured:
                    heard.append(secured.recv(65536))
            except OSError:
                connection.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        yield listener.getsockname()[1], heard
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(5)


@pytest.mark.parametrize("tls_port", ["expired", "unknown"], indirect=True)
@pytest.mark.parametrize("shell", ["", "sh"], ids=["python", "curl"])
def test_a_server_with_a_bad_certificate_is_told_nothing_and_costs_no_event(
    tls_port: tuple[int, list[bytes]], client: Client, shell: str
) -> None:
    port, heard = tls_port
    client.shell, client.environ = shell, {"PATH": os.environ["PATH"], "HOME": str(client.cwd)}

    run = client.send(f"https://localhost:{port}", "Stop", PAYLOAD | {"cwd": str(client.cwd)})

    assert (run.code, run.stdout, run.stderr) == (0, b"", b"")
    client.wait_for_entries(1)
    assert [text for text in heard if text] == []
