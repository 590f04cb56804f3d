"""The commands that lead on from a hit, and the one that says what a page was worth."""

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Project, Url

PagePathArgument = Annotated[str, typer.Argument(metavar="PATH", help="The page's path, as search shows it.")]


def related(path: PagePathArgument, project: Project = None, url: Url = None, as_json: AsJson = False) -> None:
    """Show what belongs to a page: links, backlinks, what names the same, neighbours in time, evidence."""
    from app.entrypoints.cli.remote import Remote, quote_path

    answer = Remote(url).get(f"/api/v1/related/{quote_path(path)}", project=project)
    output.emit(answer, as_json=as_json, render=lambda console: _draw_related(console, answer))


def timeline(
    subject: Annotated[list[str], typer.Argument(help="A file, a function, an entity, or any words.")],
    *,
    project: Project = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100)] = 20,
    until: Annotated[str | None, typer.Option(help="Only what is older than this moment.")] = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Tell when a subject came up, in pages and in what was said and done, newest first."""
    from app.entrypoints.cli.remote import Remote

    query = {"subject": " ".join(subject), "project": project, "limit": limit, "until": until}
    answer = Remote(url).get("/api/v1/timeline", **query)
    output.emit(answer, as_json=as_json, render=lambda console: _draw_timeline(console, answer))


def feedback(
    path: PagePathArgument,
    verdict: Annotated[str, typer.Argument(help="helpful, not_helpful, wrong or stale.")],
    *,
    note: Annotated[str, typer.Option(help="What is wrong, in a sentence.")] = "",
    project: Project = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Say what a page was worth; it counts until the page changes, and deletes nothing."""
    from app.entrypoints.cli.remote import Remote

    said = {"path": path, "verdict": verdict.lower().replace("-", "_").replace(" ", "_"), "note": note}
    answer = Remote(url).post("/api/v1/feedback", said, project=project)
    output.emit(
        answer,
        as_json=as_json,
        render=lambda console: console.print(f"noted: {escape(answer['path'])} is {answer['verdict']}"),
    )


def _draw_related(console: Console, answer: Any) -> None:  # noqa: ANN401 - JSON off the wire
    page = answer["page"]
    console.print(f"[bold]{escape(page['title'])}[/]  [cyan]{escape(page['project'])}:{escape(page['path'])}[/]")
    for link in answer["links"]:
        place = f"{link['project']}:{link['path']}" if link["path"] else f"{link['target']} (no page)"
        console.print(f"  {link['relation'] or 'links to'} {escape(place)}")
    for label, rows in (("linked from", "backlinks"), ("before", "before"), ("after", "after")):
        for row in answer[rows]:
            console.print(f"  {label} [cyan]{escape(row['path'])}[/] {escape(row['title'])}")
    for row in answer["sharing"]:
        names = escape(", ".join(row["names"][:4]))
        console.print(f"  names the same ({names}) [cyan]{escape(row['path'])}[/] {escape(row['title'])}")
    for seen in answer["evidence"]:
        _draw_observation(console, seen, "evidence")


def _draw_timeline(console: Console, answer: Any) -> None:  # noqa: ANN401 - JSON off the wire
    for moment in answer["moments"]:
        if moment["observation"]:
            _draw_observation(console, moment["observation"], moment["at"])
        else:
            place = f"{escape(moment['project'])}:{escape(moment['path'])}"
            console.print(f"{moment['at']} [cyan]{place}[/] {escape(moment['title'])}")
    if not answer["moments"]:
        console.print("nothing speaks of it")
    if answer["next_until"]:
        console.print(f"… {answer['omitted']} older at least; go on with: --until {answer['next_until']}")


def _draw_observation(console: Console, seen: Any, label: str) -> None:  # noqa: ANN401 - JSON off the wire
    text = escape(" ".join(seen["text"].split()))
    console.print(f"{label} {seen['shows']} [dim]session {seen['session_id']} {seen['stretch']}[/] {text}")
