"""The command `purge`: shows what would go, asks, deletes, and says what remains where."""

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from app.domain.errors import InvalidValue
from app.domain.limits_projects import LONG_REQUEST_SECONDS_MAX
from app.entrypoints.cli import options, output
from app.entrypoints.cli.options import Apply, AsJson, Project, ShowOnly, Sure, Url

if TYPE_CHECKING:
    from app.entrypoints.cli.remote import Remote

_SHOWN = 20


class Purged(StrEnum):
    """What can be deleted for good."""

    SESSION = "session"
    PROJECT = "project"
    PAGE = "page"
    PERSON = "person"


def purge(
    kind: Annotated[Purged, typer.Argument(help="session, project, page or person.")],
    name: Annotated[str, typer.Argument(help="A session's id, a project's or person's name, or a page's path.")],
    *,
    apply: Apply = False,
    dry_run: ShowOnly = False,
    yes: Sure = False,
    rewrite_history: Annotated[
        bool, typer.Option("--rewrite-history", help="Take it out of git's history too; clones must be made anew.")
    ] = False,
    project: Project = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Delete a session, project, page or person for good; says what is gone, and what remains where."""
    from app.entrypoints.cli.remote import Remote

    is_wanted = options.decide_apply(apply=apply, dry_run=dry_run, yes=yes)
    remote = Remote(url, seconds_max=LONG_REQUEST_SECONDS_MAX)
    full = _name_page(remote, name, project) if kind is Purged.PAGE and ":" not in name else name
    body = {"kind": kind.value, "name": full, "rewrite_history": rewrite_history}
    answer = remote.post("/api/v1/purge", body)
    if is_wanted:
        _confirm(answer, is_sure=yes)
        answer = remote.post("/api/v1/purge", {**body, "apply": True})
    output.emit(answer, as_json=as_json, render=lambda console: draw_purge(console, answer))


def draw_purge(console: Console, answer: dict[str, Any]) -> None:
    """Draw what went, or would go, and what remains in any case."""
    console.print(
        f"{'deleted' if answer['applied'] else 'would delete'} {answer['kind']} [bold]{escape(answer['name'])}[/]:"
    )
    console.print(f"  {', '.join(f'{count} {what}' for what, count in answer['gone'].items())}")
    console.print("  and what the index held of it: words, links, names, vectors")
    for place in answer["files"][:_SHOWN]:
        console.print(f"  file {escape(place)}")
    if len(answer["files"]) > _SHOWN:
        console.print(f"  and {len(answer['files']) - _SHOWN} more files")
    if answer["rewritten"]:
        told = answer["rewritten"]
        console.print(
            f"  git: {told['removed_commits']} commits and {told['replaced_texts']} earlier texts are gone too"
        )
    console.print("remains:" if answer["applied"] else "would remain:")
    for line in answer["remains"]:
        console.print(f"  {escape(line)}")
    if not answer["applied"]:
        console.print(
            f"Nothing was deleted. To delete it: memwiki purge {answer['kind']} {escape(answer['name'])} --apply"
        )


def _name_page(remote: "Remote", path: str, project: str | None) -> str:
    scope = project or remote.get("/api/v1/where")["project"]
    return f"{scope}:{path}"


def _confirm(answer: dict[str, Any], *, is_sure: bool) -> None:
    """Show what would go and have its name typed, unless that was said to be sure.

    Raises:
        InvalidValue: nobody is there to be asked, or another name was typed.
    """
    if is_sure:
        return
    if not sys.stdin.isatty():
        raise InvalidValue("--apply", "nobody can be asked here; add --yes")
    draw_purge(output.open_console(is_error=True), answer)
    typed = typer.prompt(f"Type {answer['name']} to delete it for good", err=True)
    if typed.strip() != answer["name"]:
        raise InvalidValue("--apply", "another name was typed; nothing was deleted")
