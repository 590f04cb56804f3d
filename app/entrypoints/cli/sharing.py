"""The commands about groups, grants, and which projects are restricted or archived."""

from typing import Annotated

import typer

from app.domain.person import Access
from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, DryRun, Project, Url

groups = typer.Typer(help="Groups of people who are granted access together.", no_args_is_help=True)
grants = typer.Typer(help="Who may do what in a project.", no_args_is_help=True)
restrictions = typer.Typer(help="Projects, and who sees them.", no_args_is_help=True)

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
def add_group(name: Group, dry_run: DryRun = False, url: Url = None, as_json: AsJson = False) -> None:
    """Make a group."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).post("/api/v1/groups", {"name": name}, dry_run=dry_run)
    output.emit(
        answer,
        as_json=as_json,
        render=lambda _: output.print_text(output.tell_change(f"added group {name}", is_dry=dry_run)),
    )


@groups.command("remove")
def remove_group(name: Group, dry_run: DryRun = False, url: Url = None) -> None:
    """Remove a group and what it was granted."""
    from app.entrypoints.cli.remote import Remote, quote_id

    Remote(url).delete(f"/api/v1/groups/{quote_id(name)}", dry_run=dry_run)
    output.print_text(output.tell_change(f"removed group {name}", is_dry=dry_run))


@groups.command("join")
def add_member(name: Group, person: Person, dry_run: DryRun = False, url: Url = None, as_json: AsJson = False) -> None:
    """Put a person into a group."""
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).post(f"/api/v1/groups/{quote_id(name)}/members/{quote_id(person)}", dry_run=dry_run)
    told = output.tell_change(f"{name}: {', '.join(answer['members']) or 'nobody'}", is_dry=dry_run)
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(told))


@groups.command("leave")
def remove_member(
    name: Group, person: Person, dry_run: DryRun = False, url: Url = None, as_json: AsJson = False
) -> None:
    """Take a person out of a group."""
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).delete(f"/api/v1/groups/{quote_id(name)}/members/{quote_id(person)}", dry_run=dry_run)
    told = output.tell_change(f"{name}: {', '.join(answer['members']) or 'nobody'}", is_dry=dry_run)
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(told))


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
    *,
    project: Project = None,
    dry_run: DryRun = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Grant a person or group access to this project."""
    from app.entrypoints.cli.remote import Remote

    body = {"holder": holder, "access": access.value}
    answer = Remote(url).post("/api/v1/grants", body, project=project, dry_run=dry_run)
    told = output.tell_change(f"{answer['holder']} may {answer['access']} {answer['project']}", is_dry=dry_run)
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(told))


@grants.command("remove")
def remove_grant(holder: Holder, project: Project = None, dry_run: DryRun = False, url: Url = None) -> None:
    """Take a person's or group's access to this project."""
    from app.entrypoints.cli.remote import Remote

    Remote(url).post("/api/v1/grants/remove", {"holder": holder}, project=project, dry_run=dry_run)
    output.print_text(output.tell_change(f"{holder} has no grant there any more", is_dry=dry_run))


@restrictions.command("list")
def list_projects(
    archived: Annotated[bool, typer.Option("--archived", help="Those in the archive.")] = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """List the projects that you may see."""
    from app.entrypoints.cli import views
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/projects", archived=archived)
    output.emit(answer, as_json=as_json, render=lambda console: views.draw_projects(console, answer["projects"]))


@restrictions.command("restrict")
def restrict_project(
    project: Project = None, dry_run: DryRun = False, url: Url = None, as_json: AsJson = False
) -> None:
    """Hide this project from everybody who was granted nothing in it."""
    said = "{project} is restricted: grant access by `memwiki grant add`"
    _change("restrict", project, url, said, is_dry=dry_run, as_json=as_json)


@restrictions.command("open")
def open_project(project: Project = None, dry_run: DryRun = False, url: Url = None, as_json: AsJson = False) -> None:
    """Open this project to everybody who signs in."""
    _change("open", project, url, "{project} is open to everybody who signs in", is_dry=dry_run, as_json=as_json)


@restrictions.command("archive")
def archive_project(project: Project = None, dry_run: DryRun = False, url: Url = None, as_json: AsJson = False) -> None:
    """Leave this project out of lists and refuse changes to it; it is still read, found and captured."""
    _change("archive", project, url, "{name} is archived, and only read", is_dry=dry_run, as_json=as_json)


@restrictions.command("unarchive")
def unarchive_project(
    project: Project = None, dry_run: DryRun = False, url: Url = None, as_json: AsJson = False
) -> None:
    """Take this project back from the archive."""
    _change("unarchive", project, url, "{name} is back from the archive", is_dry=dry_run, as_json=as_json)


def _change(action: str, project: str | None, url: str | None, said: str, *, is_dry: bool, as_json: bool) -> None:
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).post(f"/api/v1/projects/{action}", project=project, dry_run=is_dry)
    told = output.tell_change(said.format(**answer), is_dry=is_dry)
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(told))
