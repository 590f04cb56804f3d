"""The command that searches; how much it prints, and where it goes on, is up to whoever asks."""

from typing import Annotated

import typer

from app.domain import limits
from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Project, Url


def search(
    words: Annotated[list[str], typer.Argument(help='What to look for; "quotes" keep words together.')],
    *,
    project: Project = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100)] = 10,
    kind: Annotated[list[str] | None, typer.Option(help="Only pages of this kind; may be repeated.")] = None,
    grain: Annotated[str, typer.Option(help="pages, or observations for what was said word for word.")] = "pages",
    why: Annotated[bool, typer.Option("--why", help="Say why each page ranked where it did.")] = False,
    cursor: Annotated[str | None, typer.Option(help="Go on behind an earlier answer, as that one says.")] = None,
    budget_tokens: Annotated[
        int | None, typer.Option(min=limits.BUDGET_TOKENS_MIN, help="What the answer as JSON may take, estimated.")
    ] = None,
    budget_chars: Annotated[
        int | None, typer.Option(min=limits.BUDGET_CHARS_MIN, help="The same in characters.")
    ] = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Search the wiki, and what sessions said."""
    from app.entrypoints.cli import views
    from app.entrypoints.cli.remote import Remote

    asked = {"q": " ".join(words), "project": project, "limit": limit, "kind": ",".join(kind or []) or None, "why": why}
    bounds = {"cursor": cursor, "budget_tokens": budget_tokens, "budget_chars": budget_chars}
    answer = Remote(url).get("/api/v1/search", **asked, **bounds, grain=grain)
    if as_json and (budget_tokens or budget_chars):
        output.print_json_tightly(answer)
    else:
        output.emit(answer, as_json=as_json, render=lambda console: views.draw_hits(console, answer, with_why=why))
