"""The settings as they are in force, each with where it comes from; and variables of ours that nobody knows."""

import difflib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Directory

app = typer.Typer(help="Look at the settings.", no_args_is_help=True)

# What hooks and commands read, which are no settings of the server.
CLIENT_VARIABLES: Final = frozenset(
    f"MEMWIKI_{name}"
    for name in (
        "BRIEF",
        "CAPTURE",
        "HOOK_PATIENCE",
        "OWN_RUN",
        "RUN",
        "SPOOL_DIR",
        "SPOOL_KEY_FILE",
        "TAKE",
        "UPGRADE_URL",
        "URL",
    )
)
_MASK: Final = "***"

if TYPE_CHECKING:
    from app.config import Settings


@app.callback()
def _group() -> None:
    """Look at the settings."""


@app.command("show")
def show_settings(data_dir: Directory = None, as_json: AsJson = False) -> None:
    """Print every setting that is in force and where it comes from; secrets are masked."""
    from app import config

    settings = config.load_settings(data_dir=data_dir)
    rows = explain(settings, os.environ, given={"data_dir"} if data_dir else set())
    unknown = find_unknown(os.environ)
    answer = {"file": str(settings.data_dir / config.CONFIG_NAME), "settings": rows, "unknown_variables": unknown}
    output.emit(answer, as_json=as_json, render=lambda console: _draw(console, answer))


def explain(settings: "Settings", environ: Mapping[str, str], given: set[str]) -> list[dict[str, Any]]:
    """Tell of each setting its value and its source: option, environment, file or default."""
    from app import config

    in_file = _read_names(settings.data_dir / config.CONFIG_NAME)
    secrets = set(config.list_secrets())
    names = {name.upper() for name, value in environ.items() if value}
    rows = []
    for name in config.Settings.model_fields:
        source = "default"
        if name in given:
            source = "option"
        elif f"{config.ENV_PREFIX}{name}".upper() in names:
            source = "environment"
        elif name in in_file:
            source = "file"
        value = getattr(settings, name)
        if name in secrets and value is not None:
            source = f"{name}_file" if source == "default" else source
            value = _MASK
        rows.append({"name": name, "value": _shape(value), "source": source})
    return rows


def find_unknown(environ: Mapping[str, str]) -> list[dict[str, str]]:
    """Find variables with our prefix that mean nothing, each with the one that may have been meant."""
    from app.config import ENV_PREFIX, Settings

    known = CLIENT_VARIABLES | {f"{ENV_PREFIX}{name}".upper() for name in Settings.model_fields}
    unknown = sorted(name for name in environ if name.upper().startswith(ENV_PREFIX) and name.upper() not in known)
    near = {name: difflib.get_close_matches(name.upper(), known, n=1, cutoff=0.75) for name in unknown}
    return [{"name": name, "meant": near[name][0] if near[name] else ""} for name in unknown]


def warn_of_unknown(environ: Mapping[str, str]) -> None:
    """Say of each unknown variable that it does nothing; its value may be a secret and is not shown."""
    for each in find_unknown(environ):
        hint = f"; did you mean {each['meant']}?" if each["meant"] else ""
        output.print_error(f"{each['name']} is no setting and does nothing{hint}")


def _read_names(path: Path) -> set[str]:
    try:
        return set(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return set()


def _shape(value: object) -> object:
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, list):
        return [_shape(each) for each in value]
    return value


def _draw(console: Console, answer: dict[str, Any]) -> None:
    table = Table("setting", "value", "from", box=None, pad_edge=False)
    for row in answer["settings"]:
        shown = "none" if row["value"] in (None, []) else str(row["value"])
        table.add_row(row["name"], escape(shown), row["source"] if row["source"] != "default" else "[dim]default[/]")
    console.print(table)
    console.print(f"[dim]file: {escape(answer['file'])}[/]")
    for each in answer["unknown_variables"]:
        hint = f"; did you mean {each['meant']}?" if each["meant"] else ""
        console.print(f"[yellow]unknown[/] {escape(each['name'])} does nothing{hint}")
