"""The container's files, checked as far as that goes without a Docker engine: by rules, and by running the scripts."""

import fnmatch
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.config import load_settings
from tests.server import Server, clean_environment, run_server

ROOT = Path(__file__).parents[2]
ENTRYPOINT = ROOT / "docker" / "entrypoint.sh"
HEALTHCHECK = ROOT / "docker" / "healthcheck.py"
NOBODY = 65534
TOKEN = "mw_a-secret-of-the-test"


def list_instructions() -> Iterator[tuple[str, str]]:
    """Read the Dockerfile as instructions with their arguments, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            name, _, rest = line.strip().partition(" ")
            yield name.upper(), " ".join(rest.split())


def list_arguments(instruction: str) -> list[str]:
    return [rest for name, rest in list_instructions() if name == instruction]


def is_ignored(place: str) -> bool:
    """Tell whether .dockerignore keeps a place out of the build: the last line that fits decides."""
    ignored = False
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        pattern = line.removeprefix("!").strip("/")
        parts = place.split("/")
        parents = ["/".join(parts[: count + 1]) for count in range(len(parts))]
        if pattern and any(fnmatch.fnmatchcase(f"./{each}", f"*/{pattern.removeprefix('**/')}") for each in parents):
            ignored = not line.startswith("!")
    return ignored


def read_pins(path: Path) -> dict[str, set[str]]:
    """Read a lock file: each pinned requirement with the hashes of its files."""
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {words[0]: {word for word in words if word.startswith("--hash=")} for words in lines}


def test_every_base_image_names_its_version() -> None:
    images = list_arguments("FROM")

    assert images
    assert [
        image for image in images if not re.match(r"[\w./-]+:\d+\.\d+[\w.-]*(@sha256:\w{64})?( AS \w+)?$", image)
    ] == []


def test_the_server_does_not_run_as_root() -> None:
    names = [name for name, _ in list_instructions()]
    last = len(names) - 1 - names[::-1].index("USER")

    assert list_arguments("USER")[-1] not in {"root", "0", "0:0"}
    assert last < names.index("ENTRYPOINT")
    assert "FROM" not in names[last:]


def test_files_are_copied_from_places_that_exist_and_are_sent_to_the_engine() -> None:
    copied = [rest.split() for rest in list_arguments("COPY") if "--from=" not in rest]
    sources = [word for words in copied for word in words[:-1] if not word.startswith("--")]

    assert list_arguments("ADD") == []
    assert {"app", "hooks", "migrations", "docker/runtime.lock"} <= set(sources)
    assert [source for source in sources if not (ROOT / source).exists() or is_ignored(source)] == []


@pytest.mark.parametrize(
    "place", [".git/config", ".venv/bin/python", "tests/server.py", "secrets/access_token", "x.db"]
)
def test_what_no_image_needs_is_not_sent_to_the_engine(place: str) -> None:
    assert is_ignored(place)


def test_packages_leave_no_lists_and_no_caches_behind() -> None:
    runs = list_arguments("RUN")

    for command in runs:
        if "apt-get install" in command:
            assert "apt-get update" in command
            assert "--no-install-recommends" in command
            assert command.index("rm -rf /var/lib/apt/lists") > command.index("apt-get install")
        assert command.count("pip install") == command.count("pip install --no-cache-dir")
        assert "sudo" not in command
        assert "curl" not in command


def test_programs_are_started_without_a_shell_between_them_and_the_signals() -> None:
    (entrypoint,), (command,) = list_arguments("ENTRYPOINT"), list_arguments("CMD")

    assert json.loads(entrypoint) == ["memwiki-entrypoint"]
    assert json.loads(command) == ["serve"]
    assert re.search(r"^exec memwiki ", ENTRYPOINT.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_image_says_how_its_health_is_asked_for() -> None:
    (health,), (port,) = list_arguments("HEALTHCHECK"), list_arguments("EXPOSE")
    words = json.loads(health[health.index("[") :])

    assert any(rest.endswith(f" {words[-1]}") for rest in list_arguments("COPY"))
    assert f"MEMWIKI_PORT={port}" in list_arguments("ENV")[0]


def test_the_image_installs_what_was_tested_and_nothing_of_the_workshop() -> None:
    tested, shipped = read_pins(ROOT / "requirements.lock"), read_pins(ROOT / "docker" / "runtime.lock")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {pin.partition("==")[0].lower() for pin in shipped}
    wanted = {re.match(r"[\w.-]+", line)[0].lower() for line in project["dependencies"]}  # type: ignore[index]

    assert {pin: hashes for pin, hashes in shipped.items() if tested.get(pin) != hashes} == {}
    assert all(shipped.values())
    assert wanted <= names
    assert names.isdisjoint({"pytest", "ruff", "mypy", "hypothesis", "hatchling", "editables"})


@pytest.fixture
def compose() -> dict[str, Any]:
    """Read compose.yaml."""
    found: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    return found


def test_the_composed_service_can_write_its_data_and_nothing_else(compose: dict[str, Any]) -> None:
    service = compose["services"]["memwiki"]

    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["tmpfs"] == ["/tmp"]
    assert service["volumes"] == ["data:/data"]
    assert "data" in compose["volumes"]


def test_the_composed_service_is_reached_from_its_machine_with_a_secret(compose: dict[str, Any]) -> None:
    service = compose["services"]["memwiki"]

    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert service["secrets"] == ["access_token"]
    assert service["environment"]["MEMWIKI_ACCESS_TOKEN_FILE"] == "/run/secrets/access_token"
    assert compose["secrets"]["access_token"]["file"].startswith("./secrets/")


def test_tls_is_a_profile_whose_proxy_alone_is_believed(compose: dict[str, Any]) -> None:
    caddy, named = compose["services"]["caddy"], (ROOT / "compose.yaml").read_text(encoding="utf-8")
    recipe = (ROOT / "docker" / "Caddyfile").read_text(encoding="utf-8")
    address = caddy["networks"]["default"]["ipv4_address"]
    asked = set(re.findall(r"\{\$(\w+)", recipe))

    assert caddy["profiles"] == ["tls"]
    assert "profiles" not in compose["services"]["memwiki"]
    assert set(caddy["environment"]) == asked
    assert f"MEMWIKI_TRUSTED_PROXIES={address}\n" in named
    assert ip_address(address) in ip_network(compose["networks"]["default"]["ipam"]["config"][0]["subnet"])
    assert "./docker/Caddyfile:/etc/caddy/Caddyfile:ro" in caddy["volumes"]
    assert (caddy["read_only"], caddy["cap_drop"], caddy["cap_add"]) == (True, ["ALL"], ["NET_BIND_SERVICE"])


def test_variables_of_compose_that_are_not_set_leave_the_server_as_it_is(
    compose: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = compose["services"]["memwiki"]["environment"]
    optional = {name for name, value in given.items() if value == f"${{{name}:-}}"}
    for name in optional:
        monkeypatch.setenv(name, "")

    settings = load_settings(data_dir=tmp_path)

    assert optional == {"MEMWIKI_PUBLIC_URL", "MEMWIKI_TRUSTED_PROXIES"}
    assert (settings.public_url, settings.trusted_proxies) == ("", [])


def test_compose_itself_accepts_the_file(tmp_path: Path) -> None:
    if not shutil.which("docker"):
        pytest.skip("there is no docker program here, so compose cannot be asked")
    known = subprocess.run(["docker", "compose", "version"], capture_output=True, timeout=30, check=False)
    if known.returncode != 0:
        pytest.skip("this docker program has no compose, so it cannot be asked")
    shutil.copy(ROOT / "compose.yaml", tmp_path)

    asked = subprocess.run(
        ["docker", "compose", "config", "-q"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )

    assert (asked.returncode, asked.stderr) == (0, "")


def run_entrypoint(data_dir: Path, *arguments: str, **env: str) -> "subprocess.CompletedProcess[str]":
    """Run the entry point as a user without rights; root can write everywhere, so it would notice nothing."""
    environment = clean_environment() | {"MEMWIKI_DATA_DIR": str(data_dir)} | env
    is_root = hasattr(os, "getuid") and os.getuid() == 0
    return subprocess.run(
        ["sh", str(ENTRYPOINT), *arguments],
        capture_output=True,
        text=True,
        env=environment,
        cwd="/",
        timeout=30,
        check=False,
        user=NOBODY if is_root else None,
        group=NOBODY if is_root else None,
        extra_groups=[] if is_root else None,
    )


@pytest.mark.parametrize(
    ("linter", "arguments", "file"),
    [
        ("hadolint", ["--no-color"], "Dockerfile"),
        ("shellcheck", ["--shell=sh"], "docker/entrypoint.sh"),
        ("shellcheck", ["--shell=bash"], ".ci/run"),
        # A shell that does not set HOSTNAME is what the script asks for there.
        ("shellcheck", ["--shell=sh", "--severity=warning", "--exclude=SC3028"], "hooks/send_event.sh"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_scripts_and_the_dockerfile_keep_the_rules_of_their_linter(
    linter: str, arguments: list[str], file: str
) -> None:
    program = shutil.which(linter, path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip(f"there is no {linter} for this machine, so {file} is not checked by it")

    checked = subprocess.run(
        [program, *arguments, file], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )

    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_the_entry_point_is_a_script_of_any_shell() -> None:
    checked = subprocess.run(["sh", "-n", str(ENTRYPOINT)], capture_output=True, timeout=30, check=False)

    assert (checked.returncode, checked.stderr) == (0, b"")
    assert os.access(ENTRYPOINT, os.X_OK)


def test_a_data_directory_of_another_user_is_refused_with_its_owner_and_the_way_out() -> None:
    # Not below pytest's own folder, into which nobody but its user can look.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)

        refused = run_entrypoint(folder)

        assert refused.returncode == 3
        assert f"{folder} belongs to uid {folder.stat().st_uid}" in refused.stderr
        assert "chown" in refused.stderr


@pytest.fixture
def caged(tmp_path: Path) -> tuple[str, ...]:
    """Give what starts a program as the image's user, on a system of which only its data and its tmp can be written."""
    data, spare = tmp_path / "data", tmp_path / "tmp"
    data.mkdir(mode=0o700)
    spare.mkdir()
    quoted = [shlex.quote(str(folder)) for folder in (data, spare)]
    cage = tmp_path / "cage"
    binds = "".join(f"mount --bind {folder} {folder}\n" for folder in quoted)
    user = "unshare --user --map-user=10001 --map-group=10001 --"
    cage.write_text(f'set -e\n{binds}mount -o remount,ro,bind / /\nexec {user} "$@"\n', encoding="utf-8")
    rights = () if os.getuid() == 0 else ("--user", "--map-root-user")
    command = ("unshare", *rights, "--mount", "--propagation", "private", "sh", str(cage))
    if subprocess.run([*command, "true"], capture_output=True, timeout=30, check=False).returncode:
        pytest.skip("namespaces cannot be made here, so that no read-only system can be tried")
    return command


