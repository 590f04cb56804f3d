"""Declares the commands; each parses, calls one thing, and prints the answer."""

import os
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from app.domain.errors import AppError
from app.entrypoints.cli import (
    brief,
    capture,
    errors,
    handoff,
    help_sections,
    key,
    lint,
    login,
    maintain,
    maintain_config,
    maintain_page,
    maintain_purge,
    maintain_stores,
    mcp_stdio,
    message,
    moving,
    okf,
    output,
    past_commands,
    person,
    related,
    rule,
    run_commands,
    searching,
    session,
    sharing,
    token,
    trail,
    unit_file,
    upgrade,
    user,
    wire_commands,
)
from app.entrypoints.cli.options import AsJson, Directory, Project, Url

app = typer.Typer(
    name="memwiki",
    help="A self-hosted memory for people who work with AI coding agents.",
    cls=help_sections.Sectioned,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(handoff.app, name="handoff")
app.add_typer(message.app, name="message")
app.add_typer(key.app, name="key")
app.add_typer(session.app, name="session")
app.add_typer(capture.app, name="capture")
app.add_typer(user.app, name="user")
app.add_typer(token.app, name="token")
app.add_typer(sharing.groups, name="group")
app.add_typer(sharing.grants, name="grant")
moving.declare(sharing.restrictions)
app.add_typer(sharing.restrictions, name="project")
app.add_typer(trail.app, name="audit")
app.command()(token.whoami)
app.command()(login.login)
app.command()(login.logout)
app.add_typer(maintain.app, name="backup")
app.command("restore")(maintain.restore_backup)
app.command("restore-drill")(maintain.rehearse_restore)
app.command()(maintain_purge.purge)
app.command()(maintain_stores.maintain)
app.add_typer(maintain_config.app, name="config")
app.add_typer(maintain_page.app, name="page")
app.add_typer(upgrade.app, name="upgrade")
app.add_typer(rule.app, name="rule")
app.add_typer(rule.proposals, name="proposal")
okf.exports.command("person")(person.export_person)
app.add_typer(okf.exports, name="export")
app.add_typer(okf.imports, name="import")
app.command()(rule.confirm)
app.command()(rule.curate)
app.command()(lint.lint)
app.command()(brief.brief)
app.command(context_settings=run_commands.PASSED_ON)(run_commands.run)
app.command("continue", context_settings=run_commands.PASSED_ON)(run_commands.continue_work)
app.command()(wire_commands.install)
app.command()(wire_commands.uninstall)
app.command()(past_commands.backfill)
app.command()(past_commands.bootstrap)

app.command()(searching.search)
app.command("service")(unit_file.print_unit)
app.command()(related.related)
app.command()(related.timeline)
app.command()(related.feedback)


def _print_version(is_asked: bool) -> None:  # noqa: FBT001 - as typer calls it
    if is_asked:
        from app import system

        output.print_text(f"memwiki {system.find_version()}\n")
        raise typer.Exit


@app.callback()
def declare_options(
    *,
    is_version_asked: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print which release this is."),
    ] = False,
) -> None:
    """A self-hosted memory for people who work with AI coding agents."""


@app.command()
def serve(
    data_dir: Directory = None,
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port; 0 takes a free one.")] = None,
    as_json: AsJson = False,
) -> None:
    """Run the server until Ctrl-C."""
    from app import config
    from app.entrypoints.cli import announce
    from app.entrypoints.cli import serve as server

    read = partial(config.load_settings, data_dir=data_dir, host=host, port=port)
    tell = announce.build(read(), as_json=as_json)
    maintain_config.warn_of_unknown(os.environ)
    server.run_server(read, tell)


@app.command()
def demo(
    data_dir: Directory = None,
    url: Url = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the temporary data directory.")] = False,
    as_json: AsJson = False,
) -> None:
    """Replay two recorded agent sessions and show what memory makes of them."""
    from app.entrypoints.cli import demo as show

    show.run_demo(data_dir=data_dir, url=url, keep=keep, as_json=as_json)


