"""Signing this machine in and out: by the server's identity provider, or by name and password."""

import socket
import time
import webbrowser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from app.domain.errors import InvalidValue
from app.domain.provider_errors import SignInOver
from app.entrypoints.cli import output, user
from app.entrypoints.cli.options import AsJson, Url

if TYPE_CHECKING:
    from app.entrypoints.cli.remote import Remote


def login(
    *,
    device: Annotated[
        bool, typer.Option("--device", help="Open no browser here: type the code on any other machine.")
    ] = False,
    name: Annotated[str, typer.Option(help="Sign in by this name and a password.")] = "",
    password_stdin: user.FromStdin = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Sign this machine in; its commands and hooks use the access token that is kept for them, in a file of yours."""
    from app.entrypoints.cli import kept_token
    from app.entrypoints.cli.remote import Remote

    at = Remote(url)
    ways = at.get("/api/v1/login")
    if ways["open"]:
        told = "this server asks nobody who they are: there is nothing to sign in to"
        output.emit({"open": True}, as_json=as_json, render=lambda console: console.print(told))
        return
    if ways["provider"] and not name:
        found = _log_in_by_provider(at, opens=not device and not as_json)
    else:
        found = _log_in_by_password(at, name, is_piped=password_stdin)
    path = kept_token.install_token(found["token"])
    answer = {"person": found["person"], "expires_at": found["expires_at"], "file": str(path)}
    output.emit(
        answer,
        as_json=as_json,
        render=lambda console: console.print(
            f"signed in as {answer['person']} until {answer['expires_at']}; the token is in {answer['file']}"
        ),
    )
    if kept_token.is_overruled():
        output.print_note("MEMWIKI_ACCESS_TOKEN is set, and is used in place of that file: unset it")


def logout(url: Url = None, as_json: AsJson = False) -> None:
    """Sign this machine out: its access token is worth nothing from now on, and the file with it is removed."""
    from app.entrypoints.cli import kept_token
    from app.entrypoints.cli.remote import Remote

    secret = kept_token.find_token()
    if not secret:
        raise InvalidValue("token", "this machine is not signed in")
    Remote(url, token=secret).post("/api/v1/logout")
    path = kept_token.remove_token()
    answer = {"signed_out": True, "file": str(path) if path else None}
    output.emit(answer, as_json=as_json, render=lambda console: console.print("signed out"))


def _log_in_by_provider(at: "Remote", *, opens: bool) -> Mapping[str, Any]:
    """Wait until a person has signed in somewhere; what is to be done there is told on standard error."""
    begun = at.post("/api/v1/login/device")
    page = begun["page_with_code"] if urlsplit(begun["page_with_code"]).scheme in {"http", "https"} else ""
    output.print_note(f"open {begun['page']} and type the code {begun['user_code']}")
    if opens and page and output.is_error_watched():
        webbrowser.open(page)
    body = {"handle": begun["handle"], "token_name": _name_machine()}
    # The server forgets the code in time, and says so.
    while True:
        answer = at.post("/api/v1/login/device/poll", body)
        if not answer["waiting"]:
            found: Mapping[str, Any] = answer
            return found
        time.sleep(begun["poll_seconds"])


def _log_in_by_password(at: "Remote", name: str, *, is_piped: bool) -> Mapping[str, Any]:
    if not name:
        raise InvalidValue("name", "this server has no identity provider: give your name by --name")
    password = user.ask_password(is_piped=is_piped)
    if not password:
        raise SignInOver
    body = {"name": name, "password": password, "token_name": _name_machine()}
    found: Mapping[str, Any] = at.post("/api/v1/login/password", body)
    return found


def _name_machine() -> str:
    return f"login on {socket.gethostname()}"[:60]
