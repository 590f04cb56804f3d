"""The commands that take in what was there before the server: sessions that agents kept, and a repository itself."""

from pathlib import Path
from typing import Annotated

import typer

from app.entrypoints.cli.options import Apply, AsJson, ShowOnly, Url, decide_apply


def backfill(
    agent: Annotated[list[str] | None, typer.Option(help="Only this agent's sessions; may be repeated.")] = None,
    since: Annotated[str | None, typer.Option(help="Only sessions that were active on or after this day.")] = None,
    project: Annotated[str | None, typer.Option("--project", "-p", help="Only sessions of this project.")] = None,
    *,
    gone: Annotated[bool, typer.Option("--gone", help="Also sessions whose folder is not there any more.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be told.")] = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Take in the sessions that Claude Code, Codex, Gemini CLI, OpenCode and pi kept on this machine."""
    from app.entrypoints.cli import backfill as past

    wanted = past.Wanted(tuple(agent or ()), past.parse_since(since), project or "", takes_gone=gone, is_dry=dry_run)
    past.run(wanted, url=url, as_json=as_json)


def bootstrap(
    folder: Annotated[Path | None, typer.Argument(help="The repository; default: the one around this folder.")] = None,
    project: Annotated[str | None, typer.Option("--project", "-p", help="The project; default: the folder's.")] = None,
    *,
    apply: Apply = False,
    dry_run: ShowOnly = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Make a project's first pages from its documents, decisions, agents' instructions and git history."""
    from app.entrypoints.cli import bootstrap as first

    wanted = decide_apply(apply=apply, dry_run=dry_run)
    first.run(folder, project=project, url=url, apply=wanted, as_json=as_json)
