"""The commands that write a project out as an Open Knowledge Format bundle, and read one in."""

import base64
import io
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from app.domain.errors import DiskRefused, InvalidValue
from app.domain.knowledge_errors import BundleRefused
from app.domain.limits import LIST_LIMIT_MAX
from app.domain.limits_knowledge import BUNDLE_BYTES_MAX, BUNDLE_PART_BYTES_MAX, BUNDLE_PROBLEMS_SHOWN
from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Url

exports = typer.Typer(help="Write out a project for other tools, or what is one person's.", no_args_is_help=True)
imports = typer.Typer(help="Read pages in from other tools.", no_args_is_help=True)

_ZIP = ".zip"
# Equal files make equal archives, whenever they are written.
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)


@exports.command("okf")
def export_okf(
    project: Annotated[str, typer.Argument(help="`project` or `workspace/project`.")],
    to: Annotated[Path, typer.Option("--to", help="A folder that is new or empty, or a file that ends in .zip.")],
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Write a project's pages as a bundle of the Open Knowledge Format, checked before it is written."""
    from app.upkeep import okf

    is_occupied = to.exists() and (to.is_file() or any(to.iterdir()))
    if is_occupied:
        raise InvalidValue("--to", f"{to} is there already and not empty")
    files, typed = _fetch(project, url)
    _refuse_problems(okf.list_problems(files))
    _write(to, files)
    aside = sum(path.startswith(okf.ASIDE_FOLDER) for path in files)
    answer = {"to": str(to), "files": len(files), "typed": typed, "unreadable": aside}
    told = f"{len(files)} files in {to}; {len(typed)} pages were given a type, {aside} unreadable ones stand aside"
    output.emit(answer, as_json=as_json, render=lambda console: console.print(told, markup=False))


@imports.command("okf")
def import_okf(
    source: Annotated[Path, typer.Argument(metavar="DIR|FILE", help="A bundle: a folder, or a .zip file.")],
    project: Annotated[str, typer.Option("--project", "-p", help="`project` or `workspace/project`.")],
    create: Annotated[bool, typer.Option("--create", help="Make the project if there is none.")] = False,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Take a bundle's pages into a project: new ones are added, those that differ stay and are named."""
    from app.entrypoints.cli.remote import Remote
    from app.upkeep import okf

    files = _read(source)
    _refuse_problems(okf.list_problems(files))
    remote = Remote(url)
    done: dict[str, list[str]] = {"added": [], "same": [], "conflicts": []}
    with output.Countdown("importing") as countdown:
        parts = _cut(files)
        for number, part in enumerate(parts):
            countdown.tell_left(len(parts) - number)
            coded = {path: base64.b64encode(content).decode() for path, content in part.items()}
            answer = remote.post("/api/v1/okf", {"files": coded}, project=project, create=create)
            for name, paths in done.items():
                paths.extend(answer[name])
    told = (
        f"{len(done['added'])} pages added, {len(done['same'])} were there, {len(done['conflicts'])} differ and stayed"
    )
    lines = [told, *(f"differs: {path}" for path in done["conflicts"])]
    output.emit(done, as_json=as_json, render=lambda console: console.print("\n".join(lines), markup=False))


def _fetch(project: str, url: str | None) -> tuple[dict[str, bytes], list[str]]:
    from app.entrypoints.cli.remote import Remote

    remote, after = Remote(url), ""
    files: dict[str, bytes] = {}
    typed: list[str] = []
    while True:
        answer: dict[str, Any] = remote.get("/api/v1/okf", project=project, after=after or None)
        files |= {path: base64.b64decode(text) for path, text in answer["files"].items()}
        typed += answer["typed"]
        after = answer["next"]
        if not after:
            return files, typed


def _refuse_problems(found: Iterable[str]) -> None:
    problems = list(found)
    if problems:
        raise BundleRefused("; ".join(problems[:BUNDLE_PROBLEMS_SHOWN]))


def _write(to: Path, files: dict[str, bytes]) -> None:
    try:
        if to.suffix == _ZIP:
            to.write_bytes(_pack(files))
            return
        for path, content in files.items():
            place = to / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
    except OSError as error:
        raise DiskRefused(str(to), error.strerror or type(error).__name__) from error


def _pack(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(path, _ZIP_DATE), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _read(source: Path) -> dict[str, bytes]:
    try:
        if source.is_dir():
            found = (path for path in sorted(source.rglob("*")) if path.is_file() and not _is_hidden(path, source))
            return {path.relative_to(source).as_posix(): path.read_bytes() for path in found}
        with zipfile.ZipFile(source) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if sum(entry.file_size for entry in entries) > BUNDLE_BYTES_MAX:
                raise BundleRefused(f"it unpacks to more than {BUNDLE_BYTES_MAX:,} bytes")
            return {entry.filename: archive.read(entry) for entry in entries}
    except zipfile.BadZipFile as error:
        raise BundleRefused("it is neither a folder nor a zip file") from error
    except OSError as error:
        raise DiskRefused(str(source), error.strerror or type(error).__name__) from error


def _is_hidden(path: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(root).parts)


def _cut(files: dict[str, bytes]) -> list[dict[str, bytes]]:
    """Cut a bundle into parts that one request each may carry."""
    parts: list[dict[str, bytes]] = [{}]
    size = 0
    for path, content in sorted(files.items()):
        if parts[-1] and (size + len(content) > BUNDLE_PART_BYTES_MAX or len(parts[-1]) >= LIST_LIMIT_MAX):
            parts.append({})
            size = 0
        parts[-1][path] = content
        size += len(content)
    return parts
