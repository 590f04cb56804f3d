"""What `make dist` makes works where there is no index: the wheel, the one file, and each command of the page on it."""

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.server import Server, clean_environment, run_server, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "install.md"
SECONDS_MAX = 600
WAYS = ("wheel", "one-file")

# Commands of the page that are not typed here, each with the test that covers what it does.
COVERED_ELSEWHERE = {
    "make dist": "made",
    "~/memwiki/bin/memwiki serve": "test_it_serves_records_by_its_hooks_and_stops",
    "~/.local/bin/memwiki serve": "test_it_serves_records_by_its_hooks_and_stops",
    "memwiki service": "test_a_unit_is_written_only_when_asked_and_into_the_persons_own_folder",
    "memwiki service --apply": "test_a_unit_is_written_only_when_asked_and_into_the_persons_own_folder",
    "mkdir -p secrets": "test_a_command_of_the_readme_works_as_written",
    """python3 -c 'import secrets; print("mw_" + secrets.token_urlsafe(32))' > secrets/access_token""": (
        "test_a_command_of_the_readme_works_as_written"
    ),
    "docker compose up --detach": "test_the_contained_server_wants_its_secret_and_stops_in_order_when_told",
    "docker compose --profile tls up --detach": "test_tls_is_a_profile_whose_proxy_alone_is_believed",
    "docker compose kill -s HUP memwiki": "test_limits_hold_from_the_moment_they_are_read_again",
}
# These install the program in ways of their own; they are typed where the program is here.
INSTALLERS = ("pipx", "uv")
# Where this environment has them, and what it was made of.
OWN_PROGRAMS = str(Path(sys.executable).parent)
BASE_PYTHON = str(Path(sys.base_prefix) / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}")


def list_commands() -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [line for line in "".join(blocks).splitlines() if line]


def list_own_commands() -> list[str]:
    return [each for each in list_commands() if each not in COVERED_ELSEWHERE and each.split()[0] not in INSTALLERS]


@dataclass(frozen=True)
class Place:
    """A machine without a network: a home, and what was carried there."""

    home: Path
    dist: Path

    @property
    def env(self) -> dict[str, str]:
        """The environment, in which pip knows no index."""
        kept = {name: value for name, value in clean_environment().items() if not name.startswith(("PIP_", "XDG_"))}
        path = f"{Path(sys.base_prefix) / 'bin'}{os.pathsep}{os.environ['PATH']}"
        pip = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_NO_CACHE_DIR": "1", "PIP_NO_COMPILE": "1"}
        uv = {"UV_OFFLINE": "1", "UV_CACHE_DIR": str(self.home / ".uv"), "UV_PYTHON": sys.executable}
        return kept | pip | uv | {"PEX_ROOT": str(self.home / ".pex"), "HOME": str(self.home), "PATH": path}

    def type_in(self, command: str, **env: str) -> str:
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.dist,
            env=self.env | env,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=SECONDS_MAX,
            check=False,
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"
        return done.stdout

    def find_program(self, way: str) -> str:
        return str(self.home / ("memwiki/bin/memwiki" if way == "wheel" else ".local/bin/memwiki"))


