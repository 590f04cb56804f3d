"""The command that brings pages back from the wiki's history."""

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from app.domain.errors import InvalidValue
from app.entrypoints.cli import options, output
from app.entrypoints.cli.options import AsJson, Project, ShowOnly, Url

app = typer.Typer(help="Bring pages back from history.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Bring pages back from history."""


@app.command("restore")
def restore_page(
    path: Annotated[
        str | None, typer.Argument(help="The page's path in its project; without one, all of the project.")
    ] = None,
    *,
    at: Annotated[
        str, typer.Option("--at", help="The revision, as `git log` in the wiki or the page's history names it.")
    ],
    apply: Annotated[
        bool, typer.Option("--apply", help="Of a whole project: do it; else only what would change is shown.")
    ] = False,
    dry_run: ShowOnly = False,
    project: Project = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Give a page, or all pages of a project, the text of an earlier revision; history keeps the present one."""
    from app.entrypoints.cli.remote import Remote

    wanted = options.decide_apply(apply=apply, dry_run=dry_run)
    if path and dry_run:
        raise InvalidValue("--dry-run", "one page is given its text at once, and history keeps the present one")
    answer = Remote(url).post("/api/v1/restore", {"path": path or "", "revision": at, "apply": wanted}, project=project)
    output.emit(answer, as_json=as_json, render=lambda console: _draw(console, answer))


def _draw(console: Console, answer: dict[str, Any]) -> None:
    done = "restored" if answer["applied"] else "would restore"
    for path in answer["changed"]:
        console.print(f"{done} {escape(path)} as of {answer['revision'][:12]}")
    console.print(f"{answer['unchanged']} pages are as they were then")
    for path in answer["later"]:
        console.print(f"came later and stays: {escape(path)}")
    if not answer["applied"]:
        console.print("Nothing was changed. To do it, add --apply")
