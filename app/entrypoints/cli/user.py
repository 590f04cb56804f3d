"""The commands about people; with `--data-dir` on a stopped server's folder, which is also the way back in."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.domain.errors import InvalidValue
from app.domain.person import Role
from app.entrypoints.cli import on_site, output
from app.entrypoints.cli.options import AsJson, DryRun, Url

if TYPE_CHECKING:
    from app.access.accounts import PeopleParts
    from app.entrypoints.cli.remote import Remote
    from app.entrypoints.shapes import Shape

app = typer.Typer(help="People: who may use this server.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The person's name.")]
Offline = Annotated[Path | None, typer.Option("--data-dir", help="Work on this folder, with no server running on it.")]
FromStdin = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]


@app.command("add")
def add_person(
    name: Name,
    *,
    admin: Annotated[bool, typer.Option("--admin", help="An administrator; the first account must be one.")] = False,
    password_stdin: FromStdin = False,
    dry_run: DryRun = False,
    setup_secret_file: Annotated[
        Path | None,
        typer.Option(help="On a server without an administrator: the file with the setup_secret that it has."),
    ] = None,
    data_dir: Offline = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Make an account and its first access token, which is shown once; from the first account on, all must sign in."""
    role = Role.ADMIN if admin else Role.MEMBER
    password = read_password(is_piped=password_stdin, is_optional=True)
    body = {"name": name, "role": role.value, "password": password, "with_token": True}
    if setup_secret_file is not None:
        answer = _set_up(url, name, password, setup_secret_file)
    else:
        answer = _change(
            data_dir,
            url,
            lambda parts: _add_offline(parts, name, role, password),
            lambda at: at.post("/api/v1/people", body, dry_run=dry_run),
            is_dry=dry_run,
        )
    output.emit(answer, as_json=as_json, render=lambda console: _draw_added(console.print, answer))


@app.command("list")
def list_people(data_dir: Offline = None, url: Url = None, as_json: AsJson = False) -> None:
    """List the accounts."""
    answer = _change(data_dir, url, _list_offline, lambda at: at.get("/api/v1/people"))
    output.emit(answer, as_json=as_json, render=lambda console: _draw_people(console.print, answer["people"]))


@app.command("disable")
def disable_person(name: Name, dry_run: DryRun = False, url: Url = None, as_json: AsJson = False) -> None:
    """Refuse a person from now on, in browsers and with every token."""
    _post(url, name, "disable", {}, is_dry=dry_run, as_json=as_json)


@app.command("enable")
def enable_person(
    name: Name, dry_run: DryRun = False, data_dir: Offline = None, url: Url = None, as_json: AsJson = False
) -> None:
    """Let a person in again."""

    def offline(parts: "PeopleParts") -> "Shape":
        from app.access import accounts
        from app.entrypoints import people_shapes

        by = on_site.find_operator(parts.ids)
        return people_shapes.shape_person(accounts.switch_person(parts, by, name, is_enabled=True))

    answer = _change(
        data_dir, url, offline, lambda at: at.post(f"{_place(name)}/enable", dry_run=dry_run), is_dry=dry_run
    )
    told = output.tell_change(f"{answer['name']}: enabled", is_dry=dry_run)
    output.emit(answer, as_json=as_json, render=lambda console: console.print(told))


@app.command("role")
def change_role(
    name: Name,
    role: Annotated[Role, typer.Argument(help="What the person is to be.")],
    dry_run: DryRun = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Make a person an administrator or a member."""
    _post(url, name, "role", {"role": role.value}, is_dry=dry_run, as_json=as_json)


@app.command("reset-password")
def reset_password(
    name: Name,
    *,
    password_stdin: FromStdin = False,
    dry_run: DryRun = False,
    data_dir: Offline = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Give a person a new password; browsers are signed out. With --data-dir, the way back in for an administrator."""
    password = read_password(is_piped=password_stdin, is_optional=False)

    def offline(parts: "PeopleParts") -> "Shape":
        from app.access import accounts
        from app.entrypoints import people_shapes

        by = on_site.find_operator(parts.ids)
        return people_shapes.shape_person(accounts.reset_password(parts, by, name, password))

    body = {"password": password}
    answer = _change(
        data_dir, url, offline, lambda at: at.post(f"{_place(name)}/password", body, dry_run=dry_run), is_dry=dry_run
    )
    told = output.tell_change(f"{answer['name']}: new password set", is_dry=dry_run)
    output.emit(answer, as_json=as_json, render=lambda console: console.print(told))


@app.command("remove")
def remove_person(name: Name, dry_run: DryRun = False, url: Url = None, as_json: AsJson = False) -> None:
    """Remove an account with its tokens and grants; what the person wrote stays."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).delete(_place(name), dry_run=dry_run)
    told = output.tell_change(f"removed {answer['name']}", is_dry=dry_run)
    output.emit(answer, as_json=as_json, render=lambda console: console.print(told))


@app.command("link")
def link_person(
    name: Name,
    *,
    subject: Annotated[str, typer.Option(help="How the identity provider names the person: the claim `sub`.")],
    issuer: Annotated[str, typer.Option(help="Of which provider; default: the one of the settings.")] = "",
    dry_run: DryRun = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Have somebody whom the identity provider names come in as this person, whose role stays as it is."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).post(f"{_place(name)}/link", {"subject": subject, "issuer": issuer}, dry_run=dry_run)
    told = output.tell_change(f"{answer['name']} comes in by the identity provider as {subject}", is_dry=dry_run)
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(told))


@app.command("unlink")
def unlink_person(name: Name, dry_run: DryRun = False, url: Url = None, as_json: AsJson = False) -> None:
    """Have nobody come in as this person by an identity provider any more; browsers are signed out, tokens stay."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).post(f"{_place(name)}/unlink", dry_run=dry_run)
    told = output.tell_change(f"{answer['name']} is linked with nobody", is_dry=dry_run)
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(told))


