"""The record of what the installer wrote: each file's hash before and after, whose it is, and where its backups are."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from app.entrypoints.cli import config_files
from app.entrypoints.cli.config_files import Owner

_FILE_NAME = "installed.json"
_VERSION = 2


@dataclass(frozen=True, slots=True)
class InstalledFile:
    """One file. `before` and `after` are hashes, empty for no file.

    `is_restorable` says that `before` is a state in which nothing of ours stood, and the first of `backups` is a copy
    of it; `mode` has the permissions that it had, `folders` were made for it, outermost first.
    """

    path: str
    before: str
    after: str
    is_restorable: bool
    owners: tuple[Owner, ...]
    backups: tuple[str, ...] = ()
    mode: int | None = None
    folders: tuple[str, ...] = ()


# By the file's path.
Installed = Mapping[str, InstalledFile]


def read_installed(folder: Path) -> dict[str, InstalledFile]:
    """Read the record; a missing or damaged one is empty, and an uninstall then removes entries one by one."""
    content = config_files.read_file(folder / _FILE_NAME)
    try:
        record = json.loads(content or b"{}")
        return {item["path"]: _read_file(item) for item in record.get("files", [])}
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}


def write_installed(folder: Path, record: Installed) -> None:
    """Replace the record; an empty one is removed."""
    if not record:
        config_files.remove_file(folder / _FILE_NAME)
        return
    document = {"version": _VERSION, "files": [asdict(item) for item in record.values()]}
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    config_files.write_file(folder / _FILE_NAME, text.encode())


def list_owners(record: Installed) -> frozenset[Owner]:
    """List everybody who has something in a recorded file."""
    return frozenset(owner for file in record.values() for owner in file.owners)


def _read_file(item: Mapping[str, object]) -> InstalledFile:
    return InstalledFile(
        path=str(item["path"]),
        before=str(item["before"]),
        after=str(item["after"]),
        is_restorable=item["is_restorable"] is True,
        owners=tuple(Owner(*map(str, owner)) for owner in _read_list(item["owners"])),
        backups=tuple(map(str, _read_list(item["backups"]))),
        mode=item["mode"] if isinstance(item["mode"], int) else None,
        folders=tuple(map(str, _read_list(item["folders"]))),
    )


def _read_list(value: object) -> list[list[object]]:
    if not isinstance(value, list):
        raise TypeError("a list was expected")
    return value
