"""The commands about what may leave this machine; they ask nobody but its own files."""

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from app.entrypoints.cli import output

app = typer.Typer(help="What may be captured on this machine.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Muted = Annotated[
    str | None, typer.Argument(metavar="SESSION", help="The agent's own id of a session; default: this folder.")
]


@app.command()
def check(
    agent: Annotated[str, typer.Option(help="The agent that would send the event.")],
    event: Annotated[str, typer.Option(help="The agent's own name of the event, such as PostToolUse.")],
    as_json: AsJson = False,
) -> None:
    """Explain whether an event, read from standard input, would be captured; nothing is sent."""
    from app.agents import registry
    from app.capture import client_consent

    name = registry.find_agent(agent).name.value
    body = sys.stdin.buffer.read()
    cwd = client_consent.find_cwd(body)
    consent = client_consent.explain(name, event, body, cwd, os.environ)
    facts = {
        "decision": consent.decision.action,
        "reason": consent.decision.reason,
        "kind": client_consent.find_kind(name, event),
        "folder": cwd,
        "policy": consent.header,
    }
    output.emit(facts, as_json=as_json, render=lambda console: _draw(console, facts))


def mute(session: Muted = None, as_json: AsJson = False) -> None:
    """Have hooks on this machine send nothing of a session, or of any in this folder, until it is unmuted."""
    _change(session, is_muted=True, as_json=as_json)


def unmute(session: Muted = None, as_json: AsJson = False) -> None:
    """End what `mute` began."""
    _change(session, is_muted=False, as_json=as_json)


def _change(session: str | None, *, is_muted: bool, as_json: bool) -> None:
    from app.capture import client_files, client_notes

    folder = client_files.find_spool_folder(os.environ)
    entry = ("session", session.strip()) if session else ("folder", str(Path.cwd()))
    kept = [each for each in client_notes.list_mutes(folder) if each != entry]
    client_notes.write_mutes(folder, [*kept, entry] if is_muted else kept)
    muted = [{"kind": kind, "name": name} for kind, name in client_notes.list_mutes(folder)]
    output.emit({"muted": muted}, as_json=as_json, render=lambda console: _draw_muted(console, muted))


def _draw(console: Console, facts: dict[str, Any]) -> None:
    color = {"keep": "green", "strip": "yellow"}.get(facts["decision"], "red")
    console.print(f"[bold {color}]{facts['decision']}[/] {escape(facts['reason'])}")
    console.print(f"  kind    {facts['kind']}")
    console.print(f"  folder  {escape(facts['folder'])}")
    if facts["policy"]:
        console.print(f"  policy  {escape(facts['policy'])}")


def _draw_muted(console: Console, muted: list[dict[str, str]]) -> None:
    for each in muted:
        console.print(f"muted: {each['kind']} {escape(each['name'])}")
    if not muted:
        console.print("nothing is muted")
