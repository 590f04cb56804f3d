"""The commands about handoffs."""

from typing import Annotated

import typer

from app.entrypoints.cli import output

app = typer.Typer(help="Work that one session leaves for exactly one other.", no_args_is_help=True)

Url = Annotated[str | None, typer.Option("--url", help="The server's address [env: MEMWIKI_URL].")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Project = Annotated[
    str | None,
    typer.Option("--project", "-p", help="`project` or `workspace/project`; `*` for all. Default: this folder's."),
]
HandoffId = Annotated[str, typer.Argument(metavar="ID", help="The handoff's id, as the list shows it.")]


@app.command("list")
def list_handoffs(
    project: Project = None,
    everything: Annotated[bool, typer.Option("--all", help="Closed ones too.")] = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """List open handoffs, newest first."""
    from app.entrypoints.cli import views
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/handoffs", project=project, state="all" if everything else "open")
    output.emit(answer, as_json=as_json, render=lambda console: views.draw_handoffs(console, answer["handoffs"]))


@app.command("show")
def show_handoff(handoff: HandoffId, url: Url = None, as_json: AsJson = False) -> None:
    """Print one handoff; looking changes nothing."""
    from app.entrypoints.cli import views
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).get(f"/api/v1/handoffs/{quote_id(handoff)}")
    output.emit(answer, as_json=as_json, render=lambda console: views.draw_handoff(console, answer))


@app.command("offer")
def offer_handoff(
    summary: Annotated[str, typer.Argument(help="Where it stands, in a few lines.")],
    *,
    next_step: Annotated[list[str] | None, typer.Option("--next", help="A next step; may be repeated.")] = None,
    question: Annotated[list[str] | None, typer.Option(help="An open question; may be repeated.")] = None,
    to_agent: Annotated[str, typer.Option(help="Only for this agent.")] = "",
    project: Project = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Leave work for the next session in this project."""
    from app.entrypoints.cli.remote import Remote

    body = {
        "summary": summary,
        "next_steps": next_step or [],
        "open_questions": question or [],
        "to_agent": to_agent,
    }
    answer = Remote(url).post("/api/v1/handoffs", body, project=project)
    output.emit(answer, as_json=as_json, render=lambda console: console.print(f"offered {answer['id']}"))


@app.command("claim")
def claim_handoff(
    handoff: HandoffId,
    session: Annotated[
        str, typer.Option(help="The session that goes on with it; default: you, in this terminal.")
    ] = "",
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Take a handoff, so that no other session is given it."""
    _change(handoff, "claim", {"session_id": session}, url=url, as_json=as_json)


@app.command("release")
def release_handoff(handoff: HandoffId, url: Url = None, as_json: AsJson = False) -> None:
    """Give a claimed handoff back, so that the next session is offered it."""
    _change(handoff, "release", {}, url=url, as_json=as_json)


@app.command("done")
def finish_handoff(handoff: HandoffId, url: Url = None, as_json: AsJson = False) -> None:
    """Close a handoff whose work is done."""
    _change(handoff, "done", {}, url=url, as_json=as_json)


@app.command("cancel")
def cancel_handoff(handoff: HandoffId, url: Url = None, as_json: AsJson = False) -> None:
    """Withdraw a handoff that nobody should take."""
    _change(handoff, "cancel", {}, url=url, as_json=as_json)


def _change(handoff: str, action: str, body: dict[str, str], *, url: str | None, as_json: bool) -> None:
    from app.entrypoints.cli import views
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).post(f"/api/v1/handoffs/{quote_id(handoff)}/{action}", body)
    output.emit(answer, as_json=as_json, render=lambda console: views.draw_handoff(console, answer))
