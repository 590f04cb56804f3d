"""What the README tells people to type works as it stands there."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.server import Server, clean_environment, run_server

ROOT = Path(__file__).parents[2]

# Commands that no test can run inside itself, each with the test that covers what it does.
COVERED_ELSEWHERE = {
    "make run": "test_make_run_sets_up_and_serves",
    "make test": "test_make_test_sets_up_and_runs_all_tests",
    "docker compose up --detach": "test_the_contained_server_wants_its_secret_and_stops_in_order_when_told",
}


def list_commands() -> list[str]:
    """List the commands of the README's sh blocks, without comments, continued lines joined, each once."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    commands = [re.sub(r"\s+#.*$", "", line).strip() for line in lines]
    return list(dict.fromkeys(command for command in commands if command and not command.startswith("#")))


@dataclass(frozen=True, slots=True)
class Desk:
    """Where a reader sits: a checkout that was set up, an own home, and a running server."""

    folder: Path
    home: Path
    server: Server

    def type_in(self, command: str) -> "subprocess.CompletedProcess[str]":
        environment = clean_environment() | {"HOME": str(self.home), "MEMWIKI_URL": self.server.url}
        return subprocess.run(
            ["sh", "-c", command],
            cwd=self.folder,
            env={name: value for name, value in environment.items() if not name.startswith("XDG_")},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=100,
            check=False,
        )


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Set up a desk; the environment is this one, under the name that the README uses."""
    folder, home = tmp_path_factory.mktemp("memwiki"), tmp_path_factory.mktemp("home")
    (folder / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    with run_server(tmp_path_factory.mktemp("server") / "memory") as server:
        yield Desk(folder, home, server)


@pytest.mark.slow
@pytest.mark.parametrize("command", [each for each in list_commands() if each not in COVERED_ELSEWHERE])
def test_a_command_of_the_readme_works_as_written(desk: Desk, command: str) -> None:
    done = desk.type_in(command)

    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert "Traceback" not in done.stderr


def test_commands_that_are_covered_elsewhere_are_in_the_readme_and_covered() -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))

    assert set(COVERED_ELSEWHERE) <= set(list_commands())
    assert [name for name in COVERED_ELSEWHERE.values() if f"def {name}(" not in tests] == []


def ask_make(target: str) -> list[str]:
    """Ask make what it would do from nothing."""
    command = ["make", "--no-print-directory", "--dry-run", "--always-make", target]
    # A make around this test run hands its own options down through these.
    environment = {
        name: value for name, value in clean_environment().items() if not name.startswith(("MAKE", "MFLAGS"))
    }
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=30, check=True)
    return done.stdout.splitlines()


def test_make_run_sets_up_and_serves() -> None:
    steps = ask_make("run")

    assert any("--require-hashes -r requirements.lock" in step for step in steps)
    assert ".venv/bin/memwiki serve" in steps[-1]


def test_make_test_sets_up_and_runs_all_tests() -> None:
    steps = ask_make("test")

    assert any("--require-hashes -r requirements.lock" in step for step in steps)
    assert steps[-1].startswith(".venv/bin/python -m pytest")
    assert "-k" not in steps[-1].split()
