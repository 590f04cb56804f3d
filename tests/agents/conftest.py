"""A home, a project, a server and a model of its own for each agent that is run."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.agents import clis, fake_model
from tests.agents.clis import BESIDES, NODE, TOKEN, Cli
from tests.agents.fake_model import FakeModel
from tests.server import SERVE, Server, clean_environment, run_git, run_server, wait_for

SOURCE = "def total(amount):\n    return round(amount)\n"


@dataclass
class Desk:
    """A person's machine: agents are wired with `memwiki install`, and run without a terminal."""

    home: Path
    project: Path
    server: Server
    model: FakeModel
    said: list[str] = field(default_factory=list)

    def memwiki(self, *words: str) -> str:
        """Run our own command line."""
        done = subprocess.run(
            [sys.executable, "-m", "app.entrypoints.cli.main", *words],
            env=clean_environment() | self._list_own() | {"MEMWIKI_URL": self.server.url},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=Path(__file__).parents[2],
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def run(self, cli: Cli, prompt: str) -> str:
        """Have an agent do one turn; gives back what it printed."""
        program = clis.find_program(cli.folder, cli.words[0])
        done = subprocess.run(
            [str(program), *cli.words[1:], prompt],
            env=self.build_environment(cli),
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=clis.TURN_SECONDS_MAX,
            check=False,
        )
        self.said.append(done.stdout)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def start(self, cli: Cli, prompt: str) -> subprocess.Popen[bytes]:
        """Have `memwiki run` do one turn that takes open work; it goes on while the test does something else."""
        return subprocess.Popen(
            [*SERVE, "run", "--take", cli.agent, *cli.words[1:], prompt],
            env=self.build_environment(cli) | {"PYTHONPATH": str(Path(__file__).parents[2])},
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def build_environment(self, cli: Cli) -> dict[str, str]:
        """Build what an agent sees: its model, its program and node on PATH, and the person's own variables."""
        env = {name: value.replace("{model}", self.model.url) for name, value in cli.env.items()}
        folders = [
            clis.find_program(folder, name).parent for folder, name in ((cli.folder, cli.words[0]), (NODE[0], "node"))
        ]
        path = ":".join(map(str, [*folders, os.environ["PATH"]]))
        return {**env, **self._list_own(), "PATH": path, "LANG": "C.UTF-8", "MEMWIKI_URL": self.server.url}

    def find_session(self, agent: str) -> dict[str, Any]:
        """Wait for an agent's only session to have ended and to have its page."""

        def look() -> str:
            found = [each for each in self.server.get("/api/v1/sessions")["sessions"] if each["agent"] == agent]
            return found[0]["id"] if found and found[0]["page_path"] else ""

        session_id = wait_for(look, f"a page of {agent}: {self.said}")
        return self.server.wait_for_page(session_id)

    def _list_own(self) -> dict[str, str]:
        # On a busy machine the hooks wait longer than a person would want them to, so that no event comes late.
        return {"HOME": str(self.home), "MEMWIKI_ACCESS_TOKEN": TOKEN, "MEMWIKI_HOOK_PATIENCE": "20"}


def require(*agents: Cli) -> None:
    """Skip a test, with the reason in print, whose agents cannot be had."""
    for folder, package in [*BESIDES, *((cli.folder, cli.package) for cli in agents)]:
        if lack := clis.install(folder, package):
            print(f"not run: {lack}")
            pytest.skip(lack)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    project = tmp_path / "shop"
    project.mkdir()
    (project / "prices.py").write_text(SOURCE, encoding="utf-8")
    run_git(project, "init", "-q", "-b", "main")
    run_git(project, "-c", "user.name=n", "-c", "user.email=n@example.invalid", "add", ".")
    run_git(project, "-c", "user.name=n", "-c", "user.email=n@example.invalid", "commit", "-q", "-m", "first")
    home = tmp_path / "home"
    home.mkdir()
    with (
        fake_model.run_model() as model,
        run_server(tmp_path / "memory", MEMWIKI_ACCESS_TOKEN=TOKEN) as server,
    ):
        yield Desk(home, project, server, model)


def read_files(home: Path) -> dict[str, str]:
    """Read every file below a home, links left out."""
    return {
        str(path.relative_to(home)): path.read_bytes().decode("utf-8", "replace")
        for path in sorted(home.rglob("*"))
        if path.is_file() and not any(part.is_symlink() for part in [path, *path.parents])
    }