@pytest.mark.slow
def test_the_server_runs_as_the_images_user_on_a_read_only_system(caged: tuple[str, ...], tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    data = str(tmp_path / "data")
    env = {"TMPDIR": str(tmp_path / "tmp"), "HOME": data, "MEMWIKI_DATA_DIR": data, "PATH": path}
    inner = 'id -u; touch "$0/x" 2>/dev/null && echo written'
    asked = subprocess.run(
        [*caged, "sh", "-c", inner, str(tmp_path)], capture_output=True, text=True, timeout=30, check=False
    )

    with run_server(tmp_path / "data", program=(*caged, "sh", str(ENTRYPOINT)), **env) as server:
        assert asked.stdout == "10001\n"
        assert server.get("/readyz")["status"] == "ready"
        assert (tmp_path / "data" / "state" / "state.db").exists()


def test_a_secret_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    folder = Path(os.path.realpath("/tmp"))

    refused = run_entrypoint(folder, MEMWIKI_ACCESS_TOKEN_FILE=str(tmp_path / "missing"))

    assert refused.returncode == 3
    assert "MEMWIKI_ACCESS_TOKEN_FILE" in refused.stderr


@pytest.fixture
def contained(tmp_path: Path) -> Iterator[Server]:
    """Run a server through the entry point, set up as the image and compose.yaml do it."""
    folder, secret = tmp_path / "data", tmp_path / "access_token"
    folder.mkdir(mode=0o700)
    secret.write_text(TOKEN + "\n", encoding="utf-8")
    settings = {
        "MEMWIKI_DATA_DIR": str(folder),
        "MEMWIKI_HOST": "0.0.0.0",  # noqa: S104 - as in the image
        "MEMWIKI_ACCESS_TOKEN_FILE": str(secret),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    with run_server(folder, program=("sh", str(ENTRYPOINT)), **settings) as running:
        yield running


def ask_health(port: int) -> "subprocess.CompletedProcess[str]":
    environment = clean_environment() | {"MEMWIKI_PORT": str(port)}
    command = [sys.executable, "-I", str(HEALTHCHECK)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=30, check=False)


@pytest.mark.slow
def test_the_contained_server_wants_its_secret_and_stops_in_order_when_told(contained: Server) -> None:
    bare = contained.client.get("/api/v1/status", headers={"Authorization": ""})

    assert bare.status_code == 401
    assert contained.get("/api/v1/status")["status"] == "ready"
    assert ask_health(contained.port).returncode == 0
    assert contained.stop() == 0


def test_a_dead_or_silent_server_is_not_healthy() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        asked = ask_health(port)
    gone = ask_health(port)

    assert (asked.returncode, gone.returncode) == (1, 1)
    assert str(port) in gone.stderr
