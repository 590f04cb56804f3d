"""The commands about groups, grants, which projects are restricted, and the audit trail."""

import json
from typing import Annotated

import typer

from app.domain.person import Access
from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Project, Url

groups = typer.Typer(help="Groups of people who are granted access together.", no_args_is_help=True)
grants = typer.Typer(help="Who may do what in a project.", no_args_is_help=True)
restrictions = typer.Typer(help="Projects, and who sees them.", no_args_is_help=True)
trail = typer.Typer(help="Who did what: a trail in which every change to the past shows.", no_args_is_help=True)

Group = Annotated[str, typer.Argument(help="The group's name.")]
Person = Annotated[str, typer.Argument(help="The person's name.")]
Holder = Annotated[str, typer.Argument(help="A person, or a group as @name.")]


@groups.command("list")
def list_groups(url: Url = None, as_json: AsJson = False) -> None:
    """List the groups with their members."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/groups")
    lines = [f"{group['name']}: {', '.join(group['members']) or 'nobody'}" for group in answer["groups"]]
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text("\n".join(lines) or "no groups"))


@groups.command("add")
def add_group(name: Group, url: Url = None, as_json: AsJson = False) -> None:
    """Make a group."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).post("/api/v1/groups", {"name": name})
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(f"added group {name}"))


@groups.command("remove")
def remove_group(name: Group, url: Url = None) -> None:
    """Remove a group and what it was granted."""
    from app.entrypoints.cli.remote import Remote, quote_id

    Remote(url).delete(f"/api/v1/groups/{quote_id(name)}")
    output.print_text(f"removed group {name}")


@groups.command("join")
def add_member(name: Group, person: Person, url: Url = None, as_json: AsJson = False) -> None:
    """Put a person into a group."""
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).post(f"/api/v1/groups/{quote_id(name)}/members/{quote_id(person)}")
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(f"{name}: {', '.join(answer['members'])}"))


@groups.command("leave")
def remove_member(name: Group, person: Person, url: Url = None, as_json: AsJson = False) -> None:
    """Take a person out of a group."""
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).delete(f"/api/v1/groups/{quote_id(name)}/members/{quote_id(person)}")
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(f"{name}: {', '.join(answer['members'])}"))


@grants.command("list")
def list_grants(project: Project = None, url: Url = None, as_json: AsJson = False) -> None:
    """List who was granted what in this project; `-p '*'` for all."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/grants", project=project)
    lines = [f"{grant['project']}  {grant['holder']}  {grant['access']}" for grant in answer["grants"]]
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text("\n".join(lines) or "no grants"))


@grants.command("add")
def add_grant(
    holder: Holder,
    access: Annotated[Access, typer.Argument(help="What is granted; each includes those before it.")],
    project: Project = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Grant a person or group access to this project."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).post("/api/v1/grants", {"holder": holder, "access": access.value}, project=project)
    told = f"{answer['holder']} may {answer['access']} {answer['project']}"
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(told))


@grants.command("remove")
def remove_grant(holder: Holder, project: Project = None, url: Url = None) -> None:
    """Take a person's or group's access to this project."""
    from app.entrypoints.cli.remote import Remote

    Remote(url).post("/api/v1/grants/remove", {"holder": holder}, project=project)
    output.print_text(f"{holder} has no grant there any more")


@restrictions.command("list")
def list_projects(url: Url = None, as_json: AsJson = False) -> None:
    """List the projects that you may see."""
    from app.entrypoints.cli import views
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/projects")
    output.emit(answer, as_json=as_json, render=lambda console: views.draw_projects(console, answer["projects"]))


@restrictions.command("restrict")
def restrict_project(project: Project = None, url: Url = None, as_json: AsJson = False) -> None:
    """Hide this project from everybody who was granted nothing in it."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).post("/api/v1/projects/restrict", project=project)
    told = f"{answer['project']} is restricted: grant access by `memwiki grant add`"
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(told))


@restrictions.command("open")
def open_project(project: Project = None, url: Url = None, as_json: AsJson = False) -> None:
    """Open this project to everybody who signs in."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).post("/api/v1/projects/open", project=project)
    told = f"{answer['project']} is open to everybody who signs in"
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(told))


@trail.command("list")
def list_audit(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=500)] = 50, url: Url = None, as_json: AsJson = False
) -> None:
    """List who did what, newest first."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/audit", limit=limit)
    shown = ("id", "at", "actor", "action", "subject", "scope", "outcome")
    lines = ["  ".join(str(row[name]) for name in shown if row.get(name)) for row in answer["entries"]]
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text("\n".join(lines) or "nothing yet"))


@trail.command("export")
def export_audit(url: Url = None) -> None:
    """Print the latest rows as JSON, one a line."""
    from app.entrypoints.cli.remote import Remote

    for row in Remote(url).get("/api/v1/audit", limit=500)["entries"]:
        output.print_text(json.dumps(row, ensure_ascii=False))


@trail.command("verify")
def verify_audit(url: Url = None, as_json: AsJson = False) -> None:
    """Walk the whole trail and say whether anything in it was changed since."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/audit/verify")
    told = "the trail is whole" if answer["is_whole"] else f"row {answer['broken_at']} is not what was written"
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(told))
    if not answer["is_whole"]:
        raise typer.Exit(1)
