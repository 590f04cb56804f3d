"""The options that many commands take, each declared once."""

from pathlib import Path
from typing import Annotated

import typer

DEFAULT_URL = "http://127.0.0.1:7470"

Url = Annotated[str | None, typer.Option("--url", help="The server's address [env: MEMWIKI_URL].")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
# A directory that cannot be read is refused by the server, which says whose it is.
Directory = Annotated[
    Path | None, typer.Option("--data-dir", readable=False, help="The data directory [env: MEMWIKI_DATA_DIR].")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Check and say what would be done, and change nothing.")]
Project = Annotated[
    str | None,
    typer.Option("--project", "-p", help="`project` or `workspace/project`; `*` for all. Default: this folder's."),
]