def take_wheelhouse(folder: Path) -> None:
    """Take over a wheelhouse that was made in this checkout from the same lock; it is fetched otherwise."""
    made = ROOT / "dist" / ".wheelhouse"
    if made.exists() and made.stat().st_mtime > (ROOT / "docker" / "runtime.lock").stat().st_mtime:
        shutil.copytree(ROOT / "dist" / "wheelhouse", folder / "dist" / "wheelhouse")
        (folder / "dist" / ".wheelhouse").touch()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run `make dist` in a copy of the tracked files, with the environment that is here."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout: the tracked files cannot be listed")
    folder = tmp_path_factory.mktemp("checkout")
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    take_wheelhouse(folder)
    command = ["make", "--old-file=setup", "dist", f"VENV={sys.prefix}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS_MAX, check=False)
    if "pip download" in done.stdout and not (folder / "dist" / ".wheelhouse").exists():
        pytest.skip(f"the libraries cannot be fetched here: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr
    return folder / "dist"


@pytest.fixture(scope="module")
def place(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Carry the files over and type what the page says."""
    found = Place(tmp_path_factory.mktemp("home"), made)
    for command in list_own_commands():
        found.type_in(command)
    return found


def test_the_sums_name_every_file(made: Path) -> None:
    lines = (made / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    summed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    files = {path.relative_to(made).as_posix(): path for path in made.rglob("*") if path.is_file()}
    hidden = {name for name in files if name.startswith(".")} | {"SHA256SUMS"}

    assert set(summed) == set(files) - hidden
    assert {name: hashlib.sha256(files[name].read_bytes()).hexdigest() for name in summed} == summed
    assert {Path(name).suffix for name in summed if "/" not in name} == {".whl", ".gz", ".pex"}


def test_the_source_archive_makes_the_same_wheel(made: Path, tmp_path: Path) -> None:
    (archive,), (wheel,) = made.glob("*.tar.gz"), made.glob("*.whl")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()

    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=source, capture_output=True, timeout=SECONDS_MAX, check=True)

    with zipfile.ZipFile(wheel) as ours, zipfile.ZipFile(tmp_path / wheel.name) as theirs:
        assert {name: ours.getinfo(name).CRC for name in ours.namelist() if "RECORD" not in name} == {
            name: theirs.getinfo(name).CRC for name in theirs.namelist() if "RECORD" not in name
        }


def test_the_one_file_says_which_python_it_wants(made: Path) -> None:
    (file,) = made.glob("*.pex")

    assert f"-cp{sys.version_info[0]}{sys.version_info[1]}-" in file.name
    assert file.read_bytes().startswith(b"#!/bin/sh")


@pytest.fixture(scope="module", params=WAYS)
def serving(request: pytest.FixtureRequest, place: Place) -> Iterator[tuple[Server, str]]:
    """Run a server by one of the ways."""
    program = place.find_program(request.param)
    with run_server(place.home / f"data-{request.param}", program=(program,), **place.env) as server:
        yield server, program


def test_it_serves_records_by_its_hooks_and_stops(serving: tuple[Server, str], place: Place) -> None:
    server, program = serving
    place.type_in(f"{program} install claude-code --url {server.url} --apply")
    settings = json.loads((place.home / ".claude" / "settings.json").read_text(encoding="utf-8"))
    hook = settings["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"]
    prompt = {"session_id": "s1", "cwd": str(place.home), "hook_event_name": "UserPromptSubmit", "prompt": "Fix it."}

    alive = server.client.get("/healthz")
    page = server.client.get("/")
    style = re.search(r'href="(/static/[^"]+\.css[^"]*)"', page.text)
    place.type_in(f"printf %s {shlex.quote(json.dumps(prompt))} | ({hook})", MEMWIKI_HOOK_PATIENCE="20")

    assert (alive.text, page.status_code) == ("ok\n", 200)
    assert style is not None
    assert server.client.get(style[1]).status_code == 200
    assert wait_for(lambda: read_session(server), "the event")["total"] == 1
    assert json.loads(place.type_in(f"{program} config show --json"))["settings"]
    assert server.stop() == 0


def read_session(server: Server) -> dict[str, Any] | None:
    answer = server.client.get("/api/v1/sessions/s1")
    found: dict[str, Any] = answer.json()
    return found if answer.is_success else None


@pytest.mark.parametrize("command", [each for each in list_commands() if each.split()[0] in INSTALLERS])
def test_an_installer_takes_it_without_a_network(place: Place, command: str) -> None:
    installer = command.split(maxsplit=1)[0]
    program = shutil.which(installer) or shutil.which(installer, path=OWN_PROGRAMS)
    if program is None:
        print(f"skipped: there is no {installer} here to try: {command}")
        pytest.skip(f"there is no {installer} here to try: {command}")
    # What the page takes from an index where there is one must come from the wheelhouse here.
    wheels = str(place.dist / "wheelhouse")
    home = place.home / hashlib.sha256(command.encode()).hexdigest()[:8]
    homes = {"PIPX_HOME": str(home), "UV_TOOL_DIR": str(home), "PIPX_BIN_DIR": str(home / "bin")}

    homes |= {"UV_TOOL_BIN_DIR": str(home / "bin"), "PIPX_DEFAULT_PYTHON": BASE_PYTHON, "UV_PYTHON": BASE_PYTHON}
    found = f"{place.env['PATH']}{os.pathsep}{Path(program).parent}"

    place.type_in(command, PIP_FIND_LINKS=wheels, UV_FIND_LINKS=wheels, PATH=found, **homes)

    assert "memory" in place.type_in(f"{home / 'bin' / 'memwiki'} --help")


def test_commands_that_are_covered_elsewhere_are_on_the_page_and_covered() -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))

    assert set(COVERED_ELSEWHERE) <= set(list_commands())
    assert [name for name in COVERED_ELSEWHERE.values() if f"def {name}(" not in tests] == []