@app.command("signed-in")
def list_sign_ins(url: Url = None, as_json: AsJson = False) -> None:
    """List who is signed in with a browser, the last seen first."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/sign-ins")
    lines = [
        f"{each['id']}  {each['person']}  from {each['address']}  seen {each['seen_at']}  until {each['expires_at']}"
        for each in answer["sign_ins"]
    ]
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text("\n".join(lines) or "nobody"))


@app.command("sign-out")
def end_sign_in(
    sign_in: Annotated[str, typer.Argument(metavar="ID", help="Which, as `memwiki user signed-in` shows it.")],
    dry_run: DryRun = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Sign a browser out from afar; access tokens stay good."""
    from app.entrypoints.cli.remote import Remote, quote_id

    answer = Remote(url).post(f"/api/v1/sign-ins/{quote_id(sign_in)}/end", dry_run=dry_run)
    told = output.tell_change(f"{answer['person']} is signed out at {answer['address']}", is_dry=dry_run)
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(told))


def read_password(*, is_piped: bool, is_optional: bool) -> str:
    """Read a password from the keyboard without showing it, or from standard input; never from the command line."""
    if is_piped:
        return typer.get_text_stream("stdin").readline().rstrip("\r\n")
    if not typer.get_text_stream("stdin").isatty():
        return ""
    hint = " (empty for none)" if is_optional else ""
    return str(
        typer.prompt(f"Password{hint}", default="", show_default=False, hide_input=True, confirmation_prompt=True)
    )


def ask_password(*, is_piped: bool) -> str:
    """Ask for the password of somebody who signs in; empty where nobody can be asked."""
    if is_piped or not typer.get_text_stream("stdin").isatty():
        return typer.get_text_stream("stdin").readline().rstrip("\r\n") if is_piped else ""
    return str(typer.prompt("Password", hide_input=True))


def _change(
    data_dir: Path | None,
    url: str | None,
    offline: "Callable[[PeopleParts], Shape]",
    online: "Callable[[Remote], Any]",
    *,
    is_dry: bool = False,
) -> Any:  # noqa: ANN401 - JSON off the wire, or the same made here
    if data_dir is None:
        from app.entrypoints.cli.remote import Remote

        return online(Remote(url))
    from app import config, wiring

    with wiring.open_people(config.load_settings(data_dir=data_dir)) as parts:
        return offline(replace(parts, is_trial=is_dry))


def _set_up(url: str | None, name: str, password: str, secret_file: Path) -> "Shape":
    """Become the first administrator of a running server."""
    from app.entrypoints.cli.remote import Remote

    try:
        secret = secret_file.expanduser().read_text(encoding="utf-8").partition("\n")[0]
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidValue("setup_secret_file", f"{secret_file.name} cannot be read") from error
    answer = Remote(url).post("/api/v1/login/first", {"name": name, "password": password, "secret": secret})
    return {"name": answer["person"], "role": Role.ADMIN.value, "token": answer["token"]}


def _add_offline(parts: "PeopleParts", name: str, role: Role, password: str) -> "Shape":
    from app.access import accounts, issuing
    from app.entrypoints import people_shapes

    by = on_site.find_operator(parts.ids)
    added = accounts.add_person(parts, by, accounts.NewPerson(name, role, password))
    if parts.is_trial:
        return people_shapes.shape_person(added)
    issued = issuing.issue_first_token(parts, by, added.name)
    return {**people_shapes.shape_person(added), "token": issued.secret}


def _list_offline(parts: "PeopleParts") -> "Shape":
    from app.access import accounts
    from app.entrypoints import people_shapes

    return {"people": [people_shapes.shape_person(person) for person in parts.engine.read(accounts.list_people)]}


def _post(url: str | None, name: str, action: str, body: object, *, is_dry: bool, as_json: bool) -> None:
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).post(f"{_place(name)}/{action}", body, dry_run=is_dry)
    told = "disabled" if answer["disabled_at"] else answer["role"]
    said = output.tell_change(f"{answer['name']}: {told}", is_dry=is_dry)
    output.emit(answer, as_json=as_json, render=lambda console: console.print(said))


def _place(name: str) -> str:
    from app.entrypoints.cli.remote import quote_id

    return f"/api/v1/people/{quote_id(name)}"


def _draw_added(say: Callable[[str], None], answer: "Shape") -> None:
    added = f"added {answer['name']} ({answer['role']})"
    if "token" not in answer:
        say(output.tell_change(added, is_dry=True))
        return
    say(added)
    say("access token, shown this once:")
    output.print_text(f"  {answer['token']}")
    say("keep it in MEMWIKI_ACCESS_TOKEN, or in a file that MEMWIKI_ACCESS_TOKEN_FILE names")


def _draw_people(say: Callable[[str], None], people: "list[Shape]") -> None:
    for person in people:
        way = "by the identity provider" if person.get("has_provider") else "no password"
        state = "disabled" if person["disabled_at"] else "" if person["has_password"] else way
        say(f"{person['name']}  {person['role']}  {state}".rstrip())
    if not people:
        say("no accounts: whoever reaches this server on its own machine may do everything")
