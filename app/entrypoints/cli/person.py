"""The command `export person`: writes all that one person authored into a file, and proves it against its manifest."""

import os
import zipfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.domain.errors import DiskRefused, InvalidValue
from app.domain.limits_projects import LONG_REQUEST_SECONDS_MAX
from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Url

if TYPE_CHECKING:
    from app.upkeep.person_export import Manifest

_PART = ".part"


def export_person(
    name: Annotated[str, typer.Argument(help="The person's name.")],
    to: Annotated[Path, typer.Option("--to", help="A new file that ends in .zip.")],
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Write all that one person authored into a zip of JSON lines; secrets are left out."""
    from app.entrypoints.cli.remote import Remote, quote_id

    if to.suffix != ".zip" or to.exists():
        raise InvalidValue("--to", f"{to} is there already" if to.exists() else "name a file that ends in .zip")
    _write(to, Remote(url, seconds_max=LONG_REQUEST_SECONDS_MAX).fetch(f"/api/v1/people/{quote_id(name)}/export"))
    manifest = _check(to)
    counts = {member.name.removesuffix(".jsonl"): member.lines for member in manifest.members if member.lines}
    answer = {"to": str(to), "person": manifest.person, "holds": counts, "faults": manifest.faults}
    told = [f"{to}: {', '.join(f'{count} {what}' for what, count in counts.items()) or 'nothing'}"]
    told += [f"could not be read: {fault}" for fault in manifest.faults]
    output.emit(answer, as_json=as_json, render=lambda _: output.print_text("\n".join(told)))


def _write(to: Path, pieces: Iterable[bytes]) -> None:
    """Write the file as it comes; it has its name only once it is whole, and is its owner's alone."""
    part = to.with_name(to.name + _PART)
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        part.replace(to)
    except OSError as error:
        raise DiskRefused(str(to), error.strerror or type(error).__name__) from error
    finally:
        with suppress(OSError):
            part.unlink()


def _check(to: Path) -> "Manifest":
    """Read the file back, and compare every member with the manifest.

    Raises:
        InvalidValue: it was cut or changed on its way.
    """
    from app.upkeep import person_export

    try:
        with zipfile.ZipFile(to) as archive:
            manifest = person_export.parse_manifest(archive.read(person_export.MANIFEST))
            broken = [each.name for each in manifest.members if not _is_whole(archive, each.name, each.sha256)]
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise InvalidValue("--to", f"what came is no export: {error}") from error
    if broken:
        raise InvalidValue("--to", f"these came otherwise than they were sent: {', '.join(broken)}")
    return manifest


def _is_whole(archive: zipfile.ZipFile, name: str, sha256: str) -> bool:
    from app.upkeep import person_export

    with archive.open(name) as member:
        return person_export.hash_member(member) == sha256
