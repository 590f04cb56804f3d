"""The commands that give projects other names: `project rename`, `project move` and `project merge`."""

import sys
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from app.domain.errors import InvalidValue
from app.domain.limits_projects import LONG_REQUEST_SECONDS_MAX
from app.entrypoints.cli import options, output
from app.entrypoints.cli.options import Apply, AsJson, ShowOnly, Sure, Url

_SHOWN = 30
Source = Annotated[str, typer.Argument(help="The project, as `project` or `workspace/project`.")]


def declare(projects: typer.Typer) -> None:
    """Declare the commands among those about projects."""
    projects.command("rename")(rename)
    projects.command("move")(move)
    projects.command("merge")(merge)


def rename(
    project: Source,
    name: Annotated[str, typer.Argument(help="Its new name in the same workspace.")],
    *,
    apply: Apply = False,
    dry_run: ShowOnly = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Give a project another name; captures, links and addresses by the former one go on leading to it."""
    _ask(
        "rename",
        {"project": project, "name": name},
        url,
        apply=options.decide_apply(apply=apply, dry_run=dry_run),
        as_json=as_json,
    )


def move(
    project: Source,
    workspace: Annotated[str, typer.Argument(help="The workspace that it is to be in.")],
    *,
    apply: Apply = False,
    dry_run: ShowOnly = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Put a project into another workspace; the former name goes on leading to it."""
    _ask(
        "move",
        {"project": project, "workspace": workspace},
        url,
        apply=options.decide_apply(apply=apply, dry_run=dry_run),
        as_json=as_json,
    )


def merge(
    project: Source,
    into: Annotated[str, typer.Argument(help="The project that it becomes part of.")],
    *,
    apply: Apply = False,
    dry_run: ShowOnly = False,
    yes: Sure = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Make a project part of another, whose name and rights stay; pages of one path both stay.

    Nothing takes this apart again.
    """
    from app.entrypoints.cli.remote import Remote

    is_wanted = options.decide_apply(apply=apply, dry_run=dry_run, yes=yes)
    body = {"project": project, "into": into}
    if is_wanted and not yes:
        plan = Remote(url, seconds_max=LONG_REQUEST_SECONDS_MAX).post("/api/v1/projects/merge", body)
        draw_plan(output.open_console(is_error=True), plan)
        if not plan["conflicts"]:
            _confirm(plan["project"])
            body["plan"] = plan["plan"]
    _ask("merge", body, url, apply=is_wanted, as_json=as_json)


def draw_plan(console: Console, plan: dict[str, Any]) -> None:
    """Draw what moved or would move, what is in the way, and what else should be known."""
    words = {"rename": ("renamed", "to"), "merge": ("merged", "into")}[plan["kind"]]
    did = words[0] if plan["applied"] else f"would have {words[0]}"
    console.print(f"{did} [bold]{escape(plan['project'])}[/] {words[1]} [bold]{escape(plan['to'])}[/]:")
    counts = [f"{count} {what}" for what, count in plan["moves"].items() if count]
    console.print(f"  {', '.join(counts) or 'nothing but its name'}")
    _draw_lines(console, "other path", [f"{old} -> {new}" for old, new in plan["renamed"].items()])
    _draw_lines(console, "left out", plan["dropped"])
    _draw_lines(console, "links renewed in", plan["rewritten"])
    _draw_lines(console, "note", plan["notes"])
    _draw_lines(console, "in the way", [f"{each['subject']}: {each['advice']}" for each in plan["conflicts"]])
    if not plan["applied"]:
        following = "Settle what is in the way first." if plan["conflicts"] else "To do it, add --apply"
        console.print(f"Nothing was moved. {following}")


def _draw_lines(console: Console, what: str, lines: list[str]) -> None:
    for line in lines[:_SHOWN]:
        console.print(f"  {what}: {escape(line)}")
    if len(lines) > _SHOWN:
        console.print(f"  {what}: and {len(lines) - _SHOWN} more (--json lists them)")


def _ask(action: str, body: dict[str, str], url: str | None, *, apply: bool, as_json: bool) -> None:
    from app.entrypoints.cli.remote import Remote

    remote = Remote(url, seconds_max=LONG_REQUEST_SECONDS_MAX)
    answer = remote.post(f"/api/v1/projects/{action}", {**body, "apply": apply})
    output.emit(answer, as_json=as_json, render=lambda console: draw_plan(console, answer))


def _confirm(name: str) -> None:
    """Have the name of the project typed that will be gone.

    Raises:
        InvalidValue: nobody is there to be asked, or another name was typed.
    """
    if not sys.stdin.isatty():
        raise InvalidValue("--yes", "nobody can be asked here; add --yes")
    typed = typer.prompt(f"Type {name} to make it part of the other for good", err=True)
    if typed.strip() != name:
        raise InvalidValue("--yes", "another name was typed; nothing was moved")
