"""A home, a project and a model of its own for each test with real agents; they share one server."""

import itertools
import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.agents import clis, fake_model, fetch
from tests.agents.clis import BESIDES, NODE, TOKEN, Cli
from tests.agents.fake_model import FakeModel
from tests.server import SERVE, Server, clean_environment, run_git, run_server, wait_for

SOURCE = "def total(amount):\n    return round(amount)\n"
# What is waited for comes within a second where nothing else runs.
PATIENCE_SECONDS = 120.0
_NUMBERS = itertools.count(1)
ROOT = Path(__file__).parents[2]
# What a person types without a word of what is to come of it.
RUN: tuple[str, ...] = (*SERVE, "run")
TAKE: tuple[str, ...] = (*RUN, "--take")


@dataclass
class Desk:
    """A person's machine: agents are wired with `memwiki install`, and run without a terminal."""

    home: Path
    project: Path
    server: Server
    model: FakeModel
    said: list[str] = field(default_factory=list)
    more: dict[str, str] = field(default_factory=dict)

    def memwiki(
        self, *words: str, cli: Cli | None = None, codes: Sequence[int] = (0,), folder: Path | None = None
    ) -> str:
        """Run our own command line, where it matters in a folder and with an agent's program on PATH."""
        seen = self.build_environment(cli) if cli else clean_environment() | self._list_own()
        done = subprocess.run(
            [*SERVE, *words],
            env=seen | {"MEMWIKI_URL": self.server.url, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
            cwd=folder or ROOT,
        )
        assert done.returncode in codes, done.stdout + done.stderr
        return done.stdout

    def wire(self, *agents: Cli) -> dict[str, str]:
        """Prepare a person's own settings and wire agents; gives back the files that there were before."""
        for cli in agents:
            cli.prepare(self.home, self.model.url)
        theirs = {path for cli in agents for path in cli.rewrites}
        before = {path: text for path, text in read_files(self.home).items() if path not in theirs}
        self.memwiki("install", *(cli.agent for cli in agents), "--apply", "--with-token")
        return before

    def unwire(self, before: dict[str, str]) -> None:
        """Take everything out again, and see that nothing of it is left."""
        self.memwiki("uninstall", "--all", "--apply")
        after = read_files(self.home)
        assert {path: after.get(path) for path in before} == before
        ours = [path for path in after if "memwiki" in path and "/sessions/" not in path and path not in before]
        assert [path for path in ours if "/hooks/" in path or path.endswith((".js", ".json"))] == []

    def run(self, cli: Cli, prompt: str, through: Sequence[str] = ()) -> str:
        """Have an agent do one turn, by itself or through a program of ours; gives back what it printed."""
        process = self.start(cli, prompt, through)
        try:
            said, _ = process.communicate(timeout=clis.TURN_SECONDS_MAX)
        finally:
            process.kill()
            self._stop(cli)
        self.said.append(said)
        assert process.returncode == 0, said
        return said

    def start(self, cli: Cli, prompt: str, through: Sequence[str] = TAKE) -> "subprocess.Popen[str]":
        """Have an agent begin one turn; it goes on while the test does something else."""
        program = cli.agent if through else str(fetch.find_program(cli.folder, cli.words[0]))
        return subprocess.Popen(
            [*through, program, *cli.words[1:], prompt],
            env=self.build_environment(cli) | ({"PYTHONPATH": str(ROOT)} if through else {}),
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def build_environment(self, cli: Cli) -> dict[str, str]:
        """Build what an agent sees: its model, its program and node on PATH, and the person's own variables."""
        env = {name: value.replace("{model}", self.model.url) for name, value in cli.env.items()}
        folders = [
            fetch.find_program(folder, name).parent for folder, name in ((cli.folder, cli.words[0]), (NODE[0], "node"))
        ]
        path = ":".join(map(str, [*folders, os.environ["PATH"]]))
        return {**env, **self._list_own(), "PATH": path, "LANG": "C.UTF-8", "MEMWIKI_URL": self.server.url}

    def list_sessions(self) -> list[dict[str, Any]]:
        """List what was captured here, newest first."""
        found: list[dict[str, Any]] = self.server.get("/api/v1/sessions", limit=200)["sessions"]
        return [each for each in found if each["project"].rpartition("/")[2] == self.project.name]

    def find_handoff(self) -> dict[str, Any]:
        """Find the work that was left here first."""
        found = self.server.get("/api/v1/handoffs", project="*", state="all")["handoffs"]
        here = [each for each in found if each["project"].rpartition("/")[2] == self.project.name]
        return here[-1] if here else {"state": ""}

    def find_session(self, agent: str) -> dict[str, Any]:
        """Wait for an agent's only session to have ended and to have its page."""

        def look() -> dict[str, Any]:
            found = [each for each in self.list_sessions() if each["agent"] == agent and each["page_path"]]
            return found[0] if found else {}

        session = wait_for(look, f"a page of {agent}: {self.said}", PATIENCE_SECONDS)
        return self.server.wait_for_page(session["id"])

    def _stop(self, cli: Cli) -> None:
        if cli.stop:
            words = [str(fetch.find_program(cli.folder, cli.words[0])), *cli.stop]
            subprocess.run(
                words, env=self.build_environment(cli), capture_output=True, timeout=PATIENCE_SECONDS, check=False
            )

    def _list_own(self) -> dict[str, str]:
        # On a busy machine the hooks wait longer than a person would want them to, so that no event comes late.
        own = {"HOME": str(self.home), "MEMWIKI_ACCESS_TOKEN": TOKEN, "MEMWIKI_HOOK_PATIENCE": "20"}
        return own | self.more


def require(*agents: Cli) -> None:
    """Skip a test, with the reason in print, whose agents cannot be had."""
    for folder, package in [*BESIDES, *((cli.folder, cli.package) for cli in agents)]:
        if lack := fetch.install(folder, package):
            print(f"not run: {lack}")
            pytest.skip(lack)


@pytest.fixture(scope="session")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(tmp_path_factory.mktemp("memory") / "data", MEMWIKI_ACCESS_TOKEN=TOKEN) as server:
        yield server


@pytest.fixture
def desk(tmp_path: Path, memory: Server) -> Iterator[Desk]:
    # The server tells the tests apart by their projects' names.
    project = tmp_path / f"shop-{next(_NUMBERS)}"
    project.mkdir()
    (project / "prices.py").write_text(SOURCE, encoding="utf-8")
    run_git(project, "init", "-q", "-b", "main")
    run_git(project, "-c", "user.name=n", "-c", "user.email=n@example.invalid", "add", ".")
    run_git(project, "-c", "user.name=n", "-c", "user.email=n@example.invalid", "commit", "-q", "-m", "first")
    home = tmp_path / "home"
    home.mkdir()
    with fake_model.run_model() as model:
        yield Desk(home, project, memory, model)


def read_files(home: Path) -> dict[str, str]:
    """Read every file below a home, links left out."""
    return {
        str(path.relative_to(home)): path.read_bytes().decode("utf-8", "replace")
        for path in sorted(home.rglob("*"))
        if path.is_file() and not any(part.is_symlink() for part in [path, *path.parents])
    }
