"""Starts an agent with its memory: finds its program, wires it on first use, asks whether a server is there."""

import os
import secrets
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import platformdirs

from app.agents import registry
from app.agents.agent import Agent
from app.capture import client_http
from app.domain import limits
from app.domain.errors import AppError, InvalidValue
from app.entrypoints.cli import foreground, installed, output

_OK: Final = 200
# What a shell answers where a program cannot be run.
_NOT_RUN: Final = 126
# What an inherited run or wish would say of another agent.
_RUN, _TAKE = "MEMWIKI_RUN", "MEMWIKI_TAKE"


@dataclass(frozen=True, slots=True)
class Start:
    """An agent that is to be started: its program with all words, and what a person chose.

    `takes` has a run without a person take open work; without `installs` hooks that are missing stay so.
    """

    agent: Agent
    words: tuple[str, ...]
    server_url: str
    takes: bool = False
    installs: bool = True


def run(start: Start) -> int:
    """Run an agent in this terminal until it ends, and end its sessions; gives back its exit code."""
    asked = ask_server(start.server_url)
    wire(start)
    is_there = tell_missing_server(asked, start.server_url)
    launch_id = secrets.token_hex(8)
    try:
        code = foreground.run(start.words, build_environment(start, launch_id))
    except OSError as error:
        output.print_error(f"{start.words[0]} cannot be run: {error.strerror}")
        return _NOT_RUN
    try:
        from app.entrypoints.cli import finishing

        finishing.finish(start.agent, launch_id, start.server_url, is_expected=is_there)
    except KeyboardInterrupt:
        output.print_note("the session is not waited for, and ends by its silence")
    return code


def find_agent(name: str) -> Agent:
    """Find an agent by its name or by that of its program.

    Raises:
        UnknownAgent: there is none.
        InvalidValue: it is not started from a terminal.
    """
    by_program = (agent for agent in registry.AGENTS if agent.traits.launch and name in agent.traits.binaries)
    agent = next(by_program, None) or registry.find_agent(name)
    if agent.traits.launch is None or not agent.traits.binaries:
        raise InvalidValue("agent", f"{agent.title} is not started from a terminal: open it as you always do")
    return agent


def find_program(agent: Agent) -> str:
    """Find an agent's program on PATH.

    Raises:
        InvalidValue: there is none.
    """
    launch = agent.traits.launch
    names = (launch.program,) if launch and launch.program else agent.traits.binaries
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise InvalidValue("agent", f"{agent.title} is not here: no {' or '.join(names)} on PATH")
    return found


def build_environment(start: Start, launch_id: str) -> dict[str, str]:
    """Build what the agent and its hooks see: which run they are part of, and what it wants."""
    env = {name: value for name, value in os.environ.items() if name not in {_RUN, _TAKE}}
    return env | {_RUN: launch_id} | ({_TAKE: "1"} if start.takes else {})


def ask_server(url: str) -> client_http.Task:
    """Ask whether a server is there, without waiting for the answer."""
    return client_http.Task(lambda: _ask(url))


def tell_missing_server(task: client_http.Task, url: str) -> bool:
    """Wait a moment for the answer, say so if there is none, and tell whether there is one."""
    answer = task.wait(time.monotonic() + limits.LAUNCH_SERVER_SECONDS_MAX)
    if answer.status != _OK:
        output.print_note(
            f"no server answers at {url}: events wait on this machine, and nothing is told or handed over"
        )
    return answer.status == _OK


def wire(start: Start) -> None:
    """Install an agent's hooks unless that was done, and say what was written; a failure lets it start without."""
    title = start.agent.title
    if is_wired(start.agent):
        return
    if not start.installs:
        output.print_note(f"{title} is not wired: nothing of this run is captured (memwiki install {start.agent.name})")
        return
    try:
        written, notes = _install(start)
    except AppError as error:
        output.print_note(f"{title} could not be wired, and starts without memory: {error}")
        return
    if written:
        names = ", ".join(written)
        output.print_note(f"wired {title}: wrote {names}; undo: memwiki uninstall {start.agent.name} --apply")
    for note in notes if written else ():
        output.print_note(note)


def is_wired(agent: Agent) -> bool:
    """Tell by the installer's record whether an agent's hooks run, here or in all of a person's work."""
    folder = Path(platformdirs.user_data_dir("memwiki", appauthor=False))
    owners = {owner for owner in installed.list_owners(installed.read_installed(folder)) if owner.agent == agent.name}
    here = Path.cwd()
    return any(not owner.project or here.is_relative_to(owner.project) for owner in owners)


def _install(start: Start) -> tuple[Sequence[str], Sequence[str]]:
    from app.entrypoints.cli import install, install_files, machine, remote
    from app.system import SystemClock

    place = machine.find_machine()
    token_env = remote.TOKEN_VARIABLE if os.environ.get(remote.TOKEN_VARIABLE) else ""
    options = install.Options(server_url=start.server_url, token_env=token_env)
    plan = install.plan_install([start.agent.name.value], place, options)
    written = install_files.apply(plan, place, SystemClock().now())
    return [done.path for done in written], plan.notes


def _ask(url: str) -> client_http.Answer:
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=limits.LAUNCH_SERVER_SECONDS_MAX)
    try:
        connection.request("GET", f"{parts.path}/healthz")
        return client_http.Answer(connection.getresponse().status)
    except (OSError, HTTPException):
        return client_http.Answer(0)
    finally:
        connection.close()
