"""The command that clients start which speak MCP with a program's standard streams alone."""

import os
import sys
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer

from app.domain.errors import InvalidValue
from app.entrypoints.cli.options import DEFAULT_URL, Url


def serve(
    url: Url = None,
    project: Annotated[
        str, typer.Option("--project", "-p", help="The project that calls are about if they name none.")
    ] = "",
    token_file: Annotated[
        Path | None, typer.Option(help="The file with the access token [env: MEMWIKI_ACCESS_TOKEN_FILE].")
    ] = None,
) -> None:
    """Speak MCP on standard input and output, for clients that cannot reach a server themselves."""
    from app.capture import client_files
    from app.entrypoints.cli import kept_token
    from app.entrypoints.cli.stdio_bridge import Bridge

    server = (url or os.environ.get("MEMWIKI_URL") or DEFAULT_URL).rstrip("/")
    if not server.startswith(("http://", "https://")):
        raise InvalidValue("url", "it begins with http:// or https://")
    named = {"MEMWIKI_ACCESS_TOKEN_FILE": str(token_file)}
    token = client_files.find_token(named) if token_file else kept_token.find_token()
    query = f"?project={quote(project, safe='')}" if project else ""
    Bridge(f"{server.removesuffix('/mcp')}/mcp{query}", token, sys.stdout.buffer).run(sys.stdin.buffer)
