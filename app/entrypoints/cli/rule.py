"""The commands about what waits for a person's word: rules, changes of pages, merges; and about confirming a page."""

from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.console import Console

from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Project, Url

app = typer.Typer(help="Rules that people wished for, and that wait to be approved.", no_args_is_help=True)
proposals = typer.Typer(help="Everything that waits for a person: rules, changes, merges.", no_args_is_help=True)

ProposalId = Annotated[str, typer.Argument(metavar="ID", help="The proposal's id, as the list shows it.")]


class State(StrEnum):
    """Which proposals."""

    WAITING = "waiting"
    APPROVED = "approved"
    REJECTED = "rejected"
    ALL = "all"


Which = Annotated[State, typer.Option("--state", help="Those that wait, those of one answer, or all.")]


@app.command("list")
def list_rules(project: Project = None, state: Which = State.WAITING, url: Url = None, as_json: AsJson = False) -> None:
    """List what people said is always or never to be done, and who said it where."""
    _list("rule", project, state, url, as_json=as_json)


@proposals.command("list")
def list_proposals(
    project: Project = None, state: Which = State.WAITING, url: Url = None, as_json: AsJson = False
) -> None:
    """List all proposals, the newest first."""
    _list(None, project, state, url, as_json=as_json)


@proposals.command("show")
def show_proposal(proposal: ProposalId, url: Url = None, as_json: AsJson = False) -> None:
    """Print a proposal with what would be written and what speaks for it."""
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).get(f"/api/v1/proposals/{quote_id(proposal)}")
    output.emit(answer, as_json=as_json, render=lambda console: _draw_whole(console, answer))


@app.command("approve")
@proposals.command("approve")
def approve(proposal: ProposalId, url: Url = None, as_json: AsJson = False) -> None:
    """Carry a proposal out: write the rule, change the page, or merge the two."""
    _decide(proposal, "approve", url, as_json=as_json)


@app.command("reject")
@proposals.command("reject")
def reject(proposal: ProposalId, url: Url = None, as_json: AsJson = False) -> None:
    """Say no to a proposal; it never comes back."""
    _decide(proposal, "reject", url, as_json=as_json)


def confirm(
    path: Annotated[str, typer.Argument(help="The page's path in its project, such as rules/no-force-push.md.")],
    project: Project = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Say that a page still holds, as of now."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).post("/api/v1/confirm", {"path": path}, project=project)
    line = f"{answer['project']}:{answer['path']} holds as of {answer['verified_at']}"
    output.emit(answer, as_json=as_json, render=lambda console: console.print(line, markup=False))


def curate(project: Project = None, url: Url = None, as_json: AsJson = False) -> None:
    """Look for pages that say nearly the same, and propose to make one of two."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).post("/api/v1/curate", project=project)
    output.emit(answer, as_json=as_json, render=lambda console: _draw(console, answer["proposals"]))


def _list(kind: str | None, project: str | None, state: State, url: str | None, *, as_json: bool) -> None:
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/proposals", project=project, kind=kind, state=state.value)
    output.emit(answer, as_json=as_json, render=lambda console: _draw(console, answer["proposals"]))


def _decide(proposal: str, verb: str, url: str | None, *, as_json: bool) -> None:
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).post(f"/api/v1/proposals/{quote_id(proposal)}/{verb}")
    where = f", see {answer['project']}:{answer['path']}" if answer["path"] and verb == "approve" else ""
    line = f"{answer['state']}: {answer['title']}{where}"
    output.emit(answer, as_json=as_json, render=lambda console: console.print(line, markup=False))


def _draw(console: Console, found: list[dict[str, Any]]) -> None:
    if not found:
        console.print("nothing waits for a person's word")
    for each in found:
        console.print(f"{each['id']}  {each['kind']}, {each['state']}, {each['project']}", markup=False)
        console.print(f"  {each['title']}", markup=False)
        console.print(f"  {each['reason']}{_tell_evidence(each)}", markup=False, style="dim")


def _draw_whole(console: Console, each: dict[str, Any]) -> None:
    _draw(console, [each])
    console.print(f"\n{each['text']}\n", markup=False)
    for ground in each["evidence"]:
        told = " ".join(str(ground[name]) for name in ("page", "session_id", "observations", "said_by") if ground[name])
        console.print(f"- {told}", markup=False)


def _tell_evidence(each: dict[str, Any]) -> str:
    """Name the first of what speaks for a proposal: who said it and where."""
    ground = each["evidence"][0] if each["evidence"] else {}
    where = f"{ground.get('page') or ground.get('session_id') or ''} {ground.get('observations', '')}".strip()
    told = [part for part in (ground.get("said_by", ""), where) if part]
    return f": {', '.join(told)}" if told else ""