@app.command()
def status(
    sizes: Annotated[bool, typer.Option("--sizes", help="Also how much each table and folder takes.")] = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Say whether this machine's work is being recorded, and how the server is."""
    from app.entrypoints.cli import here, views

    answer = here.ask_status(url, sizes=sizes)
    output.emit(answer, as_json=as_json, render=lambda console: views.draw_status(console, answer))


@app.command()
def doctor(
    agents: Annotated[
        list[str] | None,
        typer.Argument(help="Agents to check, or `agents` for all that are here; default: all that are wired."),
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Do what is safe to do, and say what was done.")] = False,
    data_dir: Directory = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Check machine, data, server and agents, and rehearse a session through each agent's installed hooks."""
    from app.entrypoints.cli import doctor as examination

    wanted = examination.Examination(agents or [], url, data_dir, is_mending=fix)
    examination.run(wanted, as_json=as_json)


@app.command()
def read(
    path: Annotated[str, typer.Argument(help="The page's path in its project, such as notes/setup.md.")],
    *,
    part: Annotated[str | None, typer.Option(help="Only a heading's section, or lines as 12-40.")] = None,
    project: Project = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Print a page as it stands in the wiki, or a part of it."""
    from app.entrypoints.cli.remote import Remote, quote_path

    answer = Remote(url).get(f"/api/v1/pages/{quote_path(path)}", project=project, part=part)
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(answer["text"]))


@app.command()
def write(
    path: Annotated[str, typer.Argument(help="Where the page goes, such as notes/setup.md.")],
    *,
    title: Annotated[str | None, typer.Option(help="Its title; default: its first heading.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A tag; may be repeated.")] = None,
    expected_hash: Annotated[str | None, typer.Option(help="The hash of the text that is to be replaced.")] = None,
    project: Project = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Save a page whose text is read from standard input."""
    from app.entrypoints.cli.remote import Remote, quote_path

    body = {"body": sys.stdin.read(), "title": title or "", "tags": tag or [], "expected_hash": expected_hash}
    answer = Remote(url).put(f"/api/v1/pages/{quote_path(path)}", body, project=project)
    output.emit(
        answer, as_json=as_json, render=lambda console: console.print(f"saved {answer['project']}:{answer['path']}")
    )


@app.command()
def recent(
    project: Project = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100)] = 10,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """List the pages that changed last."""
    from app.entrypoints.cli import views
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/recent", project=project, limit=limit)
    output.emit(answer, as_json=as_json, render=lambda console: views.draw_pages(console, answer["pages"]))


@app.command()
def projects(url: Url = None, as_json: AsJson = False) -> None:
    """List the projects."""
    from app.entrypoints.cli import views
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/projects")
    output.emit(answer, as_json=as_json, render=lambda console: views.draw_projects(console, answer["projects"]))


@app.command()
def where(
    folder: Annotated[Path | None, typer.Argument(help="The folder; default: this one.")] = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Say which project a folder is, by which rule, and what a first capture would make."""
    from app.entrypoints.cli.remote import Remote
    from app.entrypoints.cli.where import draw_where

    place = str((folder or Path()).absolute())
    answer = Remote(url, cwd=place).get("/api/v1/where")
    output.emit(answer, as_json=as_json, render=lambda console: draw_where(console, place, answer))


@app.command()
def reindex(url: Url = None, as_json: AsJson = False) -> None:
    """Drop the index and build it anew from the wiki."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).post("/api/v1/reindex")
    output.emit(
        answer, as_json=as_json, render=lambda console: console.print("the index is being rebuilt; see: memwiki status")
    )


@app.command()
def bench(
    family: Annotated[str, typer.Argument(help="Which; a name that is none prints them all.")],
    *,
    quick: Annotated[bool, typer.Option("--quick", help="End within 45 seconds.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Exit 1 when a bar is missed.")] = False,
    data_dir: Annotated[Path | None, typer.Option("--data", help="The folder with public sets.")] = None,
    chosen: Annotated[list[str] | None, typer.Option("--set", help="Of retrieval, this set; may be repeated.")] = None,
    ablate: Annotated[bool, typer.Option("--ablate", help="Of retrieval, also without each stream.")] = False,
    keep_dir: Annotated[Path | None, typer.Option("--keep", help="Keep the sets taken in here, for later.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure this machine's figures, each beside its bar and the machine's own ceiling."""
    from app.entrypoints.cli import bench as benches

    scale = benches.choose_scale(
        quick=quick, sets_dir=data_dir, sets=tuple(chosen or ()), is_ablating=ablate, keep_dir=keep_dir
    )
    benches.run(family, scale, check=check, as_json=as_json)


app.command("mcp-stdio")(mcp_stdio.serve)


def main() -> None:
    """Run one command; an error becomes one line and its family's exit code."""
    try:
        app()
    except AppError as error:
        output.print_error(str(error))
        sys.exit(errors.find_exit_code(error))


if __name__ == "__main__":
    main()
