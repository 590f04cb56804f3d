"""The commands about captured sessions: list, show, compile, end, take up again, forget, and what of them is kept."""

from enum import StrEnum
from typing import Annotated

import typer

from app.domain.session import SessionState
from app.entrypoints.cli import capture, options, output
from app.entrypoints.cli.options import Apply, AsJson, Project, ShowOnly, Url

app = typer.Typer(help="Look at captured sessions, or end one now.", no_args_is_help=True)
app.command("mute")(capture.mute)
app.command("unmute")(capture.unmute)


class Switch(StrEnum):
    """On or off."""

    ON = "on"
    OFF = "off"


@app.command("list")
def list_sessions(
    project: Project = None,
    *,
    agent: Annotated[str | None, typer.Option(help="Only sessions of this agent.")] = None,
    person: Annotated[str | None, typer.Option(help="Only sessions of this person.")] = None,
    state: Annotated[SessionState | None, typer.Option(help="Only sessions in this state.")] = None,
    since: Annotated[str | None, typer.Option(help="Last active on this day or later (2026-05-31).")] = None,
    until: Annotated[str | None, typer.Option(help="Last active before this day.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=500)] = 20,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """List captured sessions, newest first."""
    from app.entrypoints.cli import views
    from app.entrypoints.cli.remote import Remote

    wanted = {"agent": agent, "person": person, "state": state.value if state else None, "since": since, "until": until}
    answer = Remote(url).get("/api/v1/sessions", project=project, limit=limit, **wanted)
    output.emit(answer, as_json=as_json, render=lambda console: views.draw_sessions(console, answer["sessions"]))


@app.command("show")
def show_session(
    session: Annotated[str, typer.Argument(help="The session's id, memwiki's or the agent's own.")],
    *,
    after: Annotated[int, typer.Option(min=0, help="Go on after this observation.")] = 0,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=500)] = 200,
    observations: Annotated[str | None, typer.Option(help="Only these, as a page's footnotes say: o12-15.")] = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Print what was captured of one session, a stretch at a time."""
    from app.entrypoints.cli import views
    from app.entrypoints.cli.remote import Remote, quote_id

    asked = {"after": after, "limit": limit, "observations": observations}
    answer = Remote(url).get(f"/api/v1/sessions/{quote_id(session)}", **asked)
    output.emit(answer, as_json=as_json, render=lambda console: views.draw_session(console, answer, limit))


@app.command("end")
def end_session(
    session: Annotated[str, typer.Argument(help="The session's id, memwiki's or the agent's own.")],
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """End a session whose agent never said that it ended, and compile its page."""
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).post(f"/api/v1/sessions/{quote_id(session)}/end")
    output.emit(answer, as_json=as_json, render=lambda console: console.print(f"ended {answer['id']}"))


@app.command("compile")
def compile_session(
    session: Annotated[str, typer.Argument(help="The session's id, memwiki's or the agent's own.")],
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Bring a session's page up to date now, also while the session goes on."""
    _compile(session, "compile", url, as_json=as_json)


@app.command("finalize")
def finalize_session(
    session: Annotated[str, typer.Argument(help="The session's id, memwiki's or the agent's own.")],
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """End a session and wait for its page and what it hands on."""
    _compile(session, "finalize", url, as_json=as_json)


@app.command("reopen")
def reopen_session(
    session: Annotated[str, typer.Argument(help="The session's id, memwiki's or the agent's own.")],
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Take an ended session up again; it ends by its next end event or by silence."""
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).post(f"/api/v1/sessions/{quote_id(session)}/reopen")
    output.emit(answer, as_json=as_json, render=lambda console: console.print(f"open again: {answer['id']}"))


@app.command("forget")
def forget_session(
    session: Annotated[str, typer.Argument(help="The session's id, memwiki's or the agent's own.")],
    *,
    apply: Apply = False,
    dry_run: ShowOnly = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Delete what was captured of a session, and its page; late events are refused."""
    from app.entrypoints.cli import session_rights
    from app.entrypoints.cli.remote import Remote, quote_id

    wanted = options.decide_apply(apply=apply, dry_run=dry_run)
    answer = Remote(url).post(f"/api/v1/sessions/{quote_id(session)}/forget", {"apply": wanted})
    output.emit(answer, as_json=as_json, render=lambda console: session_rights.draw_forgetting(console, answer))


@app.command("capture")
def switch_capture(
    session: Annotated[str, typer.Argument(help="The session's id, memwiki's or the agent's own.")],
    state: Annotated[Switch, typer.Argument(help="`off` keeps nothing more of it, `on` takes it in again.")],
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Opt a session out of capture from now on, or in again."""
    from app.entrypoints.cli import session_rights
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).post(f"/api/v1/sessions/{quote_id(session)}/capture", {"enabled": state is Switch.ON})
    output.emit(answer, as_json=as_json, render=lambda console: session_rights.draw_switch(console, answer))


def _compile(session: str, step: str, url: str | None, *, as_json: bool) -> None:
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).post(f"/api/v1/sessions/{quote_id(session)}/{step}")
    told = {"written": "wrote", "unchanged": "nothing new for", "empty": "nothing was done, so there is no page"}
    line = f"{told[answer['outcome']]} {answer['page_path']}".rstrip()
    output.emit(answer, as_json=as_json, render=lambda console: console.print(line, markup=False))
