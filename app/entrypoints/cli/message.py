"""The commands about messages between projects."""

import sys
from typing import Annotated

import typer

from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Project, Url

app = typer.Typer(help="Words from one project to another, each read once.", no_args_is_help=True)

MessageId = Annotated[str, typer.Argument(metavar="ID", help="The message's id, as the list shows it.")]


@app.command("send")
def send_message(
    to_project: Annotated[str, typer.Argument(help="The project that should read it.")],
    body: Annotated[str, typer.Argument(help="What you have to say; `-` reads it from standard input.")],
    *,
    subject: Annotated[str, typer.Option(help="One line; shown in lists.")] = "",
    to_agent: Annotated[str, typer.Option(help="Only for this agent.")] = "",
    to_user: Annotated[str, typer.Option(help="Only for this person.")] = "",
    days: Annotated[int, typer.Option(min=1, help="How long it may wait.")] = 14,
    project: Project = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Send a message from this project to another."""
    from app.entrypoints.cli.remote import Remote

    words = {"body": sys.stdin.read() if body == "-" else body, "subject": subject, "expires_in_days": days}
    sent = words | {"to_project": to_project, "to_agent": to_agent, "to_user": to_user}
    answer = Remote(url).post("/api/v1/messages", sent, project=project)
    output.emit(answer, as_json=as_json, render=lambda console: console.print(f"sent {answer['id']}"))


@app.command("list")
def list_messages(
    sent: Annotated[bool, typer.Option("--sent", help="Those that this project sent, in place of its inbox.")] = False,
    project: Project = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """List what waits for this project; nothing is taken."""
    from app.entrypoints.cli import message_views
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/messages", project=project, sent=sent)
    output.emit(answer, as_json=as_json, render=lambda console: message_views.draw_list(console, answer["messages"]))


@app.command("pop")
def pop_message(
    keep: Annotated[bool, typer.Option("--keep", help="Only look: it comes back after a quarter of an hour.")] = False,
    project: Project = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Take the oldest waiting message and read it; you will not get it again."""
    from app.entrypoints.cli import message_views
    from app.entrypoints.cli.remote import Remote, quote_id

    remote = Remote(url)
    answer = remote.post("/api/v1/messages/pop", project=project)
    message = answer["message"]
    output.emit(answer, as_json=as_json, render=lambda console: message_views.draw_message(console, message))
    if message and not keep:
        # Only once it was printed.
        sys.stdout.flush()
        remote.post(f"/api/v1/messages/{quote_id(message['id'])}/acknowledge", {"token": message["token"]})


@app.command("reply")
def reply_message(
    message: MessageId,
    body: Annotated[str, typer.Argument(help="The answer; `-` reads it from standard input.")],
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Answer a message in the inbox of the project that it came from."""
    from app.entrypoints.cli.remote import Remote, quote_id

    words = sys.stdin.read() if body == "-" else body
    answer = Remote(url).post(f"/api/v1/messages/{quote_id(message)}/reply", {"body": words})
    output.emit(answer, as_json=as_json, render=lambda console: console.print(f"sent {answer['id']}"))


@app.command("thread")
def show_thread(message: MessageId, url: Url = None, as_json: AsJson = False) -> None:
    """Print the conversation that a message is a part of."""
    from app.entrypoints.cli import message_views
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).get(f"/api/v1/messages/{quote_id(message)}/thread")
    output.emit(answer, as_json=as_json, render=lambda console: message_views.draw_thread(console, answer["messages"]))


@app.command("cancel")
def cancel_message(message: MessageId, url: Url = None, as_json: AsJson = False) -> None:
    """Withdraw a message that nobody has acknowledged."""
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).post(f"/api/v1/messages/{quote_id(message)}/cancel", {})
    output.emit(answer, as_json=as_json, render=lambda console: console.print(f"{answer['id']} is {answer['state']}"))
