"""The commands about keys: those that encrypt what is sealed under `raw/`, and that of this machine's spool."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from app.entrypoints.cli import output

app = typer.Typer(
    help="Keys that encrypt sealed sessions under raw/, and what waits in the spool.", no_args_is_help=True
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]

_WARNING = (
    "What is sealed under this key can be read by nobody without this file: not by you, not by us. Keep a copy of it "
    "on another machine, and keep it out of the backups of the data directory."
)
_SPOOL_WARNING = (
    "What waits under this key is lost with the file, if that goes before the server has taken it. Older keys stay "
    "behind the new one as long as something waits under them."
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
    from app import config, system, wiring
    from app.access import trail
    from app.compile import sealing
    from app.entrypoints.cli import on_site

    with (
        wiring.open_archive(config.load_settings(data_dir=data_dir)) as parts,
        output.Countdown("sealed files") as told,
    ):
        faults = sealing.move_all(parts, told.tell_left)
        key_id = parts.verbatim.raw.keys.current_id
        deed = trail.Deed("key.rotate", key_id or "no key", f"{told.total - len(faults)} sealed files")
        on_site.note(parts.writer, parts.clock, on_site.find_operator(system.RandomIds()), deed)
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


@app.command("spool")
def make_spool_key(
    required: Annotated[
        bool, typer.Option("--required", help="Rather lose an event, and say so, than keep it in clear.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Encrypt from now on what waits in this machine's spool, or go on under a new key."""
    import os

    from app.capture import client_files
    from app.entrypoints.cli import spool_key

    folder = client_files.find_spool_folder(os.environ)
    path = Path(client_files.find_key_file(os.environ, folder) or client_files.name_key_file(folder))
    key_id = spool_key.put_key(path, secrets.token_bytes(32), folder, is_required=required)
    answer = {"file": str(path), "key_id": key_id, "warning": _SPOOL_WARNING}
    output.emit(
        answer,
        as_json=as_json,
        render=lambda console: console.print(
            f"key {key_id} is in {path}, and seals from the next event on\n[bold yellow]warning[/] {_SPOOL_WARNING}"
        ),
    )
