"""`memwiki upgrade check`: what is installed, what a start would change, and, only if asked, what is the latest."""

import sys
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Directory, Url

app = typer.Typer(help="Look ahead before a new release is started.", no_args_is_help=True)

Index = Annotated[
    str,
    typer.Option(
        "--index", envvar="MEMWIKI_UPGRADE_URL", help="Who is asked with --online: an address of PyPI's JSON form."
    ),
]
# Spelled out, so that it is plain where the one request goes that is ever made.
PYPI = "https://pypi.org/pypi/memwiki/json"


@app.callback()
def _group() -> None:
    """Look ahead before a new release is started."""


@app.command("check")
def check(
    *,
    online: Annotated[bool, typer.Option("--online", help="Also ask for the latest release; else nobody is.")] = False,
    index: Index = PYPI,
    data_dir: Directory = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Say which versions are here, and what a start of this release would do; nothing is changed, nobody is asked."""
    from app import config
    from app.entrypoints.cli import upgrade_latest, upgrade_plan

    settings = config.load_settings(data_dir=data_dir)
    answer: dict[str, Any] = upgrade_plan.look_ahead(settings, url)
    answer["latest"] = upgrade_latest.ask_latest(index, answer["version"]) if online else None
    output.emit(answer, as_json=as_json, render=lambda console: _draw(console, answer))
    if answer["refusals"]:
        sys.exit(1)


def _draw(console: Console, answer: dict[str, Any]) -> None:
    state, index, space = answer["state"], answer["index"], answer["space"]
    console.print(f"[bold]memwiki[/] {answer['version']} with Python {answer['python']}, data in {answer['data_dir']}")
    running = answer["running"]
    told = f"{running['version']} at {running['url']}" if running else "none on this data"
    console.print(f"  server       {escape(told)}")
    console.print(f"  state        schema {state['found'] or 'none'}, this release has {state['known']}")
    found = ", ".join(map(str, index["found"])) or "none"
    console.print(f"  index        version {found}, this release has {index['known']}")
    console.print(f"  hook client  {answer['hook_client']}")
    for agent in answer["agents"]:
        console.print(f"  {agent['name']:<12} {'as this release writes it' if agent['is_current'] else 'differs'}")
    if latest := answer["latest"]:
        newer = ", which is newer" if latest["is_newer"] else ", which is not newer"
        console.print(f"  latest       {escape(latest['version'])}{newer} ({escape(latest['asked'])})")
    console.print("A start of this release would:")
    for step in answer["start"]:
        console.print(f"  - {escape(step)}")
    needed, free = output.tell_size(space["needed_bytes"]), output.tell_size(space["free_bytes"])
    console.print(f"It needs {needed} of disk, and {free} are free.")
    for advice in answer["advice"]:
        console.print(f"[yellow]then[/] {escape(advice)}")
    for refusal in answer["refusals"]:
        console.print(f"[bold red]it would not start[/]: {escape(refusal)}")
