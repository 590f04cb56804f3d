"""The commands about keys that encrypt what is sealed under `raw/`."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from app.entrypoints.cli import output

app = typer.Typer(help="Keys that encrypt sealed sessions under raw/.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]

_WARNING = (
    "What is sealed under this key can be read by nobody without this file: not by you, not by us. Keep a copy of it "
    "on another machine, and keep it out of the backups of the data directory."
)


@app.command("new")
def make_key(
    file: Annotated[Path, typer.Argument(help="Where the key goes; a file that exists is never replaced.")],
    as_json: AsJson = False,
) -> None:
    """Make a key file for `raw_key_file`; whoever loses it loses what is sealed under it."""
    from app.state import raw_keys

    made = raw_keys.install_key(file, secrets.token_bytes(raw_keys.KEY_BYTES))
    answer = {"file": str(file.absolute()), "key_id": made.id, "warning": _WARNING}
    output.emit(
        answer,
        as_json=as_json,
        render=lambda console: console.print(
            f"key {made.id} is in {answer['file']}\n[bold yellow]warning[/] {_WARNING}\n"
            "To use it, set raw_key_file to it and start the server again."
        ),
    )


@app.command("rotate")
def rotate_keys(
    data_dir: Annotated[
        Path | None, typer.Option("--data-dir", readable=False, help="The data directory [env: MEMWIKI_DATA_DIR].")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Put every sealed file under the key that the settings name now, at once, while no server runs.

    A running server does the same by and by, with `raw_old_key_files` naming the earlier keys.
    """
    from app import config, wiring
    from app.compile import sealing

    with (
        wiring.open_archive(config.load_settings(data_dir=data_dir)) as parts,
        output.Countdown("sealed files") as told,
    ):
        faults = sealing.move_all(parts, told.tell_left)
    key_id = parts.verbatim.raw.keys.current_id
    answer = {"key_id": key_id, "moved": told.total - len(faults), "unreadable": [str(fault) for fault in faults]}
    output.emit(
        answer,
        as_json=as_json,
        render=lambda console: console.print(
            f"{answer['moved']} sealed files were put under {f'key {key_id}' if key_id else 'no key'}"
        ),
    )
    if faults:
        raise faults[0]
