"""The commands about handoffs."""

import os
from typing import Annotated

import typer

from app.capture import client_git
from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Project, Url

app = typer.Typer(help="Work that one session leaves for exactly one other.", no_args_is_help=True)

HandoffId = Annotated[str, typer.Argument(metavar="ID", help="The handoff's id, as the list shows it.")]
Token = Annotated[str, typer.Option(help="The token of the claim; you, in this terminal, need none.")]
Items = list[str] | None

# A person waits for the answer, not an agent.
_GIT_SECONDS = 5.0


@app.command("list")
def list_handoffs(
    project: Project = None,
    everything: Annotated[bool, typer.Option("--all", help="Closed ones too.")] = False,
    everyone: Annotated[bool, typer.Option("--everyone", help="Other people's too, for administrators.")] = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """List open handoffs, newest first."""
    from app.entrypoints.cli import views
    from app.entrypoints.cli.remote import Remote

    states = "all" if everything else "open"
    answer = Remote(url).get("/api/v1/handoffs", project=project, state=states, everyone=everyone)
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
    goal: Annotated[str, typer.Option(help="What it is for.")] = "",
    done: Annotated[Items, typer.Option(help="What is done; may be repeated.")] = None,
    next_step: Annotated[Items, typer.Option("--next", help="A next step; may be repeated.")] = None,
    question: Annotated[Items, typer.Option(help="An open question; may be repeated.")] = None,
    failing: Annotated[Items, typer.Option(help="A command that fails; may be repeated.")] = None,
    decision: Annotated[Items, typer.Option(help="What was decided; may be repeated.")] = None,
    rejected: Annotated[Items, typer.Option(help="What was tried and dropped, and why; may be repeated.")] = None,
    file: Annotated[Items, typer.Option(help="A file to look at; may be repeated.")] = None,
    page: Annotated[str, typer.Option(help="The page to read for more.")] = "",
    to_agent: Annotated[str, typer.Option(help="Only for this agent.")] = "",
    to_user: Annotated[str, typer.Option(help="Only for this person; * for whoever may read the project.")] = "",
    here: Annotated[bool, typer.Option("--here", help="Only for this folder and those below.")] = False,
    project: Project = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Leave work for the next session in this project; branch and files not committed are filled in."""
    from app.entrypoints.cli.remote import Remote

    folder = os.getcwd()  # noqa: PTH109 - text is wanted
    body = {
        "summary": summary,
        "goal": goal,
        "done": done or [],
        "next_steps": next_step or [],
        "open_questions": question or [],
        "failing_commands": failing or [],
        "decisions": decision or [],
        "rejected": rejected or [],
        "files": file or [],
        "page": page,
        "to_agent": to_agent,
        "to_user": to_user,
        "cwd": folder if here else "",
    }
    remote = Remote(url, facts=client_git.read_changes(folder, os.environ, _GIT_SECONDS))
    answer = remote.post("/api/v1/handoffs", body, project=project)
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
def release_handoff(handoff: HandoffId, token: Token = "", url: Url = None, as_json: AsJson = False) -> None:
    """Give a claimed handoff back, so that the next session is offered it."""
    _change(handoff, "release", {"token": token}, url=url, as_json=as_json)


@app.command("done")
def finish_handoff(handoff: HandoffId, token: Token = "", url: Url = None, as_json: AsJson = False) -> None:
    """Close a handoff whose work is done."""
    _change(handoff, "done", {"token": token}, url=url, as_json=as_json)


@app.command("cancel")
def cancel_handoff(handoff: HandoffId, url: Url = None, as_json: AsJson = False) -> None:
    """Withdraw a handoff that nobody should take."""
    _change(handoff, "cancel", {}, url=url, as_json=as_json)


def _change(handoff: str, action: str, body: dict[str, str], *, url: str | None, as_json: bool) -> None:
    from app.entrypoints.cli import views
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).post(f"/api/v1/handoffs/{quote_id(handoff)}/{action}", body)
    output.emit(answer, as_json=as_json, render=lambda console: views.draw_handoff(console, answer))
