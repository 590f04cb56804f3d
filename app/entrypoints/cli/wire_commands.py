"""Declares `memwiki install` and `memwiki uninstall`."""

from typing import Annotated

import typer

from app.agents.places import WiringScope
from app.entrypoints.cli.options import Apply, AsJson, ShowOnly, Url, decide_apply

Agents = Annotated[list[str] | None, typer.Argument(metavar="[AGENT]...", help="Agents; none lists all there are.")]


def install(
    agents: Agents = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Wire every agent there is.")] = False,
    detected: Annotated[bool, typer.Option("--detected", help="Wire the agents that seem to be here.")] = False,
    scope: Annotated[
        WiringScope, typer.Option(help="Wire all of your work, or this project alone.")
    ] = WiringScope.USER,
    apply: Apply = False,
    dry_run: ShowOnly = False,
    url: Url = None,
    with_token: Annotated[
        bool, typer.Option("--with-token", help="The server wants an access token: read it from MEMWIKI_ACCESS_TOKEN.")
    ] = False,
    keep_token: Annotated[
        bool, typer.Option("--keep-token", help="Also keep today's token in a file of yours alone, for the hooks.")
    ] = False,
    http_hooks: Annotated[
        bool,
        typer.Option("--http-hooks", help="Have Claude Code or Qwen Code post by themselves: no process or spool."),
    ] = False,
    instructions: Annotated[
        bool, typer.Option("--instructions", help="Also tell the agent in CLAUDE.md, AGENTS.md or GEMINI.md.")
    ] = False,
    skills: Annotated[bool, typer.Option("--skills", help="Also write a skill that the agent can load.")] = False,
    as_json: AsJson = False,
) -> None:
    """Wire agents' hooks and MCP entries to the server."""
    from app.entrypoints.cli import remote, wire
    from app.entrypoints.cli.install import Options

    options = Options(
        server_url=remote.find_server_url(url),
        token_env=remote.TOKEN_VARIABLE if with_token or keep_token else "",
        keeps_token=keep_token,
        posts=http_hooks,
        instructions=instructions,
        skills=skills,
    )
    choice = wire.Choice(agents or [], takes_all=everything, takes_detected=detected)
    wire.run_install(choice, options, scope, apply=decide_apply(apply=apply, dry_run=dry_run), as_json=as_json)


def uninstall(
    agents: Agents = None,
    everything: Annotated[bool, typer.Option("--all", help="Unwire every agent, and leave no trace.")] = False,
    apply: Apply = False,
    dry_run: ShowOnly = False,
    as_json: AsJson = False,
) -> None:
    """Take agents' hooks, MCP entries and instructions out again."""
    from app.entrypoints.cli import wire

    wire.run_uninstall(
        wire.Choice(agents or [], takes_all=everything),
        apply=decide_apply(apply=apply, dry_run=dry_run),
        as_json=as_json,
    )
