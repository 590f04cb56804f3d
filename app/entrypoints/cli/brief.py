"""The command that shows what an agent would be told here."""

import os
from typing import Annotated, Any

import typer
from rich.console import Console

from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Project, Url


def brief(
    agent: Annotated[str, typer.Option("--agent", "-a", help="The agent that would start.")] = "claude-code",
    project: Project = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Print exactly what an agent that starts in this folder would be told, and what that costs; nothing is taken."""
    from app.capture import client_checkout, client_wishes
    from app.entrypoints.cli.remote import Remote

    markers = client_checkout.read_markers(os.getcwd())  # noqa: PTH109 - text is wanted
    facts = client_wishes.read_wishes(agent, markers, os.environ)
    facts.pop("run", None)
    answer = Remote(url, facts=facts).get("/api/v1/brief", agent=agent, project=project)
    output.emit(answer, as_json=as_json, render=lambda console: _draw(console, answer))


def _draw(console: Console, answer: Any) -> None:  # noqa: ANN401 - JSON off the wire
    if answer["text"]:
        console.print(answer["text"], markup=False, highlight=False, soft_wrap=True)
    reason = "it is turned off here" if answer["is_off"] else "there is nothing to tell"
    cost = (
        f"{answer['tokens']} tokens, {answer['characters']} characters ({answer['bytes']} bytes); "
        f"at most {answer['size_max']} {answer['unit']} and {answer['tokens_max']} tokens"
    )
    told = cost if answer["text"] else f"nothing is told: {reason}"
    console.print(f"[dim]{answer['agent']} at its {answer['point']}: {told}[/]")
