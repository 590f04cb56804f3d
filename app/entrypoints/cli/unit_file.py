"""Writes the file by which the system itself starts the server: a systemd unit, or a launchd property list."""

import os
import plistlib
import re
import shlex
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from app.domain.errors import DiskRefused, InvalidValue
from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Directory, ShowOnly, decide_apply

_LABEL = "io.memwiki.server"
# Where a server of the whole machine keeps its data unless it is told; a person's own folder is closed to it.
_SYSTEM_DATA_DIR = Path("/var/lib/memwiki")
# What a unit file may hold without quoting that each reader of it understands alike.
_PLAIN = re.compile(r"[\w./@:+=-]+")


class UnitKind(StrEnum):
    """What starts and watches servers on a system."""

    SYSTEMD = "systemd"
    LAUNCHD = "launchd"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to run, for whom; `command` is an argument vector with absolute paths.

    `unpacks` says that the program is one file, which unpacks itself into a cache at its first start.
    """

    kind: UnitKind
    command: tuple[str, ...]
    data_dir: Path
    is_system: bool
    unpacks: bool = False


def print_unit(
    kind: Annotated[UnitKind | None, typer.Option(help="Default: what this system has.")] = None,
    *,
    system: Annotated[
        bool, typer.Option("--system", help="For the whole machine, under an account of its own.")
    ] = False,
    apply: Annotated[bool, typer.Option("--apply", help="Write the file to its place; default: print it.")] = False,
    dry_run: ShowOnly = False,
    data_dir: Directory = None,
    as_json: AsJson = False,
) -> None:
    """Make the service file that starts the server with the system, and say what to type next.

    A server of the whole machine has its data in /var/lib/memwiki unless `--data-dir` says otherwise.
    """
    from app import config

    chosen = kind or (UnitKind.LAUNCHD if sys.platform == "darwin" else UnitKind.SYSTEMD)
    folder = data_dir or (_SYSTEM_DATA_DIR if system else config.load_settings().data_dir)
    plan = Plan(chosen, find_command(folder), folder.absolute(), system, unpacks="PEX" in os.environ)
    place, text, following = find_place(plan), build_text(plan), list_steps(plan)
    is_wanted = decide_apply(apply=apply, dry_run=dry_run)
    if is_wanted:
        write_unit(place, text)
    answer = {"kind": chosen.value, "file": str(place), "text": text, "is_written": is_wanted, "next": following}
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text(_tell(answer)))


def find_command(data_dir: Path) -> tuple[str, ...]:
    """Find how this very memwiki is started: its own script, or the interpreter with the module."""
    script = Path(sys.argv[0]).absolute()
    # Without -P an `app` in the folder in which the system starts it would be taken for the server.
    module = (sys.executable, "-P", "-m", __package__ + ".main")
    started = (str(script),) if script.is_file() and script.suffix != ".py" else module
    return (*started, "serve", "--data-dir", str(data_dir.absolute()))


def write_unit(place: Path, text: str) -> None:
    """Write the file to its place; the same again writes nothing.

    Raises:
        InvalidValue: another one is there, which may be somebody's own.
        DiskRefused: the place cannot be written.
    """
    try:
        if place.exists():
            if place.read_text(encoding="utf-8", errors="replace") != text:
                raise InvalidValue("--apply", f"{place} is there and says something else; move it away first")
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    except OSError as error:
        raise DiskRefused(str(place), error.strerror or type(error).__name__) from error


def find_place(plan: Plan) -> Path:
    """Tell where the file belongs."""
    home = Path.home()
    if plan.kind is UnitKind.LAUNCHD:
        return home / "Library" / "LaunchAgents" / f"{_LABEL}.plist"
    return (
        Path("/etc/systemd/system") if plan.is_system else home / ".config" / "systemd" / "user"
    ) / "memwiki.service"


def build_text(plan: Plan) -> str:
    """Write the file.

    Raises:
        InvalidValue: a path has characters that the file cannot hold, or launchd is to start it for the whole machine.
    """
    if plan.is_system and plan.kind is UnitKind.LAUNCHD:
        raise InvalidValue("--system", "launchd starts the server for a person only; leave --system out")
    for part in plan.command:
        if any(ord(char) < ord(" ") for char in part):
            raise InvalidValue("data_dir", "a path in a service file has no control characters")
    return _build_plist(plan) if plan.kind is UnitKind.LAUNCHD else _build_unit(plan)


def list_steps(plan: Plan) -> list[str]:
    """List what a person types next."""
    place = shlex.quote(str(find_place(plan)))
    if plan.kind is UnitKind.LAUNCHD:
        return [f"launchctl bootstrap gui/$(id -u) {place}", "memwiki status"]
    if plan.is_system:
        return [
            "sudo useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin memwiki",
            f"sudo install -d -o memwiki -g memwiki -m 700 {shlex.quote(str(plan.data_dir))}",
            "sudo systemctl daemon-reload",
            "sudo systemctl enable --now memwiki",
        ]
    return ["systemctl --user daemon-reload", "systemctl --user enable --now memwiki", "loginctl enable-linger"]


def _build_unit(plan: Plan) -> str:
    """Write a unit; what is only for the whole machine shuts the server off from all but its own folder."""
    command = " ".join(_quote(part) for part in plan.command)
    lines = [
        "[Unit]", "Description=memwiki, a memory for AI coding agents", "After=network.target", "",
        "[Service]", f"ExecStart={command}", "ExecReload=/bin/kill -HUP $MAINPID", "Restart=on-failure", "RestartSec=2",
        "TimeoutStopSec=30", "NoNewPrivileges=yes", "UMask=0077",
    ]  # fmt: skip
    if plan.is_system:
        lines += [
            "User=memwiki", "Group=memwiki", "ProtectSystem=strict", f"ReadWritePaths={_quote(str(plan.data_dir))}",
            "ProtectHome=read-only", "PrivateTmp=yes", "PrivateDevices=yes", "ProtectKernelTunables=yes",
            "ProtectControlGroups=yes", "RestrictSUIDSGID=yes", "LockPersonality=yes",
        ]  # fmt: skip
    if plan.is_system and plan.unpacks:
        # An account without a home has no cache of its own.
        lines += ["CacheDirectory=memwiki", "Environment=PEX_ROOT=/var/cache/memwiki"]
    return "\n".join([*lines, "", "[Install]", f"WantedBy={'multi-user' if plan.is_system else 'default'}.target", ""])


def _build_plist(plan: Plan) -> str:
    facts: dict[str, Any] = {
        "Label": _LABEL,
        "ProgramArguments": list(plan.command),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "Umask": 0o077,
        "ProcessType": "Background",
    }
    return plistlib.dumps(facts).decode()


def _quote(part: str) -> str:
    """Quote for systemd, to which a per cent sign begins a specifier and a dollar a variable."""
    doubled = part.replace("%", "%%").replace("$", "$$")
    if _PLAIN.fullmatch(doubled):
        return doubled
    return '"' + doubled.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _tell(answer: dict[str, Any]) -> str:
    steps = "\n".join(f"  {step}" for step in answer["next"])
    if answer["is_written"]:
        return f"wrote {answer['file']}\n\nNow type:\n{steps}\n"
    return f"{answer['text']}\n# belongs in {answer['file']} (--apply writes it), then type:\n" + "".join(
        f"# {step}\n" for step in answer["next"]
    )
