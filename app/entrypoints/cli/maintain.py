"""The commands that make, prove and put back backups; they work on a data directory, with or without a server."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Directory, Url

app = typer.Typer(help="Make a backup, or prove one.", invoke_without_command=True)

PassphraseFile = Annotated[
    Path | None,
    typer.Option(
        "--passphrase-file", help="A file whose first line is the passphrase [setting: backup_passphrase_file]."
    ),
]


@app.callback()
def make_backup(
    context: typer.Context,
    to: Annotated[
        Path | None, typer.Option("--to", help="The file to write; default: one in the backup folder.")
    ] = None,
    *,
    data_dir: Directory = None,
    encrypt: Annotated[bool, typer.Option("--encrypt", help="Ask for a passphrase and encrypt with it.")] = False,
    passphrase_file: PassphraseFile = None,
    with_secrets: Annotated[bool, typer.Option("--with-secrets", help="Keep secrets among the settings too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make a backup, also while the server runs, and note it for `memwiki status`."""
    if context.invoked_subcommand is not None:
        return
    from app import config, config_values, system, wiring
    from app.access import trail
    from app.entrypoints.cli import maintain_passphrase, on_site
    from app.upkeep import backup, backup_keeper

    settings = config.load_settings(data_dir=data_dir)
    file = passphrase_file or settings.backup_passphrase_file
    passphrase = maintain_passphrase.choose_new(file, is_wanted=encrypt)
    now = system.SystemClock().now()
    target = to or backup_keeper.name_backup(
        config_values.find_backup_folder(settings), now, is_encrypted=bool(passphrase)
    )
    source = wiring.build_backup_source(settings, with_secrets=with_secrets)
    with output.Countdown("backup") as told:
        manifest = backup.make_backup(source, target, now, passphrase=passphrase, told=told.tell_left)
    backup_keeper.note_backup(settings.data_dir, target, manifest, now, is_encrypted=bool(passphrase))
    kind = "encrypted" if passphrase else "in clear"
    detail = f"{len(manifest.members)} files, {kind}{', with secrets' if with_secrets else ''}"
    on_site.leave(settings.data_dir, trail.Deed("backup.make", target.name, detail))
    answer = {**_shape(target, manifest), "encrypted": bool(passphrase)}
    output.emit(answer, as_json=as_json, render=lambda console: _draw(console, "wrote", answer))


@app.command("verify")
def verify_backup(
    file: Annotated[Path, typer.Argument(help="The backup.")],
    passphrase_file: PassphraseFile = None,
    as_json: AsJson = False,
) -> None:
    """Read a backup to its end and prove every file in it; nothing is written."""
    from app.entrypoints.cli import maintain_passphrase
    from app.upkeep import restore

    with output.Gauge("verify") as gauge:
        passphrase = maintain_passphrase.choose_known(file, passphrase_file)
        manifest = restore.verify_backup(file, passphrase=passphrase, told=gauge.tell_more)
    answer = _shape(file, manifest)
    output.emit(answer, as_json=as_json, render=lambda console: _draw(console, "whole:", answer))


def restore_backup(
    file: Annotated[Path, typer.Argument(help="The backup.")],
    data_dir: Annotated[Path, typer.Option("--data-dir", help="A folder that is empty or not there yet.")],
    passphrase_file: PassphraseFile = None,
    as_json: AsJson = False,
) -> None:
    """Put a backup back into an empty folder: all of it, or nothing."""
    from app import config
    from app.entrypoints.cli import maintain_passphrase
    from app.state import schema
    from app.upkeep import restore

    revisions = schema.list_revisions(config.find_bundled("migrations"))
    restore.check_empty(data_dir)
    passphrase = maintain_passphrase.choose_known(file, passphrase_file)
    with output.Gauge("restore") as gauge:
        manifest = restore.restore_backup(file, data_dir, revisions, passphrase=passphrase, told=gauge.tell_more)
    _note_restore(file, data_dir)
    answer = {**_shape(file, manifest), "data_dir": str(data_dir.absolute())}

    def draw(console: Any) -> None:  # noqa: ANN401 - rich's own
        _draw(console, "restored", answer)
        console.print(f"start it with: memwiki serve --data-dir {answer['data_dir']}", markup=False)
        for key_id in manifest.key_ids:
            console.print(f"[yellow]needs key[/] {key_id}: name its file in raw_key_file or raw_old_key_files")

    output.emit(answer, as_json=as_json, render=draw)


def _note_restore(file: Path, data_dir: Path) -> None:
    """Have the trail go on with a row that says where all before it came from."""
    from app import config, wiring
    from app.access import trail
    from app.entrypoints.cli import on_site

    with wiring.open_people(config.load_settings(data_dir=data_dir)) as parts:
        deed = trail.Deed("backup.restore", file.name)
        on_site.note(parts.writer, parts.clock, on_site.find_operator(parts.ids), deed)


def rehearse_restore(
    file: Annotated[Path | None, typer.Option("--from", help="The backup; default: one made now.")] = None,
    *,
    data_dir: Directory = None,
    passphrase_file: PassphraseFile = None,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Prove that a backup works: restore it aside, start a server on it, and compare it with the original."""
    from app import config
    from app.access import trail
    from app.entrypoints.cli import maintain_drill, on_site

    settings = config.load_settings(data_dir=data_dir)
    passphrase_path = passphrase_file or settings.backup_passphrase_file
    report = maintain_drill.run_drill(settings, file, passphrase_path, url)
    count = len(report["faults"])
    found = "works" if report["passed"] else f"does not work: {count} fault{'' if count == 1 else 's'}"
    on_site.leave(settings.data_dir, trail.Deed("backup.drill", file.name if file else report["file"], found))
    output.emit(report, as_json=as_json, render=lambda console: maintain_drill.draw_report(console, report))
    if not report["passed"]:
        sys.exit(1)


def _shape(file: Path, manifest: Any) -> dict[str, Any]:  # noqa: ANN401 - imported late
    rows = manifest.rows
    return {
        "file": str(file.absolute()),
        "bytes": file.stat().st_size,
        "made_at": manifest.made_at,
        "version": manifest.version,
        "schema": manifest.schema,
        "wiki_revision": manifest.wiki_revision,
        "uncommitted": manifest.uncommitted,
        "files": len(manifest.members),
        "rows": rows,
        "key_ids": manifest.key_ids,
        "has_secrets": manifest.has_secrets,
        "faults": manifest.faults,
    }


def _draw(console: Any, done: str, answer: dict[str, Any]) -> None:  # noqa: ANN401 - rich's own
    from rich import filesize

    rows = answer["rows"]
    console.print(f"{done} {answer['file']}, {filesize.decimal(answer['bytes'])}", markup=False)
    waiting = f", and {answer['uncommitted']} files that were not committed" if answer["uncommitted"] else ""
    revision = answer["wiki_revision"][:12] or "no revision"
    console.print(
        f"  as of {answer['made_at']}: {answer['files']} files, {rows.get('sessions', 0)} sessions, "
        f"{rows.get('observations', 0)} observations in state, wiki at {revision}{waiting}"
    )
    if answer["key_ids"] and done == "wrote":
        console.print(
            f"  [yellow]not in it[/]: the key files {', '.join(answer['key_ids'])}, without which raw/ stays shut"
        )
    for fault in answer["faults"]:
        console.print(f"  [yellow]warning[/] {fault}")
