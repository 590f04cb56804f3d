"""The record of what the installer wrote: each file's hash before and after, and where its backup is."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from app.entrypoints.cli import config_files

_FILE_NAME = "installed.json"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class InstalledFile:
    """One file of one agent. `before` and `after` are hashes, empty for no file.

    `is_restorable` says that `before` is a state in which nothing of ours stood; `backup` is empty where there
    was no file to keep.
    """

    path: str
    before: str
    after: str
    backup: str
    is_restorable: bool


# By agent's name, then by the file's path.
Installed = Mapping[str, Mapping[str, InstalledFile]]


def read_installed(folder: Path) -> Installed:
    """Read the record; a missing or damaged one is empty, and an uninstall then removes entries one by one."""
    content = config_files.read_file(folder / _FILE_NAME)
    try:
        record = json.loads(content or b"{}")
        return {
            agent: {item["path"]: InstalledFile(**item) for item in files}
            for agent, files in record.get("agents", {}).items()
        }
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}


def write_installed(folder: Path, installed: Installed) -> None:
    """Replace the record; an empty one is removed."""
    agents = {agent: [asdict(item) for item in files.values()] for agent, files in installed.items() if files}
    if not agents:
        config_files.remove_file(folder / _FILE_NAME)
        return
    text = json.dumps({"version": _VERSION, "agents": agents}, indent=2, ensure_ascii=False) + "\n"
    config_files.write_file(folder / _FILE_NAME, text.encode())
