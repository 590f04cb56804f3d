"""The commands about access tokens, and about who one is."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from app.domain.person import Right
from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, DryRun, Url

app = typer.Typer(help="Access tokens: what proves who calls.", no_args_is_help=True)

TokenId = Annotated[str, typer.Argument(metavar="ID", help="The token's id, as the list shows it.")]


@app.command("create")
def create_token(
    name: Annotated[str, typer.Argument(help="What it is for, such as `laptop`.")],
    *,
    right: Annotated[
        list[Right] | None, typer.Option(help="What it may be used for; may be repeated. Default: capture, write.")
    ] = None,
    project: Annotated[list[str] | None, typer.Option("--project", "-p", help="Only there; may be repeated.")] = None,
    days: Annotated[int | None, typer.Option(min=1, help="How long it is good; default: until revoked.")] = None,
    person: Annotated[str, typer.Option(help="For whom; others' are made by administrators.")] = "",
    dry_run: DryRun = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Make an access token; it is shown once."""
    from app.entrypoints.cli.remote import Remote

    rights = [each.value for each in right or (Right.CAPTURE, Right.WRITE)]
    body = {"name": name, "rights": rights, "projects": project or None, "days": days, "person": person}
    _show_issued(Remote(url).post("/api/v1/tokens", body, dry_run=dry_run), as_json=as_json)


@app.command("list")
def list_tokens(
    everybody: Annotated[bool, typer.Option("--all", help="Those of everybody.")] = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """List your access tokens by how they begin."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/tokens", all=everybody)
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(_render_tokens(answer["tokens"])))


@app.command("rotate")
def rotate_token(
    token: TokenId,
    overlap: Annotated[int, typer.Option(min=0, help="For so many hours the old one stays good.")] = 24,
    dry_run: DryRun = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Make a token like another; the old one stays good for a day, so that clients can be given the new one."""
    from app.entrypoints.cli.remote import Remote, quote_id

    place, body = f"/api/v1/tokens/{quote_id(token)}/rotate", {"overlap_hours": overlap}
    answer = Remote(url).post(place, body, dry_run=dry_run)
    _show_issued(answer, as_json=as_json)


@app.command("revoke")
def revoke_token(token: TokenId, dry_run: DryRun = False, url: Url = None, as_json: AsJson = False) -> None:
    """Make a token worthless at once."""
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).post(f"/api/v1/tokens/{quote_id(token)}/revoke", dry_run=dry_run)
    told = output.tell_change(f"revoked {answer['id']}", is_dry=dry_run)
    output.emit(answer, as_json=as_json, render=lambda console: console.print(told))


def whoami(url: Url = None, as_json: AsJson = False) -> None:
    """Say who you are to the server, and what your token may be used for."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/whoami")
    told = f"{answer['person']} ({answer['role']}): {', '.join(answer['rights'])}"
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(told))


def _show_issued(answer: Mapping[str, Any], *, as_json: bool) -> None:
    is_dry = "token" not in answer
    shown = "" if is_dry else f", shown this once:\n  {answer['token']}"
    told = output.tell_change(f"token {answer['id']} for {answer['person']}{shown}", is_dry=is_dry)
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(told))


def _render_tokens(tokens: list[Mapping[str, Any]]) -> str:
    lines = [
        f"{token['id']}  {token['hint']}  {token['person']}  {token['name']}  {','.join(token['rights'])}"
        f"{'  only ' + ', '.join(token['projects']) if token['projects'] is not None else ''}{_tell_end(token)}"
        for token in tokens
    ]
    return "\n".join(lines) or "no access tokens"


def _tell_end(token: Mapping[str, Any]) -> str:
    if token["revoked_at"]:
        return f"  revoked {token['revoked_at']}"
    end = f"  until {token['expires_at']}" if token["expires_at"] else ""
    return f"{end}  last used {token['last_used_at'] or 'never'}"
