"""This machine as the installer sees it: home, our folder, what hooks are run with, which agents are here."""

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from app import config
from app.agents import places
from app.agents.agent import Agent
from app.agents.places import Site, System, WiringScope
from app.capture import client_checkout
from app.domain.errors import InvalidValue
from app.entrypoints.cli import hook_client

_SYSTEMS = {"win32": System.WINDOWS, "darwin": System.MACOS}


@dataclass(frozen=True, slots=True)
class Machine:
    """Where things are on this machine: the person's home, our folder in it, and what hooks are run with.

    `shell_path` is empty where events cannot be sent by curl; `program` is this command itself.
    """

    home: Path
    env: Mapping[str, str] = field(repr=False)
    folder: Path
    python: str
    client_source: Path
    shell_path: str = ""
    program: str = "memwiki"

    def site(self, project: str = "") -> Site:
        """Describe the place of a wiring: a project's folder, or all of the person's work."""
        return find_site(self.home, self.env, project)


def find_site(home: Path, env: Mapping[str, str], project: str = "") -> Site:
    """Describe a place on the system that the command runs on."""
    return Site(
        home=str(home),
        env=env,
        system=_SYSTEMS.get(sys.platform, System.LINUX),
        scope=WiringScope.PROJECT if project else WiringScope.USER,
        project=project,
    )


def find_machine() -> Machine:
    """Look at the machine that the command runs on."""
    return Machine(
        home=Path.home(),
        env=os.environ,
        folder=Path(platformdirs.user_data_dir("memwiki", appauthor=False)),
        python=hook_client.find_python(os.environ.get("PATH")),
        client_source=config.find_bundled("hooks") / "send_event.py",
        shell_path=hook_client.find_shell(os.environ.get("PATH")),
        program=shutil.which("memwiki", path=os.environ.get("PATH")) or str(Path(sys.argv[0]).absolute()),
    )


def find_project_folder(cwd: str, environ: Mapping[str, str]) -> str:
    """Find the root of the working copy that a folder is in, which is where a project's settings stand.

    Raises:
        InvalidValue: the folder is in none.
    """
    root = str(client_checkout.read_checkout(cwd, environ).get("root", ""))
    if not root:
        raise InvalidValue("scope", f"{cwd} is in no git working copy, so that no project's settings can be found")
    return root


def is_detected(agent: Agent, machine: Machine) -> bool:
    """Tell whether an agent seems to be here: its program is on PATH, or its folder in the home."""
    search_path = machine.env.get("PATH", "")
    if any(shutil.which(name, path=search_path) for name in agent.traits.binaries):
        return True
    return any(Path(places.find_home(machine.site(), home)).is_dir() for home in agent.traits.homes)
