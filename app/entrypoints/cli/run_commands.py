"""Declares `memwiki run` and `memwiki continue`."""

import os
import shlex
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from app.entrypoints.cli import output
from app.entrypoints.cli.options import DEFAULT_URL, Url

# What stands behind the agent's name is the agent's, whatever it looks like.
PASSED_ON: dict[str, Any] = {"ignore_unknown_options": True, "allow_interspersed_args": False}

Words = Annotated[list[str] | None, typer.Argument(metavar="[ARGUMENT]...", help="What the agent itself is given.")]
NoInstall = Annotated[bool, typer.Option("--no-install", help="Leave hooks that are missing as they are.")]


def run(
    agent: Annotated[str, typer.Argument(help="The agent, or its program: claude-code or claude.")],
    arguments: Words = None,
    *,
    take: Annotated[
        bool, typer.Option("--take", help="Take open work also in a run without a person, such as `claude -p`.")
    ] = False,
    no_install: NoInstall = False,
    url: Url = None,
) -> None:
    """Start an agent with capture, brief and handoff, and end its session when it ends."""
    from app.entrypoints.cli import starting

    found = starting.find_agent(agent)
    words = (starting.find_program(found), *(arguments or ()))
    start = starting.Start(found, words, _find_url(url), takes=take, installs=not no_install)
    raise typer.Exit(starting.run(start))


def continue_work(
    arguments: Words = None,
    *,
    agent: Annotated[
        str | None, typer.Option("--agent", "-a", help="The agent to go on with; default: the one that worked last.")
    ] = None,
    show: Annotated[bool, typer.Option("--print", help="Show the command, and start nothing.")] = False,
    no_install: NoInstall = False,
    url: Url = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the plan as JSON, and start nothing.")] = False,
) -> None:
    """Go on with the newest work of this folder, in its own session or, with another agent, by its handoff."""
    from app.entrypoints.cli import continuing, starting
    from app.entrypoints.cli.remote import Remote

    remote = Remote(url)
    found = continuing.plan(remote, agent, arguments or ())
    facts = {
        "way": found.way,
        "agent": found.agent.name.value,
        "command": list(found.words),
        "reason": found.reason,
        "session": found.session["id"],
        "handoff": found.handoff_id,
    }
    if show or as_json:
        output.emit(facts, as_json=as_json, render=lambda console: _draw(console, found.words))
        return
    output.print_note(found.reason)
    continuing.end_earlier(remote, found)
    start = starting.Start(found.agent, found.words, remote.url, takes=True, installs=not no_install)
    raise typer.Exit(starting.run(start))


def _find_url(given: str | None) -> str:
    return (given or os.environ.get("MEMWIKI_URL") or DEFAULT_URL).rstrip("/")


def _draw(console: Console, words: tuple[str, ...]) -> None:
    console.print(escape(shlex.join(words)), soft_wrap=True)
