"""The commands about the audit trail: who did what, whether it is whole, and all of it for other programs."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Url

app = typer.Typer(help="Who did what: a trail in which every change to the past shows.", no_args_is_help=True)

_HASH_CHARS = 16
_SHOWN = ("id", "at", "actor", "action", "subject", "detail", "scope", "outcome")


@app.command("list")
def list_audit(
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=500)] = 50,
    actor: Annotated[str | None, typer.Option(help="Only what this person did.")] = None,
    action: Annotated[str | None, typer.Option(help="Only actions that begin like this, such as `token.`.")] = None,
    outcome: Annotated[str | None, typer.Option(help="Only what ended so, such as `denied`.")] = None,
    project: Annotated[str | None, typer.Option("--project", "-p", help="Only in this `workspace/project`.")] = None,
    before: Annotated[int | None, typer.Option(min=1, help="Only rows with a smaller id.")] = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """List who did what, newest first."""
    from app.entrypoints.cli.remote import Remote

    wanted = {"actor": actor, "action": action, "outcome": outcome, "scope": project, "before": before}
    answer = Remote(url).get("/api/v1/audit", limit=limit, **wanted)
    lines = [_render(row) for row in answer["entries"]]
    if answer["next_before"]:
        lines.append(f"older ones: memwiki audit list --before {answer['next_before']}")
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text("\n".join(lines) or "nothing yet"))


@app.command("export")
def export_audit(
    after: Annotated[int, typer.Option(min=0, help="Only rows with a greater id.")] = 0, url: Url = None
) -> None:
    """Print the whole trail, oldest first, as JSON, one row a line."""
    from app.entrypoints.cli.remote import Remote

    for line in Remote(url).stream(f"/api/v1/audit/export?after={after}"):
        output.print_text(line)


@app.command("verify")
def verify_audit(url: Url = None, as_json: AsJson = False) -> None:
    """Walk the whole trail, compare it with the wiki's history, and say whether anything in it was changed since."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/audit/verify")
    if answer["is_whole"]:
        began = "" if answer["first_id"] <= 1 else f" from row {answer['first_id']} on, older ones were retired"
        told = f"the trail is whole: {answer['rows']} rows{began}, {answer['checkpoints']} checkpoints agree"
    else:
        told = f"row {answer['broken_at']} is not what was written: {answer['reason']}"
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(told))
    if not answer["is_whole"]:
        raise typer.Exit(1)


def _render(row: Mapping[str, Any]) -> str:
    """Render a row in a line: what it was before and is after stands at the end; of hashes the beginning is enough."""
    told = "  ".join(str(row[name]) for name in _SHOWN if row.get(name))
    before, after = (str(row.get(name) or "-")[:_HASH_CHARS] for name in ("before", "after"))
    return told if before == after == "-" else f"{told}  {before} > {after}"
