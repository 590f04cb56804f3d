"""`memwiki login` and `logout`: a machine is signed in and out, and nothing of it can be read by others."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.domain import limits
from tests import forking, idp
from tests.idp import IdentityProvider
from tests.server import Server, clean_environment, run_server

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def provider() -> Iterator[IdentityProvider]:
    with idp.serve() as running:
        running.approves_at_once = True
        yield running


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, provider: IdentityProvider) -> Iterator[Server]:
    """A server with an administrator of its own, and a provider."""
    folder = tmp_path_factory.mktemp("login") / "memwiki"
    memwiki(folder, "user", "add", "root", "--admin", "--password-stdin", "--data-dir", str(folder), given=PASSWORD)
    settings = {
        "MEMWIKI_OIDC_ISSUER": provider.issuer,
        "MEMWIKI_OIDC_CLIENT_ID": idp.CLIENT_ID,
        "MEMWIKI_OIDC_CLIENT_SECRET": idp.CLIENT_SECRET,
        "MEMWIKI_OIDC_MEMBER_GROUPS": "staff",
    }
    with run_server(folder, **settings) as running:
        yield running


def memwiki(home: Path, *words: str, given: str = "", code: int = 0) -> str:
    """Run a command as somebody with a home of its own."""
    env = clean_environment() | {"HOME": str(home), "XDG_DATA_HOME": str(home / "data")}
    done = forking.run(words, env=env, given=f"{given}\n")
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout if code == 0 else done.stderr


def ask(home: Path, server: Server, *words: str, given: str = "") -> Any:  # noqa: ANN401 - JSON
    return json.loads(memwiki(home, *words, "--url", server.url, "--json", given=given))


def test_a_machine_is_signed_in_by_the_provider_and_out_again(tmp_path: Path, real: Server) -> None:
    told = ask(tmp_path, real, "login", "--device")
    kept = Path(told["file"])

    assert told["person"] == "ann"
    assert kept.stat().st_mode & 0o777 == 0o600
    secret = kept.read_text(encoding="utf-8").strip()
    assert secret not in json.dumps(told)
    assert ask(tmp_path, real, "whoami")["person"] == "ann"

    assert ask(tmp_path, real, "logout")["signed_out"]
    assert not kept.exists()
    assert "not signed in" in memwiki(tmp_path, "logout", "--url", real.url, code=2)
    kept.write_text(secret, encoding="utf-8")
    assert "revoked" in memwiki(tmp_path, "whoami", "--url", real.url, code=4)


def test_a_machine_is_signed_in_by_name_and_password(tmp_path: Path, real: Server) -> None:
    told = ask(tmp_path, real, "login", "--name", "root", "--password-stdin", given=PASSWORD)

    assert told["person"] == "root"
    listed = ask(tmp_path, real, "token", "list")["tokens"]
    assert f"login on {socket.gethostname()}"[:60] in [token["name"] for token in listed]


def test_guessing_a_password_is_stopped_here_too(real: Server) -> None:
    for _ in range(limits.SIGN_IN_FAILURES_MAX):
        answer = real.client.post("/api/v1/login/password", json={"name": "nobody", "password": "wrong"})
        assert answer.status_code == 401

    answer = real.client.post("/api/v1/login/password", json={"name": "nobody", "password": "wrong"})

    assert (answer.status_code, answer.json()["code"]) == (429, "sign_ins_throttled")
