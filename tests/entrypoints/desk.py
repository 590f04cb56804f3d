"""A person's machine for the command line: a home with one agent on PATH, a project, and maybe a server."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests import forking
from tests.entrypoints import terminal
from tests.entrypoints.terminal import Terminal
from tests.server import SERVE, Server, clean_environment, run_git

CLOSED = "http://127.0.0.1:9"


@dataclass
class Desk:
    """A person's home with one agent, a project, and a server."""

    home: Path
    project: Path
    url: str
    server: Server | None = None
    env: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        terminal.write_agent(self.home / "bin")
        path = f"{self.home / 'bin'}:{os.environ['PATH']}"
        own = {"HOME": str(self.home), "PATH": path, "MEMWIKI_URL": self.url, "MEMWIKI_HOOK_PATIENCE": "20"}
        plain = {"PYTHONPATH": str(Path(__file__).parents[2]), "NO_COLOR": "1", "TERM": "dumb"}
        self.env = clean_environment() | own | plain

    def open(self, *words: str) -> Terminal:
        return Terminal([*SERVE, *words], self.project, self.env)

    def run(self, *words: str, code: int = 0) -> str:
        """Run in a terminal to the end; gives back all that was printed."""
        opened = self.open(*words)
        assert opened.end() == code, opened.text
        return opened.text

    def memwiki(self, *words: str) -> str:
        """Run without a terminal; gives back standard output."""
        done = forking.run(words, cwd=self.project, env=self.env)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def list_sessions(self) -> list[dict[str, Any]]:
        assert self.server is not None
        found: list[dict[str, Any]] = self.server.get("/api/v1/sessions")["sessions"]
        return found

    def list_handoffs(self) -> list[tuple[str, str]]:
        assert self.server is not None
        found = self.server.get("/api/v1/handoffs", project="*", state="all")["handoffs"]
        return [(each["state"], each["holder_agent"]) for each in found]


def make_desk(tmp_path: Path, url: str, server: Server | None = None) -> Desk:
    home, project = tmp_path / "home", tmp_path / "shop"
    home.mkdir()
    project.mkdir()
    run_git(project, "init", "-q", "-b", "main")
    return Desk(home, project, url, server)
