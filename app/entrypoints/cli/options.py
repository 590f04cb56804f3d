"""The options that many commands take, each declared once."""

from pathlib import Path
from typing import Annotated

import typer

from app.domain.errors import InvalidValue

DEFAULT_URL = "http://127.0.0.1:7470"

Url = Annotated[str | None, typer.Option("--url", help="The server's address [env: MEMWIKI_URL].")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
# A directory that cannot be read is refused by the server, which says whose it is.
Directory = Annotated[
    Path | None, typer.Option("--data-dir", readable=False, help="The data directory [env: MEMWIKI_DATA_DIR].")
]
# What deletes or moves what was stored, or writes into your files, only shows what it would do until it is told to.
# `--dry-run` says that aloud, for whoever has the habit from elsewhere.
Apply = Annotated[bool, typer.Option("--apply", help="Do it; without it only what would be done is shown.")]
ShowOnly = Annotated[bool, typer.Option("--dry-run", help="Only show what would be done, as without --apply.")]
Sure = Annotated[bool, typer.Option("--yes", help="With --apply: do not ask once more.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Check and say what would be done, and change nothing.")]
Project = Annotated[
    str | None,
    typer.Option("--project", "-p", help="`project` or `workspace/project`; `*` for all. Default: this folder's."),
]


def decide_apply(*, apply: bool, dry_run: bool, yes: bool = False) -> bool:
    """Decide whether something is to be done, or only shown.

    Raises:
        InvalidValue: both were asked for, or it was confirmed without being asked for.
    """
    if apply and dry_run:
        raise InvalidValue("--dry-run", "it does not go with --apply: give one of the two")
    if yes and not apply and not dry_run:
        raise InvalidValue("--yes", "it only goes with --apply; without that nothing is done, so nothing is asked")
    return apply
