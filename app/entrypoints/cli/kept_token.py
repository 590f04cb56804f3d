"""The access token of this machine's person: in the environment, or in the file that is kept for the hooks."""

import os
from contextlib import suppress
from pathlib import Path

import platformdirs

from app.capture import client_files
from app.domain.errors import DiskRefused
from app.entrypoints.cli import hook_client

_FILE_VARIABLE = "MEMWIKI_ACCESS_TOKEN_FILE"


def find_token() -> str:
    """Find the token in a variable, in the file that one names, else in the installer's; empty where there is none."""
    return client_files.find_token({**os.environ, _FILE_VARIABLE: str(_locate())})


def install_token(secret: str) -> Path:
    """Keep a token in the file that commands and hooks read, which nobody else can.

    Raises:
        DiskRefused: it cannot be written.
    """
    path = _locate()
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            part.unlink()
        with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            file.write(f"{secret}\n")
        part.replace(path)
    except OSError as error:
        raise DiskRefused(f"the token's file {path}", str(error)) from error
    return path


def remove_token() -> Path | None:
    """Remove the file with the token; None if there is none."""
    path = _locate()
    try:
        path.unlink()
    except OSError:
        return None
    return path


def is_overruled() -> bool:
    """Tell whether a token in the environment is used in place of the file's."""
    return bool(os.environ.get("MEMWIKI_ACCESS_TOKEN", "").strip())


def _locate() -> Path:
    named = os.environ.get(_FILE_VARIABLE)
    kept = hook_client.locate_token(Path(platformdirs.user_data_dir("memwiki", appauthor=False)))
    return Path(named).expanduser() if named else kept
